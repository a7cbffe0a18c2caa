//! The results of single cases on disk: `cases/ID.json`, written under another name and renamed.
//!
//! So a file is whole or not there, whenever the process is killed. A file that cannot be understood (after a failure of
//! the file system, or by another version) counts as missing and is written anew.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use drowse_tables::{Row, Value, json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::SweepError;
use crate::experiment::Case;
use crate::export::{self, ExportError};
use crate::identity::VERSION;
use crate::inputs::Inputs;

/// The folder of the stored cases; no other process works in it as long as this lives.
pub struct Store {
    folder: PathBuf,
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
            Err(TryLockError::Error(_)) | Ok(()) => Ok(Store { folder: cases, _lock: lock }),
        }
    }

    /// Gives a stored case; `None` when it is missing.
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

    /// Gives a case that was stored before; it is an error when somebody has taken it away.
    pub fn require(&self, id: &str) -> Result<Stored, ExportError> {
        let gone = || failed(&self.folder.join(name(id)), ErrorKind::NotFound.into());
        self.get(id)?.ok_or_else(gone)
    }

    /// Stores a case.
    pub fn put(&self, stored: &Stored) -> Result<(), ExportError> {
        let name = name(&stored.case_id);
        export::write_file(&self.folder, &name, |file| {
            let text = serde_json::to_string_pretty(stored).map_err(std::io::Error::from);
            text.and_then(|text| writeln!(file, "{text}")).map_err(|error| failed(&self.folder.join(&name), error))
        })
    }

    /// Removes what killed processes have left half-written.
    pub fn clean(&self) -> Result<(), ExportError> {
        let files = fs::read_dir(&self.folder).map_err(|error| failed(&self.folder, error))?;
        for file in files.flatten() {
            if file.file_name().to_string_lossy().ends_with(".partial") {
                fs::remove_file(file.path()).map_err(|error| failed(&file.path(), error))?;
            }
        }
        Ok(())
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
