//! `manifest.json`: titles, which case is always on, and the text of the experiment.

use serde_json::Value;

use crate::error::ReportError;
use crate::files::Files;

const FILE: &str = "manifest.json";
/// Cases that are drawn to be run by flows and by packets, unless `search.pairs` says how many.
const PAIRS: usize = 20;

/// What a manifest says; empty where there is none.
#[derive(Debug, Default)]
pub struct Manifest {
    /// The version that made the results.
    pub version: String,
    /// What was built: a hash of its sources.
    pub build: String,
    /// The cases of a run; empty for a sweep.
    pub cases: Vec<Case>,
    /// The experiment of the sweep, or of the first case of a run.
    pub experiment: String,
}

/// A case of a run.
#[derive(Debug)]
pub struct Case {
    /// Its id, as in the tables.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Whether its links never sleep.
    pub always_on: bool,
}

impl Manifest {
    /// Reads the manifest of a folder.
    pub fn read(files: &Files) -> Result<Self, ReportError> {
        let Some((path, text)) = files.text(FILE)? else { return Ok(Manifest::default()) };
        let wrong = |error| ReportError::wrong(&path, format!("is no manifest: {error}; run the experiment again"));
        let json: Value = serde_json::from_str(&text).map_err(wrong)?;
        let text = |json: &Value, key: &str| json[key].as_str().unwrap_or_default().to_owned();
        let case = |json: &Value| Case {
            id: text(json, "case_id"),
            title: text(json, "title"),
            always_on: json["always_on"].as_bool().unwrap_or(false),
        };
        let cases = json["cases"].as_array().map(Vec::as_slice).unwrap_or_default();
        let first = cases.first().map(|case| text(case, "experiment"));
        Ok(Manifest {
            version: text(&json, "version"),
            build: text(&json, "build"),
            cases: cases.iter().map(case).collect(),
            experiment: first.unwrap_or_else(|| text(&json, "experiment")),
        })
    }

    /// Names the baseline of a sweep, which has no row.
    pub fn baseline(&self) -> String {
        let written = || self.experiment.parse::<toml::Table>().ok()?.get("sweep")?.get("baseline").cloned();
        let is_always_on = written().is_some_and(|baseline| baseline.as_str() == Some("always-on"));
        if is_always_on { "always on" } else { "baseline" }.into()
    }

    /// Returns how many cases were drawn to be run by flows and by packets, as the experiment says; `None` where packets
    /// verify nothing.
    pub fn drawn(&self) -> Option<usize> {
        let experiment = self.experiment.parse::<toml::Table>().ok()?;
        let search = experiment.get("search")?;
        search.get("verify")?;
        let pairs = search.get("pairs").and_then(toml::Value::as_integer);
        Some(pairs.and_then(|pairs| usize::try_from(pairs).ok()).unwrap_or(PAIRS))
    }

    /// Returns the title of the experiment, if it has one.
    pub fn title(&self) -> Option<String> {
        let first = self.cases.first().map(|case| case.title.clone()).filter(|title| !title.is_empty());
        let written = || self.experiment.parse::<toml::Table>().ok()?.get("title")?.as_str().map(str::to_owned);
        first.or_else(written)
    }
}
