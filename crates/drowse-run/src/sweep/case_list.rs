//! The cases of a sweep in their order, on disk: `plan.json`, beside the stored cases.
//!
//! It holds what tables need beside stored results: the values of each case, its id, and what it is compared with. So
//! `drowse merge` and `drowse status` need neither the experiment's file nor its traces. Each process that plans the
//! same sweep writes the same bytes, so shards may write it at the same time.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use drowse_experiment::Sweep;
use drowse_tables::names;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::error::SweepError;
use super::store::named;
use super::work::{Against, Cases};
use crate::files::{self, ExportError, sealed};
use crate::identity::{BUILD, VERSION};
use crate::manifest::TraceManifest;

/// The name of the file.
const FILE: &str = "plan.json";

/// The cases of a sweep in their order.
#[derive(Deserialize, PartialEq, Serialize)]
pub struct CaseList {
    version: String,
    build: String,
    /// The experiment's title, or the name of its file.
    pub title: String,
    /// The experiment as TOML, the sweep in it.
    pub experiment: String,
    /// The values of each key that is varied.
    pub set: Map<String, Json>,
    /// The values of each case, in the order of the keys.
    pub points: Vec<Vec<String>>,
    /// The id of each case.
    pub ids: Vec<String>,
    /// What each case is compared with; none without a baseline.
    pub baselines: Vec<Against>,
    /// The baselines that are none of the cases, in the order of the first cases that they are for.
    #[serde(default)]
    pub others: Vec<Other>,
    /// What a baseline is called that its values do not tell from a case; empty without a baseline.
    #[serde(default)]
    pub baseline: String,
    /// The traces of all cases, each once.
    pub traces: Vec<TraceManifest>,
    /// Whether these are the cases of a search, which are some of the sweep's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub searched: bool,
}

/// A baseline that is none of the cases.
#[derive(Clone, Deserialize, PartialEq, Serialize)]
pub struct Other {
    /// How it is compared with itself: as a baseline that is one of the cases is.
    pub against: Against,
    /// The values of the keys; empty for those that it does not have, or that do not change it.
    pub point: Vec<String>,
    /// The first case that it is for.
    pub before: usize,
}

/// A row of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// The case of this number.
    Case(usize),
    /// The baseline of this number among [`CaseList::others`].
    Other(usize),
}

impl CaseList {
    /// Lists cases of a sweep.
    pub fn of(sweep: &Sweep<'_>, cases: &Cases) -> Self {
        let values = |(axis, path)| (path, json!(sweep.values(axis).collect::<Vec<_>>()));
        CaseList {
            version: VERSION.into(),
            build: BUILD.into(),
            title: sweep.title(),
            experiment: sweep.experiment.clone(),
            set: sweep.paths().into_iter().enumerate().map(values).collect(),
            points: cases.numbers.iter().map(|&number| sweep.point(number)).collect(),
            ids: cases.ids.clone(),
            baselines: cases.baselines.clone(),
            others: others(sweep, cases),
            baseline: sweep.baseline_name().unwrap_or_default().into(),
            traces: cases.traces.iter().map(TraceManifest::of).collect(),
            searched: false,
        }
    }

