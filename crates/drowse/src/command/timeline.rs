//! The options of `drowse run` that ask for a timeline: its formats, its window, and whom it shows.

use std::ops::{Range, RangeInclusive};

use clap::{Args, ValueEnum};
use drowse_core::measure::timeline::Selection;
use drowse_core::model::units::Time;
use drowse_experiment::{Case, WorkloadSpec};
use drowse_run::timeline::{TimelineFormat, TimelineOptions};

use crate::failure::Failure;

/// What a timeline shows, and how it is written.
#[derive(Debug, Args)]
pub struct TimelineArguments {
    /// Write what ranks and links do over time, and the messages of ranks, for a viewer or `drowse report` (can be
    /// repeated)
    #[arg(long = "timeline", value_enum, value_name = "FORMAT", requires = "out")]
    formats: Vec<Format>,

    /// The time that the timeline shows, such as 1ms..2ms, or 1ms.. to the end [default: the whole run]
    #[arg(long = "timeline-window", value_name = "FROM..TO", requires = "formats", value_parser = window)]
    window: Option<Range<Time>>,

    /// The jobs that it shows, by name (can be repeated) [default: all]
    #[arg(long = "timeline-job", value_name = "NAME", requires = "formats")]
    jobs: Vec<String>,

    /// The ranks of each job that it shows, such as 0-15,40, or none [default: all]
    #[arg(long = "timeline-ranks", value_name = "LIST", requires = "formats", value_parser = numbers)]
    ranks: Option<Numbers>,

    /// The links that it shows, by the numbers of their channels in channels.csv, such as 0-99, or none [default: all]
    #[arg(long = "timeline-links", value_name = "LIST", requires = "formats", value_parser = numbers)]
    links: Option<Numbers>,

    /// The most records that it has: states and messages. Where there are more, it ends earlier, and says so
    #[arg(long = "timeline-limit", value_name = "N", requires = "formats", default_value_t = 500_000)]
    limit: usize,
}

/// Numbers, as ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Numbers(Vec<RangeInclusive<u32>>);

/// A format of timelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For Paraver: timeline.prv, timeline.pcf and timeline.row
    Prv,
    /// For Perfetto (ui.perfetto.dev) and Chrome: timeline.perfetto.json
    Perfetto,
    /// As a table, which `drowse report` draws: spans.csv
    Table,
}

impl TimelineArguments {
    /// Returns the formats in which timelines are written.
    pub fn formats(&self) -> Vec<TimelineFormat> {
        let format = |format: &Format| match format {
            Format::Prv => TimelineFormat::Paraver,
            Format::Perfetto => TimelineFormat::Perfetto,
            Format::Table => TimelineFormat::Table,
        };
        self.formats.iter().map(format).collect()
    }

    /// Returns what the timeline shows, if one is wanted; refuses jobs and links that a case does not have.
    pub fn options(&self, case: &Case) -> Result<Option<TimelineOptions>, Failure> {
        if self.formats.is_empty() {
            return Ok(None);
        }
        let names: Vec<&str> = match &case.workload {
            WorkloadSpec::Jobs(jobs) => jobs.iter().map(|job| job.name.as_str()).collect(),
            WorkloadSpec::Traffic(_) => Vec::new(),
        };
        if let Some(job) = self.jobs.iter().find(|job| !names.contains(&job.as_str())) {
            let known = if names.is_empty() { "this is traffic without jobs".into() } else { names.join(", ") };
            return Err(Failure::Refused(format!("error: --timeline-job: no job is named `{job}`: {known}")));
        }
        let channels = case.system.network.channels();
        let missing = |range: &&RangeInclusive<u32>| *range.end() >= channels;
        if let Some(range) = self.links.iter().flat_map(|links| &links.0).find(missing) {
            let (link, last) = (range.end(), channels - 1);
            return Err(Failure::Refused(format!("error: --timeline-links: no link {link}: the last one is {last}")));
        }
        let list = |numbers: &Option<Numbers>| numbers.as_ref().map(|numbers| numbers.0.clone());
        Ok(Some(TimelineOptions {
            window: self.window.clone().unwrap_or(Time::ZERO..Time::NEVER),
            selection: Selection {
                jobs: (!self.jobs.is_empty()).then(|| self.jobs.clone()),
                ranks: list(&self.ranks),
                channels: list(&self.links),
            },
            limit: self.limit,
        }))
    }
}

/// Reads a window of time.
fn window(text: &str) -> Result<Range<Time>, String> {
    let (from, to) = text.split_once("..").ok_or("give two times with `..` between them, such as 1ms..2ms")?;
    let time = |text: &str, none: Time| match text.trim() {
        "" => Ok(none),
        text => text.parse().map_err(|error: drowse_core::model::units::UnitError| error.to_string()),
    };
    let window = time(from, Time::ZERO)?..time(to, Time::NEVER)?;
    if window.start < window.end { Ok(window) } else { Err("the window ends before it begins".into()) }
}

/// Reads a list of numbers and ranges.
fn numbers(text: &str) -> Result<Numbers, String> {
    let number = |text: &str| -> Result<u32, String> {
        text.trim().parse().map_err(|_| format!("`{text}` is no number; give a list such as 0-15,40, or none"))
    };
    let range = |text: &str| -> Result<RangeInclusive<u32>, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let range = number(first)?..=number(last)?;
        if range.is_empty() { Err(format!("`{text}` ends before it begins")) } else { Ok(range) }
    };
    match text.trim() {
        "none" => Ok(Numbers(Vec::new())),
        list => list.split(',').map(range).collect::<Result<_, _>>().map(Numbers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_and_lists_are_read() {
        assert_eq!(window("1ms..2 ms"), Ok(Time::from_us(1000)..Time::from_us(2000)));
        assert_eq!(window("..5us"), Ok(Time::ZERO..Time::from_us(5)));
        assert_eq!(window("5us.."), Ok(Time::from_us(5)..Time::NEVER));
        for wrong in ["5us", "2ms..1ms", "1..2", "1ms..1ms"] {
            assert!(window(wrong).is_err(), "{wrong}");
        }
        assert_eq!(numbers("0-3, 7"), Ok(Numbers(vec![0..=3, 7..=7])));
        assert_eq!(numbers("none"), Ok(Numbers(Vec::new())));
        for wrong in ["", "3-1", "a", "1,,2", "-1"] {
            assert!(numbers(wrong).is_err(), "{wrong}");
        }
    }
}
