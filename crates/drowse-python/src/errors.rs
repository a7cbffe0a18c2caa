//! From errors to the exceptions of the package, which are classes of Python so that they can be pickled.

use drowse_experiment::{Diagnostic, LoadError, Location};
use drowse_report::ReportError;
use drowse_run::error::RunError;
use drowse_run::files::ExportError;
use drowse_run::rerun::RerunError;
use drowse_run::sweep::SweepError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// The module that has the exceptions.
static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// Imports the exceptions.
pub fn import(py: Python<'_>) -> PyResult<()> {
    module(py).map(drop)
}

fn module(py: Python<'_>) -> PyResult<&Py<PyModule>> {
    ERRORS.get_or_try_init(py, || Ok(py.import("drowse.errors")?.unbind()))
}

/// An exception that has not been raised yet.
#[derive(Debug)]
pub struct Raised {
    /// The name of its class in `drowse.errors`.
    class: &'static str,
    /// What the command prints.
    text: String,
    /// Where an experiment is wrong, and what helps.
    diagnostic: Option<Box<Diagnostic>>,
    /// What code in Python has raised, which is raised as it is.
    python: Option<PyErr>,
}

/// The classes of exceptions.
pub const INPUT: &str = "InputError";
const MACHINE: &str = "MachineError";
const NOT_FINISHED: &str = "NotFinished";
const FAULT: &str = "Fault";

impl Raised {
    /// Makes one of a class.
    pub fn new(class: &'static str, text: impl Into<String>) -> Self {
        Raised { class, text: text.into(), diagnostic: None, python: None }
    }

    /// Passes on what code in Python has raised.
    pub fn python(error: PyErr) -> Self {
        Raised { python: Some(error), ..Raised::new(FAULT, "") }
    }

    /// Makes that of bad input.
    pub fn input(text: impl Into<String>) -> Self {
        Raised::new(INPUT, text)
    }

    /// Makes that of a panic, which is a defect of Drowse.
    pub fn fault(text: impl Into<String>) -> Self {
        Raised::new(FAULT, text)
    }

    fn build(self, py: Python<'_>) -> PyResult<PyErr> {
        if let Some(error) = self.python {
            return Ok(error);
        }
        let fields = PyDict::new(py);
        if let Some(diagnostic) = &self.diagnostic {
            fields.set_item("message", &diagnostic.message)?;
            fields.set_item("proposal", (!diagnostic.help.is_empty()).then_some(&diagnostic.help))?;
            match &diagnostic.location {
                Location::Position { file, line, column } => {
                    fields.set_item("file", file)?;
                    fields.set_item("line", line)?;
                    fields.set_item("column", column)?;
                }
                Location::File { file } => fields.set_item("file", file)?,
                Location::Override { path } => fields.set_item("key", path)?,
            }
        }
        let class = module(py)?.bind(py).getattr(self.class)?;
        Ok(PyErr::from_value(class.call((&self.text,), Some(&fields))?))
    }
}

impl From<Raised> for PyErr {
    fn from(raised: Raised) -> Self {
        Python::attach(|py| raised.build(py).unwrap_or_else(|error| error))
    }
}

impl From<Diagnostic> for Raised {
    fn from(diagnostic: Diagnostic) -> Self {
        let class = if diagnostic.machine { MACHINE } else { INPUT };
        let text = diagnostic.for_terminal(false);
        Raised { diagnostic: Some(Box::new(diagnostic)), ..Raised::new(class, text) }
    }
}

impl From<RunError> for Raised {
    fn from(error: RunError) -> Self {
        let class = match error {
            RunError::Input(diagnostic) => return diagnostic.into(),
            RunError::Source(_) => INPUT,
            RunError::TooLong(_) | RunError::Stuck(_) => NOT_FINISHED,
            RunError::Machine(_) | RunError::Cancelled => MACHINE,
        };
        Raised::new(class, error.to_string())
    }
}

impl From<LoadError> for Raised {
    fn from(error: LoadError) -> Self {
        RunError::from(error).into()
    }
}

impl From<ExportError> for Raised {
    fn from(error: ExportError) -> Self {
        let class = if error.is_bad_input() { INPUT } else { MACHINE };
        Raised::new(class, format!("error: {error}"))
    }
}

impl From<SweepError> for Raised {
    fn from(error: SweepError) -> Self {
        let class = match error {
            SweepError::Run(error) => return error.into(),
            SweepError::Export(error) => return error.into(),
            SweepError::Busy { .. } => "SweepBusy",
            SweepError::OtherBuild { .. } => "OtherBuild",
            SweepError::Incomplete { .. } => NOT_FINISHED,
            SweepError::NoSweep { .. }
            | SweepError::BrokenList { .. }
            | SweepError::NoFigure { .. }
            | SweepError::TooManyCases { .. }
            | SweepError::OtherSweep { .. } => INPUT,
        };
        Raised::new(class, error.to_string())
    }
}

impl From<ReportError> for Raised {
    fn from(error: ReportError) -> Self {
        let class = if error.is_bad_input() { INPUT } else { MACHINE };
        Raised::new(class, format!("error: {error}"))
    }
}

impl From<RerunError> for Raised {
    fn from(error: RerunError) -> Self {
        match error {
            RerunError::Run(error) => error.into(),
            RerunError::Sweep(error) => error.into(),
            RerunError::Export(error) => error.into(),
            RerunError::NoManifest { .. } | RerunError::OtherTrace { .. } => Raised::input(error.to_string()),
        }
    }
}

/// Returns the error of a file or folder that is there, with what helps in Python.
pub fn in_python(error: ExportError) -> Raised {
    match error {
        ExportError::Kept { path, reason } => {
            ExportError::Kept { path, reason: reason.replace("--force", "replace=True") }.into()
        }
        other => other.into(),
    }
}
