//! Dependency chains: what led to a moment of a rank, and why it waited until then.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::measure::{Carried, CriticalPath, Waits};
use crate::model::units::Time;

/// The dependency chain of a moment: its critical path, and the last hand-over on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DependencyChain {
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
    /// The rank's wake delay: by how much it came later because links woke.
    pub wake_delay: u64,
    /// By how much what it handed over came later because links woke.
    pub slept: u64,
    /// The rank in the whole simulation, counted from 1; 0 is nobody.
    pub rank: u32,
    /// Which of its activities hands over, if its number is so small.
    pub activity: u16,
    /// That went through the memory of a node, not through the network.
    pub within_node: bool,
}

impl DependencyChain {
    /// Returns what leads to the time at which something has been carried, which takes some time.
    #[must_use]
    pub fn carried(self, time: Time, how: Carried) -> Self {
        let path = self.path.carried(time, how);
        let slept = self.sent.slept + (path.waking.0 - self.path.waking.0);
        DependencyChain { path, sent: Sent { slept, within_node: how.within_node, ..self.sent } }
    }
}

impl Sent {
    /// Returns the rank, if there is one.
    pub(super) fn by(&self) -> Option<u32> {
        self.rank.checked_sub(1)
    }

    /// Returns the wake delay of what was handed over, where it is awaited: the rank's and its own.
    pub fn total_wake_delay(&self) -> u64 {
        self.wake_delay.saturating_add(self.slept)
    }

    /// Splits a wait that this has ended, of a rank that had such a wake delay when the wait began.
    pub(super) fn causes(&self, wait: &Range<u64>, wake_delay: u64) -> Waits {
        let whole = wait.end - wait.start;
        let sent = self.at.clamp(wait.start, wait.end);
        let (unsent, carried) = (sent - wait.start, wait.end - sent);
        let waking = self.total_wake_delay().saturating_sub(wake_delay).min(whole);
        // What was delayed on its way was carried for longer; the rest was sent later.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SENT: Sent =
        Sent { at: 100, working_since: 70, wake_delay: 0, slept: 0, rank: 0, activity: 0, within_node: false };

    fn parts(sent: Sent, wait: Range<u64>, wake_delay: u64) -> [u64; 5] {
        let Waits { partner_working, partner_waiting, network, memory, waking } = sent.causes(&wait, wake_delay);
        [partner_working, partner_waiting, network, memory, waking].map(|time| time.0)
    }

    #[test]
    fn who_or_what_delayed() {
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
        assert_eq!(parts(Sent { wake_delay: 12, ..SENT }, 40..150, 0), [30, 18, 50, 0, 12]);
        assert_eq!(parts(Sent { wake_delay: 42, slept: 15, ..SENT }, 40..150, 0), [18, 0, 35, 0, 57]);
        // No more than the wait, nor than what the rank was not late by itself.
        assert_eq!(parts(Sent { slept: 50, ..SENT }, 140..150, 0), [0, 0, 0, 0, 10]);
        assert_eq!(parts(Sent { wake_delay: 12, slept: 15, ..SENT }, 40..150, 20), [30, 30, 43, 0, 7]);
        assert_eq!(parts(Sent { slept: 15, ..SENT }, 40..150, 20), [30, 30, 50, 0, 0]);
    }

    /// Delays on the way add up over the channels that wake; the memory of a node does not sleep.
    #[test]
    fn wake_delays_add_up_on_the_way() {
        let chain = DependencyChain { path: CriticalPath::NOTHING, sent: Sent { slept: 5, ..SENT } };
        let carried = |within_node| chain.carried(Time(100), Carried { within_node, slept: Time(7) });
        let network = carried(false);
        assert_eq!((network.sent.slept, network.path.waking.0, network.path.network.0), (12, 7, 93));
        let memory = carried(true);
        assert_eq!((memory.sent.slept, memory.path.waking.0, memory.path.memory.0), (5, 0, 100));
    }

    proptest! {
        /// Whatever ends a wait, the parts sum to it.
        #[test]
        fn parts_sum_to_the_wait(
            (at, working_since, wake_delay, slept) in (0u64..200, 0u64..200, 0u64..200, 0u64..200),
            within_node: bool,
            (start, length, own) in (0u64..200, 0u64..200, 0u64..200),
        ) {
            let sent = Sent { at, working_since, wake_delay, slept, within_node, ..SENT };
            prop_assert_eq!(parts(sent, start..start + length, own).iter().sum::<u64>(), length);
        }
    }
}
