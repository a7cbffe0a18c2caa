//! Input ports that drop packets which they have no room for, or cut off their data.
//!
//! Senders know nothing of that room. What an input port holds is counted for each virtual channel, as credits would be.

use crate::engine::event::NONE;
use crate::engine::partition::Partition;
use crate::model::config::{Config, FlowControl};
use crate::power::Policy;

use super::layout::Layout;
use super::switches::Switches;

/// What the input ports of a shard hold.
#[derive(Debug)]
pub struct Dropper {
    /// By port and virtual channel, flits.
    held: Vec<u32>,
    /// Flits that one virtual channel has room for.
    room: u32,
    /// Flits to which a packet is cut; `None` where it is dropped.
    trims_to: Option<u16>,
    /// Packets dropped.
    pub dropped: u64,
    /// Packets whose data was cut off.
    pub trimmed: u64,
}

impl Dropper {
    /// Prepares a partition, if its input ports drop packets.
    pub fn new(config: &Config, partition: &Partition, layout: &Layout) -> Option<Box<Self>> {
        let trims = config.switch.flow_control == FlowControl::Trim;
        let header = config.transport.map_or(1, |transport| config.switch.message_flits(transport.ack.0));
        config.switch.is_lossy().then(|| {
            Box::new(Dropper {
                held: vec![0; (partition.all_ports.count() as usize) << layout.vc_bits],
                room: config.switch.buffer_flits.into(),
                trims_to: trims.then_some(header.min(config.switch.packet_flits.into()) as u16),
                dropped: 0,
                trimmed: 0,
            })
        })
    }

    /// Returns the flits that a port holds of a virtual channel.
    pub fn held(&self, port: u32, vc: u8, layout: &Layout) -> u32 {
        self.held[((port << layout.vc_bits) | u32::from(vc)) as usize]
    }
}

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
