//! The switches of two other simulators, flit by flit, with virtual channels. A message is one packet. Of bandwidth, wires and hops of the
//! [`Config`] nothing is used: a flit, or phit, takes a cycle.
//!
//! [`wormhole`]: wormhole switching and input queues, `BookSim2`'s `iq` router (Jiang et al., 2013; Dally and Towles, Principles and
//! Practices of Interconnection Networks, chapter 16) with these of its parameters: lookahead routing, one cycle each for allocating
//! a virtual channel, for allocating the switch and for crossing it; private buffers; a virtual channel is free again when its tail
//! has been sent; separable allocators, inputs first, in turn, of one iteration.
//!
//! [`output_queued`]: input and output buffers, the `InputOutput` router of CAMINOS 0.6.3 (Camarero, Postigo and Fuentes) with iSLIP of
//! one iteration over (port, virtual channel), a crossbar that every virtual channel enters by itself, and bubble flow control on
//! tori: a packet that turns into a ring leaves room for another one. A packet asks for one output and virtual channel, drawn among
//! those with room in the output's buffer, busy or not. A phit that crosses at cycle `t` is in the output's buffer at `t + 1`.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use drowse_core::model::config::Config;
use drowse_core::model::rng::{Purpose, Stream};
use drowse_core::topology::{Geometry, Network};
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::arbiter::choose;
use crate::net::{Net, Trip, with_vcs};
use crate::source::{Message, Outcome, Source};

/// A lane and a queue of the same switch.
type Pair = (usize, usize);

/// A flit.
#[derive(Clone, Copy, Debug, Default)]
struct Flit {
    packet: usize,
    head: bool,
    tail: bool,
    /// When it is in its queue or buffer.
    at: u64,
    /// The port by which it comes to the switch.
    input: usize,
}

/// How a message's packet goes on.
#[derive(Clone, Debug, Default)]
struct Packet {
    trip: Trip,
    /// By dimension in which it has travelled by dimension order: whether upwards, and whether it came into it above its target.
    legs: BTreeMap<usize, (bool, bool)>,
    /// It has taken an escape.
    escaped: bool,
    /// The lanes that it may take, where they are found ahead.
    route: Vec<usize>,
}

/// A virtual channel of an input port (a queue), or of an output port or NIC (a lane), numbered by port and virtual channel. What a
/// NIC has yet to send of a packet is a queue, too, with the number of its first lane.
#[derive(Clone, Debug, Default)]
struct Buffer {
    /// What is in it, or on the way to it; a lane has these only if outputs have buffers.
    flits: VecDeque<Flit>,
    /// The lane that the packet in front of a queue has, and the queue whose packet a lane takes.
    partner: Option<usize>,
    /// Where its arbiter looks first.
    pointer: usize,
    /// A lane's room at the other end.
    credits: u64,
}

/// What tells the two apart: cycles that things take, and where packets wait.
#[derive(Clone, Copy, Debug)]
struct Pipeline {
    /// A flit's, from its switch to the next switch's queue or to its node.
    flit: u64,
    /// A credit's, from leaving the queue to the switch before.
    credit: u64,
    /// A flit's from a NIC to its switch, and a credit's back.
    nic: u64,
    /// A credit's from a node, which sends it when it has the flit.
    node_credit: u64,
    /// Packets go as a whole: into outputs' buffers, and from NICs on the first virtual channel with room. Else flits go where one has
    /// room, from NICs in turn, and packets find their outputs on the way to the switch.
    whole_packets: bool,
}

/// All switches and NICs.
struct Machine<'a> {
    net: Net<'a>,
    source: Source<'a>,
    pipeline: Pipeline,
    queues: Vec<Buffer>,
    lanes: Vec<Buffer>,
    /// Where inputs' arbiters look first among outputs, and then among virtual channels.
    input_pointers: Vec<(usize, usize)>,
    /// Where outputs' arbiters look first: among inputs, or with output buffers among lanes.
    output_pointers: Vec<usize>,
    /// By message.
    packets: Vec<Packet>,
    /// Credits on their way: when each comes, and to which lane.
    credits: Vec<(u64, usize)>,
    draws: Stream,
    /// This cycle.
    now: u64,
}

