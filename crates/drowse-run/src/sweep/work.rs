//! Finds the missing cases of a sweep, and runs them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use drowse_tables::Value;
use drowse_tables::schema::engine;
use serde::{Deserialize, Serialize};

use super::cost::{Cost, Measured};
use super::error::SweepError;
use super::progress::{Monitor, Progress, Watch};
use super::store::{Cells, Outcome, Store, Stored};
use crate::cancel::Cancel;
use crate::compare::Terms;
use crate::error::RunError;
use crate::expected::Expected;
use crate::identity::case_id;
use crate::inputs::{self, Inputs, TraceFile, Traces};
use crate::pool;
use crate::request::RunRequest;
use crate::simulate::{self, Prepared, Sample};
use drowse_experiment::{Case, Diagnostic, Sweep};

/// Cases that stay in memory from their check until they run; at a few kilobytes each, these are about 20 MB.
const MOST_KEPT: usize = 4_096;

/// Cases of a sweep, checked.
#[derive(Default)]
pub struct Cases {
    /// Their numbers.
    pub numbers: Vec<u64>,
    /// The id of each.
    pub ids: Vec<String>,
    /// What each is compared with; none without a baseline.
    pub baselines: Vec<Against>,
    /// How each baseline is compared with itself, by its id.
    pub own_terms: HashMap<String, Terms>,
    /// The traces of all, each once.
    pub traces: Vec<TraceFile>,
}

impl Cases {
    /// Adds other cases, in the order of their numbers.
    pub fn add(&mut self, other: Cases) {
        let mut ours = std::mem::take(self);
        self.traces = std::mem::take(&mut ours.traces);
        let known = |trace: &TraceFile| self.traces.contains(trace);
        let new: Vec<TraceFile> = other.traces.iter().filter(|trace| !known(trace)).cloned().collect();
        self.traces.extend(new);
        self.own_terms = std::mem::take(&mut ours.own_terms);
        self.own_terms.extend(other.own_terms.clone());
        let mut all: Vec<(u64, String, Option<Against>)> = ours.into_list().chain(other.into_list()).collect();
        all.sort_by_key(|(number, ..)| *number);
        for (number, id, against) in all {
            self.numbers.push(number);
            self.ids.push(id);
            self.baselines.extend(against);
        }
    }

    /// Returns the number of each case with its id.
    pub fn numbers_by_id(&self) -> Vec<(String, u64)> {
        self.ids.iter().cloned().zip(self.numbers.iter().copied()).collect()
    }

    fn into_list(self) -> impl Iterator<Item = (u64, String, Option<Against>)> {
        let against = self.baselines.into_iter().map(Some).chain(std::iter::repeat(None));
        self.numbers.into_iter().zip(self.ids).zip(against).map(|((number, id), against)| (number, id, against))
    }
}

/// What is to be done for cases of a sweep.
pub struct Plan {
    /// The cases.
    pub cases: Cases,
    /// Those whose results are stored.
    pub done: u64,
    /// The cases to run, baselines among them; of cases with one id only the first. Those with most work come first,
    /// so that no long one is left for the end.
    pub missing: Vec<Missing>,
    /// What the stored cases have cost.
    pub measured: Measured,
}

/// What a case is compared with.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Against {
    /// The id of the baseline.
    pub id: String,
    /// How the two are compared.
    pub terms: Terms,
}

/// A case to run.
pub struct Missing {
    /// The number of the case.
    pub number: u64,
    /// Whether it is the baseline of the case of that number.
    is_baseline: bool,
    /// Its id.
    pub id: String,
    /// What it will cost.
    pub cost: Cost,
    /// The resolved case; `None` where so many were kept that it has to be resolved again.
    kept: Option<Case>,
}

/// Checks all cases of a sweep and their baselines, and finds those without a result.
pub fn plan(sweep: &Sweep<'_>, traces: &Traces, store: &Store, watch: &Watch<'_>) -> Result<Plan, SweepError> {
    plan_some(sweep, 0..sweep.cases(), traces, store, watch)
}

