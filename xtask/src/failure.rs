//! How a task ends that cannot go on.

use std::fmt::Display;
use std::io;
use std::path::Path;

/// What a task returns.
pub type Outcome<T = ()> = Result<T, Failure>;

/// Why a task ends, and the exit code that says so: 1 where a check has failed, 2 where the task was called wrongly.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    pub code: u8,
}

impl Failure {
    /// Says what is wrong with the repository.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// Says how the task should have been called.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 2 }
    }

    /// Says which file could not be read or written.
    pub fn of_file(path: &Path, error: impl Display) -> Self {
        Self::new(format!("{}: {error}", path.display()))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::new(error.to_string())
    }
}
