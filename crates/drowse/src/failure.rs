//! Why a command fails, and the exit code that says so.

use std::fmt;
use std::io;

use drowse_study::export::ExportError;
use drowse_study::run::RunError;

/// The exit code for bad input; also that of wrong usage.
pub const BAD_INPUT: u8 = 2;
const JOB_NOT_FINISHED: u8 = 1;
const MACHINE_FAILED: u8 = 3;

/// Why a command fails.
#[derive(Debug)]
pub enum Failure {
    /// A case has no result.
    Run(RunError),
    /// Tables cannot be written.
    Export(ExportError),
    /// Stdout cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Gives the exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Run(RunError::Input(_) | RunError::Source(_)) => BAD_INPUT,
            Failure::Run(RunError::Stuck(_)) => JOB_NOT_FINISHED,
            Failure::Run(RunError::Machine(_)) | Failure::Export(_) | Failure::Output(_) => MACHINE_FAILED,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Run(error) => write!(f, "{error}"),
            Failure::Export(error) => write!(f, "error: {error}"),
            Failure::Output(error) => write!(f, "error: the result cannot be written: {error}"),
        }
    }
}

impl<E: Into<RunError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Run(error.into())
    }
}
