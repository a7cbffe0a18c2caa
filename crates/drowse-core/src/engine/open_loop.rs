//! Open-loop traffic on the network: nodes make messages by the clock, a window of time is measured, the rest is drained.

use crate::config::Config;
use crate::measure::{OpenLoopRecord, Warning};
use crate::power::Policy;
use crate::rng::{Geometric, Purpose as Draws, Stream};
use crate::topology::Network;
use crate::units::Time;
use crate::workload::traffic::{Count, Pattern, Traffic};

use super::fabric::Fabric;
use super::message::{Message, Purpose};
use super::nic::Nics;
use super::nodes::{NodeEvent, Phase};
use super::packet::NONE;

/// The sources of open-loop traffic and what is counted of it.
#[derive(Debug)]
pub struct OpenLoop {
    traffic: Traffic,
    streams: Vec<Stream>,
    gaps: Geometric,
    clock: u64,
    packet_bytes: u64,
    packet_flits: u64,
    /// Measured packets on their way.
    outstanding: u64,
    generated_flits: u64,
    delivered_flits: u64,
    capacity_flits: f64,
    /// No more messages are made.
    pub stopped: bool,
    gave_up: bool,
}

/// How many times the length of warm-up and window the drain may take before the run is ended as not drained.
const PATIENCE: u64 = 10;

impl OpenLoop {
    /// Prepares the sources; `packets_per_cycle` of a node is at most 1.
    pub fn new(network: &Network, config: &Config, traffic: Traffic) -> Result<Self, String> {
        let cycle_flits = flits_per_cycle(config);
        let packet_flits = u64::from(config.switch.packet_flits);
        let probability = traffic.load * cycle_flits / packet_flits as f64;
        if !(probability > 0.0 && probability <= 1.0) {
            return Err(format!("a load of {} makes {probability} packets per node and clock cycle; it must be above 0 and at most 1", traffic.load));
        }
        if network.nodes < 2 && !traffic.include_self {
            return Err("a network of one node has nobody to send to; set include_self = true".into());
        }
        let cycles = traffic.measure.0 as f64 / config.switch.clock.0 as f64;
        Ok(OpenLoop {
            traffic,
            streams: (0..network.nodes).map(|node| Stream::new(config.seed, Draws::Traffic, node)).collect(),
            gaps: Geometric::new(probability),
            clock: config.switch.clock.0,
            packet_bytes: packet_flits * config.switch.flit.0,
            packet_flits,
            outstanding: 0,
            generated_flits: 0,
            delivered_flits: 0,
            capacity_flits: cycles * cycle_flits * f64::from(network.nodes),
            stopped: false,
            gave_up: false,
        })
    }

    /// Gives the measured window.
    pub fn window(&self) -> (u64, u64) {
        (self.traffic.warmup.0, self.traffic.warmup.0 + self.traffic.measure.0)
    }

    /// Puts the first message of every node into the queue.
    pub fn start<P: Policy>(&mut self, fabric: &mut Fabric<P>) {
        for node in 0..self.streams.len() as u32 {
            let trials = self.gaps.draw(&mut self.streams[node as usize]);
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
        if in_window {
            self.generated_flits += self.packet_flits;
        }
        let measured = in_window && self.traffic.count == Count::Generated;
        self.outstanding += u64::from(measured);
        let sequence = nics.next_sequence(node);
        let message = nics.messages.insert(Message {
            created: t,
            done_at: 0,
            bytes: self.packet_bytes,
            flits_left: 0,
            packets_left: 0,
            to_node,
            from_node: node,
            next: NONE,
            sequence,
            from_rank: node,
            to_rank: to_node,
            order: 0,
            tag: 0,
            context: 0,
            purpose: Purpose::Load,
            receive: NONE,
            announced: true,
            measured,
        });
        nics.send(fabric, message, t);
        let trials = self.gaps.draw(&mut self.streams[node as usize]);
        fabric.put_node(NodeEvent::new(t + trials * self.clock, Phase::Generate, node));
    }

    /// Counts a message that will be delivered at `message.done_at`; tells whether its latency counts.
    pub fn deliver(&mut self, message: &Message) -> bool {
        let (start, end) = self.window();
        let in_window = (start..end).contains(&message.done_at);
        if in_window {
            self.delivered_flits += self.packet_flits;
        }
        self.outstanding -= u64::from(message.measured);
        match self.traffic.count {
            Count::Generated => message.measured,
            Count::Delivered => in_window,
        }
    }

    /// Decides at time `t` whether to stop making messages; tells whether the run is over at once.
    pub fn control(&mut self, t: u64) -> bool {
        let (_, end) = self.window();
        if self.stopped || t < end {
            return self.gave_up;
        }
        if !self.traffic.drain {
            self.stopped = true;
            self.gave_up = true;
        } else if self.outstanding == 0 {
            self.stopped = true;
        } else if t > end.saturating_mul(PATIENCE + 1) {
            self.stopped = true;
            self.gave_up = true;
        }
        self.gave_up
    }

    /// Gives the loads and warnings of the run.
    pub fn record(&self) -> (OpenLoopRecord, Vec<Warning>) {
        let lost = self.traffic.drain && self.gave_up;
        // What was offered and what got through differ by chance too: by about the packets under way at the window's ends.
        let behind = (self.delivered_flits as f64) < 0.95 * self.generated_flits as f64;
        let record = OpenLoopRecord {
            generated_flits: self.generated_flits,
            delivered_flits: self.delivered_flits,
            capacity_flits: self.capacity_flits,
            saturated: lost || behind,
        };
        let mut warnings = Vec::new();
        if record.saturated {
            warnings.push(Warning::Saturated);
        }
        if self.outstanding > 0 {
            warnings.push(Warning::NotDrained { packets: self.outstanding });
        }
        (record, warnings)
    }

    fn draw_destination(&mut self, node: u32) -> u32 {
        let nodes = self.streams.len() as u32;
        let stream = &mut self.streams[node as usize];
        match (self.traffic.pattern, self.traffic.include_self) {
            (Pattern::Uniform, true) => stream.below(nodes),
            (Pattern::Uniform, false) => {
                let other = stream.below(nodes - 1);
                other + u32::from(other >= node)
            }
        }
    }
}

/// Gives how many flits a node's injection channel carries in a clock cycle.
fn flits_per_cycle(config: &Config) -> f64 {
    let flit_bits = config.switch.flit.0 as f64 * 8.0;
    let Time(clock) = config.switch.clock;
    config.classes[0].bandwidth.0 as f64 / flit_bits * (clock as f64 / 1e12)
}