/// Runs open-loop traffic of messages of one packet with wormhole switching.
///
/// As in `BookSim2`, packets count whose NIC turns to them after the warm-up and that were made before the end of the window;
/// the run ends when all of these have arrived.
pub fn wormhole(network: &Network, config: &Config, traffic: &Traffic) -> Result<Outcome, PatternError> {
    let pipeline = Pipeline { flit: 3, credit: 4, nic: 2, node_credit: 4, whole_packets: false };
    let mut machine = Machine::new(Net::new(network, config), Source::new(network, config, traffic)?, pipeline);
    let end = machine.source.window.end;
    let is_due = |message: &Message| message.missing > 0 && message.created < end;
    for cycle in 0.. {
        machine.begin(cycle);
        (0..network.switches() as usize).for_each(|switch| machine.step_wormhole(switch));
        if cycle * machine.net.clock >= end && !machine.source.messages.iter().any(is_due) {
            break;
        }
    }
    Ok(machine.source.seen)
}

/// Runs open-loop traffic of messages of one full packet with output buffers, until the end of the window.
pub fn output_queued(network: &Network, config: &Config, traffic: &Traffic) -> Result<Outcome, PatternError> {
    let pipeline = Pipeline { flit: 1, credit: 1, nic: 1, node_credit: 0, whole_packets: true };
    let mut machine = Machine::new(Net::new(network, config), Source::new(network, config, traffic)?, pipeline);
    for cycle in 0..machine.source.window.end / machine.net.clock {
        machine.begin(cycle);
        (0..network.switches() as usize).for_each(|switch| machine.step_output_queued(switch));
    }
    Ok(machine.source.seen)
}

impl<'a> Machine<'a> {
    fn new(net: Net<'a>, source: Source<'a>, pipeline: Pipeline) -> Self {
        let slots = net.back.len() * net.vcs;
        let lane = Buffer { credits: net.config.switch.buffer_flits.into(), ..Buffer::default() };
        Machine {
            queues: vec![Buffer::default(); slots],
            lanes: vec![lane; slots],
            input_pointers: vec![(0, 0); net.ports],
            output_pointers: vec![0; net.ports],
            packets: Vec::new(),
            credits: Vec::new(),
            draws: Stream::new(net.config.seed, Purpose::Routing, 0),
            now: 0,
            net,
            source,
            pipeline,
        }
    }

    /// Begins a cycle: nodes make messages, credits come, and NICs send.
    fn begin(&mut self, cycle: u64) {
        self.now = cycle;
        self.source.make(cycle);
        self.packets.resize(self.source.messages.len(), Packet::default());
        self.credits.retain(|&(at, lane)| {
            self.lanes[lane].credits += u64::from(at == cycle);
            at > cycle
        });
        (0..self.source.waiting.len()).for_each(|node| self.inject(node));
    }

    /// Lets a NIC send a flit.
    fn inject(&mut self, node: usize) {
        let queue = (self.net.ports + node) * self.net.vcs;
        if self.queues[queue].flits.is_empty() {
            let Some(packet) = self.source.waiting[node].pop_front() else { return };
            self.source.begin(packet, self.now);
            let Message { to, flits, .. } = self.source.messages[packet];
            self.packets[packet].trip.to = to;
            let flit = |number| Flit { packet, head: number == 1, tail: number == flits, ..Flit::default() };
            self.queues[queue].flits.extend((1..=flits).map(flit));
        }
        if self.queues[queue].partner.is_none() {
            let whole = self.pipeline.whole_packets;
            let room = if whole { self.net.config.switch.packet_flits.into() } else { 1 };
            let with_room = (queue..queue + self.net.vcs).filter(|&lane| self.lanes[lane].credits >= room);
            let Some(lane) = with_room.min_by_key(|lane| lane.wrapping_sub(self.queues[queue].pointer)) else { return };
            self.queues[queue].pointer = if whole { 0 } else { lane + 1 };
            self.join(queue, lane);
        }
        self.ready(queue).into_iter().for_each(|lane| self.send(queue, lane));
    }

