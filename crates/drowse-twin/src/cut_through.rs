//! Virtual cut-through, or store-and-forward, as in ARCHITECTURE.md and [`drowse_core::engine`], cycle by cycle.
//!
//! In every clock cycle, NICs first send what falls between the last edge and this one. Then, at the edge, the
//! allocator of every switch visits every head. Times are picoseconds, because wires, bandwidths and sleep need not be
//! whole cycles.

use std::collections::{HashMap, VecDeque};
use std::iter::repeat_n;
use std::ops::Range;

use drowse_core::model::config::{ClassModel, Config, Injection};
use drowse_core::topology::Network;
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::allocate::Unit;
use crate::channel::Channel;
use crate::header::Header;
use crate::machine::{Machine, Packet};
use crate::net::{Net, Output, Trip};
use crate::nic::Nic;
use crate::outputs::{self, crossbar_channels};
use crate::policy::Policy;
use crate::source::{Outcome, Source};
use crate::trunk::trunks;

/// Runs open-loop traffic with a policy for each class. The engine must accept the parameters.
///
/// A run with a drain ends when all packets are delivered; the twin never gives up.
pub fn run(
    network: &Network,
    config: &Config,
    policies: &[Policy],
    traffic: &Traffic,
) -> Result<Outcome, PatternError> {
    let crossbars = outputs::crossbar_classes(config);
    let source = Source::new(network, config, traffic)?;
    let mut machine = Machine::new(Net::new(network, config), source, policies, &crossbars);
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
        if t == end {
            machine.channels.iter_mut().for_each(|channel| channel.end(t));
        }
        if t == start || t == end {
            let links = network.channels() as usize;
            machine.source.outcome.channels =
                machine.channels[..links].iter_mut().map(|channel| channel.account(t)).collect();
        }
        if t >= end && (!traffic.drain || machine.source.is_over() && machine.rests()) {
            break;
        }
    }
    Ok(machine.source.outcome)
}

impl<'a> Machine<'a> {
    fn new(net: Net<'a>, source: Source<'a>, policies: &'a [Policy], crossbars: &'a [ClassModel]) -> Self {
        let Net { network, config, ports, .. } = net;
        let ports_and_outputs = ports + if crossbars.is_empty() { 0 } else { ports };
        let queues = net.first_queue(ports_and_outputs);
        let readers = ports_and_outputs * usize::from(config.switch.input_speedup);
        let nodes = network.nodes as usize;
        let classes = network.port_class.iter().chain(repeat_n(&0, nodes)).map(|&class| usize::from(class));
        let channel = |(number, class): (usize, usize)| {
            Channel::new(number, &config.classes[class], &policies[class], &config.switch)
        };
        let machine = Machine {
            channels: classes.enumerate().map(channel).chain(crossbar_channels(&net, crossbars)).collect(),
            queues: vec![VecDeque::new(); queues],
            wires: Vec::new(),
            busy_until: vec![0; readers],
            queue_pointers: vec![0; queues],
            reader_pointers: vec![0; readers],
            output_pointers: vec![0; network.channels() as usize + ports],
            nic_pointers: vec![0; nodes],
            grants: 0,
            served_queues: vec![0; queues],
            served_ports: HashMap::new(),
            sent: vec![0; nodes],
            delayed: vec![false; nodes],
            trunks: trunks(&net, policies),
            net,
            source,
            peers: Vec::new(),
            nics: vec![Nic::default(); if config.transport.is_some() { nodes } else { 0 }],
            coming: Vec::new(),
            pairs: HashMap::new(),
            turns: vec![0; ports],
            now: 0,
        };
        machine.with_gates()
    }

    /// Simulates one clock cycle, which ends with its edge.
    fn step(&mut self, cycle: u64) {
        self.now = cycle * self.net.clock;
        (0..self.sent.len()).for_each(|node| self.hear_at_node(node));
        self.source.generate(cycle);
        self.channels.iter_mut().for_each(|channel| channel.advance(self.now));
        for node in 0..self.sent.len() {
            if !self.nics.is_empty() {
                self.hand_over(node);
                self.inject_answering(node, self.now..self.now + 1);
                self.end_idle_at_node(node, self.now);
                continue;
            }
            self.inject(node, self.now..self.now + 1);
            // A message ends the idle period of the injection channel, whether it can be sent or not.
            if !self.source.waiting[node].is_empty() {
                self.channels[self.net.ports + node].add_waiter(node, self.now);
            }
        }
        self.hear_packets();
        self.arrive();
        self.hear_wakes();
        self.channels.iter_mut().filter_map(|channel| channel.lanes.as_mut()).for_each(|lanes| lanes.widen(self.now));
        self.open_gates();
        self.govern();
        for switch in 0..self.net.network.switches() as usize {
            self.allocate(&Unit::switch(&self.net, switch));
        }
        if self.net.output_queues().is_some() {
            (0..self.net.ports).for_each(|port| self.allocate(&Unit::output(&self.net, port)));
            self.rest();
        }
        self.tell_peers();
    }

