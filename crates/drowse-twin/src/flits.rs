//! The switches of two other simulators, flit by flit, with virtual channels. A message is one packet. Bandwidths,
//! wires and hops of the [`Config`] are not used: a flit, or phit, takes a cycle.
//!
//! [`wormhole`]: wormhole switching and input queues, `BookSim2`'s `iq` router (Jiang et al., 2013; Dally and Towles,
//! Principles and Practices of Interconnection Networks, chapter 16) with these parameters: lookahead routing; one
//! cycle each for virtual-channel allocation, switch allocation and switch traversal; private buffers; a virtual
//! channel is free again when its tail has been sent; separable input-first allocators with round-robin arbiters and
//! one iteration.
//!
//! [`output_queued`]: input and output buffers, the `InputOutput` router of CAMINOS 0.6.3 (Camarero, Postigo and
//! Fuentes) with iSLIP of one iteration over (port, virtual channel), a crossbar with an input per virtual channel, and
//! bubble flow control on tori: a packet that enters a ring leaves room for another one. A packet requests one output
//! and virtual channel, drawn among those with room in the output's buffer, busy or not. A phit that crosses at cycle
//! `t` is in the output's buffer at `t + 1`.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use drowse_core::model::config::Config;
use drowse_core::model::rng::{Purpose, Stream};
use drowse_core::topology::{Geometry, Network};
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::arbiter::arbitrate;
use crate::net::{Net, Trip, with_vcs};
use crate::source::{Message, Outcome, Source};

/// A lane (an output's virtual channel) and a queue of the same switch.
type Pair = (usize, usize);

/// A flit.
#[derive(Clone, Copy, Debug, Default)]
struct Flit {
    packet: usize,
    head: bool,
    tail: bool,
    /// Its arrival time in its queue or buffer.
    at: u64,
    /// The input port.
    input: usize,
}

/// The route of a message's packet.
#[derive(Clone, Debug, Default)]
struct Packet {
    trip: Trip,
    /// By dimension travelled in dimension order: whether upwards, and whether it entered the dimension above its
    /// target.
    legs: BTreeMap<usize, (bool, bool)>,
    /// Whether it has taken an escape.
    escaped: bool,
    /// The permitted lanes, found by lookahead routing.
    route: Vec<usize>,
}

/// A virtual channel of an input port (a queue), or of an output port or NIC (a lane), numbered by port and virtual
/// channel. The unsent flits of a NIC's packet are a queue, too, with the number of the NIC's first lane.
#[derive(Clone, Debug, Default)]
struct Buffer {
    /// Its flits, including those on their way to it. A lane has flits only if outputs have buffers.
    flits: VecDeque<Flit>,
    /// The lane held by the first packet of a queue, or the queue whose packet holds a lane.
    partner: Option<usize>,
    /// Its round-robin pointer.
    pointer: usize,
    /// The credits of a lane.
    credits: u64,
}

/// The differences of the two switches: delays in cycles, and where packets wait.
#[derive(Clone, Copy, Debug)]
struct Pipeline {
    /// From a switch to the next switch's queue or to a node, for a flit.
    flit: u64,
    /// From a queue to the switch before, for a credit.
    credit: u64,
    /// From a NIC to its switch for a flit, and back for a credit.
    nic: u64,
    /// From a node for a credit, which the node sends when it has the flit.
    node_credit: u64,
    /// Whether whole packets need room: in output buffers, and from NICs on the first virtual channel with room.
    /// Otherwise, single flits need room, NICs select virtual channels round-robin, and packets use lookahead routing.
    whole_packets: bool,
}

/// All switches and NICs.
struct Machine<'a> {
    net: Net<'a>,
    source: Source<'a>,
    pipeline: Pipeline,
    queues: Vec<Buffer>,
    lanes: Vec<Buffer>,
    /// Round-robin pointers of inputs among outputs, and then among virtual channels.
    input_pointers: Vec<(usize, usize)>,
    /// Round-robin pointers of outputs among inputs, or with output buffers among lanes.
    output_pointers: Vec<usize>,
    /// By message.
    packets: Vec<Packet>,
    /// Returning credits: arrival time and lane.
    credits: Vec<(u64, usize)>,
    draws: Stream,
    /// This cycle.
    now: u64,
}

