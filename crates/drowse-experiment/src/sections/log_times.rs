//! When the jobs of a log ran, and on how many nodes: what is looked at before a part of it is chosen.

use std::path::Path;

use super::log;
use super::log_size::Sizes;
use crate::diagnostic::Diagnostic;
use crate::job_log::{self, Wrong};
use crate::machine::is_bad_input;
use crate::source::Source;

/// A job of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// When it started, in microseconds since the first job was submitted.
    pub start: u64,
    /// When it ended.
    pub end: u64,
    /// Its nodes.
    pub nodes: u32,
}

/// Returns when the jobs of a log ran, in the order of the log, on a machine of so many nodes of so many cores. `processors`
/// of the log are a node, where it counts these.
///
/// A file that cannot be read, a log that is wrong, and one that does not say when its jobs started are refused.
pub fn log_times(file: &Path, nodes: u32, cores: u32, processors: Option<u32>) -> Result<Vec<Ran>, Diagnostic> {
    let text = log::read(file).map_err(|error| {
        let help = "write the name of a file in the Standard Workload Format, or of sacct, as it is or packed by gzip";
        let machine = !is_bad_input(&error);
        Diagnostic { machine, ..Diagnostic::of_file(file, format!("this log cannot be read: {error}"), help) }
    })?;
    let sizes = Sizes { nodes, cores, processors };
    match times(&text, &sizes) {
        Ok(jobs) if jobs.is_empty() => {
            let help = "write another log, or more of it";
            Err(Source::new(file, text, &[])?.error("no job of this log has run", help))
        }
        Ok(jobs) => Ok(jobs),
        Err(Wrong { span, message, help }) => Err(Source::new(file, text, &[])?.error_at(&span, message, help)),
    }
}

fn times(text: &str, sizes: &Sizes) -> Result<Vec<Ran>, Wrong> {
    let log = job_log::parse(text, usize::MAX)?;
    let zero = log.jobs.iter().map(|job| job.submit).min().unwrap_or(0);
    let of = |job: &job_log::LogJob| -> Result<Ran, Wrong> {
        let start = job.start.filter(|&start| start >= job.submit).ok_or_else(|| {
            let message = format!("the log does not say when job {} started, or not after it was submitted", job.id);
            Wrong::new(
                &job.place,
                message,
                "write a log that has its start: of the Standard Workload Format, or of sacct",
            )
        })?;
        let nodes = sizes.nodes_of(&log, job)?;
        Ok(Ran { start: start - zero, end: (start - zero).saturating_add(job.run), nodes })
    };
    log.jobs.iter().map(of).collect()
}
