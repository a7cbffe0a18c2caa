//! Experiments: a text in TOML, the path by which errors name it and from which its files are found, and overrides.

use std::path::PathBuf;
use std::sync::Arc;

use drowse_experiment::{Case, Kinds, LoadError, Source, Sweep, System};
use drowse_run::cancel::Cancel;
use drowse_run::inputs::{self, Traces};
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::own::{self, Own};
use crate::raises::Raises;
use crate::worker::{Said, supervise};

/// An experiment as Python holds it: its text, its path, the keys that are replaced, and its policies in Python.
#[derive(FromPyObject)]
pub struct Written(String, PathBuf, Vec<String>, Own);

/// An experiment that can be read: its text with its overrides, and the kinds that it may name.
pub struct Read {
    /// Its text.
    pub source: Arc<Source>,
    /// What it may name.
    pub kinds: Kinds,
    /// What its policies raise.
    pub raises: Raises,
}

impl Written {
    /// Returns it with its policies, which stop some work when they raise something.
    pub fn read(self, cancel: &Cancel) -> Result<Read, Raised> {
        let Written(text, path, sets, own) = self;
        let raises = Raises::stopping(cancel);
        let kinds = own::kinds(&Arc::new(own), &raises);
        Ok(Read { source: Arc::new(Source::new(&path, text, &sets)?), kinds, raises })
    }

    /// Returns the path by which errors name it.
    pub fn path(&self) -> PathBuf {
        self.1.clone()
    }
}

impl Read {
    /// Returns its only case.
    pub fn case(&self) -> Result<Case, Raised> {
        Ok(self.kinds.case(&self.source)?)
    }

    /// Returns its network, and all that its case has beside jobs.
    pub fn system(&self) -> Result<System, Raised> {
        Ok(self.kinds.system(&self.source)?)
    }

    /// Returns all its cases.
    pub fn sweep(&self) -> Result<Sweep<'_>, Raised> {
        Ok(Sweep::of(&self.source, self.kinds.clone())?)
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
    Ok(experiment.read(&Cancel::default())?.sweep()?.experiment)
}

/// Checks all cases of an experiment, and opens what they name; returns how many cases there are.
#[pyfunction]
pub fn check(py: Python<'_>, experiment: Written) -> PyResult<u64> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let read = experiment.read(cancel)?;
        let (sweep, traces) = (read.sweep()?, Traces::default());
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
