//! What follows a grant: the packet leaves its queue and is on its way, its room becomes a credit.

use crate::power::Policy;

use super::allocate::{Head, Request};
use super::channel::Channel;
use super::fabric::{Ejected, Fabric, Queue, Speeds};
use super::packet::{NONE, Packet};
use super::part::ELSEWHERE;
use super::pick::pointer;

impl<P: Policy> Fabric<'_, P> {
    /// Lets the packet that asked through its switch.
    pub(super) fn grant(&mut self, request: Request) {
        let (Request { switch, first, .. }, bit) = (request, u32::from(request.bit));
        let place = (first << self.vc_bits) + bit;
        let vc = (place & self.vc_mask) as u8;
        let channel = first as usize + usize::from(request.output);
        let Queue { head: id, flags, .. } = self.queues[place as usize];
        if flags & Queue::PARKED != 0 {
            self.unpark(&Head { id, switch, first, bit, place }, channel);
        }
        let packet = &self.packets[id];
        let (next, flits) = (packet.next, packet.flits);
        let reader = self.reader(place);
        let mut start = self.now.time.max(self.inputs[reader].busy_until).max(self.channels.hot[channel].free_at);
        if self.speeds != Speeds::Same {
            start = start.max(self.underrun_bound(channel, packet));
        }
        let others_wait = self.others_wait(channel);
        let end = self.channels.send(channel, flits, start, self.now.time, others_wait);
        self.channels.hot[channel].next_reader = self.reader_of(&request) + 1;
        let input = &mut self.inputs[reader];
        input.busy_until = end;
        input.granted(vc);
        input.pending |= u8::from(next != NONE) << vc;
        let more = input.pending != 0;
        let queue = &mut self.queues[place as usize];
        queue.head = next;
        queue.next_output = pointer(request.output, request.vc).wrapping_add(1);
        queue.flags = 0;
        if !self.chosen.is_empty() {
            self.chosen[place as usize] = None;
        }
        self.forward(id, channel, request.vc, flags & Queue::DELAYED != 0, start, end);
        self.return_credit(place >> self.vc_bits, vc, flits, end);
        // Rare, and last: what is called here could have changed all that is known above.
        if self.channels.hot[channel].has(Channel::GOVERNED) {
            self.trunk_used(channel);
        }
        if others_wait {
            let free = self.clock.last_by(end).max(self.now.number + 1);
            self.output_alarm(channel, free);
        }
        if more {
            self.input_alarm(place);
        }
    }

    /// Sends a granted packet on its way to the next switch or to its node; `delayed` tells whether it waited for an output
    /// that slept.
    #[inline]
    fn forward(&mut self, id: u32, channel: usize, vc: u8, delayed: bool, start: u64, end: u64) {
        self.hops += 1;
        let packet = &self.packets[id];
        if packet.has(Packet::FIRST) {
            let waited = delayed && self.channels.hot[channel].awake_at > packet.head_at;
            self.channels.begin_message(channel, packet.hops, waited.then_some(packet.head_at));
        }
        let packet = &mut self.packets[id];
        let hot = &mut self.channels.hot[channel];
        let class = &self.channels.classes[usize::from(hot.class)];
        if hot.has(Channel::EJECTS) {
            let (first, flits) = (packet.has(Packet::FIRST), packet.flits);
            self.ejected.push(Ejected { message: packet.message, first, flits, at: end + class.hop });
            self.packets.remove(id);
            if self.channels.coupled {
                self.sent_to_node(channel, flits, start);
            }
            return;
        }
        hot.credits[usize::from(vc & 7)] -= packet.flits;
        packet.place = (hot.peer & !ELSEWHERE) << self.vc_bits | u32::from(vc);
        packet.head_at = start + class.hop;
        packet.route |= hot.dateline();
        packet.next = NONE;
        if self.speeds != Speeds::Same {
            packet.goes_narrow(hot.narrow);
        }
        if hot.peer & ELSEWHERE != 0 {
            self.depart(id);
        } else if start == self.now.time && class.hop_edges != 0 {
            self.wheel.put_arrival(self.now.number + class.hop_edges, id);
        } else {
            self.put_arrival(id, start + class.hop);
        }
    }

    /// Lets a packet leave the part.
    #[inline(never)]
    fn depart(&mut self, id: u32) {
        self.departed.push(self.packets[id]);
        self.packets.remove(id);
    }
}