    /// Returns the lanes that a packet may take at a switch, adaptive ones and escapes. On grids, escapes go by dimension order, the shorter
    /// way round, or one drawn where both are as long, on virtual channels that depend on whether the packet came into the dimension
    /// above its target.
    fn permitted(&mut self, switch: usize, packet: usize, vcs: impl Fn(bool) -> Range<usize>) -> [Vec<usize>; 2] {
        let trip = self.packets[packet].trip;
        let [adaptive, mut escape] = self.net.permitted(switch, trip);
        if switch == self.net.target(trip) {
            escape = with_vcs([escape[0].0], self.net.vcs_to_node(trip));
        } else if let Geometry::Grid(grid) = &self.net.network.geometry {
            let (dimension, [from, to], up) = self.net.leg(grid, switch, trip);
            let begin = || (up.unwrap_or_else(|| self.draws.below(2) == 0), from > to);
            let &mut (up, above) = self.packets[packet].legs.entry(dimension).or_insert_with(begin);
            escape = with_vcs(self.net.trunk(grid, switch, dimension, up), vcs(above));
        }
        let lane = |(port, vc)| port * self.net.vcs + vc;
        [adaptive, escape].map(|outputs| outputs.into_iter().map(lane).collect())
    }

    /// Lets lanes of a switch choose in turn among the heads without a lane that `ask` for them.
    fn allocate_lanes(&mut self, switch: usize, ask: impl Fn(&mut Self, usize, Flit) -> Option<usize>) -> Vec<Pair> {
        let slots = self.net.slots(switch);
        let mut ask = |queue: usize| {
            let head = self.front(&self.queues[queue]).filter(|_| self.queues[queue].partner.is_none())?;
            Some((ask(self, queue, head)?, queue))
        };
        let asked: Vec<Pair> = slots.clone().filter_map(&mut ask).collect();
        let turn = |(lane, queue): Pair| (queue - slots.start).wrapping_sub(self.lanes[lane].pointer);
        let chosen = choose(&asked, |(lane, _)| lane, turn);
        chosen.iter().for_each(|&(lane, queue)| self.join(queue, lane));
        chosen
    }

    /// Lets the packet in front of a queue have a lane until its tail has left the queue.
    fn join(&mut self, queue: usize, lane: usize) {
        (self.queues[queue].partner, self.lanes[lane].partner) = (Some(lane), Some(queue));
    }

    /// Returns the flit in front of a queue or an output's buffer, if it is there yet.
    fn front(&self, buffer: &Buffer) -> Option<Flit> {
        buffer.flits.front().copied().filter(|flit| flit.at <= self.now)
    }

    /// Returns the lane of the packet in front of a queue, if that can send a flit.
    fn ready(&self, queue: usize) -> Option<usize> {
        let lane = self.queues[queue].partner.filter(|&lane| self.lanes[lane].credits > 0);
        lane.filter(|_| self.front(&self.queues[queue]).is_some())
    }

    /// Sends the flit in front of a queue over its lane's link.
    fn send(&mut self, queue: usize, lane: usize) {
        self.take(queue, lane).into_iter().for_each(|flit| self.forward(flit, lane));
    }

    /// Takes the flit in front of a queue, whose packet has a lane, and sends a credit back.
    fn take(&mut self, queue: usize, lane: usize) -> Option<Flit> {
        let flit = self.queues[queue].flits.pop_front_if(|flit| flit.at <= self.now)?;
        if flit.tail {
            (self.queues[queue].partner, self.lanes[lane].partner) = (None, None);
        }
        let (input, vc) = (queue / self.net.vcs, queue % self.net.vcs);
        if input < self.net.ports {
            let feeder = self.net.back[input];
            let delay = if feeder < self.net.ports { self.pipeline.credit } else { self.pipeline.nic };
            self.credits.push((self.now + delay, feeder * self.net.vcs + vc));
        }
        Some(flit)
    }

