//! A case with its results, and the ratios to a baseline where there is one.

use std::collections::BTreeMap;
use std::sync::Arc;

use drowse_core::measure::rank_waits::RankWaits;
use drowse_core::measure::timeline::{Excerpt, RankTimeline};
use drowse_core::measure::wakes::Wakes;
use drowse_core::measure::{ProbeOptions, ProbeRecord, Record};
use drowse_core::workload::operation_kind::OperationKind;
use drowse_experiment::Case;
use drowse_tables::{Row, Value};
use serde_json::Value as Json;

use crate::figures::ranks;
use crate::inputs::TraceFile;
use crate::summary::Summary;

/// A case with its results.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The case that was run.
    pub case: Case,
    /// The traces of the jobs that have one.
    pub traces: Vec<TraceFile>,
    /// The result of the simulation.
    pub record: Record,
    /// The figures that need no baseline, of the case and of its jobs.
    pub summary: Summary,
    /// The ratios to a baseline; empty where there is none.
    pub relative: Relative,
    /// What the probes of its channels were to record.
    pub wanted: ProbeOptions,
    /// What the probe of each channel recorded, in the order of the record's channels; empty where nothing was wanted.
    pub seen: Vec<ProbeRecord>,
    /// For whom each rank has waited, where that was wanted.
    pub waits: Vec<RankWaits>,
    /// For which wakes of links messages waited, where that was wanted.
    pub wakes: Option<Wakes>,
    /// What a timeline shows and what was recorded of ranks, where one was wanted.
    pub timeline: Option<(Arc<Excerpt>, Vec<RankTimeline>)>,
}

/// The figures of a case that need a baseline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relative {
    /// Ratios of figures, and what the case saves of the cost.
    pub figures: Row,
    /// The ratios of each job, in the order of the jobs.
    pub jobs: Vec<Row>,
}

impl Outcome {
    /// Returns the name of the case in tables.
    pub fn case_id(&self) -> Value {
        Value::from(self.summary.case_id())
    }

    /// Returns all figures, those that need a baseline behind the others.
    pub fn figures(&self) -> Row {
        joined([&self.summary.figures, &self.relative.figures])
    }

    /// Returns the figures of each job, those that need a baseline behind the others.
    pub fn jobs(&self) -> Vec<Row> {
        self.with_ratios(&self.summary.jobs)
    }

    /// Returns the mean share of the makespan that ranks spend in operations of each kind, with its name, where that was
    /// counted.
    pub fn by_operation(&self) -> BTreeMap<(OperationKind, &'static str), f64> {
        ranks::by_operation(&self.record)
    }

    /// Returns the row of `cases.csv`: everything that the same experiments give again, bit by bit.
    pub fn case_row(&self) -> Row {
        joined([&self.summary.figures, &self.relative.figures, &self.summary.identity])
    }

    /// Returns the rows of `jobs.csv`.
    pub fn job_rows(&self) -> Vec<Row> {
        self.with_ratios(&self.summary.job_rows())
    }

    /// Returns all figures as nested objects.
    pub fn to_json(&self) -> Json {
        self.summary.nested(&self.figures(), &self.jobs())
    }

    /// Adds the ratios of each job to its row.
    fn with_ratios(&self, jobs: &[Row]) -> Vec<Row> {
        let ratios = self.relative.jobs.iter().map(Some).chain(std::iter::repeat(None));
        jobs.iter()
            .zip(ratios)
            .map(|(job, ratios)| ratios.map_or_else(|| job.clone(), |ratios| joined([job, ratios])))
            .collect()
    }
}

/// Puts rows one behind the other.
fn joined<const N: usize>(rows: [&Row; N]) -> Row {
    let mut joined = Row::new();
    rows.into_iter().for_each(|row| joined.append(row.clone()));
    joined
}
