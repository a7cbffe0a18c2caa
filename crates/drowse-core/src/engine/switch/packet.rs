//! Packets in flight.

use serde::{Deserialize, Serialize};

use crate::engine::event::NONE;
use crate::engine::link::channel::Channel;
use crate::engine::partition::REMOTE;
use crate::engine::slab::Slab;
use crate::model::prefetch::prefetch;
use crate::routing::Destination;

/// A packet in flight: between two switches, or in an input queue.
///
/// Two of them share a cache line, and none lies in two. What is known of the packet at the head of a queue only is in
/// the [queue](crate::engine::switch::buffers::Queue).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[repr(align(32))]
pub struct Packet {
    /// When the head reached (or will reach) the input queue; the last bit, where packets are stored.
    pub head_at: u64,
    /// The message that it is part of.
    pub message: u32,
    /// The switch of the destination's node, as numbered in the whole network.
    pub to_switch: u32,
    /// The next packet of the same queue.
    pub next: u32,
    /// The place of its input queue; in the whole network while it is between two partitions.
    pub place: u32,
    /// The port of the destination's node, relative to its switch's first.
    pub to_output: u16,
    /// Length.
    pub flits: u16,
    /// What routing remembers: the datelines crossed, one bit per dimension, or a random number of the packet's own
    /// and, on low-diameter networks, the route decisions so far.
    pub route: u16,
    /// The first packet of a message: how many channels may sleep on its minimal route, where a policy asks for it.
    pub hops: u8,
    /// Some of the bits below.
    pub flags: u8,
}

impl Packet {
    /// The first packet of its message.
    pub const FIRST: u8 = 1;
    /// In use; a free slot has no flag.
    pub const LIVE: u8 = 2;
    /// The other bits count how often the lanes of the channel by which it came had been halved.
    const NARROW_SHIFT: u32 = 2;

    /// Returns how often the lanes of the channel had been halved by which it came.
    #[inline]
    pub fn narrow(&self) -> u8 {
        self.flags >> Self::NARROW_SHIFT
    }

    /// Sends it over a channel to a virtual channel at the other end, where its head arrives at time `head_at`.
    #[inline]
    pub fn go(&mut self, channel: &Channel, queue_bits: u32, vc: u8, head_at: u64) {
        self.place = (channel.peer & !REMOTE) << queue_bits | u32::from(vc);
        self.head_at = head_at;
        self.route |= channel.dateline();
        self.next = NONE;
        self.flags = self.flags & (Self::FIRST | Self::LIVE) | channel.narrow << Self::NARROW_SHIFT;
    }

    /// Returns where it goes.
    #[inline]
    pub fn destination(&self) -> Destination {
        Destination { switch: self.to_switch, output: self.to_output }
    }

    /// Returns whether a flag is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// All packets of a shard.
#[derive(Debug, Default)]
pub struct PacketSlab(Slab<Packet>);

impl PacketSlab {
    /// Adds a packet.
    #[inline]
    pub fn insert(&mut self, packet: Packet) -> u32 {
        self.0.insert(packet)
    }

    /// Begins to load a packet.
    #[inline]
    pub fn prefetch(&self, id: u32) {
        prefetch(self.0.slots(), id as usize);
    }

    /// Removes a packet.
    #[inline]
    pub fn remove(&mut self, id: u32) {
        self.0[id].flags = 0;
        self.0.remove(id);
    }

    /// Returns the number of packets in flight.
    pub fn live(&self) -> u32 {
        self.0.live()
    }

    /// Returns all packets in flight.
    pub fn iter(&self) -> impl Iterator<Item = &Packet> {
        self.slots().flatten()
    }

    /// Returns the packets of all slots, `None` for one that is free.
    pub fn slots(&self) -> impl Iterator<Item = Option<&Packet>> {
        self.0.slots().iter().map(|packet| Some(packet).filter(|packet| packet.has(Packet::LIVE)))
    }
}

impl std::ops::Index<u32> for PacketSlab {
    type Output = Packet;
    #[inline]
    fn index(&self, id: u32) -> &Packet {
        &self.0[id]
    }
}

impl std::ops::IndexMut<u32> for PacketSlab {
    #[inline]
    fn index_mut(&mut self, id: u32) -> &mut Packet {
        &mut self.0[id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes that docs/performance/memory.md states.
    #[test]
    fn sizes() {
        assert_eq!(size_of::<Packet>(), 32);
        assert_eq!(size_of::<crate::engine::switch::buffers::Queue>(), 12);
        assert_eq!(size_of::<crate::engine::endpoint::message::Message>(), 112);
        assert_eq!(size_of::<crate::engine::endpoint::single::Single>(), 16);
        assert_eq!(size_of::<crate::engine::link::channel::Channel>(), 128);
    }
}
