//! Which shards of a sweep lack cases, so that only these are submitted to a cluster.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use drowse_experiment::Sweep;

use super::case_list::CaseList;
use super::error::SweepError;
use super::progress::Watch;
use super::shard::Shard;
use super::store::Store;
use super::work;
use crate::files;
use crate::files::folder::Over;
use crate::inputs::Traces;

/// Shards unless a number is given: at most so many. Sites often limit how many tasks may wait.
const MOST_SHARDS: u64 = 64;

/// What is to be submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// All cases and baselines.
    pub items: u64,
    /// Those that are not stored.
    pub missing: u64,
    /// The number of shards.
    pub of: u64,
    /// The numbers of those that lack cases.
    pub shards: BTreeSet<u64>,
}

/// Checks all cases of a sweep, and finds the shards that lack some in a folder; nothing is written.
pub fn plan(
    sweep: &Sweep<'_>,
    folder: &Path,
    shards: Option<u64>,
    watch: &Watch<'_>,
) -> Result<(CaseList, Submission), SweepError> {
    files::refuse_runs(folder)?;
    let plan = work::plan(sweep, &Traces::default(), &Store::view(folder), watch)?;
    let list = CaseList::of(sweep, &plan.cases);
    let items = list.items();
    let all = items.len() as u64;
    let of = shards.unwrap_or(MOST_SHARDS).clamp(1, all.max(1));
    let missing: HashSet<&str> = plan.missing.iter().map(work::Missing::id).collect();
    let lacking = (0..).zip(&items).filter(|(_, id)| missing.contains(*id));
    let shards = lacking.map(|(item, _)| Shard::with(item, of).number).collect();
    let submission = Submission { items: all, missing: missing.len() as u64, of, shards };
    Ok((list, submission))
}

/// Makes the folder, with the list of cases that `drowse status` reads.
pub fn prepare(list: &CaseList, folder: &Path) -> Result<(), SweepError> {
    files::folder::refuse(folder, &Over::default())?;
    files::prepare(folder)?;
    Ok(list.write(folder)?)
}
