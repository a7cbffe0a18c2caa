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
    #[error("{folder}: error: another sweep is at work in this folder\nhelp: wait for it, or give another folder")]
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
}