    /// Sends a flit over the link of a lane, which has room.
    fn forward(&mut self, flit: Flit, lane: usize) {
        let (output, vc) = (lane / self.net.vcs, lane % self.net.vcs);
        let at = self.now + if output < self.net.ports { self.pipeline.flit } else { self.pipeline.nic };
        self.lanes[lane].credits -= 1;
        self.packets[flit.packet].trip.hops += usize::from(flit.head);
        let input = self.net.back[output];
        if input >= self.net.ports {
            self.credits.push((at + self.pipeline.node_credit, lane));
            if flit.tail {
                self.source.deliver(flit.packet, self.source.messages[flit.packet].flits, at * self.net.clock);
            }
            return;
        }
        self.queues[input * self.net.vcs + vc].flits.push_back(Flit { at, input, ..flit });
        if flit.head && !self.pipeline.whole_packets {
            self.route(flit.packet, self.net.switch(input));
        }
    }

    /// Lets a switch with wormhole switching do what it does in a cycle.
    ///
    /// Both allocators see the state before any flit is sent, and that of the switch none whose packet gets its lane now.
    fn step_wormhole(&mut self, switch: usize) {
        let granted = self.allocate_switch(switch);
        let first = self.net.slots(switch).start;
        for (lane, queue) in self.allocate_lanes(switch, Self::first_free_lane) {
            (self.lanes[lane].pointer, self.queues[queue].pointer) = (queue - first + 1, lane + 1);
        }
        granted.into_iter().for_each(|(lane, queue)| self.send(queue, lane));
    }

    /// Lets the head of a queue ask for a lane.
    fn first_free_lane(&mut self, queue: usize, head: Flit) -> Option<usize> {
        let lanes = self.packets[head.packet].route.iter().copied();
        let free = lanes.filter(|&lane| self.lanes[lane].partner.is_none());
        free.min_by_key(|lane| lane.wrapping_sub(self.queues[queue].pointer))
    }

    /// Allocates the switch to flits of packets that have a lane with room.
    fn allocate_switch(&mut self, switch: usize) -> Vec<Pair> {
        let vcs = self.net.vcs;
        let ready = |queue: usize| Some((self.ready(queue)?, queue));
        let asked: Vec<Pair> = self.net.slots(switch).filter_map(ready).collect();
        // Of the virtual channels that want the same output, and then of the outputs, the first in turn.
        let input_turn = |(lane, queue): Pair| {
            let (output, vc) = self.input_pointers[queue / vcs];
            ((lane / vcs).wrapping_sub(output), (queue % vcs).wrapping_sub(vc))
        };
        let output_turn = |(lane, queue): Pair| (queue / vcs).wrapping_sub(self.output_pointers[lane / vcs]);
        let chosen = choose(&asked, |(_, queue)| queue / vcs, input_turn);
        let granted = choose(&chosen, |(lane, _)| lane / vcs, output_turn);
        for &(lane, queue) in &granted {
            self.output_pointers[lane / vcs] = queue / vcs + 1;
            self.input_pointers[queue / vcs] = (lane / vcs + 1, queue % vcs + 1);
        }
        granted
    }

    /// Finds the lanes that a packet may take at a switch to which it is on the way.
    ///
    /// On rings, packets that will wrap around upwards, or not wrap around downwards, take the second half of the virtual channels.
    /// On trees, packets take of two outputs drawn at random the one with more credits.
    fn route(&mut self, packet: usize, switch: usize) {
        let (vcs, half) = (self.net.vcs, self.net.vcs / 2);
        let [_, mut route] = self.permitted(switch, packet, |above| if above { half..2 * half } else { 0..half });
        if self.net.is_tree() {
            let ports: Vec<usize> = route.iter().step_by(vcs).map(|lane| lane / vcs).collect();
            let [one, other] = [0; 2].map(|_| ports[self.draws.below(ports.len() as u32) as usize]);
            let room = |port: usize| self.lanes[port * vcs..][..vcs].iter().map(|lane| lane.credits).sum::<u64>();
            let port = if room(one) < room(other) { other } else { one };
            route.retain(|lane| lane / vcs == port);
        }
        self.packets[packet].route = route;
    }

