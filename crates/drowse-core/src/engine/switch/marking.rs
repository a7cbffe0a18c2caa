//! Packets come into the queues of their outputs, and leave them, and are marked by what [waits there](super::marker).
//!
//! What waits for an output is known where it has queues: behind the crossbar, or in virtual output queues at all inputs.

use crate::model::transport::MarkAt;
use crate::power::Policy;

use super::marker::Marker;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Returns the output port for which the packets of a queue wait, if the queue is of one output.
    fn output_port(&self, place: u32) -> Option<u32> {
        let port = place >> self.layout.queue_bits;
        let switch = self.switch_of::<false>(port);
        if self.partition.is_output(switch) {
            return Some(port - self.partition.outputs);
        }
        let output = u32::from(self.layout.number(place as u16) >> self.layout.vc_bits);
        self.layout.by_output().then(|| self.partition.first_port[switch as usize] + output)
    }

    /// Counts a packet that has come into a queue, and marks it if that is when it is looked at.
    #[inline(never)]
    pub(super) fn join_queue(&mut self, id: u32, place: u32) {
        let Some(port) = self.output_port(place) else { return };
        let Some(mut marker) = self.marking.take() else { return };
        let flits = u64::from(self.buffers.packets[id].flits);
        marker.came.push((port, flits));
        if marker.rules.at == MarkAt::Enqueue {
            let (channel, t) = (self.partition.link(port) as usize, self.events.now.time);
            let asleep = !marker.rules.waking && !self.links.is_on(channel, t);
            let spread = !marker.rules.victims && !self.has_full_room(channel, t);
            if !asleep && !spread {
                self.mark(&marker, id, port, flits);
            }
        }
        self.marking = Some(marker);
    }

    /// Counts a packet that leaves a queue over a channel, and marks it if that is when it is looked at.
    #[inline(never)]
    pub(super) fn leave_queue(&mut self, id: u32, place: u32, channel: usize) {
        let Some(port) = self.output_port(place) else { return };
        let Some(mut marker) = self.marking.take() else { return };
        if marker.rules.at == MarkAt::Dequeue {
            let waited = self.links.hot[channel].awake_at > self.buffers.packets[id].head_at;
            if marker.rules.waking || !waited {
                self.mark(&marker, id, port, 0);
            }
        }
        marker.queued[port as usize] -= u64::from(self.buffers.packets[id].flits);
        self.marking = Some(marker);
    }

    /// Returns whether a full packet has room at the other end of a channel.
    fn has_full_room(&mut self, channel: usize, t: u64) -> bool {
        let full = self.rules.packet_flits;
        self.links.collect_credits(channel, t).with_credits(u8::MAX, full, full) != 0
    }

    /// Marks a packet by what waits for its output port, and so many flits that are not counted yet.
    fn mark(&mut self, marker: &Marker, id: u32, port: u32, more: u64) {
        let bytes = (marker.queued[port as usize] + more) * marker.flit;
        if marker.marks(bytes, self.partition.all_ports.whole(port), &self.headers.of(id)) {
            self.headers.mark(id);
        }
    }
}
