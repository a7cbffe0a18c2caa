//! Finds the wake delay of each packet that is granted or sent: its own, or that of what it waited for.

use crate::engine::partition::REMOTE;
use crate::power::Policy;

use super::buffers::Queue;
use super::late::{Late, Lateness, Moment};
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Follows how late packets are from now on, if links may sleep.
    pub fn follow_lateness(&mut self) {
        if self.rules.may_sleep {
            let read_ports = self.partition.ports() as usize * self.layout.speedup;
            self.late = Lateness::new(self.links.hot.len(), self.links.ways.len(), self.layout.vc_bits, read_ports);
        }
    }

    /// Finds out how late the head of a queue is that is granted a channel.
    #[inline(never)]
    pub fn find_lateness<const FAST: bool>(&mut self, place: u32, channel: usize, vc: u8) {
        let Queue { head: id, flags, .. } = self.buffers.queues[place as usize];
        let reader = self.layout.reader::<FAST>(place);
        let came = Moment::comes(self.buffers.packets[id].head_at, self.late.packets[id as usize]);
        let busy_until = self.buffers.read_ports[reader].busy_until;
        let first = came.or(came, Moment { at: busy_until, late: self.late.read_ports[reader] });
        let late = if flags & Queue::WAITS != 0 {
            // Another output would have served it at once, had it not slept.
            let bound = self.start_bound(id, channel);
            let start = self.events.now.time.max(bound).max(self.links.hot[channel].free_at);
            came.later(start, first.late.here + start.saturating_sub(first.at)).late
        } else {
            self.late_on(channel, vc, came, first, self.events.now.time)
        };
        self.late.leaving = late;
        self.late.read_ports[reader] = late;
        let sender = self.sender(channel, vc);
        self.late.channels[sender] = late;
        self.late.packets[id as usize] = late.by;
    }

    /// Returns the place in [`Lateness::channels`] of what sends on a virtual channel: a channel, or one of its ways.
    fn sender(&self, channel: usize, vc: u8) -> usize {
        self.links.ways.of(channel, vc).map_or(channel, |way| self.links.hot.len() + way)
    }

    /// Notes the credit of a packet that leaves a queue, its last bit at a time, where its sender is in this partition.
    #[inline(never)]
    pub fn note_returning(&mut self, place: u32, left_at: u64) {
        let feeder = self.partition.peer[(place >> self.layout.queue_bits) as usize];
        if feeder & REMOTE == 0 {
            let at = left_at + self.links.latency(feeder as usize);
            let credit = Moment { at, late: self.late.leaving };
            self.late.note_credit(feeder, (place & self.layout.vc_mask) as u8, credit);
        }
    }

    /// Returns how late a packet is that a NIC sends at time `t`; it `came` with its message.
    #[inline]
    pub fn late_at_nic(&mut self, channel: usize, vc: u8, came: Moment, t: u64) -> u64 {
        if self.late.counts { self.late_of_node(channel, vc, came, t) } else { 0 }
    }

    #[inline(never)]
    fn late_of_node(&mut self, channel: usize, vc: u8, came: Moment, t: u64) -> u64 {
        let late = self.late_on(channel, vc, came, came, t);
        self.late.channels[channel] = late;
        late.by
    }

    /// Returns how late a packet is that a channel sends; it has been first in its queue since `first`.
    fn late_on(&mut self, channel: usize, vc: u8, came: Moment, first: Moment, t: u64) -> Late {
        let (free_at, awake_at) = (self.links.hot[channel].free_at, self.links.hot[channel].awake_at);
        let mut cause = first.or(came, Moment { at: free_at, late: self.late.channels[self.sender(channel, vc)] });
        if awake_at > first.at {
            // What it waited for before the request was not the channel's sleep. It may have come after the request, and
            // go before the packet that the channel woke for: then it goes when that would have gone.
            let requested = self.links.requested(channel).min(awake_at);
            let waited = awake_at - first.at.max(requested);
            let here = (first.late.here + waited).max(awake_at - requested);
            cause = came.later(awake_at.max(cause.at), cause.late.here.max(here));
        }
        let credit = self.late.last_credit(channel, self.layout.vc_bits, vc, t);
        cause.or(came, credit).late
    }
}
