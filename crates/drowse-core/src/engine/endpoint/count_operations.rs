//! Counts how ranks spend their time by kind of operation, where somebody wants to know.

use std::collections::BTreeMap;

use crate::measure::OperationTimes;
use crate::workload::operation_kind::OperationKind;

use super::rank::{PROGRAM, Rank};
use super::ranks::Ranks;

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
