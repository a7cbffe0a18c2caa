//! The results of single cases on disk: `cases/ID.json`.
//!
//! A file has another name until it is whole, so no reader sees half of it, and several processes may store cases in
//! one folder. They need no lock: the name of a file is the case's id, every writer writes the same result, and
//! renaming is atomic, also on NFS, whose locks cannot be trusted. A file says its checksum: one that is not as it was
//! written, since the machine has failed or a disk is bad, is named, counts as missing and is written again. A file by
//! another build is refused: a folder holds the results of one.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
#[cfg(unix)]
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use drowse_tables::{Name, Row, Value, json};
#[cfg(unix)]
use rustix::fs::OFlags;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::error::SweepError;
use crate::files::folder::{self, Over};
use crate::files::{self, ExportError, sealed};
use crate::identity::{BUILD, VERSION};
use crate::inputs::Inputs;
use drowse_experiment::Case;

/// Cells of rows that stay in memory, so that they need not be read again; at about 100 bytes each, these are 50 MB.
pub(crate) const MOST_CELLS: usize = 500_000;

/// The folder of the stored cases.
pub struct Store {
    folder: PathBuf,
    /// Results of cases that have been stored, and the number of their cells.
    kept: Mutex<(HashMap<String, Outcome>, usize)>,
    /// Files that were not as they were written.
    damaged: Mutex<BTreeSet<PathBuf>>,
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

/// What is known of a case without reading its figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It is not stored.
    Missing,
    /// It ran to its end.
    Finished,
    /// Why it could not finish.
    Failed(String),
}

/// As much of a stored case as [`State`] needs.
#[derive(Deserialize)]
struct Glance {
    case_id: String,
    outcome: Ending,
}

/// As [`Outcome`], without the figures.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ending {
    Finished(IgnoredAny),
    Failed(String),
}

/// A row whose names stay flat.
#[derive(Deserialize, Serialize)]
#[serde(transparent)]
pub struct Cells(Map<String, Json>);

impl Store {
    /// Opens the store in a folder, for this process alone as far as the file system has locks, and makes it if needed.
    pub fn open(folder: &Path) -> Result<Self, SweepError> {
        let (store, locked) = Store::locked(folder, File::try_lock)?;
        if locked {
            files::remove_partial(folder)?;
            files::remove_partial(&store.folder)?;
        }
        Ok(store)
    }

    /// Opens the store in a folder beside others that open it so, and makes it if needed.
    pub(crate) fn open_shared(folder: &Path) -> Result<Self, SweepError> {
        Ok(Store::locked(folder, File::try_lock_shared)?.0)
    }

    /// Opens the store in a folder with a lock; returns whether that is held.
    fn locked(folder: &Path, lock: impl Fn(&File) -> Result<(), TryLockError>) -> Result<(Self, bool), SweepError> {
        folder::refuse(folder, &Over::default())?;
        files::prepare(folder)?;
        let cases = folder.join(files::STORED_CASES);
        files::prepare(&cases)?;
        let path = folder.join(".lock");
        let file = lock_file(&path).map_err(|error| failed(&path, error))?;
        let held = match lock(&file) {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => {
                return Err(SweepError::Busy { folder: folder.display().to_string() });
            }
            // A file system without locks: two sweeps at a time would only do the same work twice.
            Err(TryLockError::Error(_)) => false,
        };
        Ok((Store { folder: cases, kept: Mutex::default(), damaged: Mutex::default(), _lock: Some(file) }, held))
    }

    /// Reads the store in a folder, also while others work in it; nothing is made or locked.
    pub fn view(folder: &Path) -> Self {
        Store {
            folder: folder.join(files::STORED_CASES),
            kept: Mutex::default(),
            damaged: Mutex::default(),
            _lock: None,
        }
    }

    /// Returns a stored case; `None` when it is missing. One by another build is an error.
    pub fn get(&self, id: &str) -> Result<Option<Stored>, SweepError> {
        self.read(id)?.map(|stored| self.of_this_build(stored)).transpose()
    }