/// Runs open-loop traffic of messages of one packet with wormhole switching.
///
/// As in `BookSim2`, a packet counts if its NIC begins to send it after the warm-up and it was generated before the end
/// of the window. The run ends when all of these have arrived.
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
    Ok(machine.source.outcome)
}

/// Runs open-loop traffic of messages of one full packet with output buffers, until the end of the window.
pub fn output_queued(network: &Network, config: &Config, traffic: &Traffic) -> Result<Outcome, PatternError> {
    let pipeline = Pipeline { flit: 1, credit: 1, nic: 1, node_credit: 0, whole_packets: true };
    let mut machine = Machine::new(Net::new(network, config), Source::new(network, config, traffic)?, pipeline);
    for cycle in 0..machine.source.window.end / machine.net.clock {
        machine.begin(cycle);
        (0..network.switches() as usize).for_each(|switch| machine.step_output_queued(switch));
    }
    Ok(machine.source.outcome)
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

    /// Begins a cycle: nodes generate messages, credits arrive, and NICs send.
    fn begin(&mut self, cycle: u64) {
        self.now = cycle;
        self.source.generate(cycle);
        self.packets.resize(self.source.messages.len(), Packet::default());
        self.credits.retain(|&(at, lane)| {
            self.lanes[lane].credits += u64::from(at == cycle);
            at > cycle
        });
        (0..self.source.waiting.len()).for_each(|node| self.inject(node));
    }

    /// Sends a flit of a NIC.
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

    /// Returns the permitted lanes of a packet at a switch, adaptive ones and escapes. On grids, escapes follow
    /// dimension order in the shorter direction, which is drawn if both are equally long. Their virtual channels depend
    /// on whether the packet entered the dimension above its target.
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

    /// Allocates lanes of a switch, round-robin, to the heads without a lane, which `select` one each.
    fn allocate_lanes(&mut self, switch: usize, select: impl Fn(&mut Self, usize, Flit) -> Option<usize>) -> Vec<Pair> {
        let slots = self.net.slots(switch);
        let mut request = |queue: usize| {
            let head = self.front(&self.queues[queue]).filter(|_| self.queues[queue].partner.is_none())?;
            Some((select(self, queue, head)?, queue))
        };
        let requests: Vec<Pair> = slots.clone().filter_map(&mut request).collect();
        let priority = |(lane, queue): Pair| (queue - slots.start).wrapping_sub(self.lanes[lane].pointer);
        let granted = arbitrate(&requests, |(lane, _)| lane, priority);
        granted.iter().for_each(|&(lane, queue)| self.join(queue, lane));
        granted
    }

    /// Assigns a lane to the first packet of a queue until its tail has left the queue.
    fn join(&mut self, queue: usize, lane: usize) {
        (self.queues[queue].partner, self.lanes[lane].partner) = (Some(lane), Some(queue));
    }

    /// Returns the first flit of a queue or an output buffer, if it has arrived.
    fn front(&self, buffer: &Buffer) -> Option<Flit> {
        buffer.flits.front().copied().filter(|flit| flit.at <= self.now)
    }

    /// Returns the lane of the first packet of a queue, if that can send a flit.
    fn ready(&self, queue: usize) -> Option<usize> {
        let lane = self.queues[queue].partner.filter(|&lane| self.lanes[lane].credits > 0);
        lane.filter(|_| self.front(&self.queues[queue]).is_some())
    }

    /// Sends the first flit of a queue over its lane's link.
    fn send(&mut self, queue: usize, lane: usize) {
        self.take(queue, lane).into_iter().for_each(|flit| self.forward(flit, lane));
    }

    /// Takes the first flit of a queue, whose packet has a lane, and returns a credit.
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

    /// Sends a flit over the link of a lane that has credits.
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

    /// Simulates one cycle of a switch with wormhole switching.
    ///
    /// Both allocators use the state before any flit is sent. The switch allocator ignores packets that get their lane
    /// in this cycle.
    fn step_wormhole(&mut self, switch: usize) {
        let granted = self.allocate_switch(switch);
        let first = self.net.slots(switch).start;
        for (lane, queue) in self.allocate_lanes(switch, Self::first_free_lane) {
            (self.lanes[lane].pointer, self.queues[queue].pointer) = (queue - first + 1, lane + 1);
        }
        granted.into_iter().for_each(|(lane, queue)| self.send(queue, lane));
    }

    /// Returns the free lane that the head of a queue requests.
    fn first_free_lane(&mut self, queue: usize, head: Flit) -> Option<usize> {
        let lanes = self.packets[head.packet].route.iter().copied();
        let free = lanes.filter(|&lane| self.lanes[lane].partner.is_none());
        free.min_by_key(|lane| lane.wrapping_sub(self.queues[queue].pointer))
    }

    /// Allocates the switch to flits of packets whose lane has credits.
    fn allocate_switch(&mut self, switch: usize) -> Vec<Pair> {
        let vcs = self.net.vcs;
        let ready = |queue: usize| Some((self.ready(queue)?, queue));
        let requests: Vec<Pair> = self.net.slots(switch).filter_map(ready).collect();
        // An input arbitrates among outputs, then among virtual channels for the same output.
        let input_priority = |(lane, queue): Pair| {
            let (output, vc) = self.input_pointers[queue / vcs];
            ((lane / vcs).wrapping_sub(output), (queue % vcs).wrapping_sub(vc))
        };
        let output_priority = |(lane, queue): Pair| (queue / vcs).wrapping_sub(self.output_pointers[lane / vcs]);
        let selected = arbitrate(&requests, |(_, queue)| queue / vcs, input_priority);
        let granted = arbitrate(&selected, |(lane, _)| lane / vcs, output_priority);
        for &(lane, queue) in &granted {
            self.output_pointers[lane / vcs] = queue / vcs + 1;
            self.input_pointers[queue / vcs] = (lane / vcs + 1, queue % vcs + 1);
        }
        granted
    }

    /// Finds the permitted lanes of a packet at the next switch.
    ///
    /// On rings, packets that will wrap around upwards, or not wrap around downwards, use the second half of the
    /// virtual channels. On trees, two outputs are drawn at random, and the packet takes the one with more credits.
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

    /// Simulates one cycle of a switch with output buffers.
    ///
    /// iSLIP of one iteration: outputs arbitrate among requests. Each head requests one output, so it accepts the
    /// grant. The pointers of both advance by one. Then phits of packets with a lane cross into its buffer, and links
    /// send phits of theirs.
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

    /// Returns the lane that the head of a queue requests; on trees, one of an output with the shortest queues.
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

    /// Returns the phits in the buffers of a lane's output plus its outstanding credits.
    fn queued(&self, lane: usize) -> u64 {
        let lanes = &self.lanes[lane - lane % self.net.vcs..][..self.net.vcs];
        let here = |lane: &Buffer| lane.flits.iter().filter(|phit| phit.at <= self.now).count() as u64;
        lanes.iter().map(|lane| here(lane) + u64::from(self.net.config.switch.buffer_flits) - lane.credits).sum()
    }

    /// Returns the room that a head needs: its packet's, and with bubbles that of one more packet if it changes
    /// dimension.
    fn need(&self, input: usize, lane: usize) -> u64 {
        let enters = self.net.network.port_class[input] != self.net.network.port_class[lane / self.net.vcs];
        let bubble = enters && matches!(self.net.network.geometry, Geometry::Grid(_));
        u64::from(self.net.config.switch.packet_flits) * if bubble { 2 } else { 1 }
    }

    /// Sends a phit over a link: one of a packet in progress, else one of the virtual channel with priority.
    fn transmit(&mut self, port: usize) {
        let priority = |lane: usize| {
            let phit = self.front(&self.lanes[lane])?;
            let needs = if phit.head { self.need(phit.input, lane) } else { 1 };
            let priority = (phit.head, lane.wrapping_sub(self.output_pointers[port]), lane);
            (self.lanes[lane].credits >= needs).then_some(priority)
        };
        let lanes = port * self.net.vcs..(port + 1) * self.net.vcs;
        let Some((.., lane)) = lanes.filter_map(priority).min() else { return };
        if let Some(phit) = self.lanes[lane].flits.pop_front() {
            self.output_pointers[port] = lane + usize::from(phit.tail);
            self.forward(phit, lane);
        }
    }
}
