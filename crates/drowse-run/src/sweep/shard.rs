//! A shard of a sweep: a share of its cases, for one of several processes or machines.
//!
//! Cases and baselines are dealt out in their order, a round at a time: each shard gets one of each round. Rounds begin
//! with different shards, since costs often repeat with the last key of a sweep. A baseline is a case as others are:
//! one shard runs it, and no case waits for it, for cases are compared with baselines when the tables are written.

use std::collections::HashSet;
use std::path::Path;

use drowse_experiment::Sweep;

use super::case_list::CaseList;
use super::error::SweepError;
use super::progress::{Progress, Watch};
use super::store::{State, Store};
use super::{notes, work};
use crate::files;
use crate::inputs::Traces;

pub use super::share::{Shard, ShardError};

/// What a shard has done.
#[derive(Clone, Debug)]
pub struct ShardReport {
    /// Cases and baselines of the whole sweep.
    pub all: u64,
    /// Those of the shard.
    pub items: u64,
    /// Those that this call has run; the others were stored before.
    pub ran: u64,
    /// Those that could not finish.
    pub failed: u64,
    /// The first error, if one could not finish.
    pub first_error: Option<String>,
    /// Files of stored cases that were not as they were written; their cases count as not stored.
    pub damaged: Vec<String>,
}

/// Runs what is missing of a shard in a folder, beside other shards; writes no table.
pub fn run(
    sweep: &Sweep<'_>,
    folder: &Path,
    shard: Shard,
    threads: usize,
    watch: &Watch<'_>,
) -> Result<ShardReport, SweepError> {
    let traces = Traces::default();
    files::refuse_runs(folder)?;
    let store = Store::open_shared(folder)?;
    let mut plan = work::plan(sweep, &traces, &store, watch)?;
    let list = CaseList::of(sweep, &plan.cases);
    list.write(folder)?;
    notes::write(folder, shard)?;
    let items = list.items();
    let own: HashSet<&str> = shard.pick(items.iter().copied()).collect();
    plan.missing.retain(|missing| own.contains(missing.id()));
    let ran = plan.missing.len() as u64;
    watch.tell(Progress::Planned { done: own.len() as u64 - ran, missing: ran });
    work::run(sweep, &traces, &store, &plan, threads, watch)?;
    let mut report = ShardReport {
        all: items.len() as u64,
        items: own.len() as u64,
        ran,
        failed: 0,
        first_error: None,
        damaged: store.damaged(),
    };
    for id in shard.pick(items) {
        if let State::Failed(error) = store.glance(id)? {
            report.failed += 1;
            report.first_error.get_or_insert(error);
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_disjoint_and_complete() {
        for of in [1, 2, 3, 7, 64, 1000] {
            for items in [0, 1, 6, 64, 1001] {
                let mut all: Vec<u64> = Shard::all(of).flat_map(|shard| shard.pick(0..items)).collect();
                all.sort_unstable();
                assert_eq!(all, (0..items).collect::<Vec<_>>(), "{items} over {of}");
                let sizes: Vec<usize> = Shard::all(of).map(|shard| shard.pick(0..items).count()).collect();
                let least = sizes.iter().min().copied().unwrap_or(0);
                assert!(sizes.iter().all(|&size| size <= least + 1), "{items} over {of}: {sizes:?}");
            }
        }
    }

    /// Where every fourth case is expensive, four shards have about as many of these each; dealt out without shifting
    /// rounds, one shard would have all.
    #[test]
    fn costs_that_repeat_are_shared() {
        let expensive = |shard: Shard| shard.pick(0..4_000_u64).filter(|item| item % 4 == 3).count();
        let each: Vec<usize> = Shard::all(4).map(expensive).collect();
        assert!(each.iter().all(|count| (200..300).contains(count)), "{each:?}");
    }

    #[test]
    fn texts_of_shards() {
        assert_eq!("2/7".parse(), Ok(Shard { of: 7, number: 2 }));
        assert_eq!(Shard { of: 7, number: 2 }.to_string(), "2/7");
        for text in ["", "3", "a/b", "1/", "/2", "-1/2", "1/2/3", "1 / 2", "1/99999999999999999999"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError::NotTwoNumbers), "{text}");
        }
        for text in ["0/3", "4/3", "0/0", "1/0"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError::OutOfRange), "{text}");
        }
    }
}
