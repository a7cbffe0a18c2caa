//! Wake delays: by how much packets are later because links sleep. A packet has a delay of its own waits, and inherits that
//! of packets before it.
//!
//! What a packet waits for ends its wait: the read port or the output that another packet leaves, a credit, or the
//! output that wakes. It inherits the largest wake delay of these, but at a switch no more than it has waited there, or
//! than the packet before it has been delayed there.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The wake delay of a packet, and how much of it comes from its last switch or NIC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WakeDelay {
    /// In all.
    pub by: u64,
    /// At the last switch or NIC.
    pub here: u64,
}

/// A time, and its wake delay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The time.
    pub at: u64,
    /// By how much it is later because links sleep.
    pub wake_delay: WakeDelay,
}

impl Moment {
    /// Returns the time at which a packet comes that has such a wake delay.
    pub const fn comes(at: u64, by: u64) -> Moment {
        Moment { at, wake_delay: WakeDelay { by, here: 0 } }
    }

    /// Adds one more thing that a packet waited for, if it did; the packet `came` at its own time.
    ///
    /// Of packets that overtake others while all wait for the same link, each has waited for it in the end; so the delay of
    /// the packet before it counts for as long as packets follow each other.
    pub(super) fn or(self, came: Moment, cause: Moment) -> Moment {
        if cause.at <= came.at {
            return self;
        }
        let most = cause.wake_delay.here.max(cause.at - came.at);
        let here = cause.wake_delay.by.saturating_sub(came.wake_delay.by).min(most);
        came.later(self.at.max(cause.at), self.wake_delay.here.max(here))
    }

    /// Returns a time at which a packet that came now is later than it was.
    pub(super) const fn later(self, at: u64, here: u64) -> Moment {
        Moment { at, wake_delay: WakeDelay { by: self.wake_delay.by + here, here } }
    }
}

/// The wake delays of the packets of a shard, and what they wait for.
#[derive(Debug, Default)]
pub struct WakeDelays {
    /// Some link may sleep, and ranks wait for messages; all else is empty otherwise.
    pub counts: bool,
    /// Of the packet that leaves its queue at present, or whose credit returns.
    pub leaving: WakeDelay,
    /// Of packets in flight, by their place in the slab.
    pub(super) packets: Vec<u64>,
    /// Of the last packet that each channel has sent; then, where outputs have several crossbar paths, of the last on each.
    pub(super) channels: Vec<WakeDelay>,
    /// Of the last packet that each read port has sent.
    pub(super) read_ports: Vec<WakeDelay>,
    /// Credits of each channel that had not come back when it last sent, and their virtual channels; the earliest
    /// first.
    credits: Vec<VecDeque<(Moment, u8)>>,
    /// The last credit that had come back then, by channel and virtual channel.
    last_credits: Vec<Moment>,
}

impl WakeDelays {
    /// Prepares channels with so many virtual channels, as a power of two, crossbar paths beyond these, and read ports.
    pub fn new(channels: usize, paths: usize, vc_bits: u32, read_ports: usize) -> Self {
        WakeDelays {
            counts: true,
            leaving: WakeDelay::default(),
            packets: Vec::new(),
            channels: vec![WakeDelay::default(); channels + paths],
            read_ports: vec![WakeDelay::default(); read_ports],
            credits: vec![VecDeque::new(); channels],
            last_credits: vec![Moment::default(); channels << vc_bits],
        }
    }

    /// Notes the wake delay of a packet in flight.
    #[inline]
    pub fn note(&mut self, id: u32, wake_delay: u64) {
        if self.counts {
            self.note_packet(id, wake_delay);
        }
    }

    fn note_packet(&mut self, id: u32, wake_delay: u64) {
        let place = id as usize;
        if place >= self.packets.len() {
            self.packets.resize(place + 1, 0);
        }
        self.packets[place] = wake_delay;
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
    pub(super) fn last_credit(&mut self, channel: usize, vc_bits: u32, vc: u8, t: u64) -> Moment {
        while let Some((credit, vc)) = self.credits[channel].pop_front_if(|(credit, _)| credit.at <= t) {
            self.last_credits[channel << vc_bits | usize::from(vc)] = credit;
        }
        self.last_credits[channel << vc_bits | usize::from(vc)]
    }
}
