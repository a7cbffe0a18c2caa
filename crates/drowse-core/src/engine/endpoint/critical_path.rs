//! Follows what leads to each moment of a rank: its critical path, and what ended its waits.

use std::ops::Range;

use crate::measure::{CriticalPath, Waits};

use super::chain::{DependencyChain, Sent};
use super::rank::{Activity, PROGRAM, Rank};

impl Rank {
    /// Returns the critical path of an activity so far.
    pub fn path(&self, activity: u32) -> CriticalPath {
        self.activities[activity as usize].path
    }

    /// Returns the wake delay of the program, or of a collective beside it: by how much it is later than it would be if no
    /// link had to wake.
    pub fn wake_delay(&self) -> u64 {
        self.activities
            .iter()
            .filter(|activity| !activity.has_ended())
            .map(|activity| activity.wake_delay)
            .max()
            .unwrap_or(0)
    }

    /// Returns what led to the message that an activity hands over at time `t`.
    pub fn hands_over(&self, activity: u32, t: u64) -> DependencyChain {
        let rank = self.first_rank + self.member.rank + 1;
        let number = u16::try_from(activity).unwrap_or(u16::MAX);
        let Activity { path, working_since, wake_delay, .. } = self.activities[activity as usize];
        let sent = Sent { at: t, working_since, wake_delay, rank, activity: number, ..Sent::default() };
        DependencyChain { path, sent }
    }

    /// Returns what led to the end of a collective that went on beside the program.
    pub fn led_to_end(&self, activity: u32) -> DependencyChain {
        let activity = &self.activities[activity as usize];
        DependencyChain { path: activity.path, sent: activity.ended_by }
    }

    /// Notes what ended the wait of an activity at time `t`. How long the program has waited is counted later.
    pub fn follow(&mut self, activity: u32, DependencyChain { path, sent }: DependencyChain, t: u64) {
        let beside = activity != PROGRAM;
        let activity = &mut self.activities[activity as usize];
        (activity.path, activity.ended_by) = (path, sent);
        if beside {
            (activity.working_since, activity.wake_delay) = (t, sent.total_wake_delay());
        }
    }

    /// Notes that the program starts a collective beside it at time `t`.
    pub fn starts_beside(&mut self, activity: u32, t: u64) {
        let DependencyChain { path, sent } = self.hands_over(PROGRAM, t);
        let started = &mut self.activities[activity as usize];
        (started.path, started.ended_by) = (path, sent);
        (started.working_since, started.wake_delay) = (sent.working_since, sent.wake_delay);
    }

    /// Notes that a collective beside the program computes until a time: who waits for it waits for that.
    pub fn computes_beside(&mut self, activity: u32, until: u64) {
        self.activities[activity as usize].ended_by = self.hands_over(activity, until).sent;
    }

    /// Splits a wait of the program that has ended, and returns the parts.
    pub(super) fn waited(&mut self, wait: &Range<u64>) -> Waits {
        let program = &mut self.activities[PROGRAM as usize];
        let causes = program.ended_by.causes(wait, program.wake_delay);
        program.working_since = wait.end;
        // A rank that waits for longer than its wake delay, for something that no wake delayed, makes up for its delay.
        program.wake_delay =
            program.ended_by.total_wake_delay().min(program.wake_delay.saturating_add(wait.end - wait.start));
        causes
    }
}
