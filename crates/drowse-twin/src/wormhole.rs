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

use crate::arbiter::choose;
use crate::flits::{Buffer, Machine};
use crate::source::{Message, Outcome};

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
    let is_due = |message: &Message| message.missing > 0 && message.created < end * config.switch.clock.0;
    for cycle in 0.. {
        machine.make(cycle);
        machine.step_wormhole(cycle);
        if cycle >= end && !machine.source.messages.iter().any(is_due) {
            break;
        }
    }
    Ok(machine.source.seen)
}

impl Machine<'_> {
    fn step_wormhole(&mut self, cycle: u64) {
        self.take_credits(cycle);
        for node in 0..self.network.nodes as usize {
            let next_with_room = |lanes: &[Buffer], next: usize| {
                (0..lanes.len()).filter(|&vc| lanes[vc].credits > 0).min_by_key(|vc| vc.wrapping_sub(next))
            };
            if let Some(packet) = self.inject(node, cycle, NIC_DELAY, next_with_room) {
                self.route(packet, self.network.node_port[node] as usize);
            }
        }
        for switch in 0..self.network.switches() as usize {
            // Both allocators see the state before any flit is sent, and that of the switch none whose packet gets its lane now.
            let granted = self.allocate_switch(switch, cycle);
            self.allocate_lanes(switch, cycle);
            granted.into_iter().for_each(|(queue, lane)| self.send(queue, lane, cycle));
        }
    }

    /// Allocates virtual channels of outputs to packets that have none.
    fn allocate_lanes(&mut self, switch: usize, cycle: u64) {
        let ask = |queue: usize| {
            let flit = self.front(queue, cycle).filter(|_| self.queues[queue].partner.is_none())?;
            let lanes = self.packets[flit.packet].route.iter().map(|&output| self.lane(output));
            let free = lanes.filter(|&lane| self.lanes[lane].partner.is_none());
            Some((free.min_by_key(|lane| lane.wrapping_sub(self.queues[queue].pointer))?, queue))
        };
        let asked: Vec<(usize, usize)> = self.slots(switch).filter_map(ask).collect();
        let turn = |(lane, queue): (usize, usize)| queue.wrapping_sub(self.lanes[lane].pointer);
        for (lane, queue) in choose(&asked, |(lane, _)| lane, turn) {
            self.join(queue, lane);
            self.lanes[lane].pointer = queue + 1;
            self.queues[queue].pointer = lane + 1;
        }
    }

    /// Allocates the switch to flits of packets that have a lane with room; gives their queues and lanes.
    fn allocate_switch(&mut self, switch: usize, cycle: u64) -> Vec<(usize, usize)> {
        let ready = |queue: usize| {
            let lane = self.queues[queue].partner.filter(|&lane| self.lanes[lane].credits > 0)?;
            self.front(queue, cycle).map(|_| (queue, lane))
        };
        let asked: Vec<(usize, usize)> = self.slots(switch).filter_map(ready).collect();
        // Of the virtual channels that want the same output, and then of the outputs, the first in turn.
        let input_turn = |(queue, lane): (usize, usize)| {
            let pointers = self.pointers[queue / self.vcs];
            ((lane / self.vcs).wrapping_sub(pointers.output), (queue % self.vcs).wrapping_sub(pointers.vc))
        };
        let output_turn =
            |(queue, lane): (usize, usize)| (queue / self.vcs).wrapping_sub(self.pointers[lane / self.vcs].input);
        let chosen = choose(&asked, |(queue, _)| queue / self.vcs, input_turn);
        let granted = choose(&chosen, |(_, lane)| lane / self.vcs, output_turn);
        for &(queue, lane) in &granted {
            let (input, output) = (queue / self.vcs, lane / self.vcs);
            self.pointers[output].input = input + 1;
            self.pointers[input].output = output + 1;
            self.pointers[input].vc = queue % self.vcs + 1;
        }
        granted
    }

    /// Sends the first flit of a queue through the switch.
    fn send(&mut self, queue: usize, lane: usize, cycle: u64) {
        let from_switch = self.network.peer[queue / self.vcs] < self.network.ports();
        let credit_delay = if from_switch { CREDIT_DELAY } else { NIC_DELAY };
        let Some(flit) = self.take(queue, lane, cycle, credit_delay) else { return };
        self.lanes[lane].credits -= 1;
        match self.forward(flit, lane, cycle + FLIT_DELAY) {
            Some(input) if flit.head => self.route(flit.packet, input),
            Some(_) => {}
            None => self.credits.push((cycle + FLIT_DELAY + CREDIT_DELAY, lane)),
        }
    }

    /// Finds the outputs that a packet may take at the switch to which it comes by a port.
    ///
    /// On rings, packets that will wrap around upwards, or not wrap around downwards, take the second half of the virtual channels.
    /// On trees, packets take of two outputs drawn at random the one with more credits.
    fn route(&mut self, packet: usize, input: usize) {
        let half = self.vcs / 2;
        let switch = self.routes.switch(input);
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
