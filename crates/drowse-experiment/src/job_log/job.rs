//! A job of a log, and the whole log, whatever its format is.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

pub use drowse_fabric::Wrong;

/// Microseconds of a second.
pub const MILLION: u64 = 1_000_000;

/// A log, as its reader understood it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct JobLog {
    /// The jobs that have run, in the order of the log.
    pub jobs: Vec<LogJob>,
    /// Where sizes are in processors: those of the machine, and its nodes, if the log says both.
    pub machine: Option<(u64, u64)>,
    /// What is left out, in words that follow a number, such as "steps of jobs", and how often.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Jobs that had not ended when the log was written.
    pub unfinished: u64,
    /// Jobs whose start, end and run time do not agree; the run time counts.
    pub disagreeing: u64,
}

/// A job that has run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogJob {
    /// What the log calls it; no two jobs of a log are called the same.
    pub id: String,
    /// When it was submitted, in microseconds.
    pub submit: u64,
    /// When it started, in microseconds; where the log says so.
    pub start: Option<u64>,
    /// How long it ran, in microseconds; more than none.
    pub run: u64,
    /// How long it was allowed to run, in microseconds; where the log says so.
    pub limit: Option<u64>,
    /// How large it was.
    pub size: Size,
    /// The names of its nodes, as a list of hosts, and where they stand; where the log has them.
    pub hosts: Option<(String, Range<usize>)>,
    /// The machine ended it at its limit.
    pub timed_out: bool,
    /// What may tell what it did.
    pub about: About,
    /// Where its size stands.
    pub place: Range<usize>,
}

/// What a log says of what a job did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its name, or that of its profile.
    pub name: Option<String>,
    /// Who paid for it.
    pub account: Option<String>,
    /// The number of its program.
    pub executable: Option<u64>,
}

/// The size of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Whole nodes.
    Nodes(u64),
    /// Processors, of which nodes have several.
    Processors(u64),
}

/// Returns whether a job that has ended did not run from its start to its end; times are in microseconds, and a second
/// may be lost where they are rounded.
pub fn disagree(start: u64, end: Option<u64>, run: u64) -> bool {
    end.is_some_and(|end| end.abs_diff(start.saturating_add(run)) > MILLION)
}

impl JobLog {
    /// Counts something that is left out.
    pub fn leave_out(&mut self, what: &'static str) {
        *self.left_out.entry(what).or_default() += 1;
    }

    /// Adds a job that has run, unless that is known already; `names` has all so far.
    pub fn add(&mut self, job: LogJob, names: &mut HashSet<String>, line: &Range<usize>) -> Result<(), Wrong> {
        if !names.insert(job.id.clone()) {
            let message = format!("job {} stands here twice", job.id);
            return Err(Wrong::new(line, message, "give each job an identity of its own, or remove one of both"));
        }
        self.jobs.push(job);
        Ok(())
    }
}

/// What is left out of every kind of log.
pub mod left_out {
    /// Jobs that were cancelled before they started, or still wait.
    pub const NEVER_RAN: &str = "jobs that never ran";
    /// Jobs whose run time is zero, or not known.
    pub const NO_TIME: &str = "jobs without a run time";
    /// Lines of what belongs to a job that has a line of its own.
    pub const STEPS: &str = "steps or parts of jobs";
}