    /// Puts the packets whose heads have come since the last edge into their queues. A packet whose output chooses its
    /// queue decides on its route before.
    fn arrive(&mut self) {
        let now = self.now;
        let arrived: Vec<_> = self.wires.extract_if(.., |(.., packet)| packet.head_at <= now).collect();
        for (port, vc, mut packet) in arrived {
            if port >= self.net.ports {
                let queue = self.net.first_queue(port) + vc;
                self.mark_coming(queue, &mut packet);
                self.join(queue, packet);
                continue;
            }
            if self.net.outputs > 1 {
                packet.trip = self.decided(self.net.switch(port), packet.trip);
                packet.has_decided = true;
                packet.chosen = self.choice(self.net.switch(port), &packet);
            }
            if self.net.config.switch.is_lossy() {
                let Some(left) = self.left_of(port, vc, packet) else { continue };
                packet = left;
            }
            let queue = self.net.queue(port, vc, packet.trip, packet.chosen);
            self.mark_coming(queue, &mut packet);
            self.join(queue, packet);
        }
    }

    /// Sends the packets of a NIC before this edge, while it learns of the other end of its link.
    fn hear_at_node(&mut self, node: usize) {
        let (channel, now) = (self.net.ports + node, self.now);
        if !self.nics.is_empty() {
            return self.hear_answering(node);
        }
        let mut heard: Vec<_> = self.peers.extract_if(.., |&mut (at, to, _)| to == channel && at <= now).collect();
        heard.sort_unstable();
        let mut from = now.saturating_sub(self.net.clock);
        for (at, _, until) in heard {
            self.inject(node, from..at);
            self.channels[channel].peer_is_active(at, until);
            from = at;
        }
        self.inject(node, from..now);
    }

    /// Lets the channels of ports learn of the other ends of their links: of packets whose heads come to their input ports
    /// since the last edge.
    fn hear_packets(&mut self) {
        let Machine { net, channels, wires, now, .. } = self;
        // Not what only crosses its switch.
        let come = wires.iter().filter(|(port, _, packet)| *port < net.ports && packet.head_at <= *now);
        for (port, _, packet) in come.filter(|_| net.config.sleep.both) {
            let until = packet.head_at + channels[*port].duration(packet.flits, 0);
            channels[*port].peer_is_active(*now, until);
        }
    }

    /// Lets the channels of ports learn of wakes of the other ends of their links.
    fn hear_wakes(&mut self) {
        let Machine { net, channels, peers, now, .. } = self;
        for (_, channel, _) in peers.extract_if(.., |&mut (at, to, _)| to < net.ports && at <= *now) {
            channels[channel].peer_is_active(*now, *now);
        }
    }

    /// Tells the other ends of links of the channels that have been woken since the last edge.
    fn tell_peers(&mut self) {
        for (number, channel) in self.channels.iter_mut().enumerate() {
            if let Some(t) = channel.woken.take().filter(|_| self.net.config.sleep.both) {
                // It takes effect at a later edge, however short the wire.
                let at = (t + channel.class.latency.0).max(self.now + 1);
                self.peers.push((at, self.net.back[number], at));
            }
        }
    }

