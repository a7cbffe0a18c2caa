//! Open-loop traffic: the same draws as the engine's, looked at in every clock cycle.

use drowse_core::config::Config;
use drowse_core::rng::{Geometric, Purpose, Stream};
use drowse_core::topology::Network;
use drowse_core::workload::traffic::{Count, Destinations, Lengths, PatternError, Traffic};

use crate::Outcome;

/// A message, from its making on.
#[derive(Clone, Debug)]
pub struct Message {
    /// When it was made.
    pub created: u64,
    /// The receiving node.
    pub to: usize,
    /// Its length.
    pub flits: u64,
    /// Flits that its NIC has not sent yet.
    pub unsent: u64,
    /// Packets not yet delivered.
    pub packets_left: u64,
    /// It counts in the latencies, whenever it arrives.
    pub counts: bool,
}

/// All nodes' traffic, and which of it is measured.
pub struct Source<'a> {
    config: &'a Config,
    traffic: &'a Traffic,
    destinations: Destinations,
    gaps: Geometric,
    /// Each node's stream, and the cycle of its next message.
    nodes: Vec<Option<(Stream, u64)>>,
    /// All messages so far.
    pub messages: Vec<Message>,
    /// What has been counted.
    pub seen: Outcome,
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
            let cycle = gaps.draw(&mut stream) - 1;
            destinations.sends(node).then_some((stream, cycle))
        };
        let nodes = (0..network.nodes).map(first).collect();
        Ok(Source { config, traffic, destinations, gaps, nodes, messages: Vec::new(), seen: Outcome::default() })
    }

    /// Makes the messages of one cycle; gives the node that sends each, and its number.
    pub fn make(&mut self, cycle: u64) -> Vec<(usize, usize)> {
        let mut made = Vec::new();
        for (node, state) in self.nodes.iter_mut().enumerate() {
            let Some((stream, next)) = state.as_mut().filter(|(_, next)| *next == cycle) else { continue };
            let to = self.destinations.draw(node as u32, stream) as usize;
            let length = match self.traffic.packets {
                Lengths::One(length) => length,
                Lengths::Two { long, share, .. } if stream.unit() < share => long,
                Lengths::Two { short, .. } => short,
            };
            let flits = length.flits(&self.config.switch);
            *next += self.gaps.draw(stream);
            let created = cycle * self.config.switch.clock.0;
            let packets_left = flits.div_ceil(u64::from(self.config.switch.packet_flits));
            let in_window = in_window(self.traffic, created);
            self.seen.generated_flits += if in_window { flits } else { 0 };
            let counts = in_window && self.traffic.count == Count::Generated;
            made.push((node, self.messages.len()));
            self.messages.push(Message { created, to, flits, unsent: flits, packets_left, counts });
        }
        made
    }

    /// Lets a message count if its NIC, which turns to it in this cycle, does so after the warm-up, and it was made before the end of the
    /// window.
    pub fn begin(&mut self, message: usize, cycle: u64) {
        let Traffic { warmup, measure, .. } = *self.traffic;
        let message = &mut self.messages[message];
        message.counts = cycle * self.config.switch.clock.0 >= warmup.0 && message.created < (warmup + measure).0;
    }

    /// Makes no more messages.
    pub fn stop(&mut self) {
        self.nodes.iter_mut().for_each(|node| *node = None);
    }

    /// Tells whether no more messages will be made.
    pub fn is_silent(&self) -> bool {
        self.nodes.iter().all(Option::is_none)
    }

    /// Counts a packet of a message, whose last bit reaches its node at time `at`.
    pub fn deliver(&mut self, message: usize, flits: u64, at: u64) {
        let (message, seen) = (&mut self.messages[message], &mut self.seen);
        seen.delivered += 1;
        message.packets_left -= 1;
        let now_in_window = in_window(self.traffic, at);
        seen.delivered_flits += if now_in_window { flits } else { 0 };
        let counts = match self.traffic.count {
            Count::Generated => message.counts,
            Count::Delivered => now_in_window,
        };
        if counts {
            seen.packet_latencies.push(at - message.created);
            if message.packets_left == 0 {
                seen.message_latencies.push(at - message.created);
            }
        }
    }
}

fn in_window(traffic: &Traffic, t: u64) -> bool {
    (traffic.warmup.0..traffic.warmup.0 + traffic.measure.0).contains(&t)
}
