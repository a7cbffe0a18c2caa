//! Why a case has no result.

use drowse_core::engine::Failure;
use drowse_core::workload::operation::SourceError;
use drowse_experiment::machine::is_bad_input;
use drowse_experiment::{Diagnostic, LoadError};

/// Why a case has no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The experiment is wrong.
    #[error(transparent)]
    Input(#[from] Diagnostic),
    /// A trace holds something that makes no sense.
    #[error("error: {0}")]
    Source(SourceError),
    /// The jobs take longer than can be simulated.
    #[error("error: {0}")]
    TooLong(Failure),
    /// The run came to a standstill before its jobs had finished.
    #[error("error: {0}")]
    Stuck(Failure),
    /// The machine failed.
    #[error("error: {0}")]
    Machine(String),
    /// Another thread has stopped it.
    #[error("error: cancelled")]
    Cancelled,
}

impl From<LoadError> for RunError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Wrong(diagnostic) => RunError::Input(diagnostic),
            LoadError::Unreadable { path, error } => {
                let message = format!("this file cannot be read: {error}");
                let diagnostic = Diagnostic::of_file(&path, message, "give the path of an experiment file");
                Diagnostic { machine: !is_bad_input(&error), ..diagnostic }.into()
            }
        }
    }
}

impl From<Failure> for RunError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Source(error) => RunError::Source(error),
            Failure::Deadlock(_) | Failure::Standstill { .. } => RunError::Stuck(failure),
            Failure::TooLong(_) => RunError::TooLong(failure),
        }
    }
}
