//! Virtual cut-through, as ARCHITECTURE.md and [`drowse_core::engine`] have it, cycle by cycle.
//!
//! In every clock cycle, NICs do what falls between the last edge and this one; then, at the edge, the allocator of every switch
//! looks at every head. Times are picoseconds, since wires, bandwidths and sleep need not be whole cycles.

use std::collections::VecDeque;

use drowse_core::config::Config;
use drowse_core::ids::{ChannelId, NodeId, PortId};
use drowse_core::power::StallTimer;
use drowse_core::rng;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{End, Geometry, Network};
use drowse_core::units::Time;
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::Outcome;
use crate::channel::Channel;
use crate::groups;
use crate::power::Power;
use crate::routes::{Output, Routes};
use crate::source::Source;

/// A packet, in the queue of the input port that it is in or on its way to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Packet {
    pub message: usize,
    pub first: bool,
    pub flits: u64,
    /// What routing remembers.
    pub memory: u16,
    /// When its head reaches the queue.
    pub head_at: u64,
    /// Since when it waits for sleeping outputs.
    pub waits_since: Option<u64>,
    /// It found none of its outputs on at this switch, or chose one that slept.
    pub delayed: bool,
}

/// A way out of an input port, which sends one packet at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    /// When the last bit of its packet has left.
    pub busy_until: u64,
    /// Where its arbiter looks first among its virtual channels.
    pub pointer: u16,
}

/// An input queue: one virtual channel of an input port.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    pub packets: VecDeque<Packet>,
    /// Where its arbiter looks first among outputs and virtual channels.
    pub pointer: u16,
    /// What its head has chosen although it slept.
    pub chosen: Option<Output>,
}

/// The messages of a node.
#[derive(Clone, Debug, Default)]
struct Nic {
    messages: VecDeque<usize>,
    /// Packets sent.
    packets: u64,
    /// Where the choice of a virtual channel looks first.
    pointer: usize,
    /// A message waited for the channel to wake.
    delayed: bool,
}

/// The whole machine.
pub(crate) struct Machine<'a> {
    pub network: &'a Network,
    pub config: &'a Config,
    pub vcs: usize,
    pub speedup: usize,
    pub routes: Routes<'a>,
    pub channels: Vec<Channel<'a>>,
    /// By port and virtual channel.
    pub queues: Vec<Queue>,
    /// By port and number of the reader.
    pub readers: Vec<Reader>,
    /// Where each output's arbiter looks first among the readers of its switch.
    pub output_pointers: Vec<u16>,
    nics: Vec<Nic>,
    pub source: Source<'a>,
    /// The time of this clock edge.
    pub now: u64,
}

/// Runs open-loop traffic; parameters must be such as the engine takes.
///
/// A run with a drain ends when all is delivered: the twin does not give up.
pub fn run(
    network: &Network,
    config: &Config,
    policy: &StallTimer,
    traffic: &Traffic,
) -> Result<Outcome, PatternError> {
    let mut machine = Machine::new(network, config, policy, Source::new(network, config, traffic)?);
    let clock = config.switch.clock.0;
    let (start, end) = (traffic.warmup.0, (traffic.warmup + traffic.measure).0);
    let mut at_start = Vec::new();
    for cycle in 0.. {
        let t = cycle * clock;
        // Whether traffic goes on is decided at the window's end and every 1,024 cycles.
        if t >= end && (t < end + clock || cycle % 1_024 == 0) {
            if !traffic.drain {
                machine.advance(end);
                machine.source.seen.channels = machine.records(end);
                break;
            }
            if machine.source.messages.iter().all(|message| message.packets_left == 0 || !message.counts) {
                machine.source.stop();
            }
        }
        machine.step(cycle);
        if t == start {
            at_start = machine.records(start);
            machine.channels.iter_mut().for_each(|channel| channel.asked_at = channel.asked_at.max(start));
        }
        if t == end {
            machine.source.seen.channels = machine.records(end);
        }
        let all_arrived = || machine.source.messages.iter().all(|message| message.packets_left == 0);
        if t > end && machine.source.is_silent() && all_arrived() {
            break;
        }
    }
    machine.source.seen.channels.iter_mut().zip(&at_start).for_each(|(record, before)| {
        record.residency.iter_mut().zip(before.residency).for_each(|(time, before)| *time = *time - before);
        record.wakes -= before.wakes;
        record.delayed_messages -= before.delayed_messages;
        record.time_lost = record.time_lost - before.time_lost;
        record.packets -= before.packets;
        record.flits -= before.flits;
    });
    Ok(machine.source.seen)
}

impl<'a> Machine<'a> {
    fn new(network: &'a Network, config: &'a Config, policy: &StallTimer, source: Source<'a>) -> Self {
        let switch = &config.switch;
        let (vcs, speedup) = (usize::from(switch.vcs.total()), usize::from(switch.input_speedup));
        let ports = network.ports() as usize;
        let channel = |id| {
            let number = usize::from(network.channel_class(ChannelId(id)));
            let class = &config.classes[number];
            let power = Power::new(policy.timers[number], class.states);
            Channel::new(class, switch.flit.0, vec![u64::from(switch.buffer_flits); vcs], power)
        };
        Machine {
            network,
            config,
            vcs,
            speedup,
            routes: Routes::new(network, config),
            channels: (0..network.channels()).map(channel).collect(),
            queues: vec![Queue::default(); ports * vcs],
            readers: vec![Reader::default(); ports * speedup],
            output_pointers: vec![0; ports],
            nics: vec![Nic::default(); network.nodes as usize],
            source,
            now: 0,
        }
    }

