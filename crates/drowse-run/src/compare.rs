//! Runs a case, and beside it the baseline that it is compared with.

use std::thread;

use drowse_core::measure::{ProbeOptions, ProbeRecord, Record};
use drowse_tables::{Row, Value};

use crate::cost;
use crate::identity::case_id;
use crate::inputs::{self, TraceFile, Traces};
use crate::jobs;
use crate::progress::Progress;
use crate::run::{self, RunError};
use crate::summary::{Summary, summarize};
use crate::threads::Threads;
use drowse_experiment::{Case, System};

/// A case with its result.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was run.
    pub case: Case,
    /// The traces of the jobs that have one.
    pub traces: Vec<TraceFile>,
    /// What was measured.
    pub record: Record,
    /// The figures.
    pub summary: Summary,
    /// What was to be seen of its channels.
    pub wanted: ProbeOptions,
    /// What was seen of each channel, in the order of the record's; empty where nothing was wanted.
    pub seen: Vec<ProbeRecord>,
}

impl Outcome {
    /// Returns the name of the case in tables.
    pub fn case_id(&self) -> Value {
        self.summary.identity.get("case_id").cloned().unwrap_or_else(|| Value::from(""))
    }
}

/// Is told how far the first case (0) and the baseline (1) have come now and then, from any thread.
pub type Observer<'a> = &'a (dyn Fn(usize, Progress) + Sync);

/// Runs a case, and its baseline if there is one; the result does not depend on the threads.
///
/// Two runs side by side get the most out of two threads, so they share these out, and each is cut over its share.
///
/// With a baseline, the case's summary and those of its jobs hold their figures relative to the baseline's.
pub fn run(
    case: &Case,
    baseline: Option<&Case>,
    threads: Threads,
    observer: Observer<'_>,
) -> Result<(Outcome, Option<Outcome>), RunError> {
    observe(case, baseline, ProbeOptions::default(), threads, observer)
}

/// Does as [`run()`], and writes down what is wanted of the channels of both cases.
pub fn observe(
    case: &Case,
    baseline: Option<&Case>,
    wanted: ProbeOptions,
    threads: Threads,
    observer: Observer<'_>,
) -> Result<(Outcome, Option<Outcome>), RunError> {
    let traces = Traces::default();
    let run_one = |case, index, threads| run_one(case, wanted, &traces, threads, index, observer);
    let Some(baseline) = baseline else { return Ok((run_one(case, 0, threads)?, None)) };
    let (outcome, reference) = if let Some([ours, theirs]) = threads.halves() {
        thread::scope(|scope| {
            let beside = scope.spawn(move || run_one(baseline, 1, theirs));
            let outcome = run_one(case, 0, ours);
            (outcome, beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    } else {
        (run_one(case, 0, threads), run_one(baseline, 1, threads))
    };
    let (mut outcome, reference) = (outcome?, reference?);
    outcome.summary.relative = relative(&outcome, &reference);
    cost::compare(&mut outcome, &reference);
    jobs::compare(&mut outcome.summary.jobs, &reference.summary.jobs);
    Ok((outcome, Some(reference)))
}

fn run_one(
    case: &Case,
    wanted: ProbeOptions,
    traces: &Traces,
    threads: Threads,
    index: usize,
    observer: Observer<'_>,
) -> Result<Outcome, RunError> {
    let inputs = inputs::open(case, traces)?;
    let share = threads.share(case, &inputs);
    let run = run::run_on(share, wanted, case, &inputs, &mut |progress| observer(index, progress))?;
    Ok(Outcome {
        summary: summarize(&case.system, &case_id(case, &inputs), &run.record, &run.cost),
        case: case.clone(),
        traces: inputs.trace_files().cloned().collect(),
        record: run.record,
        wanted,
        seen: run.seen,
    })
}

/// Returns the ratios of a case's figures to those of its baseline.
fn relative(outcome: &Outcome, baseline: &Outcome) -> Row {
    let mut row = Row::new();
    let mut push = |name: &str, figure: &str| {
        let figures = [outcome, baseline].map(|outcome| outcome.summary.figures.number(figure));
        if let [Some(ours), Some(theirs)] = figures
            && theirs > 0.0
        {
            row.push(format!("relative.{name}"), ours / theirs);
        }
    };
    push("makespan", "makespan_s");
    if same_reference(&outcome.case.system, &baseline.case.system) {
        push("e_net", "energy.e_net");
    }
    push("links", "energy.links.all");
    push("edp", "energy.edp");
    row
}

/// Returns whether two systems' network energies are shares of the same reference network's power.
fn same_reference(a: &System, b: &System) -> bool {
    let same_ports = a.ports() == b.ports();
    a.model.reference == b.model.reference && (a.model.reference.is_some() || same_ports)
}
