//! Wormhole switching with virtual channels and input queues, flit by flit: `BookSim2`'s `iq` router (Jiang et al., 2013; Dally and
//! Towles, Principles and Practices of Interconnection Networks, chapter 16) with these of its parameters: lookahead routing,
//! one cycle each for allocating a virtual channel, for allocating the switch and for crossing it; private buffers; a virtual
//! channel is free again when its tail has been sent; separable allocators, inputs first, in turn, of one iteration.
//!
//! A flit that wins the switch at cycle `t` is at the next switch or its node at `t + 3`; its credit is back at a switch at
//! `t + 4` and at a NIC at `t + 2`. Of bandwidth, wires and hops of the [`Config`] nothing is used: a flit takes a cycle.

use drowse_core::config::Config;
use drowse_core::topology::{Geometry, Network};
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::Outcome;
use crate::flits::{Lane, Machine, Pointers, Queue, choose, in_turn};
use crate::routes::Output;

/// Cycles from winning the switch to the next switch's queue or to the node.
const FLIT_DELAY: u64 = 3;
/// Cycles from a NIC to its switch, and those of a credit to a NIC.
const NIC_DELAY: u64 = 2;
/// Cycles until a switch has a credit: from a switch, and from a node, which sends it when it has the flit.
const CREDIT_DELAY: u64 = 4;

/// Runs open-loop traffic of messages of one packet.
///
/// As in `BookSim2`, packets count whose NIC turns to them after the warm-up and that were made before the end of the window;
/// the run ends when all of these have arrived.
pub fn run(network: &Network, config: &Config, traffic: &Traffic) -> Result<Outcome, PatternError> {
    let mut machine = Machine::new(network, config, traffic)?;
    let end = (traffic.warmup + traffic.measure).0 / config.switch.clock.0;
    let mut due = 0;
    for cycle in 0.. {
        machine.make(cycle);
        if cycle < end {
            due = machine.source.messages.len();
        }
        machine.step_wormhole(cycle);
        if cycle >= end && machine.source.messages[..due].iter().all(|message| message.packets_left == 0) {
            break;
        }
    }
    Ok(machine.source.seen)
}

impl Machine<'_> {
    fn step_wormhole(&mut self, cycle: u64) {
        self.take_credits(cycle);
        for node in 0..self.network.nodes as usize {
            let next_with_room = |lanes: &[Lane], next: usize| {
                (0..lanes.len()).map(|i| (next + i) % lanes.len()).find(|&vc| lanes[vc].credits > 0)
            };
            if let Some(packet) = self.inject(node, cycle, NIC_DELAY, next_with_room) {
                self.route(packet, self.network.node_port[node] as usize);
            }
        }
        for switch in 0..self.network.switches() as usize {
            // Both allocators see the state before any flit is sent, and that of the switch none whose packet gets its lane now.
            let queues = self.allocate_switch(switch, cycle);
            self.allocate_lanes(switch, cycle);
            queues.into_iter().for_each(|queue| self.send(queue, cycle));
        }
    }

    /// Allocates virtual channels of outputs to packets that have none.
    fn allocate_lanes(&mut self, switch: usize, cycle: u64) {
        let slots = self.slots(switch);
        let ask = |queue: usize| {
            let Queue { flits, held: None, pointer } = &self.queues[queue] else { return None };
            let flit = flits.front().filter(|flit| flit.at <= cycle)?;
            let route = self.packets[flit.packet].route.iter().copied();
            let free = route.filter(|&output| self.lanes[self.lane(output)].taken.is_none());
            let turn = |&output: &Output| in_turn(self.lane(output) - slots.start, *pointer, slots.len());
            Some((free.min_by_key(turn)?, queue))
        };
        let turn = |output, queue| in_turn(queue - slots.start, self.lanes[self.lane(output)].pointer, slots.len());
        for (output, queue) in choose(slots.clone().filter_map(ask).collect(), turn) {
            let lane = self.lane(output);
            self.lanes[lane].taken = Some(queue);
            self.lanes[lane].pointer = queue - slots.start + 1;
            self.queues[queue].held = Some(output);
            self.queues[queue].pointer = lane - slots.start + 1;
        }
    }

    /// Allocates the switch to flits of packets that have a virtual channel with room; gives their queues.
    fn allocate_switch(&mut self, switch: usize, cycle: u64) -> Vec<usize> {
        let ports = self.routes.ports(switch);
        let ready = |queue: usize| {
            let Queue { flits, held, .. } = &self.queues[queue];
            let here = flits.front().is_some_and(|flit| flit.at <= cycle);
            let output = held.filter(|&output| here && self.lanes[self.lane(output)].credits > 0)?;
            Some((output.0, queue))
        };
        let ask = |input: usize| {
            let Pointers { vc, output, .. } = self.pointers[input];
            // Of the virtual channels that want the same output, and then of the outputs, the first in turn.
            let rank = |&(wanted, queue): &(usize, usize)| {
                (in_turn(wanted - ports.start, output, ports.len()), in_turn(queue % self.vcs, vc, self.vcs))
            };
            (input * self.vcs..(input + 1) * self.vcs).filter_map(ready).min_by_key(rank)
        };
        let turn = |output: usize, queue: usize| {
            in_turn(queue / self.vcs - ports.start, self.pointers[output].input, ports.len())
        };
        let granted = choose(ports.clone().filter_map(ask).collect(), turn);
        for &(output, queue) in &granted {
            let input = queue / self.vcs;
            self.pointers[output].input = input - ports.start + 1;
            self.pointers[input].output = output - ports.start + 1;
            self.pointers[input].vc = queue % self.vcs + 1;
        }
        granted.into_iter().map(|(_, queue)| queue).collect()
    }

    /// Sends the first flit of a queue through the switch.
    fn send(&mut self, queue: usize, cycle: u64) {
        let (Some(flit), Some(output)) = (self.queues[queue].flits.pop_front(), self.queues[queue].held) else {
            return;
        };
        let lane = self.lane(output);
        self.lanes[lane].credits -= 1;
        if flit.tail {
            self.queues[queue].held = None;
            self.lanes[lane].taken = None;
        }
        let from_switch = self.network.peer[queue / self.vcs] < self.network.ports();
        self.return_credit(queue, cycle + if from_switch { CREDIT_DELAY } else { NIC_DELAY });
        let at = cycle + FLIT_DELAY;
        match self.forward(flit, output, at) {
            Some(input) if flit.head => self.route(flit.packet, input),
            Some(_) => {}
            None => self.credit(lane, at + CREDIT_DELAY),
        }
    }

    /// Finds the outputs that a packet may take at the switch to which it comes by a port.
    ///
    /// On rings, packets that will wrap around upwards, or not wrap around downwards, take the second half of the virtual channels.
    /// On trees, packets take of two outputs drawn at random the one with more credits.
    fn route(&mut self, packet: usize, input: usize) {
        let half = self.vcs / 2;
        let switch = self.network.port_switch[input] as usize;
        let mut route = self.permitted(switch, packet, |above| if above { half..2 * half } else { 0..half }).escape;
        if matches!(self.network.geometry, Geometry::Levels(_)) {
            let ports: Vec<usize> = route.iter().step_by(self.vcs).map(|&(port, _)| port).collect();
            let [one, other] = [0; 2].map(|_| ports[self.draws.below(ports.len() as u32) as usize]);
            let room = |port: usize| (0..self.vcs).map(|vc| self.lanes[self.lane((port, vc))].credits).sum::<u64>();
            let port = if room(one) < room(other) { other } else { one };
            route.retain(|&(candidate, _)| candidate == port);
        }
        self.packets[packet].route = route;
    }
}