    /// Lets one clock cycle pass, which ends with its edge.
    fn step(&mut self, cycle: u64) {
        let t = cycle * self.config.switch.clock.0;
        self.now = t;
        (0..self.nics.len()).for_each(|node| self.inject(node, t));
        for (node, message) in self.source.make(cycle) {
            let channel = &mut self.channels[self.network.ports() as usize + node];
            channel.advance(t);
            channel.power.end_idle();
            self.nics[node].messages.push_back(message);
            self.inject(node, t);
        }
        self.advance(t);
        (0..self.network.switches() as usize).for_each(|switch| self.allocate(switch));
    }

    fn advance(&mut self, t: u64) {
        self.channels.iter_mut().for_each(|channel| channel.advance(t));
    }

    fn records(&self, t: u64) -> Vec<drowse_core::measure::ChannelRecord> {
        self.channels.iter().map(|channel| channel.record(t)).collect()
    }

    /// Lets a NIC send all packets that it can send up to and at time `until`, in order.
    fn inject(&mut self, node: usize, until: u64) {
        let id = self.network.ports() as usize + node;
        while let Some(&message) = self.nics[node].messages.front() {
            let channel = &mut self.channels[id];
            let mut t = self.source.messages[message].created.max(channel.free_at).max(channel.power.awake_at);
            if t > until {
                return;
            }
            channel.advance(t);
            if !channel.power.is_on() {
                channel.wake(t);
                self.nics[node].delayed = true;
                continue;
            }
            let flits = self.source.messages[message].unsent.min(u64::from(self.config.switch.packet_flits));
            let pointer = self.nics[node].pointer;
            let vc = loop {
                let vcs = channel.credits.len();
                let in_turn = (0..vcs).map(|i| (pointer + i) % vcs);
                if let Some(vc) = in_turn.into_iter().find(|&vc| channel.credits[vc] >= flits) {
                    break vc;
                }
                match channel.next_credit().filter(|&at| at <= until) {
                    Some(at) => t = at,
                    None => return,
                }
                channel.advance(t);
            };
            self.send(node, vc, flits, t);
        }
    }

    /// Lets a NIC send a packet at time `t`.
    fn send(&mut self, node: usize, vc: usize, flits: u64, t: u64) {
        let nic = &mut self.nics[node];
        let number = nic.messages[0];
        let message = &mut self.source.messages[number];
        let (first, created) = (message.unsent == message.flits, message.created);
        message.unsent -= flits;
        if message.unsent == 0 {
            nic.messages.pop_front();
        }
        nic.pointer = vc + 1;
        nic.packets += 1;
        let id = self.network.ports() as usize + node;
        let channel = &mut self.channels[id];
        if first && std::mem::take(&mut nic.delayed) {
            channel.delay(created);
        }
        channel.credits[vc] -= flits;
        channel.send(None, flits, t, !nic.messages.is_empty());
        self.source.seen.injected += 1;
        let mask = match (self.config.routing, &self.network.geometry) {
            (RoutingKind::Random, _) => u16::MAX,
            (RoutingKind::Minimal, Geometry::Groups(_)) => groups::CHANNEL - 1,
            _ => 0,
        };
        let draw = rng::draw(self.config.seed, rng::Purpose::Routing, node as u32, nic.packets) as u16;
        let memory = draw & mask;
        let head_at = t + self.config.node.nic_latency.0 + channel.class.latency.0;
        let packet = Packet { message: number, first, flits, memory, head_at, ..Packet::default() };
        let queue = self.queue(self.network.node_port[node] as usize, vc);
        self.queues[queue].packets.push_back(packet);
    }

    /// Lets a packet leave a switch from `start` to `end`: into the next queue, or to its node.
    pub fn forward(&mut self, packet: &Packet, (port, vc): Output, start: u64, end: u64) {
        self.source.seen.hops += 1;
        let channel = &mut self.channels[port];
        let Time(hop) = channel.class.hop;
        if packet.first && packet.delayed && channel.power.awake_at > packet.head_at {
            channel.delay(packet.head_at);
        }
        match self.network.target(ChannelId(port as u32)) {
            End::Node(NodeId(_)) => {
                let at = end + hop + self.config.node.nic_latency.0;
                self.source.deliver(packet.message, packet.flits, at);
            }
            End::Port(PortId(next)) => {
                channel.credits[vc] -= packet.flits;
                let memory = match self.config.routing {
                    RoutingKind::Random => packet.memory,
                    _ => self.routes.memory_after(port, packet.memory),
                };
                let queue = self.queue(next as usize, vc);
                let packet = Packet { memory, head_at: start + hop, waits_since: None, delayed: false, ..*packet };
                self.queues[queue].packets.push_back(packet);
            }
        }
    }

    /// Numbers an input queue.
    pub fn queue(&self, port: usize, vc: usize) -> usize {
        port * self.vcs + vc
    }
}
