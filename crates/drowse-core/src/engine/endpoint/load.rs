//! What the ranks of a shard do over time, where a probe wants it: whether they work or wait.

use crate::measure::over_time::{BUSY, RANKS, WAITING};
use crate::measure::series::{IntervalLength, Series};
use crate::measure::timeline::RankState;

use super::rank::Rank;
use super::ranks::Ranks;

/// Times of a rank that are not in the sums of its shard yet. A rank knows only itself, and few times come at once.
#[derive(Debug, Default)]
pub struct Load {
    spent: Vec<Span>,
    taken_back: Vec<Span>,
}

/// From one time to another, and in which column it counts.
type Span = (u64, u64, usize);

const fn column(state: RankState) -> usize {
    match state {
        RankState::Computing | RankState::Overhead => BUSY,
        RankState::Sending | RankState::Receiving | RankState::Collectives => WAITING,
    }
}

impl Load {
    /// Adds a time.
    pub fn spends(&mut self, from: u64, to: u64, state: RankState) {
        self.spent.push((from, to, column(state)));
    }

    /// Takes a time back that had been added before it was over.
    pub fn takes_back(&mut self, from: u64, to: u64, state: RankState) {
        self.taken_back.push((from, to, column(state)));
    }
}

impl Rank {
    /// Adds its times to the sums of its shard.
    fn settle_load(&mut self, sums: &mut Series) {
        let Some(load) = &mut self.load else { return };
        load.spent.drain(..).for_each(|(from, to, column)| sums.last(from, to, column, 1));
        load.taken_back.drain(..).for_each(|(from, to, column)| sums.take_off(from, to, column));
    }
}

impl Ranks {
    /// Records what these ranks do over time from now on.
    pub fn record_load(&mut self, length: IntervalLength) {
        self.load = Some(Box::new(Series::new(length, RANKS)));
        self.ranks.iter_mut().for_each(|rank| rank.load = Some(Box::default()));
    }

    /// Adds the times of a rank to the sums.
    pub(super) fn settle_load(&mut self, number: u32) {
        if let Some(mut sums) = self.load.take() {
            self.rank(number).settle_load(&mut sums);
            self.load = Some(sums);
        }
    }

    /// Takes what was recorded.
    pub fn take_load(&mut self) -> Option<Series> {
        let mut sums = self.load.take()?;
        self.ranks.iter_mut().for_each(|rank| rank.settle_load(&mut sums));
        Some(*sums)
    }
}
