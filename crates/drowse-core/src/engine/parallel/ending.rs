//! When a run with open-loop traffic beside its jobs ends: soon after their last rank.
//!
//! Shards report the ends of ranks between windows, so the last end is known everywhere a window later. Traffic goes on
//! for a fixed time after it, and a window is at most as long as that. So the run ends at the same time whatever the
//! partitions are.

use crate::engine::endpoint::rank_end::RankEnd;
use crate::model::units::Time;

/// Clock cycles from the end of the last rank to that of the run.
pub const CYCLES: u64 = 64;

/// Waits for the last rank.
#[derive(Debug)]
pub struct Ending {
    clock: u64,
    /// Ranks that have not ended.
    left: u64,
    /// When the last one so far has.
    last: Time,
    /// Ranks wait that nothing can help.
    pub stuck: bool,
}

impl Ending {
    /// Waits for so many ranks.
    pub fn new(ranks: u64, Time(clock): Time) -> Self {
        Ending { clock, left: ranks, last: Time::ZERO, stuck: false }
    }

    /// Notes ranks that have ended, in any order.
    pub fn note(&mut self, ends: &[RankEnd]) {
        self.left -= ends.len() as u64;
        self.last = ends.iter().map(|end| end.at).fold(self.last, Time::max);
    }

    /// Returns the last bucket of the run; `None` while ranks run.
    pub fn last_bucket(&self) -> Option<u64> {
        (self.left == 0).then(|| self.last.0.div_ceil(self.clock).saturating_add(CYCLES))
    }

    /// Returns when the run ends; `None` while ranks run.
    pub fn end(&self) -> Option<Time> {
        self.last_bucket().map(|bucket| Time(bucket.saturating_mul(self.clock)))
    }
}
