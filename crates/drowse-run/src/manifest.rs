//! `manifest.json`: what made the tables of a folder, so that they can be made again; the same from run to run.

use drowse_core::measure::ProbeOptions;
use drowse_core::measure::series::IntervalLength;
use drowse_core::model::units::Time;
use drowse_experiment::{JobSpec, Program, WorkloadSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::identity::{BUILD, VERSION};
use crate::inputs::TraceFile;
use crate::outcome::Outcome;

/// The name of the file.
pub const FILE: &str = "manifest.json";

/// What made the tables of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RunManifest {
    /// The version of the program.
    pub version: String,
    /// What was built: a hash of the sources.
    pub build: String,
    /// The tables that probes recorded, by their words on the command line.
    pub tables: Vec<String>,
    /// The window of the peak utilisation, where that was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_window_ps: Option<u64>,
    /// The length of the intervals of the table `power`, where it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_interval_ps: Option<u64>,
    /// The case, and behind it its baseline if there is one.
    pub cases: Vec<CaseManifest>,
}

/// What made the rows of a case.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CaseManifest {
    /// Its id, as in the tables.
    pub case_id: String,
    /// The seed of its random numbers.
    pub seed: u64,
    /// The title of its experiment.
    pub title: String,
    /// Whether its links never sleep.
    pub always_on: bool,
    /// How it was made, if it is the baseline.
    pub baseline: Option<Baseline>,
    /// The experiment as TOML, overrides put in.
    pub experiment: String,
    /// The traces of its jobs.
    pub traces: Vec<TraceManifest>,
}

/// How a baseline is made.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// From the case, all links on.
    AlwaysOn,
    /// From the case, each job alone on the machine.
    Alone,
    /// It is an experiment of its own.
    File,
}

/// A trace that a job runs, as it was when the tables were made.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct TraceManifest {
    /// Its name without folder.
    pub file: String,
    /// Its length; none of a folder.
    pub bytes: Option<u64>,
    /// A hash of its contents.
    pub fingerprint: String,
    /// As what it was read, where the trace was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// What made the tables of a sweep.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SweepManifest {
    /// The version of the program.
    pub version: String,
    /// What was built: a hash of the sources.
    pub build: String,
    /// The number of cases.
    pub cases: u64,
    /// The values of each key.
    pub set: Map<String, Value>,
    /// The experiment as TOML, overrides put in and the sweep left in it.
    pub experiment: String,
    /// The traces of all jobs of all cases, each once.
    pub traces: Vec<TraceManifest>,
    /// Whether a search has chosen the cases.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub searched: bool,
}

impl RunManifest {
    /// Describes what made the tables of a case and its baseline.
    pub fn of(outcomes: &[&Outcome]) -> Self {
        let wanted = outcomes.first().map(|outcome| outcome.wanted).unwrap_or_default();
        RunManifest {
            version: VERSION.into(),
            build: BUILD.into(),
            tables: tables(&wanted).filter(|&(_, wanted)| wanted).map(|(name, _)| name.to_owned()).collect(),
            peak_window_ps: wanted.waiting.map(|window| window.0),
            power_interval_ps: match wanted.power {
                Some(IntervalLength::Of(length)) => Some(length.0),
                _ => None,
            },
            cases: outcomes.iter().map(|outcome| CaseManifest::of(outcome, outcomes[0])).collect(),
        }
    }

    /// Returns what probes record for these tables.
    pub fn wanted(&self) -> ProbeOptions {
        let wants = |name: &str| self.tables.iter().any(|table| table == name);
        let chosen = |length| IntervalLength::Of(Time(length));
        let window = self.peak_window_ps.filter(|_| wants("waiting"));
        ProbeOptions {
            idle_periods: wants("idle-periods"),
            idle_pairs: wants("idle-pairs"),
            timers: wants("timers"),
            timeline: wants("timeline"),
            waiting: window.map(Time),
            message_sizes: wants("message-sizes"),
            rank_operations: wants("rank-operations"),
            rank_waits: wants("waits"),
            wakes: wants("wakes"),
            power: wants("power").then(|| self.power_interval_ps.map_or(IntervalLength::OfRun, chosen)),
        }
    }
}

/// Returns the tables that probes record, and which of them are wanted.
fn tables(wanted: &ProbeOptions) -> impl Iterator<Item = (&'static str, bool)> {
    let ProbeOptions { idle_periods, idle_pairs, timers, timeline, waiting, .. } = *wanted;
    let ProbeOptions { message_sizes, rank_operations, rank_waits, wakes, power, .. } = *wanted;
    let tables = [
        ("idle-periods", idle_periods),
        ("idle-pairs", idle_pairs),
        ("timers", timers),
        ("timeline", timeline),
        ("waiting", waiting.is_some()),
        ("message-sizes", message_sizes),
        ("rank-operations", rank_operations),
        ("waits", rank_waits),
        ("wakes", wakes),
        ("power", power.is_some()),
    ];
    tables.into_iter()
}

impl CaseManifest {
    fn of(outcome: &Outcome, first: &Outcome) -> Self {
        let case = &outcome.case;
        let specs: &[JobSpec] = match &case.workload {
            WorkloadSpec::Jobs(specs) => specs,
            WorkloadSpec::Traffic(_) => &[],
        };
        let with_traces = specs.iter().filter(|spec| matches!(spec.program, Program::Trace(_)));
        let trace = |(file, spec): (&TraceFile, &JobSpec)| TraceManifest {
            format: spec.trace_format.clone(),
            ..TraceManifest::of(file)
        };
        CaseManifest {
            case_id: outcome.summary.case_id(),
            seed: case.system.config.seed,
            title: case.system.title.clone(),
            always_on: case.is_always_on(),
            baseline: (!std::ptr::eq(outcome, first)).then(|| Baseline::of(outcome, first)),
            experiment: case.experiment.clone(),
            traces: outcome.traces.iter().zip(with_traces).map(trace).collect(),
        }
    }
}

impl Baseline {
    /// Returns how a baseline was made of a case.
    fn of(baseline: &Outcome, first: &Outcome) -> Self {
        let (theirs, ours) = (&baseline.case, &first.case);
        if theirs.experiment != ours.experiment {
            Baseline::File
        } else if theirs.scheduler != ours.scheduler {
            Baseline::Alone
        } else if theirs.is_always_on() {
            Baseline::AlwaysOn
        } else {
            Baseline::File
        }
    }
}

impl TraceManifest {
    /// Describes a trace.
    pub fn of(file: &TraceFile) -> Self {
        let fingerprint = format!("{:016x}", file.fingerprint);
        TraceManifest { file: file.name.clone(), bytes: file.bytes, fingerprint, format: None }
    }
}
