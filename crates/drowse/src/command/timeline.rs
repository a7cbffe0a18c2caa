//! The options of `drowse run` that ask for a timeline: its formats, its window, and whom it shows.

use std::ops::{Range, RangeInclusive};

use clap::{Args, ValueEnum};
use drowse_core::measure::timeline::Selection;
use drowse_core::model::units::Time;
use drowse_experiment::Case;
use drowse_run::timeline::{NotThere, TimelineFormat, TimelineOptions, parse_numbers, parse_window};

use crate::failure::Failure;

/// What a timeline shows, and how it is written.
#[derive(Debug, Args)]
pub struct TimelineArguments {
    /// Write what ranks and links do over time, and the messages of ranks, for a viewer or `drowse report` (can be
    /// repeated)
    #[arg(long = "timeline", value_enum, value_name = "FORMAT", requires = "out")]
    formats: Vec<Format>,

    /// The time that the timeline shows, such as 1ms..2ms, or 1ms.. to the end [default: the whole run]
    #[arg(long = "timeline-window", value_name = "FROM..TO", requires = "formats", value_parser = parse_window)]
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
        let list = |numbers: &Option<Numbers>| numbers.as_ref().map(|numbers| numbers.0.clone());
        let options = TimelineOptions {
            window: self.window.clone().unwrap_or(Time::ZERO..Time::NEVER),
            selection: Selection {
                jobs: (!self.jobs.is_empty()).then(|| self.jobs.clone()),
                ranks: list(&self.ranks),
                channels: list(&self.links),
            },
            limit: self.limit,
        };
        options.check(case).map_err(|missing| {
            let option = if matches!(missing, NotThere::Job { .. }) { "--timeline-job" } else { "--timeline-links" };
            Failure::Refused(format!("error: {option}: {missing}"))
        })?;
        Ok(Some(options))
    }
}

/// Reads a list of numbers and ranges.
fn numbers(text: &str) -> Result<Numbers, String> {
    parse_numbers(text).map(Numbers)
}
