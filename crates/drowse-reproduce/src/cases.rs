//! Running the cases of a reproduction on several threads.
//!
//! With a folder for results each case is stored there as those of a sweep are, so that a stopped reproduction
//! continues.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use drowse_core::measure::ProbeOptions;
use drowse_tables::Row;

use drowse_experiment::{Case, Diagnostic, Source};
use drowse_run::cancel::Cancel;
use drowse_run::error::RunError;
use drowse_run::identity::case_id;
use drowse_run::inputs::{self, Traces};
use drowse_run::outcome::Outcome;
use drowse_run::pool;
use drowse_run::request::RunRequest;
use drowse_run::sweep::SweepError;
use drowse_run::sweep::store::{self, Cells, Store, Stored};

use crate::options::{Observer, Options, Progress};

/// A case: an experiment with overrides, and the figures that are kept of its run.
pub trait Planned: Sync {
    /// The experiment.
    fn experiment(&self) -> &'static str;

    /// The keys that this case sets in it.
    fn overrides(&self) -> Vec<String>;

    /// The probes of its channels.
    fn wanted(&self) -> ProbeOptions {
        ProbeOptions::default()
    }

    /// Makes the row that is kept.
    fn row(&self, outcome: &Outcome) -> Row;
}

/// Runs all cases, and returns their rows in the order of the cases.
pub fn run<P: Planned>(cases: &[P], options: &Options<'_>, observer: Observer<'_>) -> Result<Vec<Row>, SweepError> {
    let store = options.out.map(Store::open).transpose()?;
    let opened = Traces::default();
    let (total, ran) = (cases.len() as u64, AtomicU64::new(0));
    let done = Mutex::new(Vec::new());
    observer(Progress { done: 0, total });
    let numbered: Vec<(usize, &P)> = cases.iter().enumerate().collect();
    pool::for_each(&numbered, options.threads, |&(number, case)| {
        let row = measure(case, &opened, store.as_ref(), options.cancel)?;
        // Whoever panicked while holding the lock left the list whole.
        done.lock().unwrap_or_else(PoisonError::into_inner).push((number, row));
        observer(Progress { done: ran.fetch_add(1, Ordering::Relaxed) + 1, total });
        Ok::<_, SweepError>(())
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, row)| row).collect())
}

/// Returns the row of a case: a stored one, or a new one, which is stored.
fn measure(
    planned: &impl Planned,
    traces: &Traces,
    store: Option<&Store>,
    cancel: Option<&Cancel>,
) -> Result<Row, SweepError> {
    let case = resolve(planned).map_err(RunError::from)?;
    let inputs = inputs::open(&case, traces)?;
    let id = case_id(&case, &inputs);
    if let Some(store) = store
        && let Some(Stored { outcome: store::Outcome::Finished { case, .. }, .. }) = store.get(&id)?
    {
        return Ok(case.into_row());
    }
    let cancel = cancel.cloned().unwrap_or_default();
    let request = RunRequest { probes: planned.wanted(), cancel, ..RunRequest::new(&case) };
    let outcome = request.run_with(traces)?.case;
    let row = planned.row(&outcome);
    if let Some(store) = store {
        let engine = Cells::of(&outcome.summary.engine_row());
        let outcome = store::Outcome::Finished { case: Cells::of(&row), engine, jobs: Vec::new() };
        store.put(&Stored::new(&case, &id, &inputs, outcome))?;
    }
    Ok(row)
}

/// Makes the case of an experiment and its overrides.
pub fn resolve(planned: &impl Planned) -> Result<Case, Diagnostic> {
    let source = Source::new(Path::new("experiment.toml"), planned.experiment().to_owned(), &planned.overrides())?;
    drowse_experiment::case(&Arc::new(source))
}
