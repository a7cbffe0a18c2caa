//! How late packets are because links sleep: by their own waits, and behind packets that are late.
//!
//! What a packet waits for ends its wait: the read port or the output that another packet leaves, a credit, or the
//! output that wakes. It becomes as late as the latest of these, but no later at a switch than it has waited there, or
//! than the packet before it has become there.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

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
    pub(super) fn or(self, came: Moment, cause: Moment) -> Moment {
        if cause.at <= came.at {
            return self;
        }
        let most = cause.late.here.max(cause.at - came.at);
        let here = cause.late.by.saturating_sub(came.late.by).min(most);
        came.later(self.at.max(cause.at), self.late.here.max(here))
    }

    /// Returns a time at which a packet that came now is later than it was.
    pub(super) const fn later(self, at: u64, here: u64) -> Moment {
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
    pub(super) packets: Vec<u64>,
    /// Of the last packet that each channel has sent; then, where outputs have several ways, of the last on each.
    pub(super) channels: Vec<Late>,
    /// Of the last packet that each read port has sent.
    pub(super) read_ports: Vec<Late>,
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
    pub(super) fn last_credit(&mut self, channel: usize, vc_bits: u32, vc: u8, t: u64) -> Moment {
        while let Some((credit, vc)) = self.credits[channel].pop_front_if(|(credit, _)| credit.at <= t) {
            self.last_credits[channel << vc_bits | usize::from(vc)] = credit;
        }
        self.last_credits[channel << vc_bits | usize::from(vc)]
    }
}
