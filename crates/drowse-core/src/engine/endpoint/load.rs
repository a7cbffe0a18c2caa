//! What the ranks of a shard do over time, where a probe wants it: whether they work or wait.

use crate::measure::over_time::{BUSY, WAITING};
use crate::measure::series::Series;
use crate::measure::timeline::RankState;

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

    /// Moves its times to the sums of its shard.
    pub fn add_to(&mut self, sums: &mut Series) {
        self.spent.drain(..).for_each(|(from, to, column)| sums.last(from, to, column, 1));
        self.taken_back.drain(..).for_each(|(from, to, column)| sums.take_off(from, to, column));
    }
}
