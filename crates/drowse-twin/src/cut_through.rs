//! Virtual cut-through as in ARCHITECTURE.md and [`drowse_core::engine`], cycle by cycle.
//!
//! In every clock cycle, NICs first send what falls between the last edge and this one. Then, at the edge, the
//! allocator of every switch visits every head. Times are picoseconds, because wires, bandwidths and sleep need not be
//! whole cycles.

use std::collections::VecDeque;
use std::iter::repeat_n;
use std::ops::Range;

use drowse_core::model::config::Config;
use drowse_core::power::StallTimer;
use drowse_core::topology::Network;
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::channel::Channel;
use crate::net::{Net, Output, Trip};
use crate::source::{Outcome, Source};

/// A packet in an input queue, or on its way to one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Packet {
    pub message: usize,
    pub first: bool,
    pub flits: u64,
    pub trip: Trip,
    /// When its head reaches the queue.
    pub head_at: u64,
    /// The begin of its wait for sleeping outputs.
    pub waits_since: Option<u64>,
    /// Whether it has found no output at this switch before.
    pub compared: bool,
    /// The output that it has selected at this switch although that slept.
    pub selected: Option<Output>,
    /// Whether none of its outputs was on at this switch, or it selected one that slept.
    pub delayed: bool,
}

/// All switches, channels and NICs.
pub(crate) struct Machine<'a> {
    pub net: Net<'a>,
    /// The channels of ports, then those of NICs.
    pub channels: Vec<Channel<'a>>,
    /// The packets of each input queue, numbered by port and virtual channel.
    pub queues: Vec<VecDeque<Packet>>,
    /// When each reader is free. A reader is a read port of an input port, numbered by port and virtual channel.
    pub busy_until: Vec<u64>,
    /// Round-robin pointers: a queue's among outputs and virtual channels, a reader's among virtual channels, an
    /// output's among the readers of its switch, a NIC's among virtual channels.
    pub queue_pointers: Vec<usize>,
    pub reader_pointers: Vec<usize>,
    pub output_pointers: Vec<usize>,
    nic_pointers: Vec<usize>,
    /// By node: packets that its NIC has sent, and whether a message has waited for the injection channel to wake.
    sent: Vec<u64>,
    delayed: Vec<bool>,
    pub source: Source<'a>,
    /// The time of this clock edge.
    pub now: u64,
}

/// Runs open-loop traffic. The engine must accept the parameters.
///
/// A run with a drain ends when all packets are delivered; the twin never gives up.
pub fn run(network: &Network, config: &Config, sleep: &StallTimer, traffic: &Traffic) -> Result<Outcome, PatternError> {
    let mut machine = Machine::new(Net::new(network, config), Source::new(network, config, traffic)?, sleep);
    let Range { start, end } = machine.source.window;
    for cycle in 0.. {
        let t = cycle * machine.net.clock;
        // The end of traffic is decided at the end of the window and every 1,024 cycles after it.
        let decides = t == end || (t > end && cycle % 1_024 == 0);
        if decides && machine.source.messages.iter().all(|message| message.missing == 0 || !message.counts) {
            machine.source.nodes.clear();
        }
        if t != end || traffic.drain {
            machine.step(cycle);
        }
        if t == start || t == end {
            machine.source.outcome.channels = machine.channels.iter_mut().map(|channel| channel.account(t)).collect();
        }
        if t >= end && (!traffic.drain || machine.source.is_over()) {
            break;
        }
    }
    Ok(machine.source.outcome)
}

impl<'a> Machine<'a> {
    fn new(net: Net<'a>, source: Source<'a>, sleep: &StallTimer) -> Self {
        let Net { network, config, vcs, ports, .. } = net;
        let readers = ports * usize::from(config.switch.input_speedup);
        let nodes = network.nodes as usize;
        let classes = network.port_class.iter().chain(repeat_n(&0, nodes)).map(|&class| usize::from(class));
        let channel = |class: usize| Channel::new(&config.classes[class], sleep.timers[class], &config.switch);
        Machine {
            channels: classes.map(channel).collect(),
            queues: vec![VecDeque::new(); ports * vcs],
            busy_until: vec![0; readers],
            queue_pointers: vec![0; ports * vcs],
            reader_pointers: vec![0; readers],
            output_pointers: vec![0; ports],
            nic_pointers: vec![0; nodes],
            sent: vec![0; nodes],
            delayed: vec![false; nodes],
            net,
            source,
            now: 0,
        }
    }

