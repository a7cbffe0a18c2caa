//! Job logs: which jobs a machine has run, when they came, how large they were, and how long they took.
//!
//! A log is recognised by its content ([`formats`]), and each format has a reader of its own. All make the same of it: a
//! [`JobLog`]. Times are microseconds on the log's own clock, whatever its zero is. What a reader leaves out, it counts.

mod batsim;
pub(super) mod formats;
mod job;
mod json;
pub mod node_names;
mod sacct;
mod sacct_json;
mod sacct_time;
mod state;
mod swf;

pub(super) use job::{About, JobLog, LogJob, MILLION, Size, Wrong};

/// Reads a log of whatever format, at most so many jobs.
pub(super) fn parse(text: &str, most: usize) -> Result<JobLog, Wrong> {
    (formats::of(text)?.read)(text, most)
}
