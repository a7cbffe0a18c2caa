//! The tables of a sweep, written from its stored cases in two passes: which columns there are, then the rows.

use std::collections::HashSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use drowse_tables::Row;
use drowse_tables::csv::Header;
use drowse_tables::schema::{CASES, ENGINE, FAILED, JOBS};
use serde_json::{Map, json};

use super::store::{Cells, Outcome, Store, Stored};
use crate::experiment::Sweep;
use crate::export::{ExportError, write_file};
use crate::identity::VERSION;

/// Gives the row of a case: its values of the sweep, then its figures, or its error.
pub fn row(sweep: &Sweep<'_>, number: u64, stored: Stored) -> Row {
    let mut row = start_of_row(sweep, number);
    match stored.outcome {
        Outcome::Finished { case, .. } => case.append_to(&mut row),
        Outcome::Failed(error) => append_failure(&mut row, error, stored.case_id),
    }
    row
}

fn start_of_row(sweep: &Sweep<'_>, number: u64) -> Row {
    let mut row = Row::new();
    for (path, value) in sweep.paths().into_iter().zip(sweep.point(number)) {
        row.push(format!("set.{path}"), value);
    }
    row
}

fn append_failure(row: &mut Row, error: String, case_id: String) {
    row.push("error", error);
    row.push("case_id", case_id);
}

/// Writes all tables and the manifest; gives their paths.
pub fn write(
    sweep: &Sweep<'_>,
    folder: &Path,
    store: &Store,
    ids: &[String],
    failed: u64,
) -> Result<Vec<PathBuf>, ExportError> {
    let rows = |finished: bool| {
        ids.iter().enumerate().filter_map(move |(number, id)| match store.require(id) {
            Ok(stored) if matches!(stored.outcome, Outcome::Finished { .. }) != finished => None,
            Ok(stored) => Some(Ok(row(sweep, number as u64, stored))),
            Err(error) => Some(Err(error)),
        })
    };
    // Cases of one id are one run.
    let runs = || {
        let mut seen = HashSet::new();
        ids.iter().filter(move |id| seen.insert(*id)).map(|id| store.require(id))
    };
    let engine_rows = runs().filter_map(|stored| stored.map(engine_row).transpose());
    let job_rows = runs().flat_map(|stored| transposed(stored.map(job_rows)));
    let headers = Headers::of(sweep, store, ids)?;
    write_file(folder, CASES.file, |file| headers.cases.write(rows(true), file))?;
    write_file(folder, ENGINE.file, |file| headers.engine.write(engine_rows, file))?;
    write_file(folder, JOBS.file, |file| headers.jobs.write(job_rows, file))?;
    let mut files = [CASES, ENGINE, JOBS].map(|table| folder.join(table.file)).to_vec();
    if failed > 0 {
        write_file(folder, FAILED.file, |file| headers.failed.write(rows(false), file))?;
        files.push(folder.join(FAILED.file));
    } else {
        remove(&folder.join(FAILED.file))?;
    }
    let manifest = folder.join("manifest.json");
    write_file(folder, "manifest.json", |file| {
        let failed = |error| ExportError::Io { path: manifest.display().to_string(), error };
        writeln!(file, "{:#}", describe(sweep)).map_err(failed)
    })?;
    files.push(manifest);
    Ok(files)
}

fn engine_row(stored: Stored) -> Option<Row> {
    match stored.outcome {
        Outcome::Finished { engine, .. } => Some(engine.into_row()),
        Outcome::Failed(_) => None,
    }
}

fn job_rows(stored: Stored) -> Vec<Row> {
    match stored.outcome {
        Outcome::Finished { jobs, .. } => jobs.into_iter().map(Cells::into_row).collect(),
        Outcome::Failed(_) => Vec::new(),
    }
}

/// Gives each of several rows, or the one error.
fn transposed(rows: Result<Vec<Row>, ExportError>) -> impl Iterator<Item = Result<Row, ExportError>> {
    let (rows, error) = match rows {
        Ok(rows) => (rows, None),
        Err(error) => (Vec::new(), Some(Err(error))),
    };
    rows.into_iter().map(Ok).chain(error)
}

/// The columns of the tables.
struct Headers {
    cases: Header<'static>,
    engine: Header<'static>,
    jobs: Header<'static>,
    failed: Header<'static>,
}

impl Headers {
    /// Finds the columns, reading each case once.
    fn of(sweep: &Sweep<'_>, store: &Store, ids: &[String]) -> Result<Self, ExportError> {
        let [cases, engine, jobs, failed] = [&CASES, &ENGINE, &JOBS, &FAILED].map(Header::new);
        let mut headers = Headers { cases, engine, jobs, failed };
        for (number, id) in ids.iter().enumerate() {
            let stored = store.require(id)?;
            let mut row = start_of_row(sweep, number as u64);
            match stored.outcome {
                Outcome::Finished { case, engine, jobs } => {
                    case.append_to(&mut row);
                    headers.cases.add(&row);
                    headers.engine.add(&engine.into_row());
                    jobs.into_iter().for_each(|job| headers.jobs.add(&job.into_row()));
                }
                Outcome::Failed(error) => {
                    append_failure(&mut row, error, stored.case_id);
                    headers.failed.add(&row);
                }
            }
        }
        Ok(headers)
    }
}

/// Removes a table of an earlier run, if it is there.
fn remove(path: &Path) -> Result<(), ExportError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(ExportError::Io { path: path.display().to_string(), error })
        }
        _ => Ok(()),
    }
}

/// Says what was run, so that it can be run again.
fn describe(sweep: &Sweep<'_>) -> serde_json::Value {
    let values = |(axis, path)| (path, json!(sweep.values(axis).collect::<Vec<_>>()));
    let sets: Map<_, _> = sweep.paths().into_iter().enumerate().map(values).collect();
    json!({ "version": VERSION, "cases": sweep.cases(), "set": sets, "experiment": sweep.experiment })
}
