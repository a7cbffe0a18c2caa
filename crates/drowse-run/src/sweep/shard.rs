//! A shard of a sweep: a share of its cases, for one of several processes or machines.
//!
//! Cases and baselines are dealt out in their order, a round at a time: each shard gets one of each round. Rounds begin
//! with different shards, since costs often repeat with the last key of a sweep. A baseline is a case as others are:
//! one shard runs it, and no case waits for it, for cases are compared with baselines when the tables are written.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use drowse_experiment::Sweep;

use super::case_list::CaseList;
use super::error::SweepError;
use super::progress::{Progress, Watch};
use super::store::{State, Store};
use super::{notes, work};
use crate::files;
use crate::inputs::Traces;

/// One of so many shares of a sweep, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// All shards.
    pub of: u64,
    /// Which of them.
    pub number: u64,
}

impl Shard {
    /// Returns all shards of so many.
    pub fn all(of: u64) -> impl Iterator<Item = Shard> {
        (1..=of).map(move |number| Shard { of, number })
    }

    /// Returns the shard of so many that runs an item, by its place among the cases and baselines that are run.
    pub fn with(item: u64, of: u64) -> Shard {
        let round = item / of;
        // Multiplied by the golden ratio: a hash of the round, and 0 for the first.
        let first = (round.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % of;
        Shard { of, number: (item + first) % of + 1 }
    }

    /// Picks the items of this shard.
    pub fn pick<T>(self, items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        (0..).zip(items).filter(move |&(item, _)| Shard::with(item, self.of) == self).map(|(_, item)| item)
    }
}

/// What is wrong with the text of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It is not two numbers.
    #[error("write it as K/N, such as 1/4 for the first of four")]
    NotTwoNumbers,
    /// There is no such shard.
    #[error("shards count from 1 to N, such as 1/4 to 4/4")]
    OutOfRange,
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let number = |digits: &str| digits.parse().map_err(|_| ShardError::NotTwoNumbers);
        let (first, of) = text.split_once('/').ok_or(ShardError::NotTwoNumbers)?;
        let shard = Shard { number: number(first)?, of: number(of)? };
        if (1..=shard.of).contains(&shard.number) { Ok(shard) } else { Err(ShardError::OutOfRange) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

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
