//! What led to a moment of a rank, and why it waited until then.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::measure::{Carried, CriticalPath, Waits};
use crate::model::units::Time;

use super::rank::{PROGRAM, Rank};

/// What led to a moment: its critical path, and the last hand-over on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trail {
    /// How much of the time from the job's start each kind of cause took.
    pub path: CriticalPath,
    /// By what another rank ends a wait.
    pub sent: Sent,
}

/// The hand-over by which a rank ends a wait of another: of a message, or of the answer to one that asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// When.
    pub at: u64,
    /// Since when the rank had not waited.
    pub working_since: u64,
    /// By how much the rank was late because links woke.
    pub late: u64,
    /// By how much what it handed over came later because links woke.
    pub slept: u64,
    /// That went through the memory of a node, not through the network.
    pub within_node: bool,
}

impl Trail {
    /// Returns what leads to the time at which something has been carried, which takes some time.
    #[must_use]
    pub fn carried(self, time: Time, how: Carried) -> Self {
        let path = self.path.carried(time, how);
        let slept = self.sent.slept + (path.waking.0 - self.path.waking.0);
        Trail { path, sent: Sent { slept, within_node: how.within_node, ..self.sent } }
    }
}

impl Sent {
    /// Returns by how much what was handed over is late because links woke, where it is awaited.
    pub fn lateness(&self) -> u64 {
        self.late.saturating_add(self.slept)
    }

    /// Splits a wait that this has ended, of a rank that was late by so much when the wait began.
    fn causes(&self, wait: &Range<u64>, late: u64) -> Waits {
        let whole = wait.end - wait.start;
        let sent = self.at.clamp(wait.start, wait.end);
        let (unsent, carried) = (sent - wait.start, wait.end - sent);
        let waking = self.lateness().saturating_sub(late).min(whole);
        // What became late on its way was carried for longer; the rest was sent later.
        let on_the_way = self.slept.min(carried).min(waking).max(waking.saturating_sub(unsent));
        let (unsent, carried) = (unsent - (waking - on_the_way), Time(carried - on_the_way));
        let working = (sent - self.working_since.clamp(wait.start, sent)).min(unsent);
        let (memory, network) = if self.within_node { (carried, Time::ZERO) } else { (Time::ZERO, carried) };
        Waits {
            partner_working: Time(working),
            partner_waiting: Time(unsent - working),
            network,
            memory,
            waking: Time(waking),
        }
    }
}

impl Rank {
    /// Returns the critical path of an activity so far.
    pub fn path(&self, activity: u32) -> CriticalPath {
        self.activities[activity as usize].path
    }

    /// Returns by how much the program, or a collective beside it, is later than it would be if no link had to wake.
    pub fn late(&self) -> u64 {
        self.activities.iter().filter(|activity| !activity.has_ended()).map(|activity| activity.late).max().unwrap_or(0)
    }

    /// Returns what led to the message that an activity hands over at time `t`.
    pub fn hands_over(&self, activity: u32, t: u64) -> Trail {
        let activity = &self.activities[activity as usize];
        let (working_since, late) = (activity.working_since, activity.late);
        Trail { path: activity.path, sent: Sent { at: t, working_since, late, ..Sent::default() } }
    }

    /// Returns what led to the end of a collective that went on beside the program.
    pub fn led_to_end(&self, activity: u32) -> Trail {
        let activity = &self.activities[activity as usize];
        Trail { path: activity.path, sent: activity.ended_by }
    }

    /// Notes what ended the wait of an activity at time `t`. How long the program has waited is counted later.
    pub fn follow(&mut self, activity: u32, Trail { path, sent }: Trail, t: u64) {
        let beside = activity != PROGRAM;
        let activity = &mut self.activities[activity as usize];
        (activity.path, activity.ended_by) = (path, sent);
        if beside {
            (activity.working_since, activity.late) = (t, sent.lateness());
        }
    }

