//! How late packets are because links sleep: by their own waits, and behind packets that are late.
//!
//! What a packet waits for ends its wait: the read port or the output that another packet leaves, a credit, or the
//! output that wakes. It becomes as late as the latest of these, but no later at a switch than it has waited there, or
//! than the packet before it has become there.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::engine::partition::REMOTE;
use crate::power::Policy;

use super::buffers::Queue;
use super::switches::Switches;

/// How late a packet is, and how much of that it has become at its last switch or NIC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Late {
    /// In all.
    pub by: u64,
    /// At the last switch or NIC.
    pub here: u64,
}

/// A time, and by how much it is late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The time.
    pub at: u64,
    /// The lateness.
    pub late: Late,
}

impl Moment {
    /// Returns the time at which a packet comes that is so late.
    pub const fn comes(at: u64, by: u64) -> Moment {
        Moment { at, late: Late { by, here: 0 } }
    }

    /// Adds one more thing that a packet waited for, if it did; the packet `came` at its own time.
    ///
    /// Of packets that overtake others while all wait for the same link, each has waited for it in the end; so what the
    /// packet before it has become later counts for as long as packets follow each other.
    fn or(self, came: Moment, cause: Moment) -> Moment {
        if cause.at <= came.at {
            return self;
        }
        let most = cause.late.here.max(cause.at - came.at);
        let here = cause.late.by.saturating_sub(came.late.by).min(most);
        came.later(self.at.max(cause.at), self.late.here.max(here))
    }

    /// Returns a time at which a packet that came now is later than it was.
    const fn later(self, at: u64, here: u64) -> Moment {
        Moment { at, late: Late { by: self.late.by + here, here } }
    }
}

/// How late the packets of a shard are, and what they wait for.
#[derive(Debug, Default)]
pub struct Lateness {
    /// Some link may sleep, and ranks wait for messages; all else is empty otherwise.
    pub counts: bool,
    /// Of the packet that leaves its queue at present, or whose credit returns.
    pub leaving: Late,
    /// Of packets in flight, by their place in the slab.
    packets: Vec<u64>,
    /// Of the last packet that each channel has sent; then, where outputs have several ways, of the last on each.
    channels: Vec<Late>,
    /// Of the last packet that each read port has sent.
    read_ports: Vec<Late>,
    /// Credits of each channel that had not come back when it last sent, and their virtual channels; the earliest
    /// first.
    credits: Vec<VecDeque<(Moment, u8)>>,
    /// The last credit that had come back then, by channel and virtual channel.
    last_credits: Vec<Moment>,
}

impl Lateness {
    /// Prepares channels with so many virtual channels, as a power of two, ways beyond these, and read ports.
    pub fn new(channels: usize, ways: usize, vc_bits: u32, read_ports: usize) -> Self {
        Lateness {
            counts: true,
            leaving: Late::default(),
            packets: Vec::new(),
            channels: vec![Late::default(); channels + ways],
            read_ports: vec![Late::default(); read_ports],
            credits: vec![VecDeque::new(); channels],
            last_credits: vec![Moment::default(); channels << vc_bits],
        }
    }

    /// Notes how late a packet in flight is.
    #[inline]
    pub fn note(&mut self, id: u32, late: u64) {
        if self.counts {
            self.note_packet(id, late);
        }
    }

    fn note_packet(&mut self, id: u32, late: u64) {
        let place = id as usize;
        if place >= self.packets.len() {
            self.packets.resize(place + 1, 0);
        }
        self.packets[place] = late;
    }

    /// Notes a credit that returns to a channel, if that matters.
    pub fn note_credit(&mut self, channel: u32, vc: u8, credit: Moment) {
        if !self.counts {
            return;
        }
        let credits = &mut self.credits[channel as usize];
        if credits.back().is_none_or(|(last, _)| last.at <= credit.at) {
            return credits.push_back((credit, vc));
        }
        let place = credits.partition_point(|(other, _)| other.at <= credit.at);
        credits.insert(place, (credit, vc));
    }

    /// Returns the last credit that has returned by time `t`.
    fn last_credit(&mut self, channel: usize, vc_bits: u32, vc: u8, t: u64) -> Moment {
        while let Some((credit, vc)) = self.credits[channel].pop_front_if(|(credit, _)| credit.at <= t) {
            self.last_credits[channel << vc_bits | usize::from(vc)] = credit;
        }
        self.last_credits[channel << vc_bits | usize::from(vc)]
    }
}

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