    /// Lets a switch with output buffers do what it does in a cycle.
    ///
    /// iSLIP of one iteration: outputs choose among those who ask, and as each asks for one, all that are chosen accept. The pointers
    /// of both move on by one. Then phits of packets that have a lane cross into its buffer, and links take phits out of theirs.
    fn step_output_queued(&mut self, switch: usize) {
        let slots = self.net.slots(switch);
        for (lane, _) in self.allocate_lanes(switch, Self::draw_lane) {
            self.lanes[lane].pointer = (self.lanes[lane].pointer + 1) % slots.len();
        }
        for lane in slots {
            let phit = self.lanes[lane].partner.and_then(|queue| self.take(queue, lane));
            self.lanes[lane].flits.extend(phit.map(|phit| Flit { at: self.now + 1, ..phit }));
        }
        self.net.ports(switch).for_each(|port| self.transmit(port));
    }

    /// Lets the head of a queue ask for a lane; on trees, for one of an output with the shortest queues.
    fn draw_lane(&mut self, _: usize, Flit { packet, input, .. }: Flit) -> Option<usize> {
        let escapes = usize::from(self.net.config.switch.vcs.adaptive)..self.net.vcs;
        let [mut adaptive, mut escape] = self.permitted(self.net.switch(input), packet, |_| escapes.clone());
        let room = u64::from(self.net.config.switch.buffer_flits);
        let fits = |&lane: &usize| {
            let Buffer { flits, partner, .. } = &self.lanes[lane];
            partner.is_none() && flits.len() as u64 + self.need(input, lane) <= room
        };
        adaptive.retain(|lane| !self.packets[packet].escaped && fits(lane));
        escape.retain(fits);
        let escapes = adaptive.is_empty();
        let mut candidates = if escapes { escape } else { adaptive };
        let shortest = candidates.iter().map(|&lane| self.queued(lane)).min()?;
        candidates.retain(|&lane| !self.net.is_tree() || self.queued(lane) == shortest);
        self.packets[packet].escaped |= escapes;
        Some(candidates[self.draws.below(candidates.len() as u32) as usize])
    }

    /// Returns the phits in the buffers of a lane's output, and those that it has sent and knows no room for.
    fn queued(&self, lane: usize) -> u64 {
        let lanes = &self.lanes[lane - lane % self.net.vcs..][..self.net.vcs];
        let here = |lane: &Buffer| lane.flits.iter().filter(|phit| phit.at <= self.now).count() as u64;
        lanes.iter().map(|lane| here(lane) + u64::from(self.net.config.switch.buffer_flits) - lane.credits).sum()
    }

    /// Returns the room that a head needs: its packet's, and with bubbles that of one more where it turns into a ring or leaves.
    fn need(&self, input: usize, lane: usize) -> u64 {
        let turns = self.net.network.port_class[input] != self.net.network.port_class[lane / self.net.vcs];
        let bubble = turns && matches!(self.net.network.geometry, Geometry::Grid(_));
        u64::from(self.net.config.switch.packet_flits) * if bubble { 2 } else { 1 }
    }

    /// Sends a phit over a link: one of a packet that is under way, else of the virtual channel whose turn it is.
    fn transmit(&mut self, port: usize) {
        let turn = |lane: usize| {
            let phit = self.front(&self.lanes[lane])?;
            let needs = if phit.head { self.need(phit.input, lane) } else { 1 };
            let turn = (phit.head, lane.wrapping_sub(self.output_pointers[port]), lane);
            (self.lanes[lane].credits >= needs).then_some(turn)
        };
        let lanes = port * self.net.vcs..(port + 1) * self.net.vcs;
        let Some((.., lane)) = lanes.filter_map(turn).min() else { return };
        if let Some(phit) = self.lanes[lane].flits.pop_front() {
            self.output_pointers[port] = lane + usize::from(phit.tail);
            self.forward(phit, lane);
        }
    }
}