    /// Sends all packets of a NIC that can be sent in a time before or at this edge, in order. What could be done before
    /// has been done.
    fn inject(&mut self, node: usize, time: Range<u64>) {
        let mut t = time.start;
        while let Some(&message) = self.source.waiting[node].front() {
            let since = self.channels[self.net.ports + node].coalesces_since;
            let requested = since.map_or(0, |since| self.coalesced_at(node, since));
            let channel = &mut self.channels[self.net.ports + node];
            let message = &self.source.messages[message];
            if channel.is_waking() && message.created < channel.awake_at {
                // The other end of the link may have woken it. The message keeps it from falling asleep at once.
                channel.add_waiter(node, message.created);
            }
            // A channel that the other end of the link has woken delays it, too.
            self.delayed[node] |= channel.awake_at > message.created.max(channel.free_at);
            t = t.max(message.created).max(channel.free_at).max(channel.awake_at).max(requested);
            if t >= time.end {
                return;
            }
            channel.advance(t);
            if !channel.is_on() {
                // All that has come counts; when it has is considered above.
                channel.request(t, if since.is_some() { u64::MAX } else { 0 });
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

    /// Returns when a NIC's channel wakes that has coalesced packets since a time.
    fn coalesced_at(&self, node: usize, since: u64) -> u64 {
        let Policy::Coalescing(limits) = self.channels[self.net.ports + node].memory.policy else { return 0 };
        let (mut frames, mut at) = (0, since.saturating_add(limits.timeout.0));
        for &message in &self.source.waiting[node] {
            let message = &self.source.messages[message];
            frames += message.unsent.div_ceil(self.net.config.switch.packet_flits.into());
            if frames >= u64::from(limits.frames) {
                at = at.min(message.created.max(since));
            }
        }
        at
    }

    /// Sends a packet of a NIC at time `t`.
    fn send(&mut self, node: usize, vc: usize, flits: u64, t: u64) {
        let channel = &mut self.channels[self.net.ports + node];
        let waiting = &mut self.source.waiting[node];
        let number = waiting[0];
        let message = &mut self.source.messages[number];
        let first = message.unsent == message.flits;
        if first {
            if channel.memory.counts_messages() {
                channel.memory.message(self.net.sleepers(node, message.to));
            }
            if std::mem::take(&mut self.delayed[node]) {
                channel.delay(message.created);
            }
        }
        channel.fill(vc, flits, t + self.net.config.node.nic_latency.0 + channel.class.latency.0);
        let end = channel.send(node, flits, t..0, t);
        message.unsent -= flits;
        if message.unsent == 0 {
            waiting.pop_front();
        }
        if !waiting.is_empty() {
            channel.add_waiter(node, t);
        }
        let in_turn = self.net.config.node.injection == Injection::RoundRobin;
        self.nic_pointers[node] = if in_turn { vc + 1 } else { 0 };
        self.sent[node] += 1;
        self.source.outcome.injected += 1;
        let trip = self.net.trip(node, message.to, self.sent[node]);
        let gone = self.pairs.entry((node, message.to)).or_default();
        let header = Header { number: *gone, ..Header::default() };
        *gone += 1;
        let comes = if self.net.stores() { end } else { t };
        let head_at = comes + self.net.config.node.nic_latency.0 + channel.class.latency.0;
        let packet =
            Packet { message: number, first, flits, trip, head_at, born: head_at, header, ..Packet::default() };
        self.wires.push((self.net.back[self.net.ports + node], vc, packet));
    }

    /// Moves a packet that leaves a switch from `start` to `end` into the next queue or to its node.
    pub fn forward(&mut self, packet: Packet, (port, vc): Output, start: u64, end: u64) {
        self.source.outcome.hops += 1;
        let channel = &mut self.channels[port];
        let hop = channel.class.hop.0;
        if packet.first {
            if channel.memory.counts_messages() {
                channel.memory.message(self.net.sleepers(packet.trip.from, packet.trip.to));
            }
            if packet.delayed && channel.awake_at > packet.head_at {
                channel.delay(packet.head_at);
            }
        }
        let next = self.net.back[port];
        if next >= self.net.ports {
            if self.net.config.sleep.both {
                let until = start + hop + self.channels[next].duration(packet.flits, 0);
                self.peers.push((start + hop, next, until));
            }
            let at = end + hop + self.net.config.node.nic_latency.0;
            if !self.nics.is_empty() {
                self.source.outcome.delivered += 1;
                return self.coming.push((at, next - self.net.ports, packet));
            }
            return self.source.deliver(packet.message, packet.flits, at);
        }
        if !self.net.config.switch.is_lossy() {
            channel.fill(vc, packet.flits, start + hop);
        }
        let trip = self.net.arrive(self.net.switch(next), Trip { hops: packet.trip.hops + 1, ..packet.trip });
        let Packet { message, first, flits, born, header, .. } = packet;
        let (narrow, comes) = (channel.narrow(), if self.net.stores() { end } else { start });
        let head_at = comes + hop;
        let packet = Packet { message, first, flits, trip, head_at, narrow, born, header, ..Packet::default() };
        self.wires.push((next, vc, packet));
    }
}
