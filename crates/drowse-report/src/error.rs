//! Why results cannot be shown.

use std::io;
use std::path::PathBuf;

use drowse_experiment::machine::is_bad_input;

/// Why results cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file cannot be read.
    #[error("{}: cannot be read: {error}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A question about the results cannot be answered: which, why, and what to do.
    #[error("{0}")]
    Question(String),
    /// What was given are no results, or only a part of them.
    #[error("{}: {reason}", path.display())]
    Wrong {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
}

impl ReportError {
    /// Makes an error about the contents of a file or folder.
    pub(crate) fn wrong(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        ReportError::Wrong { path: path.into(), reason: reason.into() }
    }

    /// Returns whether other input would help, rather than another machine.
    pub fn is_bad_input(&self) -> bool {
        match self {
            ReportError::Unreadable { error, .. } => is_bad_input(error),
            ReportError::Wrong { .. } | ReportError::Question(_) => true,
        }
    }
}
