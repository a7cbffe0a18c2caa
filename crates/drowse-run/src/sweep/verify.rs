//! Runs some cases of a sweep again by packets, to verify what flows have found.
//!
//! They are in a folder of their own, with tables like any sweep. So nothing of flows and packets mixes, and a
//! verification that was stopped goes on when it is run again.

use std::path::{Path, PathBuf};

use drowse_experiment::Sweep;

use super::case_list::CaseList;
use super::error::SweepError;
use super::progress::{Progress, Watch};
use super::store::Store;
use super::{Report, Wanted, tables, work};
use crate::files;
use crate::inputs::Traces;

/// The folder of cases by packets, in that of the sweep.
pub const FOLDER: &str = "packets";

/// Returns the folder of cases by packets of a sweep.
pub fn folder(of_sweep: &Path) -> PathBuf {
    of_sweep.join(FOLDER)
}

/// Runs what is missing of these cases of a sweep by packets, and writes the tables of all of them. `into` is their
/// folder.
pub fn run(
    sweep: &Sweep<'_>,
    numbers: &[u64],
    into: &Path,
    threads: usize,
    watch: &Watch<'_>,
) -> Result<Report, SweepError> {
    let traces = Traces::default();
    files::refuse_runs(into)?;
    let store = Store::open(into)?;
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let plan = work::plan_some(sweep, numbers.into_iter(), &traces, &store, watch)?;
    let mut list = CaseList::of(sweep, &plan.cases);
    list.searched = true;
    list.write(into)?;
    let ran = plan.missing.len() as u64;
    watch.tell(Progress::Planned { done: plan.done, missing: ran });
    work::run(sweep, &traces, &store, &plan, threads, watch)?;
    let report = tables::make(&list, into, &store, &Wanted::default())?;
    Ok(Report { ran, numbers: plan.cases.numbers_by_id(), ..report })
}
