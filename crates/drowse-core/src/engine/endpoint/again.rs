//! Ranks of jobs that start again, and that end with the run.

use crate::measure::Waits;
use crate::measure::timeline::RankState;
use crate::model::units::Time;

use super::chain::Sent;
use super::job::RunningJob;
use super::rank::{Blocked, PROGRAM, Purpose, Rank};
use super::ranks::{Ranks, goes_on};
use crate::engine::event::{Events, NONE};

/// A job starts again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// Its number.
    pub job: u32,
    /// When.
    pub at: Time,
}

impl Ranks {
    /// Starts the ranks here of a job again, all of whose ranks have ended.
    pub fn start_again(&mut self, events: &mut Events, restart: &Restart) {
        let (first, ranks) = (self.first_ranks[restart.job as usize], self.jobs[restart.job as usize].ranks);
        for number in first..first + ranks {
            if self.positions[number as usize] != NONE {
                let rank = self.rank(number);
                rank.starts_again(restart.at.0);
                events.put_rank(goes_on(restart.at.0, number, PROGRAM), rank.group);
            }
        }
    }

    /// Returns whether a job starts again until the run ends.
    pub fn have_jobs_again(&self) -> bool {
        self.jobs.iter().any(RunningJob::is_again)
    }

    /// Ends what is counted of the ranks here that would go on, because the run ends.
    pub fn stop(&mut self, end: Time) {
        let jobs = &self.jobs;
        self.ranks.iter_mut().filter(|rank| jobs[rank.job as usize].is_again()).for_each(|rank| rank.stop(end.0));
    }
}

impl Rank {
    /// Waits for the next start of its job. It waits for the ranks of its job that have ended later.
    fn starts_again(&mut self, at: u64) {
        self.block(PROGRAM, Blocked::Busy);
        self.next = 0;
        self.waited_for = Purpose::Collective(PROGRAM);
        self.activities[PROGRAM as usize].ended_by = Sent { at, ..Sent::default() };
    }

    /// Takes back what is counted beyond a time, and counts a wait that lasts until then.
    pub(super) fn stop(&mut self, end: u64) {
        if self.counted > end {
            let (since, state) = self.last_spent;
            let beyond = Time(self.counted - since.max(end));
            *self.times.of(state) = self.times.of(state).saturating_sub(beyond);
            if state == RankState::Sending {
                self.times.waits.network = self.times.waits.network.saturating_sub(beyond);
                self.waits.iter_mut().for_each(|waits| waits.take_back(beyond, Time(end)));
            }
            // Before it computes, it is busy with what it has received.
            self.times.overhead = self.times.overhead.saturating_sub(Time(since.saturating_sub(end)));
            self.log.iter_mut().for_each(|log| log.cut(Time(end)));
            if let Some(load) = &mut self.load {
                load.takes_back(since.max(end), self.counted, state);
                load.takes_back(end, since, RankState::Overhead);
            }
        } else {
            self.waits_until(end);
        }
        self.counted = end;
        self.finish = end;
    }

    /// Counts a wait that has not ended: its partner is at work.
    fn waits_until(&mut self, end: u64) {
        let waited = Time(end - self.counted);
        let handled = self.processor.count(end).min(waited);
        let purpose = self.waits().next().map_or(Purpose::Collective(PROGRAM), |request| request.purpose);
        let state = self.waiting(purpose);
        self.times.overhead += handled;
        *self.times.of(state) += waited - handled;
        self.times.waits.partner_working += waited - handled;
        if self.waits.is_some() {
            let causes = Waits { partner_working: waited - handled, ..Waits::default() };
            self.waits_for_nobody(&(self.counted..end - handled.0), state, causes);
        }
        self.log(self.counted, end - handled.0, state);
        self.log(end - handled.0, end, RankState::Overhead);
    }
}
