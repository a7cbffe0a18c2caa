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

use crate::Outcome;
use crate::flits::{Flit, Lane, Machine, choose, in_turn};
use crate::routes::Output;

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
            self.routes.ports(switch).for_each(|port| self.cross(port, cycle));
            self.routes.ports(switch).for_each(|port| self.transmit(port, cycle));
        }
        self.make(cycle);
        let packet = self.packet_flits();
        let with_room = |lanes: &[Lane], _| lanes.iter().position(|lane| lane.credits >= packet);
        (0..self.network.nodes as usize).for_each(|node| _ = self.inject(node, cycle, 1, with_room));
    }

    /// iSLIP of one iteration: outputs choose among those who ask, and as each asks for one, all that are chosen accept. The pointers
    /// of both move on by one.
    fn allocate(&mut self, switch: usize, cycle: u64) {
        let slots = self.slots(switch);
        let ask = |queue: usize| Some((self.ask(switch, queue, cycle)?, queue));
        let asked = slots.clone().filter_map(ask).collect();
        let turn = |output, queue| in_turn(queue - slots.start, self.lanes[self.lane(output)].pointer, slots.len());
        for (output, queue) in choose(asked, turn) {
            let lane = self.lane(output);
            self.lanes[lane].pointer += 1;
            self.lanes[lane].taken = Some(queue);
            self.queues[queue].held = Some(output);
        }
    }

    /// Lets the head of a queue ask for an output and virtual channel.
    fn ask(&mut self, switch: usize, queue: usize, cycle: u64) -> Option<Output> {
        let phit = *self.queues[queue].flits.front().filter(|phit| phit.at <= cycle)?;
        if self.queues[queue].held.is_some() {
            return None;
        }
        let escapes = usize::from(self.config.switch.vcs.adaptive)..self.vcs;
        let permitted = self.permitted(switch, phit.packet, |_| escapes.clone());
        let fits = |&(port, vc): &Output| {
            let Lane { flits, taken, .. } = &self.lanes[self.lane((port, vc))];
            taken.is_none() && self.room() - flits.len() as u64 >= self.need(phit.input, port)
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
        Some(candidates[drawn])
    }

    /// Gives the phits in an output's buffers, and those that it has sent and knows no room for.
    fn queued(&self, port: usize, cycle: u64) -> u64 {
        let lanes = &self.lanes[port * self.vcs..(port + 1) * self.vcs];
        let here = |lane: &Lane| lane.flits.iter().filter(|phit| phit.at <= cycle).count() as u64;
        lanes.iter().map(|lane| here(lane) + self.room() - lane.credits).sum()
    }

    /// Gives the room that a head needs: its packet's, and with bubbles that of one more where it turns into a ring or leaves.
    fn need(&self, input: usize, output: usize) -> u64 {
        let turns = self.network.port_class[input] != self.network.port_class[output];
        let bubble = turns && matches!(self.network.geometry, Geometry::Grid(_));
        if bubble { 2 * self.packet_flits() } else { self.packet_flits() }
    }

    fn packet_flits(&self) -> u64 {
        u64::from(self.config.switch.packet_flits)
    }

    /// Gives the size of each buffer.
    fn room(&self) -> u64 {
        u64::from(self.config.switch.buffer_flits)
    }

    /// Moves a phit into each virtual channel's buffer of an output.
    fn cross(&mut self, port: usize, cycle: u64) {
        for lane in port * self.vcs..(port + 1) * self.vcs {
            let Some(queue) = self.lanes[lane].taken else { continue };
            let Some(phit) = self.queues[queue].flits.pop_front_if(|phit| phit.at <= cycle) else { continue };
            if phit.tail {
                self.lanes[lane].taken = None;
                self.queues[queue].held = None;
            }
            self.lanes[lane].flits.push_back(Flit { at: cycle + 1, ..phit });
            self.return_credit(queue, cycle + 1);
        }
    }

    /// Sends a phit over a link: one of a packet that is under way, else of the virtual channel whose turn it is.
    fn transmit(&mut self, port: usize, cycle: u64) {
        let to_node = self.network.peer[port] >= self.network.ports();
        let ready = |&vc: &usize| {
            let Lane { flits, credits, .. } = &self.lanes[self.lane((port, vc))];
            let front = flits.front().filter(|phit| phit.at <= cycle);
            let needs = |phit: &Flit| if phit.head { self.need(phit.input, port) } else { 1 };
            front.is_some_and(|phit| to_node || *credits >= needs(phit))
        };
        let begins = |vc: usize| self.lanes[self.lane((port, vc))].flits[0].head;
        let turn = |&vc: &usize| (begins(vc), in_turn(vc, self.pointers[port].vc, self.vcs));
        let Some(vc) = (0..self.vcs).filter(ready).min_by_key(turn) else { return };
        let lane = self.lane((port, vc));
        let Some(phit) = self.lanes[lane].flits.pop_front() else { return };
        self.pointers[port].vc = vc + usize::from(phit.tail);
        if self.forward(phit, (port, vc), cycle + 1).is_some() {
            self.lanes[lane].credits -= 1;
        }
    }
}