    /// Refuses a case that another build has stored.
    fn of_this_build(&self, stored: Stored) -> Result<Stored, SweepError> {
        let Stored { version, build, case_id, .. } = &stored;
        if (version.as_str(), build.as_str()) == (VERSION, BUILD) {
            return Ok(stored);
        }
        let file = self.folder.join(name(case_id)).display().to_string();
        Err(SweepError::OtherBuild { file, theirs: named(version, build), ours: named(VERSION, BUILD) })
    }

    /// Copies a case from another store, byte for byte; `None` where it is missing there.
    pub fn copy(&self, from: &Store, id: &str) -> Result<Option<Stored>, SweepError> {
        let Some(text) = from.text(id)? else { return Ok(None) };
        let Some(stored) = from.parse(&text, id) else { return Ok(None) };
        let stored = from.of_this_build(stored)?;
        self.write(id, &text)?;
        Ok(Some(stored))
    }

    /// Returns what is known of a case without reading its figures.
    pub(crate) fn glance(&self, id: &str) -> Result<State, ExportError> {
        let Some(text) = self.text(id)? else { return Ok(State::Missing) };
        Ok(match sealed::open::<Glance>(&text).filter(|glance| glance.case_id == id) {
            None => {
                self.note_damaged(id);
                State::Missing
            }
            Some(Glance { outcome: Ending::Finished(_), .. }) => State::Finished,
            Some(Glance { outcome: Ending::Failed(error), .. }) => State::Failed(error),
        })
    }

    /// Reads a stored case by whichever build; `None` when it is missing.
    fn read(&self, id: &str) -> Result<Option<Stored>, ExportError> {
        Ok(self.text(id)?.and_then(|text| self.parse(&text, id)))
    }

    /// Parses the file of a case; `None` where it is not as it was written, or is that of another case, which is noted.
    fn parse(&self, text: &[u8], id: &str) -> Option<Stored> {
        let stored = sealed::open(text).filter(|stored: &Stored| stored.case_id == id);
        if stored.is_none() {
            self.note_damaged(id);
        }
        stored
    }

    fn note_damaged(&self, id: &str) {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner).insert(self.folder.join(name(id)));
    }

    /// Returns the files that were not as they were written.
    pub fn damaged(&self) -> Vec<String> {
        let damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        damaged.iter().map(|path| path.display().to_string()).collect()
    }

    /// Reads the file of a case; `None` when there is none.
    fn text(&self, id: &str) -> Result<Option<Vec<u8>>, ExportError> {
        let path = self.folder.join(name(id));
        match fs::read(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path, error)),
        }
    }

    /// Returns the result of a case that was stored before; it is an error if its file has disappeared.
    pub fn take(&self, id: &str) -> Result<Outcome, ExportError> {
        // A thread that panicked while it held the lock left the map whole.
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).0.remove(id);
        if let Some(outcome) = kept {
            return Ok(outcome);
        }
        let gone = || failed(&self.folder.join(name(id)), ErrorKind::NotFound.into());
        Ok(self.read(id)?.ok_or_else(gone)?.outcome)
    }

    /// Stores a case.
    pub fn put(&self, stored: &Stored) -> Result<(), ExportError> {
        let text = serde_json::to_string_pretty(stored).map_err(std::io::Error::from);
        let text = text.map_err(|error| failed(&self.folder.join(name(&stored.case_id)), error))?;
        self.write(&stored.case_id, &sealed::seal((text + "\n").as_bytes()))
    }

    /// Writes the file of a case. Where no lock holds, a sweep that believes itself alone may have removed it before it
    /// was whole: then it is written once more.
    fn write(&self, id: &str, text: &[u8]) -> Result<(), ExportError> {
        let write = || files::write_whole(&self.folder, &name(id), text);
        match write() {
            Err(ExportError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => write(),
            written => written,
        }
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
    pub(crate) fn append_to(self, row: &mut Row) {
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

/// Opens the file for the lock, and makes it if needed. A link is not followed: nothing else is touched.
fn lock_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    options.custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    options.open(path)
}

fn name(id: &str) -> String {
    format!("{id}.json")
}

/// Names a version and what was built.
pub(super) fn named(version: &str, build: &str) -> String {
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
            let text = sealed::seal(&serde_json::to_vec_pretty(&stored).unwrap());
            assert!(sealed::open::<Stored>(&text).is_some());
            assert!((0..text.len()).all(|length| sealed::open::<Stored>(&text[..length]).is_none()));
        }
    }
}