/// Checks cases by their numbers, and their baselines, and finds those without a result.
pub fn plan_some(
    sweep: &Sweep<'_>,
    numbers: impl Iterator<Item = u64>,
    traces: &Traces,
    store: &Store,
    watch: &Watch<'_>,
) -> Result<Plan, SweepError> {
    let measured = Measured::default();
    let mut plan = Plan { cases: Cases::default(), done: 0, missing: Vec::new(), measured };
    let (planned, found, opened) = (HashSet::new(), HashSet::new(), Vec::new());
    let mut planner = Planner { sweep, traces, store, planned, found, measured, opened };
    for number in numbers {
        watch.cancel.check()?;
        let case = sweep.case(number).map_err(RunError::from)?;
        if let Some(baseline) = sweep.baseline(number, &case).map_err(RunError::from)? {
            let terms = Terms::of(&case, &baseline);
            let own = Terms::of(&baseline, &baseline);
            let (id, _) = planner.add(number, true, baseline, &mut plan.missing)?;
            plan.cases.own_terms.entry(id.clone()).or_insert(own);
            plan.cases.baselines.push(Against { id, terms });
        }
        let (id, done) = planner.add(number, false, case, &mut plan.missing)?;
        plan.done += u64::from(done);
        plan.cases.ids.push(id);
        plan.cases.numbers.push(number);
        watch.tell(Progress::Checked(plan.cases.numbers.len() as u64));
    }
    plan.measured = planner.measured;
    plan.missing.sort_by(|one, other| other.cost.work.total_cmp(&one.cost.work));
    plan.cases.traces = planner.opened;
    Ok(plan)
}

/// Finds cases without a result.
struct Planner<'a, 's> {
    sweep: &'a Sweep<'s>,
    traces: &'a Traces,
    store: &'a Store,
    /// Cases that are missing.
    planned: HashSet<String>,
    /// Cases that are stored.
    found: HashSet<String>,
    measured: Measured,
    opened: Vec<TraceFile>,
}

impl Planner<'_, '_> {
    /// Checks a case, and adds it to those that are missing unless it is stored or among them; returns its id, and
    /// whether it is stored.
    fn add(
        &mut self,
        number: u64,
        is_baseline: bool,
        case: Case,
        missing: &mut Vec<Missing>,
    ) -> Result<(String, bool), SweepError> {
        let inputs = open(self.sweep, self.traces, number, &case)?;
        for trace in inputs.trace_files() {
            if !self.opened.contains(trace) {
                self.opened.push(trace.clone());
            }
        }
        let id = case_id(&case, &inputs);
        if self.found.contains(&id) {
            return Ok((id, true));
        }
        let stored = if self.planned.contains(&id) { None } else { self.store.get(&id)? };
        if let Some(stored) = stored {
            self.note(&case, &inputs, &stored);
            self.found.insert(id.clone());
            return Ok((id, true));
        }
        if self.planned.insert(id.clone()) {
            simulate::check(&case, &inputs).map_err(|error| naming(self.sweep, number, error))?;
            let cost = Cost::of(&case, &inputs);
            let kept = (missing.len() < MOST_KEPT).then_some(case);
            missing.push(Missing { number, is_baseline, id: id.clone(), cost, kept });
        }
        Ok((id, false))
    }

    /// Notes what a stored case has cost.
    fn note(&mut self, case: &Case, inputs: &Inputs, stored: &Stored) {
        let Some(row) = stored.outcome.engine() else { return };
        if let Some(seconds) = row.number(engine::ENGINE_WALL_S) {
            self.measured.add(Cost::of(case, inputs).work, seconds);
        }
        if let Some(&Value::Integer(bytes)) = row.get(engine::ENGINE_PEAK_RSS_BYTES) {
            self.measured.peak_bytes = self.measured.peak_bytes.max(Some(bytes));
        }
    }
}