    /// Reads the list in a folder.
    pub fn read(folder: &Path) -> Result<Self, SweepError> {
        let path = folder.join(FILE);
        let broken = |reason: String| SweepError::BrokenList { file: path.display().to_string(), reason };
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Err(SweepError::NoSweep { folder: folder.display().to_string() });
            }
            Err(error) => return Err(broken(error.to_string())),
        };
        let damaged = || broken("its checksum is wrong".into());
        let list: CaseList = sealed::open(&text).ok_or_else(damaged)?;
        let (cases, compared) = (list.ids.len(), list.baselines.len());
        let is_beyond = |other: &Other| other.before >= cases;
        if list.points.len() != cases || (compared != 0 && compared != cases) || list.others.iter().any(is_beyond) {
            return Err(broken("its parts do not have as many cases".into()));
        }
        Ok(list)
    }

    /// Writes the list to a folder, unless it is there.
    pub fn write(&self, folder: &Path) -> Result<(), ExportError> {
        let path = folder.join(FILE);
        let failed = |error| ExportError::Io { path: path.display().to_string(), error };
        let mut text = serde_json::to_vec(self).map_err(std::io::Error::from).map_err(failed)?;
        text.push(b'\n');
        let text = sealed::seal(&text);
        if fs::read(&path).is_ok_and(|there| there == text) {
            return Ok(());
        }
        files::write_whole(folder, FILE, &text)
    }

    /// Refuses a list that another build has written: its results may differ.
    pub fn refuse_other_build(&self, folder: &Path) -> Result<(), SweepError> {
        if (self.version.as_str(), self.build.as_str()) == (VERSION, BUILD) {
            return Ok(());
        }
        let file = folder.join(FILE).display().to_string();
        Err(SweepError::OtherBuild { file, theirs: named(&self.version, &self.build), ours: named(VERSION, BUILD) })
    }

    /// Returns how another list differs, if it is that of another sweep; titles do not matter.
    pub fn difference(&self, other: &CaseList) -> Option<String> {
        if (&self.version, &self.build) != (&other.version, &other.build) {
            return Some("another build has run it".into());
        }
        let [ours, theirs] = [self, other].map(|list| list.ids.len());
        if ours != theirs {
            return Some(format!("it has {theirs} cases instead of {ours}"));
        }
        if self.experiment != other.experiment {
            return Some("the experiments differ".into());
        }
        let same = self.ids == other.ids && self.points == other.points && self.baselines == other.baselines;
        (!same).then(|| "the traces of its cases differ".into())
    }

    /// Returns the ids of all cases and baselines, each once: a case's baseline stands before the case.
    pub fn items(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let of_case =
            |(number, id)| self.baselines.get(number).map(|against: &Against| &against.id).into_iter().chain([id]);
        self.ids.iter().enumerate().flat_map(of_case).map(String::as_str).filter(|id| seen.insert(*id)).collect()
    }

    /// Returns the rows of the tables in their order: a baseline stands before the first case that it is for.
    pub fn entries(&self) -> Vec<Entry> {
        let mut others = self.others.iter().enumerate().peekable();
        let mut entries = Vec::with_capacity(self.ids.len() + self.others.len());
        for case in 0..self.ids.len() {
            while let Some((number, _)) = others.next_if(|(_, other)| other.before <= case) {
                entries.push(Entry::Other(number));
            }
            entries.push(Entry::Case(case));
        }
        entries
    }

    /// Returns the id of a row.
    pub fn id(&self, entry: Entry) -> &str {
        match entry {
            Entry::Case(number) => &self.ids[number],
            Entry::Other(number) => &self.others[number].against.id,
        }
    }

    /// Returns the values of a row.
    pub fn point(&self, entry: Entry) -> &[String] {
        match entry {
            Entry::Case(number) => &self.points[number],
            Entry::Other(number) => &self.others[number].point,
        }
    }

    /// Returns the short names of rows.
    pub fn names(&self, entries: &[Entry]) -> Vec<String> {
        let paths: Vec<&str> = self.set.keys().map(String::as_str).collect();
        let of_key = |key: usize| entries.iter().map(|&entry| self.point(entry)[key].as_str()).collect();
        let values: Vec<Vec<&str>> = (0..paths.len()).map(of_key).collect();
        let mark = |entry: &Entry| matches!(entry, Entry::Other(_)).then_some(self.baseline.as_str());
        names::of_cases(&paths, &values, &entries.iter().map(mark).collect::<Vec<_>>())
    }
}

/// Finds the baselines that are none of the cases. Of keys in which the cases differ that share one, it has no value.
fn others(sweep: &Sweep<'_>, cases: &Cases) -> Vec<Other> {
    let ids: HashSet<&String> = cases.ids.iter().collect();
    let mut places: HashMap<&String, usize> = HashMap::new();
    let mut others: Vec<Other> = Vec::new();
    for (case, (&number, Against { id, terms })) in cases.numbers.iter().zip(&cases.baselines).enumerate() {
        if ids.contains(id) {
            continue;
        }
        let point = sweep.baseline_point(number);
        if let Some(&place) = places.get(id) {
            let known = others[place].point.iter_mut().zip(point);
            known.filter(|(known, value)| *known != value).for_each(|(known, _)| known.clear());
            continue;
        }
        places.insert(id, others.len());
        let terms = cases.own_terms.get(id).unwrap_or(terms).clone();
        others.push(Other { against: Against { id: id.clone(), terms }, point, before: case });
    }
    others
}
