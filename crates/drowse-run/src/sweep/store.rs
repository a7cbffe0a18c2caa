//! The results of single cases on disk: `cases/ID.json`.
//!
//! A file is one JSON object, which is none before its last bracket. So one that is half-written, because the process was killed
//! or the disk is full, cannot be understood, as little as one by another version: it counts as missing and is written anew. That is
//! twice as fast as to write it under another name first.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use drowse_tables::{Row, Value, json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::SweepError;
use crate::export::{self, ExportError};
use crate::identity::VERSION;
use crate::inputs::Inputs;
use drowse_experiment::Case;

/// Cells of rows that stay in memory so that they need not be read again; with some 100 bytes each, these are 50 MB.
pub const MOST_CELLS: usize = 500_000;

/// The folder of the stored cases; no other process works in it as long as this lives.
pub struct Store {
    folder: PathBuf,
    /// What came of cases that have been stored, and their cells.
    recent: Mutex<(HashMap<String, Outcome>, usize)>,
    /// Held for its lock, which the system lets go when the process ends, however it ends.
    _lock: File,
}

/// The result of one case.
#[derive(Deserialize, Serialize)]
pub struct Stored {
    version: String,
    /// The case's id.
    pub case_id: String,
    /// The experiment as TOML, the values of the sweep put in.
    experiment: String,
    traces: Vec<StoredTrace>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a case.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Its rows of `cases.csv`, `engine.csv` and `jobs.csv`.
    Finished { case: Cells, engine: Cells, jobs: Vec<Cells> },
    /// Why it could not finish.
    Failed(String),
}

#[derive(Deserialize, Serialize)]
struct StoredTrace {
    file: String,
    bytes: Option<u64>,
    fingerprint: String,
}

/// A row whose names stay flat.
#[derive(Deserialize, Serialize)]
#[serde(transparent)]
pub struct Cells(Map<String, Json>);

impl Store {
    /// Opens the store in a folder, for this process alone.
    pub fn open(folder: &Path) -> Result<Self, SweepError> {
        export::prepare(folder)?;
        let cases = folder.join("cases");
        export::prepare(&cases)?;
        let path = folder.join(".lock");
        let lock = File::create(&path).map_err(|error| failed(&path, error))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(SweepError::Busy { folder: folder.display().to_string() }),
            // A file system without locks: two sweeps at a time would do the same work twice, nothing worse.
            Err(TryLockError::Error(_)) | Ok(()) => Ok(Store { folder: cases, recent: Mutex::default(), _lock: lock }),
        }
    }

    /// Returns a stored case; `None` when it is missing.
    pub fn get(&self, id: &str) -> Result<Option<Stored>, ExportError> {
        let path = self.folder.join(name(id));
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&path, error)),
        };
        let stored = serde_json::from_slice(&text).ok();
        Ok(stored.filter(|stored: &Stored| stored.case_id == id && stored.version == VERSION))
    }

    /// Returns what came of a case that was stored before; it is an error when somebody has taken it away.
    pub fn take(&self, id: &str) -> Result<Outcome, ExportError> {
        // Whoever panicked while holding the lock left the map whole.
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner).0.remove(id);
        if let Some(outcome) = recent {
            return Ok(outcome);
        }
        let gone = || failed(&self.folder.join(name(id)), ErrorKind::NotFound.into());
        Ok(self.get(id)?.ok_or_else(gone)?.outcome)
    }

    /// Stores a case.
    pub fn put(&self, stored: &Stored) -> Result<(), ExportError> {
        let path = self.folder.join(name(&stored.case_id));
        let text = serde_json::to_string_pretty(stored).map_err(std::io::Error::from);
        text.and_then(|text| fs::write(&path, text + "\n")).map_err(|error| failed(&path, error))
    }

    /// Keeps a case that has been stored for [`Store::take`], as long as there are few.
    pub fn keep(&self, stored: Stored) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.1 += stored.outcome.cells();
        if recent.1 <= MOST_CELLS {
            recent.0.insert(stored.case_id, stored.outcome);
        }
    }
}

impl Stored {
    /// Notes what came of a case.
    pub fn new(case: &Case, id: &str, inputs: &Inputs, outcome: Outcome) -> Self {
        let traces = inputs.trace_files().map(|trace| StoredTrace {
            file: trace.name.clone(),
            bytes: trace.bytes,
            fingerprint: format!("{:016x}", trace.fingerprint),
        });
        Stored {
            version: VERSION.into(),
            case_id: id.into(),
            experiment: case.experiment.clone(),
            traces: traces.collect(),
            outcome,
        }
    }
}

impl Outcome {
    /// Returns the number of cells of all its rows.
    fn cells(&self) -> usize {
        match self {
            Outcome::Finished { case, engine, jobs } => {
                case.0.len() + engine.0.len() + jobs.iter().map(|job| job.0.len()).sum::<usize>()
            }
            Outcome::Failed(_) => 1,
        }
    }
}

impl Cells {
    /// Takes the cells of a row.
    pub fn of(row: &Row) -> Self {
        Cells(row.iter().map(|(name, value)| (name.to_owned(), json::from_value(value))).collect())
    }

    /// Adds the cells to a row.
    pub fn append_to(self, row: &mut Row) {
        for (name, value) in self.0 {
            row.push_some(name, value_of(value));
        }
    }

    /// Makes a row of the cells.
    pub fn into_row(self) -> Row {
        let mut row = Row::new();
        self.append_to(&mut row);
        row
    }
}

/// Reads a value back; null stands for a number that JSON cannot hold, and is absent.
fn value_of(json: Json) -> Option<Value> {
    match json {
        Json::Number(number) => number.as_u64().map(Value::Integer).or(number.as_f64().map(Value::Float)),
        Json::String(text) => Some(Value::Text(text)),
        Json::Bool(truth) => Some(Value::Bool(truth)),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

fn name(id: &str) -> String {
    format!("{id}.json")
}

fn failed(path: &Path, error: std::io::Error) -> ExportError {
    ExportError::Io { path: path.display().to_string(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the promise rests on that a result is never taken from a file that was half-written.
    #[test]
    fn half_a_file_is_no_result() {
        let mut row = Row::new();
        row.push("latency.packet.mean_ns", 1.5e300);
        row.push("title", "a } in a text");
        let outcomes = [
            Outcome::Finished { case: Cells::of(&row), engine: Cells::of(&Row::new()), jobs: vec![Cells::of(&row)] },
            Outcome::Failed("deadlock".into()),
        ];
        for outcome in outcomes {
            let (version, case_id, experiment) = (VERSION.into(), "0".into(), "seed = 1\n".into());
            let stored = Stored { version, case_id, experiment, traces: Vec::new(), outcome };
            let text = serde_json::to_string_pretty(&stored).unwrap();
            assert!(serde_json::from_str::<Stored>(&text).is_ok());
            assert!((0..text.len()).all(|length| serde_json::from_str::<Stored>(&text[..length]).is_err()));
        }
    }
}
