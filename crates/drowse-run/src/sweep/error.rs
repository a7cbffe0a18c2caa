//! Why a sweep has no result.

use crate::error::RunError;
use crate::files::ExportError;

/// Why a sweep has no result.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A case is wrong, or the machine failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A result cannot be stored, or a table cannot be written.
    #[error("error: {0}")]
    Export(#[from] ExportError),
    /// Another process works in the same folder.
    #[error(
        "{folder}: error: another sweep, shard or merge is at work in this folder\n\
         help: wait for it, or give another folder"
    )]
    Busy {
        /// The folder.
        folder: String,
    },
    /// A case was stored by another build, whose results may differ.
    #[error(
        "{file}: error: this result is by {theirs}, but this is {ours}\n\
         help: give another folder, or remove this one to run its cases again"
    )]
    OtherBuild {
        /// The file of the case.
        file: String,
        /// The version and the build that ran it.
        theirs: String,
        /// The version and the build that runs now.
        ours: String,
    },
    /// A folder has no list of cases.
    #[error(
        "{folder}: error: no sweep has written to this folder\n\
         help: give a folder that `drowse sweep --out` has made"
    )]
    NoSweep {
        /// The folder.
        folder: String,
    },
    /// The list of cases cannot be read.
    #[error("{file}: error: this is no list of cases: {reason}\nhelp: run the sweep again, which writes it anew")]
    BrokenList {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two folders hold different sweeps.
    #[error(
        "{theirs}: error: the sweep in this folder is not that in {ours}: {difference}\n\
         help: merge folders of one experiment only, all run with the same file and the same --set"
    )]
    OtherSweep {
        /// The first folder.
        ours: String,
        /// The folder that differs.
        theirs: String,
        /// What differs.
        difference: String,
    },
    /// A search has nothing to go by: no case that has run has a figure that is asked for.
    #[error(
        "error: no case has the figure `{figure}`, which [search] asks for\n\
         help: name another; all that there are is in {folder}"
    )]
    NoFigure {
        /// The figure.
        figure: String,
        /// The folder.
        folder: String,
    },
    /// A search would run more cases than were asked for.
    #[error(
        "error: this search needs {cases} cases so far, and up to {most} are run\n\
         help: --cases {cases} goes on, finished cases are kept; or give keys of [sweep] fewer values"
    )]
    TooManyCases {
        /// The cases that it has come to.
        cases: u64,
        /// Those that may be run.
        most: u64,
    },
    /// Cases are missing, so that no table can be written.
    #[error(
        "error: {missing} of {items} cases and baselines are missing in {folder}\n\
         help: run them by `drowse sweep FILE --out {folder}` or `drowse submit`, then merge again; `drowse status \
         {folder}` says which shards lack cases{}",
        told(damaged)
    )]
    Incomplete {
        /// Those that are missing.
        missing: u64,
        /// All.
        items: u64,
        /// The folder.
        folder: String,
        /// Files of stored cases that are not as they were written.
        damaged: Vec<String>,
    },
}

/// Names files that are damaged, on a line of its own.
fn told(damaged: &[String]) -> String {
    let Some(first) = damaged.first() else { return String::new() };
    format!("\nnote: {} files are not as they were written, and count as missing: the first is {first}", damaged.len())
}
