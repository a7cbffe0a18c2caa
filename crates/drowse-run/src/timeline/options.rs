//! What a timeline shows: its window, and whom.

use std::ops::{Range, RangeInclusive};

use drowse_core::measure::timeline::{Excerpt, Selection};
use drowse_core::model::units::{Time, UnitError};
use drowse_experiment::{Case, WorkloadSpec};

use crate::inputs::Inputs;

/// The fewest records that are kept of a rank or channel, however many there are.
const FEWEST: usize = 16;

/// What a timeline shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineOptions {
    /// Its window of simulated time.
    pub window: Range<Time>,
    /// Whom it shows.
    pub selection: Selection,
    /// The most records that it has: states of ranks and links, and messages.
    pub limit: usize,
}

/// What a timeline should show and a case does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotThere {
    /// A job.
    #[error("no job is named `{job}`: {known}")]
    Job {
        /// The name that was given.
        job: String,
        /// Those that there are.
        known: String,
    },
    /// A link.
    #[error("no link {link}: the last one is {last}")]
    Link {
        /// The number that was given.
        link: u32,
        /// The last one.
        last: u32,
    },
}

impl TimelineOptions {
    /// Shares the records among the ranks and channels that a case has.
    pub(crate) fn excerpt(&self, case: &Case, inputs: &Inputs) -> Excerpt {
        let specs: &[_] = match &case.workload {
            WorkloadSpec::Jobs(specs) => specs,
            WorkloadSpec::Traffic(_) => &[],
        };
        let has_rank = |job: &str, rank: &u32| self.selection.has_rank(job, *rank);
        let of_job = |(job, ranks): (&str, u32)| (0..ranks).filter(|rank| has_rank(job, rank)).count();
        let ranks: usize = specs.iter().map(|spec| spec.name.as_str()).zip(inputs.ranks()).map(of_job).sum();
        let channels = case.system.network.channels();
        let channels = (0..channels).filter(|&channel| self.selection.has_channel(channel)).count();
        // A rank keeps states and messages.
        let kinds = 2 * ranks.min(1) + channels.min(1);
        let share = self.limit / kinds.max(1);
        Excerpt {
            window: self.window.clone(),
            selection: self.selection.clone(),
            most_of_rank: (share / ranks.max(1)).max(FEWEST),
            most_of_channel: (share / channels.max(1)).max(FEWEST),
        }
    }

    /// Refuses jobs and links that a case does not have.
    pub fn check(&self, case: &Case) -> Result<(), NotThere> {
        let names: Vec<&str> = match &case.workload {
            WorkloadSpec::Jobs(jobs) => jobs.iter().map(|job| job.name.as_str()).collect(),
            WorkloadSpec::Traffic(_) => Vec::new(),
        };
        let jobs = self.selection.jobs.as_deref().unwrap_or_default();
        if let Some(job) = jobs.iter().find(|job| !names.contains(&job.as_str())) {
            let known = if names.is_empty() { "this is traffic without jobs".into() } else { names.join(", ") };
            return Err(NotThere::Job { job: job.clone(), known });
        }
        let channels = case.system.network.channels();
        let links = self.selection.channels.as_deref().unwrap_or_default();
        match links.iter().find(|range| *range.end() >= channels) {
            Some(range) => Err(NotThere::Link { link: *range.end(), last: channels.saturating_sub(1) }),
            None => Ok(()),
        }
    }
}

/// Reads a window of time, such as `1ms..2ms`; without one of its ends, it is that of the run.
pub fn parse_window(text: &str) -> Result<Range<Time>, String> {
    let (from, to) = text.split_once("..").ok_or("give two times with `..` between them, such as 1ms..2ms")?;
    let time = |text: &str, none: Time| match text.trim() {
        "" => Ok(none),
        text => text.parse().map_err(|error: UnitError| error.to_string()),
    };
    let window = time(from, Time::ZERO)?..time(to, Time::NEVER)?;
    if window.start < window.end { Ok(window) } else { Err("the window ends before it begins".into()) }
}

/// Reads a list of numbers and ranges, such as `0-15,40`; `none` has none.
pub fn parse_numbers(text: &str) -> Result<Vec<RangeInclusive<u32>>, String> {
    let number = |text: &str| -> Result<u32, String> {
        text.trim().parse().map_err(|_| format!("`{text}` is no number; give a list such as 0-15,40, or none"))
    };
    let range = |text: &str| -> Result<RangeInclusive<u32>, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let range = number(first)?..=number(last)?;
        if range.is_empty() { Err(format!("`{text}` ends before it begins")) } else { Ok(range) }
    };
    match text.trim() {
        "none" => Ok(Vec::new()),
        list => list.split(',').map(range).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_and_lists_are_read() {
        assert_eq!(parse_window("1ms..2 ms"), Ok(Time::from_us(1000)..Time::from_us(2000)));
        assert_eq!(parse_window("..5us"), Ok(Time::ZERO..Time::from_us(5)));
        assert_eq!(parse_window("5us.."), Ok(Time::from_us(5)..Time::NEVER));
        for wrong in ["5us", "2ms..1ms", "1..2", "1ms..1ms"] {
            assert!(parse_window(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_numbers("0-3, 7"), Ok(vec![0..=3, 7..=7]));
        assert_eq!(parse_numbers("none"), Ok(Vec::new()));
        for wrong in ["", "3-1", "a", "1,,2", "-1"] {
            assert!(parse_numbers(wrong).is_err(), "{wrong}");
        }
    }
}
