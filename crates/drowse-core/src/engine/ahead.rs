//! Loads ahead what many independent events of one edge will need, so that a processor waits for several at once.
//!
//! On networks that do not fit into the caches, most of an event's time is spent waiting for memory. The events of one edge
//! are independent, but each is longer than a processor looks ahead; touching the next few in a short loop lets their
//! loads overlap.

use std::hint::black_box;

use crate::power::Policy;
use crate::routing::{Candidates, Outputs, RoutingKind};
use crate::topology::Geometry;

use super::allocate::Head;
use super::fabric::Fabric;
use super::packet::{NONE, Packet};
use super::part::ELSEWHERE;

/// How many events are touched together.
pub const BATCH: usize = 16;

impl<P: Policy> Fabric<'_, P> {
    /// Touches what the arrivals of some packets need.
    pub fn touch_arrivals(&self, packets: &[u32]) {
        let mut places = [0; BATCH];
        for (place, &id) in places.iter_mut().zip(packets) {
            let packet = &self.packets[id];
            *place = self.queue_of(packet.port, packet.vc);
        }
        let mut sum = 0;
        for &place in &places[..packets.len()] {
            sum ^= self.queues[place as usize].head;
            sum ^= self.inputs[self.reader(place)].switch;
        }
        black_box(sum);
    }

    /// Touches what the allocation of some switches needs, and asks routing for the first packet of each where that is remembered.
    pub fn touch_switches(&mut self, candidates: &mut Candidates, switches: &[u32]) {
        let mut heads = [None; BATCH];
        for (head, &switch) in heads.iter_mut().zip(switches) {
            let word = self.examine[switch as usize * self.words];
            if word != 0 {
                let (first, bit) = (self.part.first_port[switch as usize], word.trailing_zeros());
                let id = self.queues[((first << self.vc_bits) + bit) as usize].head;
                *head = Some(Head { id, switch, first, bit }).filter(|head| head.id != NONE);
            }
        }
        let mut sum = 0;
        for head in heads.iter().flatten() {
            let to = self.packets[head.id].to_switch;
            if let Geometry::Grid(grid) = &self.network.geometry {
                sum ^= grid.packed(to) as u32;
            }
            let feeder = self.part.peer[(self.place(head) >> self.vc_bits) as usize] & !ELSEWHERE;
            sum ^= self.channels.hot.get(feeder as usize).map_or(0, |hot| u32::from(hot.flags));
        }
        // Packets with several runs of outputs do not remember them.
        if !matches!((&self.network.geometry, self.kind), (Geometry::Grid(_), RoutingKind::Adaptive)) {
            heads.iter().flatten().for_each(|&head| self.route_once(candidates, head));
        }
        for head in heads.iter().flatten() {
            let packet = &self.packets[head.id];
            // What others remember is of a switch before.
            let run = if packet.has(Packet::ROUTED) { packet.run } else { Outputs::NONE };
            let first = head.first as usize + usize::from(run.first);
            for channel in first..first + usize::from(run.count) {
                let hot = &self.channels.hot[channel];
                sum ^= u32::from(hot.flags) ^ hot.delayed_messages ^ self.waiting[channel * self.words] as u32;
            }
        }
        black_box(sum);
    }
}
