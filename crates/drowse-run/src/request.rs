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
use crate::expected::Expected;
use crate::identity::{BUILD, case_id};
use crate::inputs::{self, Inputs, Traces};
use crate::outcome::{Outcome, Relative};
use crate::over_time;
use crate::processes::{self, Peers};
use crate::progress::Progress;
use crate::simulate::{self, Prepared, Run};
use crate::summary::summarize;
use crate::threads::Threads;
use crate::timeline::TimelineOptions;

/// A case that is to be run, and how.
///
/// No result depends on the threads or processes, on what is recorded, or on who looks on.
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_experiment::case_of;
/// use drowse_run::request::RunRequest;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = r#"
///     network = { kind = "ideal", nodes = 4, latency = "2 us" }
///     job = { app = { kind = "stencil", dims = [4], bytes = "1 KiB", compute = "10 us", iterations = 100 } }
/// "#;
/// let case = case_of(text)?;
/// let outcome = RunRequest::new(&case).run()?.case;
/// // Where links have no bandwidth to share, an iteration takes the time to compute and a latency.
/// assert_eq!(outcome.record.makespan, Some(Time::from_us(100 * (10 + 2))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RunRequest<'a> {
    /// The experiment, resolved, with everything that its result depends on.
    pub case: &'a Case,
    /// What it is compared with, if anything. Both run side by side where there are two threads.
    pub baseline: Option<&'a Case>,
    /// The tables that are recorded of both.
    pub probes: ProbeOptions,
    /// The timelines that are recorded of both.
    pub timeline: Option<&'a TimelineOptions>,
    /// The threads that both share.
    pub threads: Threads,
    /// Is told what the case will move, before it starts.
    pub expects: Option<Expects<'a>>,
    /// Is told how far they have come.
    pub observer: Observer<'a>,
    /// Stops them.
    pub cancel: Cancel,
}

/// Is told what a case will move, before it starts.
pub type Expects<'a> = &'a (dyn Fn(&Expected) + Sync);

/// Is told now and then how far a run has come, from any thread.
///
/// ```
/// use std::sync::Mutex;
///
/// use drowse_experiment::case_of;
/// use drowse_run::progress::Progress;
/// use drowse_run::request::{RunRequest, Side};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = r#"
///     network = { kind = "ideal", nodes = 4, latency = "2 us" }
///     job = { app = { kind = "stencil", dims = [4], bytes = "1 KiB", compute = "10 us", iterations = 30000 } }
/// "#;
/// let case = case_of(text)?;
/// let seen = Mutex::new(Vec::new());
/// let observer = |_: Side, progress: Progress| seen.lock().unwrap().push(progress.fraction.unwrap_or(0.0));
/// RunRequest { observer: &observer, ..RunRequest::new(&case) }.run()?;
/// // The share of what is done never decreases.
/// let seen = seen.into_inner()?;
/// assert!(!seen.is_empty() && seen.is_sorted() && seen.iter().all(|share| (0.0..=1.0).contains(share)));
/// # Ok(())
/// # }
/// ```
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
            expects: None,
            observer: &|_, _| (),
            cancel: Cancel::default(),
        }
    }

    /// Runs the case, and its baseline if there is one, to their ends.
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
    ///
    /// ```
    /// use drowse_core::model::{ids::ChannelId, units::Time};
    /// use drowse_core::power::{SleepPolicy, Timers};
    /// use drowse_experiment::case_of;
    /// use drowse_run::request::RunRequest;
    /// use drowse_tables::schema::cases;
    ///
    /// /// Sleeps whenever it is idle.
    /// struct Eager;
    ///
    /// impl SleepPolicy for Eager {
    ///     type State = ();
    ///
    ///     fn start(&self, _: ChannelId, _: u8) {}
    ///
    ///     fn timers(&self, _: u8, (): &()) -> Timers {
    ///         Timers::DEEP_AT_ONCE
    ///     }
    /// }
    ///
    /// drowse_core::sleep_only!(Eager);
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let text = r#"
    ///     network = { kind = "full", switches = 4 }
    ///     power = { channels = "all", policy = { kind = "stall-timer", deep = "50 us" } }
    ///     job = { app = { kind = "stencil", dims = [4], bytes = "1 KiB", compute = "200 us", iterations = 20 } }
    /// "#;
    /// let case = case_of(text)?;
    /// let request = RunRequest::new(&case);
    /// let [theirs, ours] = [request.run()?.case, request.run_under(&Eager)?];
    /// // Channels idle for 200 us, and sleep for nearly all of it instead of about 150.
    /// let energy = |outcome: &drowse_run::outcome::Outcome| outcome.figures().number(cases::ENERGY_LINKS_ALL);
    /// assert!(energy(&ours) < energy(&theirs));
    /// assert!(ours.record.makespan >= theirs.record.makespan);
    /// # Ok(())
    /// # }
    /// ```
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
    /// 0 gets the result. Of what probes record, only the power over time is.
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
        over_time::check(&case.system, self.probes)?;
        let inputs = inputs::open(case, traces)?;
        if let Some(told) = self.expects.filter(|_| side == Side::Case) {
            told(&Expected::of(case, &inputs));
        }
        let share = threads.share(case, &inputs);
        let excerpt = self.timeline.map(|timeline| Arc::new(timeline.excerpt(case, &inputs)));
        let (probes, excerpt) = (over_time::with_cap(&case.system, self.probes), excerpt.as_ref());
        let prepared = Prepared { share, probes, excerpt, ..Prepared::new(case, &inputs, &self.cancel) };
        let run = simulate(prepared, &mut |progress| (self.observer)(side, progress))?;
        Ok(outcome(case, &inputs, run, self.probes, excerpt.cloned()))
    }

    fn in_processes(
        &self,
        case: &Case,
        side: Side,
        traces: &Traces,
        peers: &mut dyn Peers,
    ) -> Result<Option<Outcome>, RunError> {
        let opened = inputs::open(case, traces)
            .and_then(|inputs| simulate::check_in_processes(case, &inputs, peers).map(|()| inputs))
            .and_then(|inputs| over_time::check(&case.system, self.probes).map(|()| inputs).map_err(RunError::from));
        let what = opened.as_ref().map(|inputs| format!("{} {BUILD}", case_id(case, inputs)));
        let agreed = processes::agree(peers, &what.map_err(ToString::to_string));
        let inputs = opened?;
        agreed?;
        let wanted = ProbeOptions { power: self.probes.power, ..ProbeOptions::default() };
        let probes = over_time::with_cap(&case.system, wanted);
        let prepared = Prepared { probes, ..Prepared::new(case, &inputs, &self.cancel) };
        let run = prepared.run_in_processes(peers, &mut |progress| (self.observer)(side, progress))?;
        Ok(run.map(|run| outcome(case, &inputs, run, wanted, None)))
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
        waits: run.waits,
        wakes: run.wakes,
        timeline: excerpt.map(|excerpt| (excerpt, run.ranks)),
    }
}
