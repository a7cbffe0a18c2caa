//! Runs a case from its files to its figures, and beside it the baseline that it is compared with.

use std::panic;
use std::sync::Arc;
use std::thread;

use drowse_core::measure::ProbeOptions;
use drowse_core::measure::timeline::Excerpt;
use drowse_experiment::Case;

use crate::compare::{exceeded, relative};
use crate::error::RunError;
use crate::identity::{BUILD, case_id};
use crate::inputs::{self, Inputs, Traces};
use crate::outcome::{Outcome, Relative};
use crate::processes::{self, Peers};
use crate::progress::Progress;
use crate::run::{self, Run};
use crate::summary::summarize;
use crate::threads::Threads;
use crate::timeline::TimelineOptions;

/// Is told now and then how far the case (0) and the baseline (1) have come, from any thread.
pub type Observer<'a> = &'a (dyn Fn(usize, Progress) + Sync);

/// Runs a case, and its baseline if there is one; the result does not depend on the threads.
///
/// Two runs side by side get the most out of two threads, so they share these, and each is partitioned over its share.
/// With a baseline, the case's outcome has the figures relative to it.
pub fn run(
    case: &Case,
    baseline: Option<&Case>,
    threads: Threads,
    observer: Observer<'_>,
) -> Result<(Outcome, Option<Outcome>), RunError> {
    run_probed(case, baseline, ProbeOptions::default(), threads, observer)
}

/// Does as [`run()`], with probes on the channels of both cases.
pub fn run_probed(
    case: &Case,
    baseline: Option<&Case>,
    wanted: ProbeOptions,
    threads: Threads,
    observer: Observer<'_>,
) -> Result<(Outcome, Option<Outcome>), RunError> {
    run_recorded(case, baseline, (wanted, None), threads, observer)
}

/// Does as [`run_probed()`], and records timelines of both cases.
pub fn run_recorded(
    case: &Case,
    baseline: Option<&Case>,
    (wanted, timeline): (ProbeOptions, Option<&TimelineOptions>),
    threads: Threads,
    observer: Observer<'_>,
) -> Result<(Outcome, Option<Outcome>), RunError> {
    let traces = Traces::default();
    let run_one = |case, index, threads| run_one(case, (wanted, timeline), &traces, threads, index, observer);
    let Some(baseline) = baseline else { return Ok((run_one(case, 0, threads)?, None)) };
    let (outcome, reference) = if let Some([ours, theirs]) = threads.halves() {
        thread::scope(|scope| {
            let beside = scope.spawn(move || run_one(baseline, 1, theirs));
            let outcome = run_one(case, 0, ours);
            (outcome, beside.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
        })
    } else {
        (run_one(case, 0, threads), run_one(baseline, 1, threads))
    };
    Ok(compared(outcome?, Some(reference?)))
}

/// Compares a case with its baseline, if it has one.
fn compared(mut outcome: Outcome, reference: Option<Outcome>) -> (Outcome, Option<Outcome>) {
    if let Some(reference) = &reference {
        outcome.relative = relative(&outcome, reference);
        if let Some(warning) = exceeded(&outcome.relative.figures) {
            outcome.summary.warn(&warning);
        }
    }
    (outcome, reference)
}

/// Runs a case over several processes, which all do the same, and then its baseline. Process 0 gets the result.
pub fn run_in_processes(
    case: &Case,
    baseline: Option<&Case>,
    peers: &mut dyn Peers,
    observer: Observer<'_>,
) -> Result<Option<(Outcome, Option<Outcome>)>, RunError> {
    let traces = Traces::default();
    let outcome = one_in_processes(case, &traces, peers, |progress| observer(0, progress))?;
    let reference = match baseline {
        Some(baseline) => one_in_processes(baseline, &traces, peers, |progress| observer(1, progress))?,
        None => None,
    };
    Ok(outcome.map(|outcome| compared(outcome, reference)))
}

fn one_in_processes(
    case: &Case,
    traces: &Traces,
    peers: &mut dyn Peers,
    mut progress: impl FnMut(Progress),
) -> Result<Option<Outcome>, RunError> {
    let opened =
        inputs::open(case, traces).and_then(|inputs| run::check_in_processes(case, &inputs, peers).map(|()| inputs));
    let what = opened.as_ref().map(|inputs| format!("{} {BUILD}", case_id(case, inputs)));
    let agreed = processes::agree(peers, &what.map_err(ToString::to_string));
    let inputs = opened?;
    agreed?;
    let run = run::run_in_processes(peers, case, &inputs, &mut progress)?;
    Ok(run.map(|run| outcome(case, &inputs, run, ProbeOptions::default(), None)))
}

fn run_one(
    case: &Case,
    (wanted, timeline): (ProbeOptions, Option<&TimelineOptions>),
    traces: &Traces,
    threads: Threads,
    index: usize,
    observer: Observer<'_>,
) -> Result<Outcome, RunError> {
    let inputs = inputs::open(case, traces)?;
    let share = threads.share(case, &inputs);
    let mut progress = |progress| observer(index, progress);
    let excerpt = timeline.map(|timeline| Arc::new(timeline.excerpt(case, &inputs)));
    let run = match &excerpt {
        Some(excerpt) => run::run_recorded(share, wanted, excerpt, case, &inputs, &mut progress)?,
        None => run::run_on(share, wanted, case, &inputs, &mut progress)?,
    };
    Ok(outcome(case, &inputs, run, wanted, excerpt))
}

/// Makes the outcome of a case from its run.
fn outcome(case: &Case, inputs: &Inputs, run: Run, wanted: ProbeOptions, excerpt: Option<Arc<Excerpt>>) -> Outcome {
    Outcome {
        summary: summarize(&case.system, &case_id(case, inputs), &run.record, &run.cost),
        case: case.clone(),
        traces: inputs.trace_files().cloned().collect(),
        record: run.record,
        relative: Relative::default(),
        wanted,
        seen: run.seen,
        timeline: excerpt.map(|excerpt| (excerpt, run.ranks)),
    }
}
