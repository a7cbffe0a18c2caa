//! A request to run a case: from its files to its figures, and beside it the baseline that it is compared with.

use std::panic;
use std::sync::Arc;
use std::thread;

use drowse_core::measure::ProbeOptions;
use drowse_core::measure::timeline::Excerpt;
use drowse_core::power::Policy;
use drowse_experiment::Case;

use crate::cancel::Cancel;
use crate::compare::{exceeded, relative};
use crate::error::RunError;
use crate::identity::{BUILD, case_id};
use crate::inputs::{self, Inputs, Traces};
use crate::outcome::{Outcome, Relative};
use crate::processes::{self, Peers};
use crate::progress::Progress;
use crate::simulate::{self, Prepared, Run};
use crate::summary::summarize;
use crate::threads::Threads;
use crate::timeline::TimelineOptions;

/// A case that is to be run, and how.
///
/// No result depends on the threads or processes, on what is recorded, or on who looks on.
#[derive(Clone)]
pub struct RunRequest<'a> {
    /// The case.
    pub case: &'a Case,
    /// What it is compared with, if anything. Both run side by side where there are two threads.
    pub baseline: Option<&'a Case>,
    /// The tables that are recorded of both.
    pub probes: ProbeOptions,
    /// The timelines that are recorded of both.
    pub timeline: Option<&'a TimelineOptions>,
    /// The threads that both share.
    pub threads: Threads,
    /// Is told how far they have come.
    pub observer: Observer<'a>,
    /// Stops them.
    pub cancel: Cancel,
}

/// Is told now and then how far a run has come, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Side, Progress) + Sync);

/// One of the runs of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The case.
    Case,
    /// Its baseline.
    Baseline,
}

/// What comes out of a request.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// The case; its ratios to the baseline are among its figures.
    pub case: Outcome,
    /// The baseline, if there is one.
    pub baseline: Option<Outcome>,
}

impl Outcomes {
    /// Returns the case, and then the baseline if there is one.
    pub fn all(&self) -> Vec<&Outcome> {
        std::iter::once(&self.case).chain(&self.baseline).collect()
    }

    /// Compares a case with its baseline, if it has one.
    fn compared(mut case: Outcome, baseline: Option<Outcome>) -> Self {
        if let Some(baseline) = &baseline {
            case.relative = relative(&case, baseline);
            if let Some(warning) = exceeded(&case.relative.figures) {
                case.summary.warn(&warning);
            }
        }
        Outcomes { case, baseline }
    }
}

impl<'a> RunRequest<'a> {
    /// Requests a case alone, on one thread.
    pub fn new(case: &'a Case) -> Self {
        RunRequest {
            case,
            baseline: None,
            probes: ProbeOptions::default(),
            timeline: None,
            threads: Threads::ONE,
            observer: &|_, _| (),
            cancel: Cancel::default(),
        }
    }

    /// Runs it.
    pub fn run(&self) -> Result<Outcomes, RunError> {
        self.run_with(&Traces::default())
    }

    /// Runs it; traces that several requests share are opened once.
    pub fn run_with(&self, traces: &Traces) -> Result<Outcomes, RunError> {
        let Some(baseline) = self.baseline else {
            return Ok(Outcomes::compared(self.one(self.case, Side::Case, self.threads, traces)?, None));
        };
        // Two runs side by side get the most out of two threads, and each is partitioned over its share.
        let (case, reference) = if let Some([ours, theirs]) = self.threads.halves() {
            thread::scope(|scope| {
                let beside = scope.spawn(move || self.one(baseline, Side::Baseline, theirs, traces));
                let case = self.one(self.case, Side::Case, ours, traces);
                (case, beside.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
            })
        } else {
            (
                self.one(self.case, Side::Case, self.threads, traces),
                self.one(baseline, Side::Baseline, self.threads, traces),
            )
        };
        Ok(Outcomes::compared(case?, Some(reference?)))
    }

    /// Runs the case alone under another policy than its own; channels that are always on under its own stay so.
    pub fn run_under<P>(&self, policy: &P) -> Result<Outcome, RunError>
    where
        P: Policy + Sync,
        P::State: Send,
    {
        let simulate =
            |prepared: Prepared<'_>, progress: &mut dyn FnMut(Progress)| prepared.run_under(policy, progress);
        self.simulated(self.case, Side::Case, self.threads, &Traces::default(), simulate)
    }

    /// Runs it over several processes, which all do the same, and then the baseline; each is one partition of them. Process
    /// 0 gets the result. Nothing is recorded beside the figures.
    pub fn run_in_processes(&self, peers: &mut dyn Peers) -> Result<Option<Outcomes>, RunError> {
        let traces = Traces::default();
        let case = self.in_processes(self.case, Side::Case, &traces, peers)?;
        let reference = match self.baseline {
            Some(baseline) => self.in_processes(baseline, Side::Baseline, &traces, peers)?,
            None => None,
        };
        Ok(case.map(|case| Outcomes::compared(case, reference)))
    }

    fn one(&self, case: &Case, side: Side, threads: Threads, traces: &Traces) -> Result<Outcome, RunError> {
        self.simulated(case, side, threads, traces, |prepared, progress| prepared.run(progress))
    }

    fn simulated(
        &self,
        case: &Case,
        side: Side,
        threads: Threads,
        traces: &Traces,
        simulate: impl FnOnce(Prepared<'_>, &mut dyn FnMut(Progress)) -> Result<Run, RunError>,
    ) -> Result<Outcome, RunError> {
        self.cancel.check()?;
        let inputs = inputs::open(case, traces)?;
        let share = threads.share(case, &inputs);
        let excerpt = self.timeline.map(|timeline| Arc::new(timeline.excerpt(case, &inputs)));
        let (probes, excerpt) = (self.probes, excerpt.as_ref());
        let prepared = Prepared { share, probes, excerpt, ..Prepared::new(case, &inputs, &self.cancel) };
        let run = simulate(prepared, &mut |progress| (self.observer)(side, progress))?;
        Ok(outcome(case, &inputs, run, probes, excerpt.cloned()))
    }

    fn in_processes(
        &self,
        case: &Case,
        side: Side,
        traces: &Traces,
        peers: &mut dyn Peers,
    ) -> Result<Option<Outcome>, RunError> {
        let opened = inputs::open(case, traces)
            .and_then(|inputs| simulate::check_in_processes(case, &inputs, peers).map(|()| inputs));
        let what = opened.as_ref().map(|inputs| format!("{} {BUILD}", case_id(case, inputs)));
        let agreed = processes::agree(peers, &what.map_err(ToString::to_string));
        let inputs = opened?;
        agreed?;
        let prepared = Prepared::new(case, &inputs, &self.cancel);
        let run = prepared.run_in_processes(peers, &mut |progress| (self.observer)(side, progress))?;
        Ok(run.map(|run| outcome(case, &inputs, run, ProbeOptions::default(), None)))
    }
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
