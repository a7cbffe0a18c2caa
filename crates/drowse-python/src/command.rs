//! The command `drowse`, as it is called from the script of the package.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// Runs the command with its arguments, and returns its exit code; `program` is the file that runs it again.
#[pyfunction]
pub fn command(py: Python<'_>, program: PathBuf, arguments: Vec<OsString>) -> u8 {
    py.detach(|| drowse::run(program, arguments))
}
