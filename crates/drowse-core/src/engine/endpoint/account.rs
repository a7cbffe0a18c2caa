//! How a rank spends its time, and what leads to each moment of it.

use crate::measure::timeline::RankState;
use crate::model::units::Time;

use super::rank::{PROGRAM, Purpose, Rank};

impl Rank {
    /// Notes that an activity goes on at time `t`. Until then the program waited, or its processor was busy with
    /// messages, since the time up to which it has counted.
    pub fn goes_on(&mut self, activity: u32, t: u64) {
        if activity != PROGRAM {
            return;
        }
        let handled = self.processor.count(t);
        if t <= self.counted {
            return;
        }
        self.processor.wait_ended(t);
        let waited = Time(t - self.counted);
        let handled = handled.min(waited);
        self.times.overhead += handled;
        let waited = waited - handled;
        let since = std::mem::replace(&mut self.counted, t);
        let state = self.waiting(self.waited_for);
        if waited > Time::ZERO {
            let wait = since..since + waited.0;
            let causes = self.waited(&wait);
            self.times.waits = self.times.waits.plus(causes);
            if self.waits.is_some() {
                self.has_waited(&wait, state, causes);
            }
        }
        *self.times.of(state) += waited;
        // Where the processor handled messages meanwhile, the log has that at the end of the wait.
        self.log(since, since + waited.0, state);
        self.log(since + waited.0, t, RankState::Overhead);
    }

    /// Records a state, where a timeline or the load over time is wanted.
    pub(super) fn log(&mut self, from: u64, to: u64, state: RankState) {
        if let Some(load) = &mut self.load {
            load.spends(from, to, state);
        }
        if let Some(log) = &mut self.log {
            log.state(from, to, state);
        }
    }

    /// Counts the time from `t` on in which the rank is busy with what it has received; returns its end.
    pub fn busy_until_free(&mut self, t: u64) -> u64 {
        let free = t.max(self.busy_until);
        let busy = Time(free - t);
        self.times.overhead += busy;
        self.activities[PROGRAM as usize].path.overhead += busy;
        self.spends(t, free, RankState::Overhead);
        free
    }

    /// Counts a time in which an activity computes.
    pub fn computes(&mut self, activity: u32, time: Time) {
        let path = &mut self.activities[activity as usize].path;
        path.computing = path.computing.saturating_add(time);
        if activity == PROGRAM {
            self.times.computing = self.times.computing.saturating_add(time);
            let since = self.counted;
            self.spends(since, since.saturating_add(time.0), RankState::Computing);
        }
    }

    /// Notes until when its time is counted: from `from` on, in this way.
    pub(super) fn spends(&mut self, from: u64, to: u64, state: RankState) {
        self.counted = to;
        self.last_spent = (from, state);
        self.log(from, to, state);
    }

    /// Returns how the program waits, whose wait for a request has or would have ended.
    pub(super) fn waiting(&self, request: Purpose) -> RankState {
        match request {
            _ if self.activities[PROGRAM as usize].context.collective != 0 => RankState::Collectives,
            Purpose::Collective(_) => RankState::Collectives,
            Purpose::Send { .. } => RankState::Sending,
            Purpose::Receive { .. } | Purpose::Probe { .. } => RankState::Receiving,
        }
    }
}
