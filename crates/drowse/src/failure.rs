//! Why a command fails, and the exit code that says so.

use std::fmt;
use std::io::{self, Write};

use drowse_report::ReportError;
use drowse_run::error::RunError;
use drowse_run::files::ExportError;
use drowse_run::rerun::RerunError;
use drowse_run::sweep::SweepError;

use crate::output::colour;

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
    /// The result is printed, but its tables are not whole.
    Tables(ExportError),
    /// A sweep could not store or write all results.
    Unfinished(ExportError),
    /// Results cannot be shown.
    Report(ReportError),
    /// The request cannot be met.
    Refused(String),
    /// Cases of a sweep could not finish.
    Cases(String),
    /// The routing may deadlock.
    Deadlock,
    /// The routes that stand there are not sound, or not known to be.
    Unsound,
    /// A check has findings, which are printed.
    Findings,
    /// A script that submits has failed; what it ran has said why.
    Script {
        /// The script.
        script: String,
        /// Its exit code; `None` where it was killed.
        code: Option<u8>,
    },
    /// Stdout cannot be written.
    Output(io::Error),
    /// What is wrong has been told, perhaps by another process of the same run.
    Told {
        /// The exit code.
        code: u8,
    },
}

impl Failure {
    /// Returns why a sweep failed.
    pub fn of_sweep(error: SweepError) -> Self {
        match error {
            SweepError::Run(error) => Failure::Run(error),
            SweepError::Export(error) if error.is_bad_input() => Failure::Export(error),
            SweepError::Export(error) => Failure::Unfinished(error),
            SweepError::Incomplete { .. } => Failure::Cases(error.to_string()),
            SweepError::Busy { .. }
            | SweepError::OtherBuild { .. }
            | SweepError::NoSweep { .. }
            | SweepError::BrokenList { .. }
            | SweepError::NoFigure { .. }
            | SweepError::TooManyCases { .. }
            | SweepError::OtherSweep { .. } => Failure::Refused(error.to_string()),
        }
    }

    /// Returns why results cannot be made again.
    pub fn of_rerun(error: RerunError) -> Self {
        match error {
            RerunError::Run(error) => Failure::Run(error),
            RerunError::Sweep(error) => Failure::of_sweep(error),
            RerunError::Export(error) => Failure::Export(error),
            RerunError::NoManifest { .. } | RerunError::OtherTrace { .. } => Failure::Refused(error.to_string()),
        }
    }

    /// Returns the same failure once it has been told.
    pub fn told(self) -> Self {
        Failure::Told { code: self.exit_code() }
    }

    /// Writes the text to stderr.
    pub fn tell(&self) {
        if let Failure::Told { .. } = self {
            return;
        }
        let coloured = colour::of_stderr();
        let text = self.for_terminal(coloured);
        let text = if coloured { colour::message(&text) } else { text };
        // Nothing is left to tell it to when this fails.
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// Returns the text for a terminal, with colours if they are wanted.
    pub fn for_terminal(&self, colour: bool) -> String {
        match self {
            Failure::Run(RunError::Input(diagnostic)) => diagnostic.for_terminal(colour),
            other => other.to_string(),
        }
    }

    /// Returns the exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Run(RunError::Input(diagnostic)) if diagnostic.machine => MACHINE_FAILED,
            Failure::Run(RunError::Input(_) | RunError::Source(_) | RunError::TooLong(_)) | Failure::Refused(_) => {
                BAD_INPUT
            }
            Failure::Run(RunError::Stuck(_))
            | Failure::Cases(_)
            | Failure::Deadlock
            | Failure::Unsound
            | Failure::Findings => JOB_NOT_FINISHED,
            // Those of `drowse merge`, which a script may end with.
            Failure::Script { code: Some(code @ 1..=3), .. } | Failure::Told { code } => *code,
            Failure::Export(error) if error.is_bad_input() => BAD_INPUT,
            Failure::Report(error) if error.is_bad_input() => BAD_INPUT,
            Failure::Run(RunError::Machine(_) | RunError::Cancelled)
            | Failure::Export(_)
            | Failure::Tables(_)
            | Failure::Unfinished(_)
            | Failure::Report(_)
            | Failure::Script { .. }
            | Failure::Output(_) => MACHINE_FAILED,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Run(error) => write!(f, "{error}"),
            Failure::Export(error) => write!(f, "error: {error}"),
            Failure::Report(ReportError::Question(message)) | Failure::Refused(message) | Failure::Cases(message) => {
                f.write_str(message)
            }
            Failure::Report(error) => write!(f, "error: {error}"),
            Failure::Tables(error) => {
                let help = "the result is printed, but not all tables are written: make room or give another folder";
                write!(f, "error: {error}\nhelp: {help}, and run it again")
            }
            Failure::Unfinished(error) => {
                write!(f, "error: {error}\nhelp: finished cases are kept: make room, and run the same command again")
            }
            Failure::Script { script, code } => {
                let ended = code.map_or("was killed".into(), |code| format!("ended with exit code {code}"));
                write!(f, "error: {script} {ended}\nhelp: mend what it says above, and submit again")
            }
            Failure::Told { .. } => Ok(()),
            Failure::Deadlock => f.write_str("error: the routing may deadlock"),
            Failure::Unsound => f.write_str("error: the routes that stand there are not sound, or not known to be"),
            Failure::Findings => f.write_str("error: the ranks of the trace do not fit together"),
            Failure::Output(error) => write!(f, "error: the result cannot be written: {error}"),
        }
    }
}

impl<E: Into<RunError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Run(error.into())
    }
}

#[cfg(test)]
mod tests {
    use drowse_experiment::{Diagnostic, LoadError, Location};

    use super::*;

    #[test]
    fn a_machine_too_small_is_no_bad_input() {
        let code = |machine| {
            let location = Location::File { file: "x.toml".into() };
            let diagnostic =
                Diagnostic { location, message: "too large".into(), help: String::new(), snippet: None, machine };
            Failure::from(diagnostic).exit_code()
        };
        assert_eq!((code(false), code(true)), (BAD_INPUT, MACHINE_FAILED));
    }

    #[test]
    fn a_file_that_may_not_be_read_is_bad_input() {
        let path = "x.toml".into();
        let failure = Failure::from(LoadError::Unreadable { path, error: io::ErrorKind::PermissionDenied.into() });
        assert_eq!(failure.exit_code(), BAD_INPUT);
        let expected =
            "x.toml: error: this file cannot be read: permission denied\nhelp: give the path of an experiment file";
        assert_eq!(failure.for_terminal(false), expected);
    }
}
