//! Channels that wait for several packets before they wake, where the policy says so.

use crate::power::Policy;

use super::account::Coalescing;
use super::links::Links;

impl<P: Policy> Links<'_, P> {
    /// Returns whether some channels coalesce packets.
    #[inline]
    pub fn coalesces(&self) -> bool {
        !self.coalescing.is_empty()
    }

    /// Returns whether a channel sleeps and coalesces packets.
    #[inline]
    pub fn is_coalescing(&self, channel: usize) -> bool {
        self.coalescing.get(channel).is_some_and(|coalescing| coalescing.active)
    }

    /// Ends the coalescing of a channel: the packets that waited for it took other outputs.
    pub fn stop_coalescing(&mut self, channel: usize) {
        if let Some(coalescing) = self.coalescing.get_mut(channel) {
            coalescing.active = false;
        }
    }

    /// Ends the coalescing of a channel that the other end of its link wakes. If there was none, nobody had requested it.
    pub fn interrupt_coalescing(&mut self, channel: usize) {
        if let Some(coalescing) = self.coalescing.get_mut(channel)
            && !coalescing.active
        {
            coalescing.since = u64::MAX;
        }
        self.stop_coalescing(channel);
    }

    /// Requests a channel that sleeps at time `t`, with `frames` packets waiting: wakes it, or returns when it will
    /// wake at the latest.
    pub fn request_asleep(&mut self, channel: usize, t: u64, frames: impl FnOnce() -> u32) -> Option<u64> {
        if self.coalesces()
            && let Some(until) = self.policy.coalescing(self.hot[channel].class)
        {
            let coalescing = &mut self.coalescing[channel];
            if !coalescing.active {
                *coalescing = Coalescing { since: t, active: true };
            }
            let deadline = coalescing.since.saturating_add(until.timeout.0);
            if t < deadline && frames() < until.frames {
                return Some(deadline);
            }
            coalescing.active = false;
        }
        self.wake(channel, t);
        None
    }
}
