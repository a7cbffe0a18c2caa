//! Ranks that are stopped at the limit of their job.
//!
//! All ranks of a job are stopped at once. What they have sent arrives, and is received by nobody.

use crate::model::units::Time;
use crate::workload::collectives::Member;

use crate::engine::endpoint::fabric::Fabric;
use crate::engine::endpoint::rank::{Blocked, PROGRAM, Rank};
use crate::engine::endpoint::ranks::Ranks;
use crate::engine::event::Events;
use crate::engine::event::node::{NodeEvent, Phase, later};

impl Ranks {
    /// Sees to it that a rank of a job, which starts at a time, is stopped at the job's limit, if that has one.
    pub(super) fn limit(&self, events: &mut Events, number: u32, job: u32, start: Time) {
        let running = &self.jobs[job as usize];
        let Some(at) = running.limit.map(|limit| later(start.0, limit)).filter(|&at| at <= Time::END.0) else { return };
        events.put_rank(NodeEvent::new(at, Phase::Stop, number), self.groups[job as usize]);
    }

    /// Stops a rank, unless it has ended.
    pub(super) fn stop_at_limit<F: Fabric>(&mut self, fabric: &mut F, number: u32, t: u64) {
        let rank = self.rank(number);
        fabric.events().outstanding.count(rank.group, -1);
        if rank.is_finished() {
            return;
        }
        let job = rank.job;
        let limit = self.jobs[job as usize].limit.unwrap_or_default();
        self.rank(number).stop_at(t, limit);
        self.stopped.insert(job);
        self.note_end(number, t);
    }
}

impl Rank {
    /// Ends at time `t`, a limit after its start, whatever it does.
    fn stop_at(&mut self, t: u64, limit: Time) {
        self.stop(t);
        // What led here is what it did; what it waited for has not come.
        let mut path = self.path(PROGRAM);
        path.computing = path.computing.saturating_sub(path.total().saturating_sub(limit));
        path.overhead = path.overhead.saturating_sub(path.total().saturating_sub(limit));
        path.network += limit.saturating_sub(path.total());
        self.end_all(path);
    }

    /// Creates a rank that has nothing to do.
    pub fn finished() -> Self {
        let mut rank = Rank::new(0, 0, Member { rank: 0, size: 1 }, 0, Time::ZERO, false);
        rank.block(PROGRAM, Blocked::Finished);
        rank
    }
}
