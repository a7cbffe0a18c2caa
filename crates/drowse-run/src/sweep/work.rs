//! Finds the missing cases of a sweep, and runs them.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::error::SweepError;
use super::progress::{Observer, Progress};
use super::store::{Cells, Outcome, Store, Stored};
use crate::compare::Terms;
use crate::error::RunError;
use crate::identity::case_id;
use crate::inputs::{self, Inputs, Traces};
use crate::pool;
use crate::run;
use crate::summary::summarize;
use drowse_experiment::{Case, Diagnostic, Sweep};

/// Cases that stay in memory from their check until they run; at a few kilobytes each, these are about 20 MB.
const MOST_KEPT: usize = 4_096;

/// The cases of a sweep, checked.
pub struct Plan {
    /// The id of each case.
    pub ids: Vec<String>,
    /// Cases whose results are stored.
    pub done: u64,
    /// The cases to run, baselines among them; of cases with one id only the first.
    pub missing: Vec<Missing>,
    /// What each case is compared with; none without a baseline.
    pub baselines: Vec<Against>,
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
    number: u64,
    /// Whether it is the baseline of the case of that number.
    is_baseline: bool,
    id: String,
    /// The resolved case; `None` where so many were kept that it has to be resolved again.
    kept: Option<Case>,
}

/// Checks all cases and their baselines, and finds those without a result.
pub fn plan(sweep: &Sweep<'_>, traces: &Traces, store: &Store, observer: Observer<'_>) -> Result<Plan, SweepError> {
    let mut plan = Plan { ids: Vec::new(), done: 0, missing: Vec::new(), baselines: Vec::new() };
    let mut planner = Planner { sweep, traces, store, planned: HashSet::new() };
    for number in 0..sweep.cases() {
        let case = sweep.case(number).map_err(RunError::from)?;
        if let Some(baseline) = sweep.baseline(number, &case).map_err(RunError::from)? {
            let terms = Terms::of(&case, &baseline);
            let (id, _) = planner.add(number, true, baseline, &mut plan.missing)?;
            plan.baselines.push(Against { id, terms });
        }
        let (id, done) = planner.add(number, false, case, &mut plan.missing)?;
        plan.done += u64::from(done);
        plan.ids.push(id);
        observer(Progress::Checked(number + 1));
    }
    Ok(plan)
}

/// Finds cases without a result.
struct Planner<'a, 's> {
    sweep: &'a Sweep<'s>,
    traces: &'a Traces,
    store: &'a Store,
    planned: HashSet<String>,
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
        let id = case_id(&case, &inputs);
        let done = !self.planned.contains(&id) && self.store.get(&id)?.is_some();
        if !done && self.planned.insert(id.clone()) {
            run::check(&case, &inputs).map_err(|error| naming(self.sweep, number, error))?;
            let kept = (missing.len() < MOST_KEPT).then_some(case);
            missing.push(Missing { number, is_baseline, id: id.clone(), kept });
        }
        Ok((id, done))
    }
}

/// Runs the missing cases; the first failure of the machine ends it, and all results stored so far stay.
pub fn run(
    sweep: &Sweep<'_>,
    traces: &Traces,
    store: &Store,
    plan: &Plan,
    threads: usize,
    observer: Observer<'_>,
) -> Result<(), SweepError> {
    let ran = AtomicU64::new(0);
    pool::for_each(&plan.missing, threads, |missing| {
        run_one(sweep, traces, store, missing)?;
        observer(Progress::Ran(ran.fetch_add(1, Ordering::Relaxed) + 1));
        Ok(())
    })
}

fn run_one(sweep: &Sweep<'_>, traces: &Traces, store: &Store, missing: &Missing) -> Result<(), SweepError> {
    let Missing { number, ref id, .. } = *missing;
    let case = match &missing.kept {
        Some(case) => Cow::Borrowed(case),
        None => Cow::Owned(missing.resolve(sweep).map_err(RunError::from)?),
    };
    let inputs = open(sweep, traces, number, &case)?;
    let outcome = match run::run(&case, &inputs, &mut |_| {}) {
        Ok(run) => {
            let summary = summarize(&case.system, id, &run.record, &run.cost);
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
        Err(error) => return Err(naming(sweep, number, error).into()),
    };
    let stored = Stored::new(&case, id, &inputs, outcome);
    store.put(&stored)?;
    store.keep(stored);
    Ok(())
}

impl Missing {
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
