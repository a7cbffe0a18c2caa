//! How a rank spends its time by kind of operation, where somebody wants to know.

use std::collections::BTreeMap;

use crate::measure::{OperationTimes, RankTimes};
use crate::workload::operation_kind::OperationKind;

use super::rank::{PROGRAM, Rank};
use super::ranks::Ranks;

/// Splits the time of a rank by kind of operation: what it spends from the begin of one to that of the next.
#[derive(Debug, Default)]
pub struct OperationLog {
    /// That of the operation that has begun last.
    current: Option<OperationKind>,
    /// How the rank had spent its time when that was counted last.
    counted: RankTimes,
    kinds: BTreeMap<OperationKind, OperationTimes>,
}

impl OperationLog {
    /// Counts what has been spent since the operation began.
    fn count(&mut self, times: RankTimes) {
        if let Some(kind) = self.current {
            let since = std::mem::replace(&mut self.counted, times);
            let spent = &mut self.kinds.entry(kind).or_default().times;
            *spent = spent.plus(times.minus(since));
        }
    }

    fn begin(&mut self, kind: OperationKind, times: RankTimes) {
        self.count(times);
        self.current = Some(kind);
        self.kinds.entry(kind).or_default().calls += 1;
    }
}

impl Rank {
    /// Counts the operation of the program that begins.
    #[inline]
    pub(super) fn begins(&mut self) {
        if let Some(mut log) = self.operations.take() {
            log.begin(OperationKind::of(self.current(PROGRAM)), self.times);
            self.operations = Some(log);
        }
    }

    /// Takes back that an operation has begun, since it will begin again.
    pub(super) fn has_not_begun(&mut self) {
        let Some(log) = &mut self.operations else { return };
        if let Some(times) = log.current.and_then(|kind| log.kinds.get_mut(&kind)) {
            times.calls -= 1;
        }
    }
}

impl Ranks {
    /// Counts the time of ranks by kind of operation from now on.
    pub fn count_operations(&mut self) {
        self.counts_operations = true;
        self.ranks.iter_mut().for_each(|rank| rank.operations = Some(Box::default()));
    }

    /// Takes what was counted by kind of operation, each with the number of its rank in the whole simulation.
    pub fn take_operations(&mut self) -> impl Iterator<Item = (u32, BTreeMap<OperationKind, OperationTimes>)> {
        self.ranks.iter_mut().filter_map(|rank| {
            let mut log = rank.operations.take()?;
            log.count(rank.times);
            Some((rank.first_rank + rank.member.rank, log.kinds))
        })
    }
}
