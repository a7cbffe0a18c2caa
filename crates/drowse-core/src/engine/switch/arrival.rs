//! A packet arrives: its head enters an input queue, and is examined at once if it leads the queue.

use crate::engine::event::NONE;
use crate::power::Policy;
use crate::routing::Candidates;

use super::packet::Packet;
use super::request::BATCH;
use super::switches::Switches;
use super::waiters::Waits;

impl<P: Policy> Switches<'_, P> {
    /// Enters the heads of some packets into their input queues.
    pub fn arrive_all<const FAST: bool>(&mut self, packets: &[u32]) {
        if packets.len() > 1 {
            self.prefetch_arrivals::<FAST>(&packets[..packets.len().min(BATCH)]);
        }
        let mut later = packets.chunks(BATCH).skip(1);
        for batch in packets.chunks(BATCH) {
            // What the next ones need is loaded while these arrive.
            if let Some(next) = later.next() {
                self.prefetch_arrivals::<FAST>(next);
            }
            batch.iter().for_each(|&id| self.arrive::<FAST>(id));
        }
        if !FAST && let Some(marker) = &mut self.marking {
            marker.count_came();
        }
    }

    #[inline]
    fn arrive<const FAST: bool>(&mut self, id: u32) {
        if !FAST && self.layout.by_output() {
            self.choose_queue(id);
        }
        if !FAST && self.dropper.is_some() && self.is_dropped(id) {
            return;
        }
        let place = self.buffers.packets[id].place;
        if !FAST && self.marking.is_some() {
            self.join_queue(id, place);
        }
        if P::PROBES {
            self.join(Waits::at_switch(place), 1, self.events.now.time);
        }
        let queue = &mut self.buffers.queues[place as usize];
        if queue.head == NONE {
            (queue.head, queue.tail) = (id, id);
            self.examine_head::<FAST>(place);
        } else if !FAST && self.headers.kept && self.headers.of(id).trimmed {
            self.pass_data(id, place);
        } else {
            let tail = std::mem::replace(&mut queue.tail, id);
            self.buffers.packets[tail].next = id;
            if !FAST && self.links.coalesces() {
                self.buffers.came_behind.push(place);
            }
        }
    }

    /// Chooses the queue of a packet that has come to an input port: by the first of its escape outputs, or of its only
    /// ones. This output is a permitted one of all packets of a queue. A route that is decided at switches is decided now.
    #[inline(never)]
    fn choose_queue(&mut self, id: u32) {
        let port = self.buffers.packets[id].place >> self.layout.queue_bits;
        let switch = self.switch_of::<false>(port);
        if self.rules.router.decides {
            self.decide(id, switch);
        }
        let output = self.output_for_queue(id, switch);
        let packet = &mut self.buffers.packets[id];
        packet.place = self.layout.queue_for(packet.place, output);
    }

    /// Returns the output whose queue a packet enters: the one that it chooses, where it keeps to one.
    fn output_for_queue(&mut self, id: u32, switch: u32) -> u16 {
        let several =
            !self.partition.is_output(switch) && self.only_group(&self.buffers.packets[id], switch).count != 1;
        if let Some(mut balancer) = several.then(|| self.balancer.take()).flatten() {
            let output = self.choose_output(&mut balancer, id, switch).port;
            self.balancer = Some(balancer);
            return output;
        }
        self.escape_of(&self.buffers.packets[id], switch)
    }

    /// Returns the first escape output of a packet, or the first of its only ones.
    fn escape_of(&self, packet: &Packet, switch: u32) -> u16 {
        let only = self.only_group(packet, switch);
        if only.count > 0 {
            return only.first;
        }
        let mut candidates = Candidates::new();
        self.several_candidates(packet, switch, &mut candidates);
        candidates.escape.first
    }

    /// Marks the head of an input queue to be examined: at this edge, or when its read port is free.
    #[inline]
    fn examine_head<const FAST: bool>(&mut self, place: u32) {
        let reader = self.layout.reader::<FAST>(place);
        let port = &mut self.buffers.read_ports[reader];
        let vc = place & self.layout.vc_mask;
        if port.busy_until >= self.events.now.next {
            port.pending |= 1 << vc;
            self.wake_read_port::<FAST>(place);
        } else {
            let switch = port.switch;
            let first_bit =
                if FAST { port.first_bit } else { port.first_bit | self.layout.number((place - vc) as u16) };
            self.work.examine_queues::<FAST>(self.layout.words, switch, first_bit, 1 << vc);
            self.work.activate(switch, self.events.now.next);
        }
    }
}
