//! Experiments: a text in TOML, the path by which errors name it and from which its files are found, and overrides.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_experiment::{Case, LoadError, Source, Sweep, case};
use drowse_run::inputs::{self, Traces};
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::worker::{Said, supervise};

/// An experiment as Python holds it: its text, its path, and the keys that are replaced.
#[derive(Clone, Debug, FromPyObject)]
pub struct Written(String, PathBuf, Vec<String>);

impl Written {
    /// Returns its text with its overrides.
    pub fn source(&self) -> Result<Arc<Source>, Raised> {
        let Written(text, path, sets) = self;
        Ok(Arc::new(Source::new(path, text.clone(), sets)?))
    }

    /// Returns its only case.
    pub fn case(&self) -> Result<Case, Raised> {
        Ok(case(&self.source()?)?)
    }

    /// Returns the path by which errors name it.
    pub fn path(&self) -> &Path {
        &self.1
    }
}

/// Reads the text of an experiment file.
#[pyfunction]
pub fn read_text(path: PathBuf) -> PyResult<String> {
    let text = drowse_experiment::read_text(&path);
    Ok(text.map_err(|error| Raised::from(LoadError::Unreadable { path, error }))?)
}

/// Writes a tree of keys, given as JSON, as TOML.
#[pyfunction]
pub fn from_json(json: &str) -> PyResult<String> {
    let refuse =
        |why: String| PyErr::from(Raised::input(format!("error: these keys cannot be written as TOML: {why}")));
    let tree: serde_json::Value = serde_json::from_str(json).map_err(|error| refuse(error.to_string()))?;
    toml::to_string(&tree).map_err(|error| refuse(error.to_string()))
}

/// Returns the experiment as TOML, overrides put in.
#[pyfunction]
pub fn to_toml(experiment: Written) -> PyResult<String> {
    let source = experiment.source()?;
    Ok(Sweep::new(&source).map_err(Raised::from)?.experiment)
}

/// Checks all cases of an experiment, and opens what they name; returns how many cases there are.
#[pyfunction]
pub fn check(py: Python<'_>, experiment: Written) -> PyResult<u64> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let source = experiment.source()?;
        let (sweep, traces) = (Sweep::new(&source)?, Traces::default());
        for number in 0..sweep.cases() {
            if cancel.is_cancelled() {
                break;
            }
            let case = sweep.case(number)?;
            for case in [Some(&case), sweep.baseline(number, &case)?.as_ref()].into_iter().flatten() {
                let inputs = inputs::open(case, &traces)?;
                drowse_run::check(case, &inputs)?;
            }
        }
        Ok::<_, Raised>(sweep.cases())
    })
}
