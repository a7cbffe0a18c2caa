//! What of a sweep is missing, and running it.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use drowse_tables::Value;

use super::store::{Cells, Outcome, Store, Stored};
use super::{Observer, Progress, SweepError};
use crate::experiment::{Case, Sweep};
use crate::identity::case_id;
use crate::inputs::{self, Inputs, Traces};
use crate::jobs;
use crate::run::{self, RunError};
use crate::summary::summarize;

/// The cases of a sweep, checked.
pub struct Plan {
    /// The id of each case.
    pub ids: Vec<String>,
    /// Cases whose results are there.
    pub done: u64,
    /// The cases to run; of cases with one id only the first.
    pub missing: Vec<u64>,
}

/// Checks all cases, and finds those that have no result yet.
pub fn plan(sweep: &Sweep<'_>, traces: &Traces, store: &Store, observer: Observer<'_>) -> Result<Plan, SweepError> {
    let mut plan = Plan { ids: Vec::new(), done: 0, missing: Vec::new() };
    let mut planned = HashSet::new();
    for number in 0..sweep.cases() {
        let (case, inputs) = open(sweep, traces, number)?;
        let id = case_id(&case, &inputs);
        if store.get(&id)?.is_some() {
            plan.done += 1;
        } else if planned.insert(id.clone()) {
            run::check(&case, &inputs).map_err(|error| naming(sweep, number, error))?;
            plan.missing.push(number);
        }
        plan.ids.push(id);
        observer(Progress::Checked(number + 1));
    }
    Ok(plan)
}

/// Runs the missing cases; the first failure of the machine ends it, what was stored until then stays.
pub fn run(
    sweep: &Sweep<'_>,
    traces: &Traces,
    store: &Store,
    plan: &Plan,
    threads: usize,
    observer: Observer<'_>,
) -> Result<(), SweepError> {
    let (next, ran, stop) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let work = || -> Result<(), SweepError> {
        while !stop.load(Ordering::Relaxed) {
            let Some(&number) = plan.missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) else { break };
            run_one(sweep, traces, store, number).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            observer(Progress::Ran(ran.fetch_add(1, Ordering::Relaxed) + 1));
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.clamp(1, plan.missing.len().max(1))).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Result<(), SweepError>>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().try_for_each(join)
    })
}

fn run_one(sweep: &Sweep<'_>, traces: &Traces, store: &Store, number: u64) -> Result<(), SweepError> {
    let (case, inputs) = open(sweep, traces, number)?;
    let id = case_id(&case, &inputs);
    let outcome = match run::run(&case, &inputs, &mut |_| {}) {
        Ok(run) => {
            let summary = summarize(&case.system, &id, &run.record, &run.cost);
            let job = |job| Cells::of(&jobs::table_row(Value::from(id.as_str()), job));
            Outcome::Finished {
                case: Cells::of(&summary.case_row()),
                engine: Cells::of(&summary.engine_row()),
                jobs: summary.jobs.iter().map(job).collect(),
            }
        }
        Err(error @ (RunError::Stuck(_) | RunError::Source(_))) => {
            let message = error.to_string();
            Outcome::Failed(message.strip_prefix("error: ").unwrap_or(&message).to_owned())
        }
        Err(error) => return Err(naming(sweep, number, error).into()),
    };
    Ok(store.put(&Stored::new(&case, &id, &inputs, outcome))?)
}

/// Resolves a case and opens what it names.
fn open(sweep: &Sweep<'_>, traces: &Traces, number: u64) -> Result<(Case, Inputs), RunError> {
    let case = sweep.case(number)?;
    let inputs = inputs::open(&case, traces).map_err(|error| naming(sweep, number, error))?;
    Ok((case, inputs))
}

/// Adds to a message of what is wrong with a case which case it is about.
fn naming(sweep: &Sweep<'_>, number: u64, error: RunError) -> RunError {
    match error {
        RunError::Input(diagnostic) => RunError::Input(sweep.naming(number, diagnostic)),
        error => error,
    }
}
