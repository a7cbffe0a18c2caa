//! Finds the missing cases of a sweep, and runs them.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::SweepError;
use super::progress::{Observer, Progress};
use super::store::{Cells, Outcome, Store, Stored};
use crate::error::RunError;
use crate::identity::case_id;
use crate::inputs::{self, Inputs, Traces};
use crate::pool;
use crate::run;
use crate::summary::summarize;
use drowse_experiment::{Case, Sweep};

/// Cases that stay in memory from their check until they run; at a few kilobytes each, these are about 20 MB.
const MOST_KEPT: usize = 4_096;

/// The cases of a sweep, checked.
pub struct Plan {
    /// The id of each case.
    pub ids: Vec<String>,
    /// Cases whose results are stored.
    pub done: u64,
    /// The cases to run; of cases with one id only the first.
    pub missing: Vec<Missing>,
}

/// A case to run.
pub struct Missing {
    number: u64,
    /// The resolved case; `None` where so many were kept that it has to be resolved again.
    kept: Option<Case>,
}

/// Checks all cases, and finds those without a result.
pub fn plan(sweep: &Sweep<'_>, traces: &Traces, store: &Store, observer: Observer<'_>) -> Result<Plan, SweepError> {
    let mut plan = Plan { ids: Vec::new(), done: 0, missing: Vec::new() };
    let mut planned = HashSet::new();
    for number in 0..sweep.cases() {
        let case = sweep.case(number).map_err(RunError::from)?;
        let inputs = open(sweep, traces, number, &case)?;
        let id = case_id(&case, &inputs);
        if store.get(&id)?.is_some() {
            plan.done += 1;
        } else if planned.insert(id.clone()) {
            run::check(&case, &inputs).map_err(|error| naming(sweep, number, error))?;
            let kept = (plan.missing.len() < MOST_KEPT).then_some(case);
            plan.missing.push(Missing { number, kept });
        }
        plan.ids.push(id);
        observer(Progress::Checked(number + 1));
    }
    Ok(plan)
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
        run_one(sweep, traces, store, missing, &plan.ids[missing.number as usize])?;
        observer(Progress::Ran(ran.fetch_add(1, Ordering::Relaxed) + 1));
        Ok(())
    })
}

fn run_one(sweep: &Sweep<'_>, traces: &Traces, store: &Store, missing: &Missing, id: &str) -> Result<(), SweepError> {
    let number = missing.number;
    let case = match &missing.kept {
        Some(case) => Cow::Borrowed(case),
        None => Cow::Owned(sweep.case(number).map_err(RunError::from)?),
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
