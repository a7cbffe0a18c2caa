//! A channel that sleeps and wakes together with the other of its link.

use crate::power::Policy;

use super::channel::Channel;
use super::links::Links;

impl<P: Policy> Links<'_, P> {
    /// Notes at time `t` that the other channel of the link is in use until `until`; returns whether that has woken
    /// this one.
    pub fn peer_active(&mut self, channel: usize, t: u64, until: u64) -> bool {
        // Governed trunks have their own rule for the two channels of a link.
        if !self.hot[channel].has(Channel::SLEEPS) || self.hot[channel].has(Channel::GOVERNED) {
            return false;
        }
        let peer_until = &mut self.peer_until[channel];
        *peer_until = until.max(*peer_until);
        if self.is_asleep(channel, t) {
            self.interrupt_coalescing(channel);
            self.start_waking(channel, t);
            let awake_at = self.hot[channel].awake_at;
            self.idle_from(channel, awake_at);
            return true;
        }
        let idle_since = self.hot[channel].idle_since;
        // A channel with waiting packets becomes idle when the last of them has gone.
        if idle_since != u64::MAX {
            self.idle_over(channel, t);
            self.idle_from(channel, idle_since.max(t));
        }
        false
    }
}