/// Runs the missing cases. One that cannot be run now, because a file has gone or the machine has too little memory,
/// does not stop the others: its error comes at the end. A result that cannot be stored ends all.
pub fn run(
    sweep: &Sweep<'_>,
    traces: &Traces,
    store: &Store,
    plan: &Plan,
    threads: usize,
    watch: &Watch<'_>,
) -> Result<(), SweepError> {
    let works = plan.missing.iter().map(|missing| missing.cost.work);
    let monitor = Monitor::new(works, plan.measured, threads, watch.observer);
    let refused: Mutex<Option<(u64, RunError)>> = Mutex::new(None);
    pool::for_each(&plan.missing, threads, |missing| {
        let ticket = monitor.begin(missing.cost.work);
        let advance = |share| monitor.advance(ticket, share);
        let ran = run_one(sweep, traces, missing, &watch.cancel, &advance);
        let failed = match ran {
            Ok(stored) => {
                let failed = matches!(stored.outcome, Outcome::Failed(_));
                store.put(&stored)?;
                store.keep(stored);
                failed
            }
            Err(RunError::Cancelled) => return Err(RunError::Cancelled.into()),
            Err(error) => {
                let mut first = refused.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(number, _)| missing.number < *number) {
                    *first = Some((missing.number, error));
                }
                true
            }
        };
        monitor.end(ticket, failed);
        Ok::<(), SweepError>(())
    })?;
    match refused.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error.into()),
        None => Ok(()),
    }
}

/// Runs a case, and tells now and then which share of it is done.
fn run_one(
    sweep: &Sweep<'_>,
    traces: &Traces,
    missing: &Missing,
    cancel: &Cancel,
    advance: &(dyn Fn(Option<f64>) + Sync),
) -> Result<Stored, RunError> {
    let Missing { number, ref id, .. } = *missing;
    let (case, inputs) = missing.open(sweep, traces)?;
    let request = RunRequest {
        observer: &|_, progress| advance(progress.fraction),
        cancel: cancel.clone(),
        ..RunRequest::new(&case)
    };
    let outcome = match request.run_with(traces) {
        Ok(outcomes) => {
            let summary = outcomes.case.summary;
            Outcome::Finished {
                case: Cells::of(&summary.case_row()),
                engine: Cells::of(&summary.engine_row()),
                jobs: summary.job_rows().iter().map(Cells::of).collect(),
            }
        }
        Err(error @ (RunError::Stuck(_) | RunError::TooLong(_) | RunError::Source(_))) => {
            let message = error.to_string();
            Outcome::Failed(message.strip_prefix("error: ").unwrap_or(&message).to_owned())
        }
        Err(error) => return Err(naming(sweep, number, error)),
    };
    Ok(Stored::new(&case, id, &inputs, outcome))
}

/// Runs a part of a missing case, and stores nothing.
pub fn sample(
    sweep: &Sweep<'_>,
    traces: &Traces,
    missing: &Missing,
    limit: Duration,
    cancel: &Cancel,
) -> Result<Sample, RunError> {
    let (case, inputs) = missing.open(sweep, traces)?;
    Prepared::new(&case, &inputs, cancel).sample(limit).map_err(|error| naming(sweep, missing.number, error))
}

/// Estimates what a missing case will move.
pub fn expected(sweep: &Sweep<'_>, traces: &Traces, missing: &Missing) -> Result<Expected, RunError> {
    let (case, inputs) = missing.open(sweep, traces)?;
    Ok(Expected::of(&case, &inputs))
}

impl Missing {
    /// Returns the case and its opened files.
    fn open(&self, sweep: &Sweep<'_>, traces: &Traces) -> Result<(Cow<'_, Case>, Inputs), RunError> {
        let case = match &self.kept {
            Some(case) => Cow::Borrowed(case),
            None => Cow::Owned(self.resolve(sweep)?),
        };
        let inputs = open(sweep, traces, self.number, &case)?;
        Ok((case, inputs))
    }

    /// Returns the case's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Resolves the case again.
    fn resolve(&self, sweep: &Sweep<'_>) -> Result<Case, Diagnostic> {
        let case = sweep.case(self.number)?;
        let baseline = if self.is_baseline { sweep.baseline(self.number, &case)? } else { None };
        Ok(baseline.unwrap_or(case))
    }
}

/// Opens the files that a case names.
fn open(sweep: &Sweep<'_>, traces: &Traces, number: u64, case: &Case) -> Result<Inputs, RunError> {
    inputs::open(case, traces).map_err(|error| naming(sweep, number, error))
}

/// Adds to an error which case it is about.
fn naming(sweep: &Sweep<'_>, number: u64, error: RunError) -> RunError {
    match error {
        RunError::Input(diagnostic) => RunError::Input(sweep.naming(number, diagnostic)),
        error => error,
    }
}