    /// Notes that the program starts a collective beside it at time `t`.
    pub fn starts_beside(&mut self, activity: u32, t: u64) {
        let Trail { path, sent } = self.hands_over(PROGRAM, t);
        let started = &mut self.activities[activity as usize];
        (started.path, started.ended_by) = (path, sent);
        (started.working_since, started.late) = (sent.working_since, sent.late);
    }

    /// Notes that a collective beside the program computes until a time: who waits for it waits for that.
    pub fn computes_beside(&mut self, activity: u32, until: u64) {
        self.activities[activity as usize].ended_by = self.hands_over(activity, until).sent;
    }

    /// Splits a wait of the program that has ended, and returns the parts.
    pub(super) fn waited(&mut self, wait: &Range<u64>) -> Waits {
        let program = &mut self.activities[PROGRAM as usize];
        let causes = program.ended_by.causes(wait, program.late);
        program.working_since = wait.end;
        // A rank that has waited for longer than it was late, for something that was not, is late no more.
        program.late = program.ended_by.lateness().min(program.late.saturating_add(wait.end - wait.start));
        causes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SENT: Sent = Sent { at: 100, working_since: 70, late: 0, slept: 0, within_node: false };

    fn parts(sent: Sent, wait: Range<u64>, late: u64) -> [u64; 5] {
        let Waits { partner_working, partner_waiting, network, memory, waking } = sent.causes(&wait, late);
        [partner_working, partner_waiting, network, memory, waking].map(|time| time.0)
    }

    #[test]
    fn who_or_what_was_late() {
        // Sent before the wait, in it by a partner that had worked all the time, and by one that had waited.
        assert_eq!(parts(SENT, 110..150, 0), [0, 0, 40, 0, 0]);
        assert_eq!(parts(SENT, 80..150, 0), [20, 0, 50, 0, 0]);
        assert_eq!(parts(SENT, 40..150, 0), [30, 30, 50, 0, 0]);
        assert_eq!(parts(Sent { within_node: true, ..SENT }, 40..150, 0), [30, 30, 0, 50, 0]);
    }

    #[test]
    fn what_woke() {
        // On the way; where the partner waited before; and both.
        assert_eq!(parts(Sent { slept: 15, ..SENT }, 40..150, 0), [30, 30, 35, 0, 15]);
        assert_eq!(parts(Sent { late: 12, ..SENT }, 40..150, 0), [30, 18, 50, 0, 12]);
        assert_eq!(parts(Sent { late: 42, slept: 15, ..SENT }, 40..150, 0), [18, 0, 35, 0, 57]);
        // No more than the wait, nor than what the rank was not late by itself.
        assert_eq!(parts(Sent { slept: 50, ..SENT }, 140..150, 0), [0, 0, 0, 0, 10]);
        assert_eq!(parts(Sent { late: 12, slept: 15, ..SENT }, 40..150, 20), [30, 30, 43, 0, 7]);
        assert_eq!(parts(Sent { slept: 15, ..SENT }, 40..150, 20), [30, 30, 50, 0, 0]);
    }

    /// What a message is late on its way adds up over the channels that wake; memory of a node does not sleep.
    #[test]
    fn lateness_adds_up_on_the_way() {
        let trail = Trail { path: CriticalPath::NOTHING, sent: Sent { slept: 5, ..SENT } };
        let carried = |within_node| trail.carried(Time(100), Carried { within_node, slept: Time(7) });
        let network = carried(false);
        assert_eq!((network.sent.slept, network.path.waking.0, network.path.network.0), (12, 7, 93));
        let memory = carried(true);
        assert_eq!((memory.sent.slept, memory.path.waking.0, memory.path.memory.0), (5, 0, 100));
    }

    proptest! {
        /// Whatever ends a wait, the parts sum to it.
        #[test]
        fn parts_sum_to_the_wait(
            (at, working_since, late, slept) in (0u64..200, 0u64..200, 0u64..200, 0u64..200),
            within_node: bool,
            (start, length, own) in (0u64..200, 0u64..200, 0u64..200),
        ) {
            let sent = Sent { at, working_since, late, slept, within_node };
            prop_assert_eq!(parts(sent, start..start + length, own).iter().sum::<u64>(), length);
        }
    }
}
