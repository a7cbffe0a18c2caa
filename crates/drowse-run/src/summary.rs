//! From the record of a run to its figures: built once, and never changed.

use drowse_core::limits::limits;
use drowse_core::measure::Record;
use drowse_core::model::units::Time;
use drowse_experiment::System;
use drowse_tables::schema::{cases, engine, jobs as job_columns};
use drowse_tables::{Row, Value, json};
use serde_json::Value as Json;

use crate::cost::Cost;
use crate::faults;
use crate::figures::{
    band, cap, cost, energy, extrapolation, governor, jobs, links, network, packets, ranks, runtime, spent, transport,
    watts,
};
use crate::identity::{BUILD, VERSION};
use crate::joules::Joules;
use crate::over_time;
use crate::totals::ClassTotals;

/// The figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// What was measured.
    pub figures: Row,
    /// The figures of each job; none for open-loop traffic.
    pub jobs: Vec<Row>,
    /// Warnings, version, seed and the name of the case.
    pub identity: Row,
    /// What the run cost the machine; differs from run to run.
    pub engine: Row,
}

impl Summary {
    /// Returns the name of the case.
    pub fn case_id(&self) -> String {
        self.identity.text(cases::CASE_ID)
    }

    /// Returns the row of `cases.csv`: everything that the same experiment gives again, bit by bit.
    pub fn case_row(&self) -> Row {
        let mut row = self.figures.clone();
        row.append(self.identity.clone());
        row
    }

    /// Returns the rows of `jobs.csv`.
    pub fn job_rows(&self) -> Vec<Row> {
        let row = |job: &Row| {
            let mut row = Row::new();
            row.push(job_columns::CASE_ID, self.case_id());
            row.append(job.clone());
            row
        };
        self.jobs.iter().map(row).collect()
    }

    /// Returns the row of `engine.csv`.
    pub fn engine_row(&self) -> Row {
        let mut row = Row::new();
        row.push(engine::CASE_ID, self.case_id());
        row.append(self.engine.clone());
        row
    }

    /// Returns all figures as nested objects.
    pub fn to_json(&self) -> Json {
        self.nested(&self.figures, &self.jobs)
    }

    /// Returns figures, jobs and all else as nested objects.
    pub(crate) fn nested(&self, figures: &Row, jobs: &[Row]) -> Json {
        let mut row = figures.clone();
        row.append(self.engine.clone());
        let mut json = json::from_row(&row);
        if let Json::Object(object) = &mut json {
            // A list without elements has no column, but a reader of JSON expects it.
            object.insert("warnings".into(), Json::Array(Vec::new()));
            if !jobs.is_empty() {
                object.insert("jobs".into(), jobs.iter().map(json::from_row).collect());
            }
            if let Json::Object(identity) = json::from_row(&self.identity) {
                object.extend(identity);
            }
        }
        json
    }

    /// Adds a warning, behind the others.
    pub(crate) fn warn(&mut self, warning: &str) {
        let name = cases::WARNINGS.of(self.warnings().count());
        self.identity.push(name, warning);
    }

    /// Returns the warnings: what to know before using the figures.
    pub fn warnings(&self) -> impl Iterator<Item = &Value> {
        self.identity.all(cases::WARNINGS).map(|(_, warning)| warning)
    }
}

/// Makes the figures of a run.
pub fn summarize(system: &System, case_id: &str, record: &Record, cost: &Cost) -> Summary {
    Summary {
        figures: figures(system, record),
        jobs: jobs::rows(record),
        identity: identity(system, case_id, record),
        engine: engine_figures(system, record, cost),
    }
}

/// Joins the figures of all subjects.
fn figures(system: &System, record: &Record) -> Row {
    let mut figures = Row::new();
    figures.push_some(cases::MAKESPAN_S, record.makespan.map(Time::seconds));
    figures.append(network::columns(system));
    figures.append(packets::columns(record));
    figures.append(transport::columns(record));
    figures.append(ranks::columns(record));
    figures.append(jobs::columns(record, system.network.nodes));
    let running = figures.number(cases::RANKS_RUNNING_FRACTION);
    let (mut drawn, mut ends) = (None, None);
    // An ideal network has no channels that could sleep or draw power.
    if system.network.channels() > 0 {
        let totals = ClassTotals::of(&system.network, &record.channels);
        let joules = Joules::of(system, record, &totals);
        ends = band::ends(system, record, &joules);
        figures.append(links::columns(system, &totals, record.measured, &joules));
        figures.append(energy::columns(system, record, &totals, &joules, running));
        figures.append(over_time::columns(system, record));
        drawn = Some(joules);
    }
    if let Some(of) = &record.extrapolation {
        figures.append(extrapolation::columns(record, of));
    }
    if let Some(record) = &record.runtime {
        figures.append(runtime::columns(record));
    }
    if let Some(record) = &record.governor {
        figures.append(governor::columns(record));
    }
    if let Some(of_cap) = record.cap.as_ref().filter(|_| system.network.channels() > 0) {
        figures.append(cap::columns(system, record, of_cap));
    }
    if let Some(ends) = &ends {
        figures.append(band::columns(ends, record));
    }
    if let Some(joules) = &drawn {
        figures.append(spent::columns(system, record, joules, ends.as_ref()));
    }
    if let Some(model) = &system.cost {
        figures.append(cost::columns(model));
    }
    figures
}

fn identity(system: &System, case_id: &str, record: &Record) -> Row {
    let mut row = Row::new();
    let limits = limits(&system.network, &system.config);
    let of_network = limits.iter().map(ToString::to_string).chain(faults::warning(system));
    let of_network = of_network
        .chain(over_time::warning(record))
        .chain(extrapolation::warning(record))
        .chain(spent::warning(system, record))
        .chain(watts::warnings(system, record))
        .chain(system.notes.iter().cloned());
    row.push_all(cases::WARNINGS, record.warnings.iter().map(ToString::to_string).chain(of_network));
    row.push(cases::VERSION, VERSION);
    row.push(cases::SEED, system.config.seed);
    row.push(cases::CASE_ID, case_id);
    row
}

fn engine_figures(system: &System, record: &Record, cost: &Cost) -> Row {
    let mut row = Row::new();
    row.push(engine::ENGINE_EVENTS, record.events);
    row.push_some(engine::ENGINE_HOPS_PER_S, cost.cpu_s.map(|seconds| record.hops as f64 / seconds));
    row.push(engine::ENGINE_WALL_S, cost.wall_s);
    row.push_some(engine::ENGINE_CPU_S, cost.cpu_s);
    row.push_some(engine::ENGINE_PEAK_RSS_BYTES, cost.peak_rss_bytes);
    if let Some(exchanged) = cost.exchanged {
        row.push(engine::ENGINE_PROCESSES, exchanged.processes);
        row.push(engine::ENGINE_WINDOWS, exchanged.windows);
        row.push(engine::ENGINE_EFFECTS, exchanged.effects);
        row.push(engine::ENGINE_BYTES, exchanged.bytes);
    }
    row.push(engine::ENGINE_BUILD, BUILD);
    row.push(engine::ENGINE_EXPERIMENT, system.title.as_str());
    row
}
