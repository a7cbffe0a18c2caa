//! The results of single cases on disk: `cases/ID.json`.
//!
//! A file is one JSON object, which is incomplete without its last bracket. So a half-written file, left by a killed
//! process or a full disk, cannot be parsed. It counts as missing and is written again. Writing in place is twice as
//! fast as writing under another name first. A file by another build is refused: a folder holds the results of one.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use drowse_tables::{Name, Row, Value, json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::error::SweepError;
use crate::files::{self, ExportError};
use crate::identity::{BUILD, VERSION};
use crate::inputs::Inputs;
use drowse_experiment::Case;

/// Cells of rows that stay in memory, so that they need not be read again; at about 100 bytes each, these are 50 MB.
pub const MOST_CELLS: usize = 500_000;

/// The folder of the stored cases; no other process works in it while this lives.
pub struct Store {
    folder: PathBuf,
    /// Results of cases that have been stored, and the number of their cells.
    kept: Mutex<(HashMap<String, Outcome>, usize)>,
    /// Held for its lock, which the system releases when the process ends; none where nothing is written.
    _lock: Option<File>,
}

/// A stored case.
#[derive(Deserialize, Serialize)]
pub struct Stored {
    version: String,
    /// What was built; files by version 0.1.0 may be without it.
    #[serde(default)]
    build: String,
    /// The case's id.
    pub case_id: String,
    /// The experiment as TOML, the values of the sweep put in.
    experiment: String,
    traces: Vec<StoredTrace>,
    /// The result.
    pub outcome: Outcome,
}

/// The result of a case.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It ran to its end.
    Finished {
        /// Its row of `cases.csv`.
        case: Cells,
        /// Its row of `engine.csv`.
        engine: Cells,
        /// Its rows of `jobs.csv`.
        jobs: Vec<Cells>,
    },
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
        files::prepare(folder)?;
        let cases = folder.join(files::STORED_CASES);
        files::prepare(&cases)?;
        let path = folder.join(".lock");
        let lock = File::create(&path).map_err(|error| failed(&path, error))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(SweepError::Busy { folder: folder.display().to_string() }),
            // A file system without locks: two sweeps at a time would only do the same work twice.
            Err(TryLockError::Error(_)) | Ok(()) => {
                Ok(Store { folder: cases, kept: Mutex::default(), _lock: Some(lock) })
            }
        }
    }

    /// Looks into a folder, which may be missing; nothing must be stored.
    pub fn look(folder: &Path) -> Self {
        Store { folder: folder.join(files::STORED_CASES), kept: Mutex::default(), _lock: None }
    }

    /// Returns a stored case; `None` when it is missing. One by another build is an error.
    pub fn get(&self, id: &str) -> Result<Option<Stored>, SweepError> {
        let stored = self.read(id)?;
        match &stored {
            Some(Stored { version, build, .. }) if (version.as_str(), build.as_str()) != (VERSION, BUILD) => {
                let file = self.folder.join(name(id)).display().to_string();
                Err(SweepError::OtherBuild { file, theirs: named(version, build), ours: named(VERSION, BUILD) })
            }
            _ => Ok(stored),
        }
    }

    /// Reads a stored case by whichever build; `None` when it is missing.
    fn read(&self, id: &str) -> Result<Option<Stored>, ExportError> {
        let path = self.folder.join(name(id));
        match fs::read(&path) {
            Ok(text) => Ok(serde_json::from_slice(&text).ok().filter(|stored: &Stored| stored.case_id == id)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path, error)),
        }
    }

    /// Returns the result of a case that was stored before; it is an error if its file has disappeared.
    pub fn take(&self, id: &str) -> Result<Outcome, ExportError> {
        // Whoever panicked while holding the lock left the map whole.
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).0.remove(id);
        if let Some(outcome) = kept {
            return Ok(outcome);
        }
        let gone = || failed(&self.folder.join(name(id)), ErrorKind::NotFound.into());
        Ok(self.read(id)?.ok_or_else(gone)?.outcome)
    }

    /// Stores a case.
    pub fn put(&self, stored: &Stored) -> Result<(), ExportError> {
        let path = self.folder.join(name(&stored.case_id));
        let text = serde_json::to_string_pretty(stored).map_err(std::io::Error::from);
        text.and_then(|text| fs::write(&path, text + "\n")).map_err(|error| failed(&path, error))
    }

    /// Keeps a stored case in memory for [`Store::take`], while there are few.
    pub fn keep(&self, stored: Stored) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.1 += stored.outcome.cells();
        if kept.1 <= MOST_CELLS {
            kept.0.insert(stored.case_id, stored.outcome);
        }
    }
}

impl Stored {
    /// Describes the result of a case.
    pub fn new(case: &Case, id: &str, inputs: &Inputs, outcome: Outcome) -> Self {
        let traces = inputs.trace_files().map(|trace| StoredTrace {
            file: trace.name.clone(),
            bytes: trace.bytes,
            fingerprint: format!("{:016x}", trace.fingerprint),
        });
        Stored {
            version: VERSION.into(),
            build: BUILD.into(),
            case_id: id.into(),
            experiment: case.experiment.clone(),
            traces: traces.collect(),
            outcome,
        }
    }
}

impl Outcome {
    /// Returns the row of `engine.csv`, without taking it.
    pub fn engine(&self) -> Option<Row> {
        match self {
            Outcome::Finished { engine, .. } => Some(Cells(engine.0.clone()).into_row()),
            Outcome::Failed(_) => None,
        }
    }

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
            row.push_some(Name::read(name), value_of(value));
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

/// Names a version and what was built.
fn named(version: &str, build: &str) -> String {
    let build = if build.is_empty() { "unknown" } else { build };
    format!("drowse {version}, build {build}")
}

fn failed(path: &Path, error: std::io::Error) -> ExportError {
    ExportError::Io { path: path.display().to_string(), error }
}

#[cfg(test)]
mod tests {
    use drowse_tables::schema::cases;

    use super::*;

    /// So a result is never taken from a file that was half-written.
    #[test]
    fn half_a_file_is_no_result() {
        let mut row = Row::new();
        row.push(cases::LATENCY_PACKET_MEAN_NS, 1.5e300);
        row.push_all(cases::WARNINGS, ["a } in a text"]);
        let outcomes = [
            Outcome::Finished { case: Cells::of(&row), engine: Cells::of(&Row::new()), jobs: vec![Cells::of(&row)] },
            Outcome::Failed("deadlock".into()),
        ];
        for outcome in outcomes {
            let [version, build] = [VERSION, BUILD].map(str::to_owned);
            let (case_id, experiment) = ("0".into(), "seed = 1\n".into());
            let stored = Stored { version, build, case_id, experiment, traces: Vec::new(), outcome };
            let text = serde_json::to_string_pretty(&stored).unwrap();
            assert!(serde_json::from_str::<Stored>(&text).is_ok());
            assert!((0..text.len()).all(|length| serde_json::from_str::<Stored>(&text[..length]).is_err()));
        }
    }
}
