//! Charts: data and a specification in the language of Vega-Lite, one file per subject.

mod bound;
mod cases;
mod causes;
mod channels;
mod energy;
mod idle;
mod idling;
mod latency;
mod links;
mod network;
mod positions;
mod power;
mod rank_numbers;
mod ranks;
mod series;
mod sizes;
mod spec;
mod states;
mod swept;
mod timeline;
mod wait_matrix;
mod waiting;
mod waits;
mod wakes;

pub use network::colours;
pub use spec::{DASHES, US_LABELS, coloured};

use serde_json::{Map, Value};

use crate::error::ReportError;
use crate::results::Results;
use crate::study::Study;

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its name in `--kind` and in files.
    pub kind: &'static str,
    /// What it shows.
    pub title: String,
    /// How to read it, in a sentence or two.
    pub caption: String,
    /// Whether it takes the whole width of a page.
    pub wide: bool,
    /// The specification, without data.
    pub spec: Value,
    /// The data: a row has `n`, the number of its case, where it is of one.
    pub rows: Vec<Value>,
    /// The most cases that it can show at a time.
    pub most_cases: Option<usize>,
}

impl Chart {
    /// Returns the specification with its data in it.
    pub fn whole(&self) -> Value {
        let mut spec = self.spec.clone();
        spec["datasets"] = Value::Object(Map::from_iter([(self.kind.to_owned(), Value::Array(self.rows.clone()))]));
        spec
    }
}

/// Returns all charts that the tables have data for, the most important first.
pub fn of(results: &Results, study: &Study) -> Vec<Chart> {
    let makers: [fn(&Results, &Study) -> Option<Chart>; 21] = [
        energy::chart,
        latency::curve,
        latency::accepted,
        swept::chart,
        idling::chart,
        power::chart,
        states::chart,
        waiting::ranks,
        waiting::path,
        causes::chart,
        waits::chart,
        wakes::chart,
        wait_matrix::chart,
        network::chart,
        links::chart,
        positions::chart,
        ranks::chart,
        timeline::ranks,
        timeline::links,
        sizes::chart,
        idle::chart,
    ];
    makers.iter().filter_map(|make| make(results, study)).collect()
}

/// Returns a chart by its kind; refuses kinds for which the tables have no data.
pub fn named(results: &Results, study: &Study, kind: &str) -> Result<Chart, ReportError> {
    let mut charts = of(results, study);
    if let Some(place) = charts.iter().position(|chart| chart.kind == kind) {
        return Ok(charts.swap_remove(place));
    }
    let kinds: Vec<&str> = charts.iter().map(|chart| chart.kind).collect();
    let there = if kinds.is_empty() { "no chart".to_owned() } else { kinds.join(", ") };
    let reason = format!("these tables have no data for a chart `{kind}`; they have it for: {there}");
    Err(ReportError::wrong(&results.folder, reason))
}
