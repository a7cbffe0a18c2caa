//! Finds the wake delay of each packet that is granted or sent: its own, or that of what it waited for.

use crate::engine::partition::REMOTE;
use crate::power::Policy;

use super::buffers::Queue;
use super::switches::Switches;
use super::wake_delay::{Moment, WakeDelay, WakeDelays};

impl<P: Policy> Switches<'_, P> {
    /// Follows the wake delays of packets from now on, if links may sleep.
    pub fn follow_wake_delays(&mut self) {
        if self.rules.may_sleep {
            let read_ports = self.partition.ports() as usize * self.layout.speedup;
            self.wake_delays =
                WakeDelays::new(self.links.hot.len(), self.links.crossbar_paths.len(), self.layout.vc_bits, read_ports);
        }
    }

    /// Finds the wake delay of the head of a queue that is granted a channel.
    #[inline(never)]
    pub fn find_wake_delay<const FAST: bool>(&mut self, place: u32, channel: usize, vc: u8) {
        let Queue { head: id, flags, .. } = self.buffers.queues[place as usize];
        let reader = self.layout.reader::<FAST>(place);
        let came = Moment::comes(self.buffers.packets[id].head_at, self.wake_delays.packets[id as usize]);
        let busy_until = self.buffers.read_ports[reader].busy_until;
        let first = came.or(came, Moment { at: busy_until, wake_delay: self.wake_delays.read_ports[reader] });
        let wake_delay = if flags & Queue::WAITS != 0 {
            // Another output would have served it at once, had it not slept.
            let bound = self.start_bound(id, channel);
            let start = self.events.now.time.max(bound).max(self.links.hot[channel].free_at);
            came.later(start, first.wake_delay.here + start.saturating_sub(first.at)).wake_delay
        } else {
            self.wake_delay_on(channel, vc, came, first, self.events.now.time)
        };
        self.wake_delays.leaving = wake_delay;
        self.wake_delays.read_ports[reader] = wake_delay;
        let sender = self.sender(channel, vc);
        self.wake_delays.channels[sender] = wake_delay;
        self.wake_delays.packets[id as usize] = wake_delay.by;
    }

    /// Returns the place in [`WakeDelays::channels`] of what sends on a virtual channel: a channel, or a crossbar path.
    fn sender(&self, channel: usize, vc: u8) -> usize {
        self.links.crossbar_paths.of(channel, vc).map_or(channel, |way| self.links.hot.len() + way)
    }

    /// Notes the credit of a packet that leaves a queue, its last bit at a time, where its sender is in this partition.
    #[inline(never)]
    pub fn note_returning(&mut self, place: u32, left_at: u64) {
        let feeder = self.partition.peer[(place >> self.layout.queue_bits) as usize];
        if feeder & REMOTE == 0 {
            let at = left_at + self.links.latency(feeder as usize);
            let credit = Moment { at, wake_delay: self.wake_delays.leaving };
            self.wake_delays.note_credit(feeder, (place & self.layout.vc_mask) as u8, credit);
        }
    }

    /// Returns the wake delay of a packet that a NIC sends at time `t`; it `came` with its message.
    #[inline]
    pub fn wake_delay_at_nic(&mut self, channel: usize, vc: u8, came: Moment, t: u64) -> u64 {
        if self.wake_delays.counts { self.wake_delay_of_node(channel, vc, came, t) } else { 0 }
    }

    #[inline(never)]
    fn wake_delay_of_node(&mut self, channel: usize, vc: u8, came: Moment, t: u64) -> u64 {
        let wake_delay = self.wake_delay_on(channel, vc, came, came, t);
        self.wake_delays.channels[channel] = wake_delay;
        wake_delay.by
    }

    /// Returns the wake delay of a packet that a channel sends; it has been first in its queue since `first`.
    fn wake_delay_on(&mut self, channel: usize, vc: u8, came: Moment, first: Moment, t: u64) -> WakeDelay {
        let (free_at, awake_at) = (self.links.hot[channel].free_at, self.links.hot[channel].awake_at);
        let mut cause =
            first.or(came, Moment { at: free_at, wake_delay: self.wake_delays.channels[self.sender(channel, vc)] });
        if awake_at > first.at {
            // What it waited for before the request was not the channel's sleep. It may have come after the request, and
            // go before the packet that the channel woke for: then it goes when that would have gone.
            let requested = self.links.requested(channel).min(awake_at);
            let waited = awake_at - first.at.max(requested);
            let here = (first.wake_delay.here + waited).max(awake_at - requested);
            cause = came.later(awake_at.max(cause.at), cause.wake_delay.here.max(here));
        }
        let credit = self.wake_delays.last_credit(channel, self.layout.vc_bits, vc, t);
        cause.or(came, credit).wake_delay
    }
}
