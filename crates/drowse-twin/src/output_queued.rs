//! Input and output buffers with virtual channels, phit by phit: the `InputOutput` router of CAMINOS 0.6.3 (Camarero, Postigo and
//! Fuentes) with iSLIP of one iteration over (port, virtual channel), a crossbar that every virtual channel enters by itself,
//! and bubble flow control on tori: a packet that turns into a ring leaves room for another one.
//!
//! A packet asks for one output and virtual channel, drawn among those with room in the output's buffer, busy or not. A phit that
//! crosses at cycle `t` is in the output's buffer at `t + 1`, and may be at the next switch or its node at `t + 2`; credits
//! take a cycle. Of bandwidth, wires and hops of the [`Config`] nothing is used: a phit, which is a flit, takes a cycle.

use drowse_core::config::Config;
use drowse_core::topology::{Geometry, Network};
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::arbiter::choose;
use crate::flits::{Buffer, Flit, Machine};
use crate::routes::Output;
use crate::source::Outcome;

/// Runs open-loop traffic of messages of one full packet, until the end of the window.
pub fn run(network: &Network, config: &Config, traffic: &Traffic) -> Result<Outcome, PatternError> {
    let mut machine = Machine::new(network, config, traffic)?;
    let end = (traffic.warmup + traffic.measure).0 / config.switch.clock.0;
    (0..end).for_each(|cycle| machine.step_output_queued(cycle));
    Ok(machine.source.seen)
}

impl Machine<'_> {
    fn step_output_queued(&mut self, cycle: u64) {
        self.take_credits(cycle);
        for switch in 0..self.network.switches() as usize {
            self.allocate(switch, cycle);
            self.slots(switch).for_each(|lane| self.cross(lane, cycle));
            self.routes.ports(switch).for_each(|port| self.transmit(port, cycle));
        }
        self.make(cycle);
        let packet = u64::from(self.config.switch.packet_flits);
        let with_room = |lanes: &[Buffer], _| lanes.iter().position(|lane| lane.credits >= packet);
        (0..self.network.nodes as usize).for_each(|node| _ = self.inject(node, cycle, 1, with_room));
    }

    /// iSLIP of one iteration: outputs choose among those who ask, and as each asks for one, all that are chosen accept. The pointers
    /// of both move on by one.
    fn allocate(&mut self, switch: usize, cycle: u64) {
        let slots = self.slots(switch);
        let ask = |queue: usize| Some((self.ask(switch, queue, cycle)?, queue));
        let asked: Vec<(usize, usize)> = slots.clone().filter_map(ask).collect();
        let turn = |(lane, queue): (usize, usize)| (queue - slots.start).wrapping_sub(self.lanes[lane].pointer);
        for (lane, queue) in choose(&asked, |(lane, _)| lane, turn) {
            self.join(queue, lane);
            self.lanes[lane].pointer = (self.lanes[lane].pointer + 1) % slots.len();
        }
    }

    /// Lets the head of a queue ask for an output and virtual channel.
    fn ask(&mut self, switch: usize, queue: usize, cycle: u64) -> Option<usize> {
        let phit = self.front(queue, cycle).filter(|_| self.queues[queue].partner.is_none())?;
        let escapes = usize::from(self.config.switch.vcs.adaptive)..self.vcs;
        let permitted = self.permitted(switch, phit.packet, |_| escapes.clone());
        let room = u64::from(self.config.switch.buffer_flits);
        let fits = |&(port, vc): &Output| {
            let Buffer { flits, partner, .. } = &self.lanes[self.lane((port, vc))];
            partner.is_none() && flits.len() as u64 + self.need(phit.input, port) <= room
        };
        let adaptive = permitted.adaptive.into_iter().filter(|_| !self.packets[phit.packet].escaped);
        let mut candidates: Vec<Output> = adaptive.filter(fits).collect();
        let escapes = candidates.is_empty();
        if escapes {
            candidates = permitted.escape.into_iter().filter(fits).collect();
        }
        if matches!(self.network.geometry, Geometry::Levels(_)) {
            let least = candidates.iter().map(|&(port, _)| self.queued(port, cycle)).min();
            candidates.retain(|&(port, _)| Some(self.queued(port, cycle)) == least);
        }
        if candidates.is_empty() {
            return None;
        }
        self.packets[phit.packet].escaped |= escapes;
        let drawn = self.draws.below(candidates.len() as u32) as usize;
        Some(self.lane(candidates[drawn]))
    }

    /// Gives the phits in an output's buffers, and those that it has sent and knows no room for.
    fn queued(&self, port: usize, cycle: u64) -> u64 {
        let lanes = &self.lanes[port * self.vcs..(port + 1) * self.vcs];
        let here = |lane: &Buffer| lane.flits.iter().filter(|phit| phit.at <= cycle).count() as u64;
        lanes.iter().map(|lane| here(lane) + u64::from(self.config.switch.buffer_flits) - lane.credits).sum()
    }

    /// Gives the room that a head needs: its packet's, and with bubbles that of one more where it turns into a ring or leaves.
    fn need(&self, input: usize, output: usize) -> u64 {
        let turns = self.network.port_class[input] != self.network.port_class[output];
        let bubble = turns && matches!(self.network.geometry, Geometry::Grid(_));
        u64::from(self.config.switch.packet_flits) * if bubble { 2 } else { 1 }
    }

    /// Moves a phit into a lane's buffer.
    fn cross(&mut self, lane: usize, cycle: u64) {
        let Some(queue) = self.lanes[lane].partner else { return };
        let Some(phit) = self.take(queue, lane, cycle, 1) else { return };
        self.lanes[lane].flits.push_back(Flit { at: cycle + 1, ..phit });
    }

    /// Sends a phit over a link: one of a packet that is under way, else of the virtual channel whose turn it is.
    fn transmit(&mut self, port: usize, cycle: u64) {
        let to_node = self.network.peer[port] >= self.network.ports();
        let ready = |&vc: &usize| {
            let Buffer { flits, credits, .. } = &self.lanes[self.lane((port, vc))];
            let front = flits.front().filter(|phit| phit.at <= cycle);
            let needs = |phit: &Flit| if phit.head { self.need(phit.input, port) } else { 1 };
            front.is_some_and(|phit| to_node || *credits >= needs(phit))
        };
        let begins = |vc: usize| self.lanes[self.lane((port, vc))].flits[0].head;
        let turn = |&vc: &usize| (begins(vc), vc.wrapping_sub(self.pointers[port].vc));
        let Some(vc) = (0..self.vcs).filter(ready).min_by_key(turn) else { return };
        let lane = self.lane((port, vc));
        let Some(phit) = self.lanes[lane].flits.pop_front() else { return };
        self.pointers[port].vc = vc + usize::from(phit.tail);
        if self.forward(phit, lane, cycle + 1).is_some() {
            self.lanes[lane].credits -= 1;
        }
    }
}
