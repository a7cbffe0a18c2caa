//! The cases of a sweep in their order, on disk: `plan.json`, beside the stored cases.
//!
//! It holds what tables need beside stored results: the values of each case, its id, and what it is compared with. So
//! `drowse merge` and `drowse status` need neither the experiment's file nor its traces. Each process that plans the
//! same sweep writes the same bytes, so shards may write it at the same time.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use drowse_experiment::Sweep;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::error::SweepError;
use super::store::named;
use super::work::{Against, Cases};
use crate::files::{self, ExportError};
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
    /// The traces of all cases, each once.
    pub traces: Vec<TraceManifest>,
    /// Whether these are the cases of a search, which are some of the sweep's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub searched: bool,
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
        let list: CaseList = serde_json::from_slice(&text).map_err(|error| broken(error.to_string()))?;
        let (cases, compared) = (list.ids.len(), list.baselines.len());
        if list.points.len() != cases || (compared != 0 && compared != cases) {
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

    /// Returns the number of baselines that are none of the cases.
    pub fn other_baselines(&self) -> u64 {
        let cases: HashSet<&String> = self.ids.iter().collect();
        let baselines: HashSet<&String> = self.baselines.iter().map(|against| &against.id).collect();
        baselines.difference(&cases).count() as u64
    }
}
