//! Whether an output can take a packet: it is free, has credits, keeps its ring open, and does not outrun a slower
//! input.

use crate::power::Policy;
use crate::routing::NO_RING;

use super::packet::Packet;
use super::request::Head;
use super::rules::Speeds;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Returns whether an output has credits for a packet on a virtual channel.
    pub fn has_room(&mut self, channel: usize, vc: u8, head: &Head) -> bool {
        self.links.collect_credits(channel, self.events.now.time);
        self.with_room(channel, 1 << vc, &self.buffers.packets[head.id]) != 0
    }

    /// Returns those of some virtual channels of an output, one bit each, that have room for a packet.
    #[inline]
    pub fn with_room(&self, channel: usize, vcs: u8, packet: &Packet) -> u8 {
        let hot = &self.links.hot[channel];
        let free = self.links.crossbar_paths.free_before(channel, self.events.now.next);
        let with_credits = hot.with_credits(vcs & free, packet.flits, self.rules.packet_flits);
        if self.rules.bubble == 0 || !self.enters_ring(channel, packet) {
            return with_credits;
        }
        // A packet enters a ring that a bubble keeps from filling up only where there is room for one more.
        with_credits & !self.rules.bubble
            | hot.with_credits(
                with_credits & self.rules.bubble,
                packet.flits + self.rules.packet_flits,
                self.rules.packet_flits,
            )
    }

    /// Returns whether a packet that takes an escape channel of an output enters the ring of it. What waits in the queues
    /// before a link has entered it with them.
    fn enters_ring(&self, channel: usize, packet: &Packet) -> bool {
        if channel >= self.rules.rings.len() {
            return false;
        }
        let (comes, goes) =
            (self.rules.rings[(packet.place >> self.layout.queue_bits) as usize] ^ 1, self.rules.rings[channel]);
        let goes_on = comes == goes && self.rules.bubble >> (packet.place & self.layout.vc_mask) & 1 == 1;
        goes != NO_RING && !goes_on
    }

    /// Returns whether an output can begin to send a packet before the next edge.
    #[inline]
    pub fn is_free(&self, channel: usize, packet: &Packet) -> bool {
        self.links.hot[channel].free_at < self.events.now.next
            && (self.rules.speeds == Speeds::Same || self.underrun_bound(channel, packet) < self.events.now.next)
    }

    /// Returns the earliest start at which a faster output does not run ahead of a slower input; 0 where it is no
    /// faster.
    #[inline]
    pub fn underrun_bound(&self, channel: usize, packet: &Packet) -> u64 {
        let no_faster = self.rules.speeds == Speeds::Change && packet.narrow() <= self.links.hot[channel].narrow;
        if no_faster { 0 } else { self.bound_of_faster(channel, packet) }
    }

    #[inline(never)]
    fn bound_of_faster(&self, channel: usize, packet: &Packet) -> u64 {
        let hot = &self.links.hot[channel];
        let (link, narrow) = match () {
            // It waits before the queues of an output, so that their link may have all lanes when it comes to it.
            () if self.partition.crosses(channel) => (self.partition.link(channel as u32) as usize, 0),
            () if self.partition.outputs > 0 => return 0,
            () => (channel, hot.narrow),
        };
        let goes = self.links.class(link).narrow_duration(packet.flits, narrow);
        packet.head_at + self.time_of_coming(packet).saturating_sub(goes)
    }

    /// Returns how long the link by which a packet came to its switch took for it.
    fn time_of_coming(&self, packet: &Packet) -> u64 {
        let link = self.partition.opposite(packet.place >> self.layout.queue_bits);
        self.links.class(link as usize).narrow_duration(packet.flits, packet.narrow())
    }

    /// Returns when the last bit of a packet has come to its switch, if it goes to the queues of an output, else 0: the
    /// crossbar is no faster than what it brings.
    #[inline]
    pub fn comes_until(&self, channel: usize, packet: &Packet) -> u64 {
        if self.rules.stores || !self.partition.crosses(channel) {
            return 0;
        }
        packet.head_at + self.time_of_coming(packet)
    }
}
