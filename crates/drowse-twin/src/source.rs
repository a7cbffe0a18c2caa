//! Open-loop traffic with the same draws as the engine's, made in every clock cycle, and its counters.

use std::collections::VecDeque;
use std::ops::Range;

use drowse_core::measure::{ChannelRecord, TransportRecord};
use drowse_core::model::config::Config;
use drowse_core::model::rng::{Geometric, Purpose, Stream};
use drowse_core::topology::Network;
use drowse_core::workload::traffic::{Count, Destinations, Lengths, PatternError, Traffic};

/// The result of a run; times are in picoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The latency of every counted packet, in order of delivery: from the generation of its message to its last bit.
    pub packet_latencies: Vec<u64>,
    /// The latency of every counted message.
    pub message_latencies: Vec<u64>,
    /// Packets granted through a switch, counted at each switch.
    pub hops: u64,
    /// Packets that NICs have sent.
    pub injected: u64,
    /// Packets that have reached their nodes.
    pub delivered: u64,
    /// Flits of messages generated in the measured window.
    pub generated_flits: u64,
    /// Flits of packets whose last bit was delivered in the measured window.
    pub delivered_flits: u64,
    /// The account of each channel in the measured window, by [`drowse_core::model::ids::ChannelId`]; empty if not
    /// recorded.
    pub channels: Vec<ChannelRecord>,
    /// What nodes have told each other, where they answer; without the time in which links woke.
    pub told: Option<TransportRecord>,
}

/// A generated message.
#[derive(Clone, Debug)]
pub struct Message {
    /// When it was generated.
    pub created: u64,
    /// The receiving node.
    pub to: usize,
    /// Its length.
    pub flits: u64,
    /// Flits that its NIC has not sent yet.
    pub unsent: u64,
    /// Flits that have not reached their node.
    pub missing: u64,
    /// Whether its latency counts, whenever it arrives.
    pub counts: bool,
}

/// The traffic of all nodes, and its measurement.
pub struct Source<'a> {
    config: &'a Config,
    traffic: &'a Traffic,
    destinations: Destinations,
    gaps: Geometric,
    /// The measured window.
    pub window: Range<u64>,
    /// Each node's stream and the cycle of its next message; empty once generation has ended.
    pub nodes: Vec<(Stream, u64)>,
    /// All messages so far.
    pub messages: Vec<Message>,
    /// Each node's messages that its NIC has not sent.
    pub waiting: Vec<VecDeque<usize>>,
    /// The counters.
    pub outcome: Outcome,
}

impl<'a> Source<'a> {
    /// Prepares the draws of all nodes that send.
    pub fn new(network: &Network, config: &'a Config, traffic: &'a Traffic) -> Result<Self, PatternError> {
        let destinations = traffic.pattern.destinations(network, traffic.include_self, config.seed)?;
        let flit_bits = config.switch.flit.0 as f64 * 8.0;
        let flits_per_cycle = config.classes[0].bandwidth.0 as f64 / flit_bits * (config.switch.clock.0 as f64 / 1e12);
        let gaps = Geometric::new(traffic.load * flits_per_cycle / traffic.packets.mean_flits(&config.switch));
        let first = |node| {
            let mut stream = Stream::new(config.seed, Purpose::Traffic, node);
            let cycle = if destinations.sends(node) { gaps.draw(&mut stream) - 1 } else { u64::MAX };
            (stream, cycle)
        };
        let nodes = (0..network.nodes).map(first).collect();
        let waiting = vec![VecDeque::new(); network.nodes as usize];
        let window = traffic.warmup.0..(traffic.warmup + traffic.measure).0;
        let (messages, outcome) = (Vec::new(), Outcome::default());
        Ok(Source { config, traffic, destinations, gaps, window, nodes, messages, waiting, outcome })
    }

    /// Generates the messages of one cycle.
    pub fn generate(&mut self, cycle: u64) {
        let created = cycle * self.config.switch.clock.0;
        let in_window = self.window.contains(&created);
        for (node, (stream, next)) in self.nodes.iter_mut().enumerate().filter(|(_, (_, next))| *next == cycle) {
            let to = self.destinations.draw(node as u32, stream) as usize;
            let length = match self.traffic.packets {
                Lengths::One(length) => length,
                Lengths::Two { short, long, share } => [short, long][usize::from(stream.unit() < share)],
            };
            let flits = length.flits(&self.config.switch);
            *next += self.gaps.draw(stream);
            self.outcome.generated_flits += if in_window { flits } else { 0 };
            let counts = in_window && self.traffic.count == Count::Generated;
            self.waiting[node].push_back(self.messages.len());
            self.messages.push(Message { created, to, flits, unsent: flits, missing: flits, counts });
        }
    }

    /// Counts a message whose NIC begins to send it in this cycle, if this is after the warm-up and the message was
    /// generated before the end of the window.
    pub fn begin(&mut self, message: usize, cycle: u64) {
        let (message, t) = (&mut self.messages[message], cycle * self.config.switch.clock.0);
        let in_time = t >= self.window.start && message.created < self.window.end;
        message.counts = self.traffic.count == Count::Generated && in_time;
    }

    /// Returns whether generation has ended and all messages have arrived.
    pub fn is_over(&self) -> bool {
        self.nodes.is_empty() && self.messages.iter().all(|message| message.missing == 0)
    }

    /// Counts a packet of a message, whose last bit reaches its node at time `at`.
    pub fn deliver(&mut self, message: usize, flits: u64, at: u64) {
        self.outcome.delivered += 1;
        self.count_arrival(message, flits, at);
    }

    /// Counts the data of a packet of a message, whose last bit reaches its node at time `at`.
    pub fn count_arrival(&mut self, message: usize, flits: u64, at: u64) {
        let now_in_window = self.window.contains(&at);
        let (message, outcome) = (&mut self.messages[message], &mut self.outcome);
        outcome.delivered_flits += if now_in_window { flits } else { 0 };
        message.missing -= flits;
        if message.counts || (now_in_window && self.traffic.count == Count::Delivered) {
            outcome.packet_latencies.push(at - message.created);
            outcome.message_latencies.extend((message.missing == 0).then_some(at - message.created));
        }
    }
}
