//! Open-loop traffic on the network: nodes make messages by the clock, and a window of time is measured.

use std::ops::Range;

use crate::config::Config;
use crate::power::Policy;
use crate::rng::{Geometric, Purpose as Draws, Stream};
use crate::topology::Network;
use crate::units::Time;
use crate::workload::traffic::{Count, Pattern, Traffic};

use super::fabric::Fabric;
use super::message::{Message, Purpose};
use super::nic::Nics;
use super::nodes::{NodeEvent, Phase};

/// The sources of open-loop traffic at the nodes of one part of the network, and what is counted of it.
#[derive(Debug)]
pub struct OpenLoop {
    traffic: Traffic,
    streams: Vec<Stream>,
    gaps: Geometric,
    /// The number of the first node here, and of nodes in the whole network.
    first_node: u32,
    nodes: u32,
    clock: u64,
    message_bytes: u64,
    packet_flits: u64,
    /// What has been counted.
    pub counts: Counts,
    /// No more messages are made.
    stopped: bool,
}

/// What is counted of open-loop traffic at some nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Measured packets that were made at these nodes.
    pub measured_sent: u64,
    /// Measured packets that were delivered to these nodes.
    pub measured_delivered: u64,
    /// Flits made in the window.
    pub generated_flits: u64,
    /// Flits delivered in the window.
    pub delivered_flits: u64,
}

impl Counts {
    /// Adds what was counted at other nodes.
    #[must_use]
    pub fn plus(self, other: Counts) -> Counts {
        Counts {
            measured_sent: self.measured_sent + other.measured_sent,
            measured_delivered: self.measured_delivered + other.measured_delivered,
            generated_flits: self.generated_flits + other.generated_flits,
            delivered_flits: self.delivered_flits + other.delivered_flits,
        }
    }

    /// Gives the number of measured packets on their way.
    pub fn outstanding(self) -> u64 {
        self.measured_sent - self.measured_delivered
    }
}

impl OpenLoop {
    /// Prepares the sources at these nodes; a node makes at most one message in a clock cycle.
    pub fn new(network: &Network, here: &Range<u32>, config: &Config, traffic: Traffic) -> Result<Self, String> {
        let packet_flits = u64::from(config.switch.packet_flits);
        let message_flits = packet_flits * u64::from(traffic.packets);
        let probability = traffic.load * flits_per_cycle(config) / message_flits as f64;
        if !(probability > 0.0 && probability <= 1.0) {
            return Err(format!(
                "a load of {} makes {probability} messages per node and clock cycle; it must be above 0 and at most 1",
                traffic.load
            ));
        }
        if network.nodes < 2 && !traffic.include_self {
            return Err("a network of one node has nobody to send to; set include_self = true".into());
        }
        Ok(OpenLoop {
            traffic,
            streams: here.clone().map(|node| Stream::new(config.seed, Draws::Traffic, node)).collect(),
            gaps: Geometric::new(probability),
            first_node: here.start,
            nodes: network.nodes,
            clock: config.switch.clock.0,
            message_bytes: message_flits * config.switch.flit.0,
            packet_flits,
            counts: Counts::default(),
            stopped: false,
        })
    }

    /// Gives the measured window.
    pub fn window(&self) -> (u64, u64) {
        (self.traffic.warmup.0, self.traffic.warmup.0 + self.traffic.measure.0)
    }

    /// Puts the first message of every node into the queue.
    pub fn start<P: Policy>(&mut self, fabric: &mut Fabric<P>) {
        for (node, stream) in (self.first_node..).zip(&mut self.streams) {
            let trials = self.gaps.draw(stream);
            fabric.put_node(NodeEvent::new((trials - 1) * self.clock, Phase::Generate, node));
        }
    }

    /// Makes a message at a node, and draws when the next comes.
    pub fn generate<P: Policy>(&mut self, fabric: &mut Fabric<P>, nics: &mut Nics, node: u32, t: u64) {
        if self.stopped {
            return;
        }
        let to_node = self.draw_destination(node);
        let (start, end) = self.window();
        let in_window = (start..end).contains(&t);
        let packets = u64::from(self.traffic.packets);
        if in_window {
            self.counts.generated_flits += packets * self.packet_flits;
        }
        let measured = in_window && self.traffic.count == Count::Generated;
        self.counts.measured_sent += packets * u64::from(measured);
        let sequence = nics.next_sequence(node);
        let message = nics.messages.insert(Message {
            created: t,
            bytes: self.message_bytes,
            to_node,
            from_rank: node,
            to_rank: to_node,
            announced: true,
            measured,
            ..Message::new(node, sequence, Purpose::Load)
        });
        nics.send(fabric, message, t);
        let trials = self.gaps.draw(&mut self.streams[(node - self.first_node) as usize]);
        fabric.put_node(NodeEvent::new(t + trials * self.clock, Phase::Generate, node));
    }

    /// Counts a packet of a message that will be delivered at time `at`; tells whether its latency counts.
    pub fn deliver(&mut self, message: &Message, at: u64) -> bool {
        let (start, end) = self.window();
        let in_window = (start..end).contains(&at);
        if in_window {
            self.counts.delivered_flits += self.packet_flits;
        }
        self.counts.measured_delivered += u64::from(message.measured);
        match self.traffic.count {
            Count::Generated => message.measured,
            Count::Delivered => in_window,
        }
    }

    /// Makes no more messages.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    fn draw_destination(&mut self, node: u32) -> u32 {
        let nodes = self.nodes;
        let stream = &mut self.streams[(node - self.first_node) as usize];
        match (self.traffic.pattern, self.traffic.include_self) {
            (Pattern::Uniform, true) => stream.below(nodes),
            (Pattern::Uniform, false) => {
                let other = stream.below(nodes - 1);
                other + u32::from(other >= node)
            }
        }
    }
}

/// Gives how many flits all injection channels could carry in the measured window.
pub fn capacity(network: &Network, config: &Config, traffic: &Traffic) -> f64 {
    let cycles = traffic.measure.0 as f64 / config.switch.clock.0 as f64;
    cycles * flits_per_cycle(config) * f64::from(network.nodes)
}

/// Gives how many flits a node's injection channel carries in a clock cycle.
fn flits_per_cycle(config: &Config) -> f64 {
    let flit_bits = config.switch.flit.0 as f64 * 8.0;
    let Time(clock) = config.switch.clock;
    config.classes[0].bandwidth.0 as f64 / flit_bits * (clock as f64 / 1e12)
}
