//! What follows a grant: the packet leaves its queue and is on its way, its room becomes a credit.

use crate::power::Policy;

use super::allocate::Request;
use super::channel::Channel;
use super::fabric::{Ejected, Fabric};
use super::packet::{NONE, Packet};
use super::part::ELSEWHERE;
use super::pick::pointer;

impl<P: Policy> Fabric<'_, P> {
    /// Lets a packet through its switch.
    pub(super) fn grant(&mut self, request: Request) {
        let place = self.place(&request.head);
        let vc = (place & self.vc_mask) as u8;
        let channel = request.head.first as usize + usize::from(request.output);
        let packet = &self.packets[request.head.id];
        let next = packet.next;
        let reader = self.reader(place);
        let mut start = self.now.time.max(self.inputs[reader].busy_until).max(self.channels.hot[channel].free_at);
        if self.may_underrun {
            start = start.max(self.underrun_bound(channel, packet));
        }
        if packet.has(Packet::PARKED) {
            self.unpark(&request.head, channel);
        }
        let others_wait = self.others_wait(channel);
        let end = self.channels.send(channel, request.flits, start, self.now.time, others_wait);
        if others_wait {
            let free = self.clock.last_by(end).max(self.now.number + 1);
            self.output_alarm(channel, free);
        }
        let input = &mut self.inputs[reader];
        input.busy_until = end;
        input.granted(vc);
        input.pending |= u8::from(next != NONE) << vc;
        if input.pending != 0 {
            self.input_alarm(place);
        }
        let queue = &mut self.queues[place as usize];
        queue.head = next;
        queue.next_output = pointer(request.output, request.vc).wrapping_add(1);
        if !self.chosen.is_empty() {
            self.chosen[place as usize] = None;
        }
        self.return_credit(place >> self.vc_bits, vc, request.flits, end);
        self.forward(&request, channel, start, end);
    }

    /// Sends a granted packet on its way to the next switch or to its node.
    #[inline]
    fn forward(&mut self, request: &Request, channel: usize, start: u64, end: u64) {
        self.hops += 1;
        let id = request.head.id;
        let next_reader = self.reader_of(request) + 1;
        let packet = &mut self.packets[id];
        let hot = &mut self.channels.hot[channel];
        hot.next_reader = next_reader;
        let class = &self.channels.classes[usize::from(hot.class)];
        let waited_first = packet.flags & (Packet::DELAYED | Packet::FIRST) == Packet::DELAYED | Packet::FIRST;
        if waited_first && hot.awake_at > packet.head_at {
            hot.delayed_messages += 1;
        }
        if hot.has(Channel::EJECTS) {
            let first = packet.has(Packet::FIRST);
            self.ejected.push(Ejected { message: packet.message, first, flits: request.flits, at: end + class.hop });
            self.packets.remove(id);
            return;
        }
        hot.credits[usize::from(request.vc & 7)] -= request.flits;
        packet.port = hot.peer;
        packet.vc = request.vc;
        packet.head_at = start + class.hop;
        packet.wait_since = u64::MAX;
        packet.route |= hot.dateline();
        packet.flags &= Packet::FIRST | Packet::LIVE;
        packet.next = NONE;
        if hot.peer & ELSEWHERE != 0 {
            self.departed.push((hot.peer & !ELSEWHERE, *packet));
            self.packets.remove(id);
        } else if start == self.now.time && class.hop_edges != 0 {
            self.wheel.put_arrival(self.now.number + class.hop_edges, id);
        } else {
            self.put_arrival(id, start + class.hop);
        }
    }
}
