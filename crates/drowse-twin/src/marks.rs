//! Marks by the bytes that wait for an output, where outputs have queues of their own.

use drowse_core::model::rng::{self, Purpose};
use drowse_core::model::transport::{MarkAt, Marking};

use crate::arbiter::mix;
use crate::header::Kind;
use crate::machine::{Machine, Packet};

impl Machine<'_> {
    /// Returns the port of the output that a queue is of, if it is of one.
    fn output_of(&self, queue: usize) -> Option<usize> {
        let (input, _) = self.net.input(queue);
        if input >= self.net.ports {
            return Some(input - self.net.ports);
        }
        let output = (queue - self.net.first_queue(input)) / self.net.vcs;
        let first = self.net.ports(self.net.switch(input)).start;
        (self.net.outputs > 1).then_some(first + output)
    }

    /// Returns the flits that wait for an output port and came at a time or before it.
    fn waiting_for(&self, port: usize, until: u64) -> u64 {
        let switch = self.net.switch(port);
        let behind = self.net.first_queue(self.net.ports + port)..self.net.first_queue(self.net.ports + port + 1);
        let has_behind = self.net.output_queues().is_some();
        let queues = if has_behind { behind } else { self.net.slots(switch) };
        let of_port = queues.filter(|&queue| self.output_of(queue) == Some(port));
        let packets = of_port.flat_map(|queue| &self.queues[queue]);
        packets.filter(|packet| packet.head_at <= until).map(|packet| packet.flits).sum()
    }

    /// Returns whether a packet of data is marked that finds so many flits.
    fn marks(&self, rules: &Marking, flits: u64, port: usize, packet: &Packet) -> bool {
        let bytes = flits * self.net.config.switch.flit.0;
        if packet.header.kind != Kind::Data || bytes <= rules.kmin.0 {
            return false;
        }
        let of_node = rng::draw(self.net.config.seed, Purpose::Marking, port as u32, packet.trip.from as u64);
        let drawn = (u128::from(mix(of_node ^ packet.header.number)) * 1_000_000_000) >> 64;
        let chance = || {
            let above = u128::from(bytes - rules.kmin.0) * u128::from(rules.pmax_billionths);
            above / u128::from(rules.kmax.0 - rules.kmin.0)
        };
        bytes > rules.kmax.0 || drawn < chance()
    }

    /// Marks a packet that comes into a queue at this edge, if that is when switches look: by what waited before the edge.
    pub fn mark_coming(&self, queue: usize, packet: &mut Packet) {
        let Some(rules) = self.net.config.switch.marking.filter(|rules| rules.at == MarkAt::Enqueue) else { return };
        let Some(port) = self.output_of(queue) else { return };
        let (channel, full) = (&self.channels[port], u64::from(self.net.config.switch.packet_flits));
        let spared = (!rules.waking && !channel.is_on())
            || (!rules.victims && channel.credits.iter().all(|&credits| credits < full));
        let before = self.now.checked_sub(self.net.clock).map_or(0, |before| self.waiting_for(port, before));
        packet.header.marked |= !spared && self.marks(&rules, before + packet.flits, port, packet);
    }

    /// Marks the head of a queue that leaves over a link, if that is when switches look.
    pub fn mark_leaving(&mut self, queue: usize) {
        let Some(rules) = self.net.config.switch.marking.filter(|rules| rules.at == MarkAt::Dequeue) else { return };
        let Some(port) = self.output_of(queue) else { return };
        let Some(packet) = self.queues[queue].front() else { return };
        let waited = self.channels[port].awake_at > packet.head_at;
        let marked = (rules.waking || !waited) && self.marks(&rules, self.waiting_for(port, self.now), port, packet);
        self.queues[queue][0].header.marked |= marked;
    }
}
