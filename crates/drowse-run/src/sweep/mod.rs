//! Runs all cases of a sweep on many threads, and goes on where an earlier run was stopped.
//!
//! All cases are checked before the first runs. Each result is stored in a file of its own, named by the case's id, a
//! hash of all that the result depends on; a case whose file is there is not run again. The tables are
//! written from what is stored when all is there, so they do not depend on how often the sweep was stopped,
//! nor on the number of threads. A case that cannot finish is a result too.

pub mod store;
mod tables;
mod work;

use std::path::{Path, PathBuf};

use drowse_tables::Row;

use crate::export::{self, ExportError};
use crate::inputs::Traces;
use crate::run::RunError;
use drowse_experiment::Sweep;
use store::Store;
use tables::Survey;

/// Why a sweep has no result.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A case is wrong, or the machine failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A result cannot be stored, or a table cannot be written.
    #[error("error: {0}")]
    Export(#[from] ExportError),
    /// Another process works in the same folder.
    #[error("{folder}: error: another sweep is at work in this folder\nhelp: wait for it, or give another folder")]
    Busy {
        /// The folder.
        folder: String,
    },
}

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many of all cases have been checked.
    Checked(u64),
    /// All are checked; so many were found done, and so many will be run.
    Planned {
        /// Cases whose results are there.
        done: u64,
        /// Cases that will be run.
        missing: u64,
    },
    /// So many of the missing cases have been run.
    Ran(u64),
}

/// Is told how far a sweep has come, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Progress) + Sync);

/// What a sweep has given.
#[derive(Clone, Debug)]
pub struct Report {
    /// All cases.
    pub cases: u64,
    /// Cases that this run has run; the others were there already, or are the same as others.
    pub ran: u64,
    /// Cases that could not finish.
    pub failed: u64,
    /// The rows of the first cases: of `cases.csv`, or of `failed.csv`.
    pub first: Vec<Row>,
    /// The first error, if a case could not finish.
    pub first_error: Option<String>,
    /// The files that were written.
    pub files: Vec<PathBuf>,
}

/// Runs what is missing of a sweep in a folder, then writes the tables; `shown` rows come back in the report.
pub fn run(
    sweep: &Sweep<'_>,
    folder: &Path,
    threads: usize,
    shown: usize,
    observer: Observer<'_>,
) -> Result<Report, SweepError> {
    let traces = Traces::default();
    let store = Store::open(folder)?;
    let plan = work::plan(sweep, &traces, &store, observer)?;
    let ran = plan.missing.len() as u64;
    observer(Progress::Planned { done: plan.done, missing: ran });
    work::run(sweep, &traces, &store, &plan, threads, observer)?;
    let survey = tables::survey(sweep, &store, &plan.ids, shown)?;
    let files = tables::write(sweep, folder, &store, &plan.ids, &survey)?;
    let Survey { failed, first_error, first, .. } = survey;
    Ok(Report { cases: sweep.cases(), ran, failed, first, first_error, files })
}

/// Makes a folder ready to take the results of a sweep.
pub fn prepare(folder: &Path) -> Result<(), SweepError> {
    Ok(export::prepare(folder)?)
}