    /// Simulates one clock cycle, which ends with its edge.
    fn step(&mut self, cycle: u64) {
        self.now = cycle * self.net.clock;
        (0..self.sent.len()).for_each(|node| self.inject(node));
        self.source.generate(cycle);
        self.channels.iter_mut().for_each(|channel| channel.advance(self.now));
        for node in 0..self.sent.len() {
            // A message ends the idle period of the injection channel, whether it can be sent or not.
            if !self.source.waiting[node].is_empty() {
                self.channels[self.net.ports + node].add_waiter(node);
                self.inject(node);
            }
        }
        (0..self.net.network.switches() as usize).for_each(|switch| self.allocate(switch));
    }

    /// Sends all packets of a NIC that can be sent up to and at this edge, in order.
    fn inject(&mut self, node: usize) {
        let mut t = 0;
        while let Some(&message) = self.source.waiting[node].front() {
            let channel = &mut self.channels[self.net.ports + node];
            let message = &self.source.messages[message];
            t = t.max(message.created).max(channel.free_at).max(channel.awake_at);
            if t > self.now {
                return;
            }
            channel.advance(t);
            if !channel.is_on() {
                channel.wake(t);
                self.delayed[node] = true;
                continue;
            }
            let flits = message.unsent.min(self.net.config.switch.packet_flits.into());
            let with_room = (0..self.net.vcs).filter(|&vc| channel.credits[vc] >= flits);
            match with_room.min_by_key(|vc| vc.wrapping_sub(self.nic_pointers[node])) {
                Some(vc) => self.send(node, vc, flits, t),
                None => t = channel.returning.iter().map(|&(at, ..)| at).min().unwrap_or(u64::MAX),
            }
        }
    }

    /// Sends a packet of a NIC at time `t`.
    fn send(&mut self, node: usize, vc: usize, flits: u64, t: u64) {
        let channel = &mut self.channels[self.net.ports + node];
        let waiting = &mut self.source.waiting[node];
        let number = waiting[0];
        let message = &mut self.source.messages[number];
        let first = message.unsent == message.flits;
        if first && std::mem::take(&mut self.delayed[node]) {
            channel.delay(message.created);
        }
        channel.credits[vc] -= flits;
        channel.send(flits, t);
        message.unsent -= flits;
        if message.unsent == 0 {
            waiting.pop_front();
        }
        if waiting.is_empty() {
            channel.remove_waiter(node, t);
        }
        self.nic_pointers[node] = vc + 1;
        self.sent[node] += 1;
        self.source.outcome.injected += 1;
        let trip = self.net.trip(node, message.to, self.sent[node]);
        let head_at = t + self.net.config.node.nic_latency.0 + channel.class.latency.0;
        let packet = Packet { message: number, first, flits, trip, head_at, ..Packet::default() };
        self.queues[self.net.back[self.net.ports + node] * self.net.vcs + vc].push_back(packet);
    }

    /// Moves a packet that leaves a switch from `start` to `end` into the next queue or to its node.
    pub fn forward(&mut self, packet: Packet, (port, vc): Output, start: u64, end: u64) {
        self.source.outcome.hops += 1;
        let channel = &mut self.channels[port];
        let hop = channel.class.hop.0;
        if packet.first && packet.delayed && channel.awake_at > packet.head_at {
            channel.delay(packet.head_at);
        }
        let next = self.net.back[port];
        if next >= self.net.ports {
            let at = end + hop + self.net.config.node.nic_latency.0;
            return self.source.deliver(packet.message, packet.flits, at);
        }
        channel.credits[vc] -= packet.flits;
        let trip = Trip { hops: packet.trip.hops + 1, ..packet.trip };
        let packet = Packet {
            trip,
            head_at: start + hop,
            waits_since: None,
            compared: false,
            selected: None,
            delayed: false,
            ..packet
        };
        self.queues[next * self.net.vcs + vc].push_back(packet);
    }
}
