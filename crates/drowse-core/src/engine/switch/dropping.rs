//! Packets come to input ports that [drop](super::dropper) some, or cut off their data. Senders know nothing of the room there.

use crate::engine::event::NONE;
use crate::power::Policy;

use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Returns where the flits of a queue are counted; `None` in the queues of an output, which no packet leaves a node or a
    /// switch for.
    fn counted_at(&self, place: u32) -> Option<usize> {
        let (port, vc) = (place >> self.layout.queue_bits, place & self.layout.vc_mask);
        let of_link = port < self.partition.all_ports.count();
        of_link.then_some(((port << self.layout.vc_bits) | vc) as usize)
    }

    /// Takes a packet that has come to an input port in, if there is room for it, or for what is left without its data.
    /// Returns whether it is dropped.
    #[inline(never)]
    pub(super) fn is_dropped(&mut self, id: u32) -> bool {
        let Some(at) = self.counted_at(self.buffers.packets[id].place) else { return false };
        let Some(dropper) = &mut self.dropper else { return false };
        let packet = &mut self.buffers.packets[id];
        let held = dropper.held[at];
        let has_room = |flits: u16| held + u32::from(flits) <= dropper.room;
        if !has_room(packet.flits)
            && let Some(header) = dropper.trims_to.filter(|&header| header < packet.flits)
            && self.headers.trim(id)
        {
            packet.flits = header;
            dropper.trimmed += 1;
        }
        // What has no data left has room of its own, as large again.
        let more = if self.headers.of(id).trimmed { dropper.room } else { 0 };
        if held + u32::from(packet.flits) > dropper.room + more {
            dropper.dropped += 1;
            self.buffers.packets.remove(id);
            return true;
        }
        dropper.held[at] += u32::from(packet.flits);
        false
    }

    /// Frees the room of a packet that leaves a queue; returns whether its sender is told nothing of that.
    pub(super) fn frees(&mut self, place: u32, flits: u16) -> bool {
        let Some(at) = self.counted_at(place) else { return false };
        if let Some(dropper) = &mut self.dropper {
            dropper.held[at] -= u32::from(flits);
        }
        true
    }

    /// Puts a packet without data behind the head of its queue, and behind others without data.
    #[inline(never)]
    pub(super) fn pass_data(&mut self, id: u32, place: u32) {
        let queue = self.buffers.queues[place as usize];
        let mut before = queue.head;
        loop {
            let next = self.buffers.packets[before].next;
            if next == NONE || !self.headers.of(next).trimmed {
                break;
            }
            before = next;
        }
        let next = std::mem::replace(&mut self.buffers.packets[before].next, id);
        self.buffers.packets[id].next = next;
        if next == NONE {
            self.buffers.queues[place as usize].tail = id;
        }
    }
}
