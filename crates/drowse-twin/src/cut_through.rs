//! Virtual cut-through, as ARCHITECTURE.md and [`drowse_core::engine`] have it, cycle by cycle.
//!
//! In every clock cycle, NICs do what falls between the last edge and this one; then, at the edge, the allocator of every switch
//! looks at every head. Times are picoseconds, since wires, bandwidths and sleep need not be whole cycles.

use std::collections::VecDeque;

use drowse_core::config::Config;
use drowse_core::ids::{ChannelId, PortId};
use drowse_core::power::StallTimer;
use drowse_core::topology::{End, Network};
use drowse_core::workload::traffic::{PatternError, Traffic};

use crate::channel::Channel;
use crate::routes::{Memory, Output, Routes};
use crate::source::{Outcome, Source};

/// A packet, in the queue of the input port that it is in or on its way to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packet {
    pub message: usize,
    pub first: bool,
    pub flits: u64,
    pub memory: Memory,
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
    pub pointer: usize,
}

/// An input queue: one virtual channel of an input port.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    pub packets: VecDeque<Packet>,
    /// Where its arbiter looks first among outputs and virtual channels.
    pub pointer: usize,
    /// What its head has chosen although it slept.
    pub chosen: Option<Output>,
}

#[derive(Clone, Debug, Default)]
struct Nic {
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
    pub routes: Routes<'a>,
    pub channels: Vec<Channel<'a>>,
    /// By port and virtual channel.
    pub queues: Vec<Queue>,
    /// By port and number of the reader.
    pub readers: Vec<Reader>,
    /// Where each output's arbiter looks first among the readers of its switch.
    pub output_pointers: Vec<usize>,
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
    let (start, end) = (traffic.warmup.0, (traffic.warmup + traffic.measure).0);
    for cycle in 0.. {
        let t = cycle * config.switch.clock.0;
        if t == end && !traffic.drain {
            machine.record(t);
            break;
        }
        // Whether traffic goes on is decided at the window's end and every 1,024 cycles.
        let decides = t == end || (t > end && cycle % 1_024 == 0);
        if decides && machine.source.messages.iter().all(|message| message.missing == 0 || !message.counts) {
            machine.source.nodes.clear();
        }
        machine.step(cycle);
        if t == start {
            machine.channels.iter_mut().for_each(|channel| channel.begin_window(t));
        }
        if t == end {
            machine.record(t);
        }
        if t > end && machine.source.is_over() {
            break;
        }
    }
    Ok(machine.source.seen)
}

impl<'a> Machine<'a> {
    fn new(network: &'a Network, config: &'a Config, policy: &StallTimer, source: Source<'a>) -> Self {
        let ports = network.ports() as usize;
        let channel = |id| {
            let class = usize::from(network.channel_class(ChannelId(id)));
            Channel::new(&config.classes[class], policy.timers[class], &config.switch)
        };
        let vcs = usize::from(config.switch.vcs.total());
        Machine {
            network,
            config,
            vcs,
            routes: Routes::new(network, config),
            channels: (0..network.channels()).map(channel).collect(),
            queues: vec![Queue::default(); ports * vcs],
            readers: vec![Reader::default(); ports * usize::from(config.switch.input_speedup)],
            output_pointers: vec![0; ports],
            nics: vec![Nic::default(); network.nodes as usize],
            source,
            now: 0,
        }
    }

    /// Lets one clock cycle pass, which ends with its edge.
    fn step(&mut self, cycle: u64) {
        self.now = cycle * self.config.switch.clock.0;
        (0..self.nics.len()).for_each(|node| self.inject(node));
        self.source.make(cycle);
        self.channels.iter_mut().for_each(|channel| channel.advance(self.now));
        for node in 0..self.nics.len() {
            // A message ends the idle period of its NIC's channel, whether it can be sent or not.
            if !self.source.waiting[node].is_empty() {
                self.channels[self.network.ports() as usize + node].await_by(node);
                self.inject(node);
            }
        }
        (0..self.network.switches() as usize).for_each(|switch| self.allocate(switch));
    }

    fn record(&mut self, t: u64) {
        self.channels.iter_mut().for_each(|channel| channel.advance(t));
        self.source.seen.channels = self.channels.iter_mut().map(|channel| channel.settle(t)).collect();
    }

    /// Lets a NIC send all packets that it can send up to and at this edge, in order.
    fn inject(&mut self, node: usize) {
        let channel = self.network.ports() as usize + node;
        let mut t = 0;
        while let Some(&message) = self.source.waiting[node].front() {
            let (channel, message) = (&mut self.channels[channel], &self.source.messages[message]);
            t = t.max(message.created).max(channel.free_at).max(channel.awake_at);
            if t > self.now {
                return;
            }
            channel.advance(t);
            if !channel.is_on() {
                channel.wake(t);
                self.nics[node].delayed = true;
                continue;
            }
            let flits = message.unsent.min(self.config.switch.packet_flits.into());
            let with_room = (0..self.vcs).filter(|&vc| channel.credits[vc] >= flits);
            match with_room.min_by_key(|vc| vc.wrapping_sub(self.nics[node].pointer)) {
                Some(vc) => self.send(node, vc, flits, t),
                None => match channel.next_credit() {
                    Some(at) => t = at,
                    None => return,
                },
            }
        }
    }

    /// Lets a NIC send a packet at time `t`.
    fn send(&mut self, node: usize, vc: usize, flits: u64, t: u64) {
        let channel = &mut self.channels[self.network.ports() as usize + node];
        let (nic, waiting) = (&mut self.nics[node], &mut self.source.waiting[node]);
        let number = waiting[0];
        let message = &mut self.source.messages[number];
        let first = message.unsent == message.flits;
        if first && std::mem::take(&mut nic.delayed) {
            channel.delay(message.created);
        }
        channel.credits[vc] -= flits;
        channel.send(node, flits, t);
        message.unsent -= flits;
        if message.unsent == 0 {
            waiting.pop_front();
        }
        if !waiting.is_empty() {
            channel.await_by(node);
        }
        nic.pointer = vc + 1;
        nic.packets += 1;
        self.source.seen.injected += 1;
        let memory = self.routes.memory(node, nic.packets);
        let head_at = t + self.config.node.nic_latency.0 + channel.class.latency.0;
        let packet = Packet { message: number, first, flits, memory, head_at, waits_since: None, delayed: false };
        self.queues[self.network.node_port[node] as usize * self.vcs + vc].packets.push_back(packet);
    }

    /// Lets a packet leave a switch from `start` to `end`: into the next queue, or to its node.
    pub fn forward(&mut self, packet: Packet, (port, vc): Output, start: u64, end: u64) {
        self.source.seen.hops += 1;
        let channel = &mut self.channels[port];
        let hop = channel.class.hop.0;
        if packet.first && packet.delayed && channel.awake_at > packet.head_at {
            channel.delay(packet.head_at);
        }
        let End::Port(PortId(next)) = self.network.target(ChannelId(port as u32)) else {
            let at = end + hop + self.config.node.nic_latency.0;
            return self.source.deliver(packet.message, packet.flits, at);
        };
        channel.credits[vc] -= packet.flits;
        let memory = self.routes.memory_after(port, packet.memory);
        let packet = Packet { memory, head_at: start + hop, waits_since: None, delayed: false, ..packet };
        self.queues[next as usize * self.vcs + vc].packets.push_back(packet);
    }
}
