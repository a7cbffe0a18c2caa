//! Records for whom ranks wait, where somebody wants to know.

use std::ops::Range;

use crate::measure::Waits;
use crate::measure::rank_waits::{RankWait, RankWaits};
use crate::measure::timeline::RankState;
use crate::model::units::Time;

use super::rank::{PROGRAM, Purpose, Rank};
use super::ranks::Ranks;

impl Ranks {
    /// Records the waits of these ranks from now on.
    pub fn record_waits(&mut self) {
        self.records_waits = true;
        self.ranks.iter_mut().for_each(|rank| rank.waits = Some(Box::new(rank.no_waits())));
    }

    /// Takes what was recorded.
    pub fn take_waits(&mut self) -> impl Iterator<Item = RankWaits> {
        self.ranks.iter_mut().filter_map(|rank| rank.waits.take()).map(|waits| *waits)
    }
}

impl Rank {
    /// Returns the record of no wait.
    pub(super) fn no_waits(&self) -> RankWaits {
        RankWaits { rank: self.first_rank + self.member.rank, ..RankWaits::default() }
    }

    /// Records a wait of the program that has ended.
    #[cold]
    pub(super) fn has_waited(&mut self, wait: &Range<u64>, state: RankState, causes: Waits) {
        self.note_wait(wait, self.ended_by(), state, causes);
    }

    /// Records a wait that nobody has ended.
    #[cold]
    pub(super) fn waits_for_nobody(&mut self, wait: &Range<u64>, state: RankState, causes: Waits) {
        self.note_wait(wait, None, state, causes);
    }

    fn note_wait(&mut self, wait: &Range<u64>, partner: Option<u32>, state: RankState, causes: Waits) {
        let [from, to] = [wait.start, wait.end].map(Time);
        if from < to {
            self.waits.iter_mut().for_each(|log| log.add(RankWait { from, to, partner, state, causes }));
        }
    }

    /// Returns who ended the program's last wait: who handed over what led to that; where that was the rank itself, by
    /// asking for it, whom it had asked.
    pub(super) fn ended_by(&self) -> Option<u32> {
        let own = self.first_rank + self.member.rank;
        let other = self.activities[PROGRAM as usize].ended_by.by().filter(|&rank| rank != own);
        let asked = || match self.waited_for {
            Purpose::Receive { from, .. } | Purpose::Probe { from, .. } => from,
            Purpose::Send { to, .. } => Some(to),
            Purpose::Collective(_) => None,
        };
        other.or_else(|| asked().map(|rank| self.first_rank + rank))
    }
}
