//! When a run ends that would go on without end: soon after the last rank of the jobs that do.
//!
//! Open-loop traffic beside jobs goes on, and so do jobs that [start again](super::restarting). Shards report the ends of
//! ranks between windows, so the last end is known everywhere a window later. The run goes on for a fixed time after it,
//! and a window is at most as long as that. So the run ends at the same time whatever the partitions are.

use crate::engine::endpoint::rank_end::RankEnd;
use crate::model::units::Time;

/// Clock cycles from the end of the last rank to that of the run, and from the end of a job to its next start.
pub const CYCLES: u64 = 64;

/// Waits for the last rank.
#[derive(Debug)]
pub struct Ending {
    clock: u64,
    /// Ranks that have not ended, of the jobs that end.
    left: u64,
    /// When the last one so far has.
    last: Time,
}

impl Ending {
    /// Waits for so many ranks.
    pub fn new(ranks: u64, Time(clock): Time) -> Self {
        Ending { clock, left: ranks, last: Time::ZERO }
    }

    /// Notes the end of a rank.
    pub fn note(&mut self, end: &RankEnd) {
        self.left -= 1;
        self.last = self.last.max(end.at);
    }

    /// Returns when the last rank has ended; `None` while ranks run.
    pub fn last(&self) -> Option<Time> {
        (self.left == 0).then_some(self.last)
    }

    /// Returns the last bucket of the run; `None` while ranks run.
    pub fn last_bucket(&self) -> Option<u64> {
        Some(self.last()?.0.div_ceil(self.clock).saturating_add(CYCLES))
    }

    /// Returns when the run ends; `None` while ranks run.
    pub fn end(&self) -> Option<Time> {
        self.last_bucket().map(|bucket| Time(bucket.saturating_mul(self.clock)))
    }
}
