//! What code of Python has raised in the middle of work.

use std::sync::{Arc, Mutex, PoisonError};

use drowse_run::cancel::Cancel;
use pyo3::prelude::*;

use crate::errors::Raised;

/// What policies of Python have raised; the first one stops the work.
#[derive(Clone, Default)]
pub struct Raises {
    first: Arc<Mutex<Option<PyErr>>>,
    cancel: Cancel,
}

impl Raises {
    /// Makes one that stops some work.
    pub fn stopping(cancel: &Cancel) -> Self {
        Raises { first: Arc::default(), cancel: cancel.clone() }
    }

    /// Keeps what was raised, if it is the first, and stops the work.
    pub fn keep(&self, error: impl FnOnce() -> PyErr) {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(error);
        self.cancel.cancel();
    }

    /// Returns what work has come to, or what was raised in it: then nothing that it made is right.
    pub fn or<T, E: Into<Raised>>(&self, done: Result<T, E>) -> Result<T, Raised> {
        match self.first.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(Raised::python(error)),
            None => done.map_err(Into::into),
        }
    }
}
