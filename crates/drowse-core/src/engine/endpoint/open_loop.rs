//! Open-loop traffic on the network: nodes make messages by the clock, and a window of time is measured.

use serde::{Deserialize, Serialize};

use crate::measure::Histogram;
use crate::model::config::Config;
use crate::model::rng::{Geometric, Purpose as Draws, Stream};
use crate::model::units::Time;
use crate::topology::Network;
use crate::workload::traffic::{Count, Destinations, Length, Lengths, Traffic};

use crate::engine::endpoint::fabric::Fabric;
use crate::engine::endpoint::message::{Message, Purpose};
use crate::engine::event::Events;
use crate::engine::partition::Spans;
use crate::engine::setup_error::SetupError;

/// The sources of open-loop traffic at the nodes of a partition, and what is counted of it.
#[derive(Debug)]
pub struct OpenLoop {
    destinations: Destinations,
    sizes: Sizes,
    streams: Vec<Stream>,
    gaps: Geometric,
    /// The nodes here.
    here: Spans,
    /// The measured window, and which packets count in it.
    window: (u64, u64),
    count: Count,
    /// What has been counted.
    pub counts: Counts,
    /// Latencies of packets and of messages.
    pub latencies: [Histogram; 2],
    /// No more messages are generated.
    stopped: bool,
}

/// The size of a message.
#[derive(Clone, Copy, Debug)]
struct Size {
    bytes: u64,
    flits: u64,
    packets: u64,
}

/// The sizes of messages, and how they are drawn.
#[derive(Clone, Copy, Debug)]
enum Sizes {
    One(Size),
    /// Short, long, and the share of messages that are long.
    Two(Size, Size, f64),
}

/// What is counted of open-loop traffic at some nodes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Counts {
    /// Measured packets that were generated at these nodes.
    pub measured_sent: u64,
    /// Measured packets that were delivered to these nodes.
    pub measured_delivered: u64,
    /// Packets generated at these nodes, measured or not.
    pub generated: u64,
    /// Packets delivered to these nodes, measured or not.
    pub delivered: u64,
    /// Flits generated in the window.
    pub generated_flits: u64,
    /// Flits delivered in the window.
    pub delivered_flits: u64,
}

impl Counts {
    /// Nothing has been counted.
    pub const NOTHING: Counts = Counts {
        measured_sent: 0,
        measured_delivered: 0,
        generated: 0,
        delivered: 0,
        generated_flits: 0,
        delivered_flits: 0,
    };

    /// Adds what was counted at other nodes.
    #[must_use]
    pub fn plus(self, other: Counts) -> Counts {
        Counts {
            measured_sent: self.measured_sent + other.measured_sent,
            measured_delivered: self.measured_delivered + other.measured_delivered,
            generated: self.generated + other.generated,
            delivered: self.delivered + other.delivered,
            generated_flits: self.generated_flits + other.generated_flits,
            delivered_flits: self.delivered_flits + other.delivered_flits,
        }
    }

    /// Returns the number of measured packets in flight.
    pub fn outstanding(self) -> u64 {
        self.measured_sent - self.measured_delivered
    }
}

impl OpenLoop {
    /// Prepares the sources at these nodes; a node makes at most one message in a clock cycle. With `among`, only those
    /// nodes send and are sent to.
    pub fn new(
        network: &Network,
        here: &Spans,
        config: &Config,
        traffic: &Traffic,
        among: Option<&[u32]>,
    ) -> Result<Self, SetupError> {
        let refuse = |key, reason| SetupError { key, reason };
        let probability = traffic.load * flits_per_cycle(config) / traffic.packets.mean_flits(&config.switch);
        let least = least_probability(config.switch.clock);
        if !(least..=1.0).contains(&probability) {
            let reason = format!(
                "a load of {} makes {probability} messages per node and clock cycle, which must be at least {least} and at \
                    most 1: make messages longer or the load smaller, or the other way round",
                traffic.load
            );
            return Err(refuse("traffic.load", reason));
        }
        let destinations = traffic.pattern.destinations(network, traffic.include_self, config.seed);
        let destinations = destinations.map_err(|error| refuse("traffic.pattern", error.to_string()))?;
        let destinations = match among {
            None => destinations,
            Some(some) => destinations.among(some).map_err(|error| refuse("traffic.nodes", error.to_string()))?,
        };
        let start = traffic.warmup.0;
        Ok(OpenLoop {
            destinations,
            sizes: Sizes::new(traffic.packets, config),
            streams: here.iter().map(|node| Stream::new(config.seed, Draws::Traffic, node)).collect(),
            gaps: Geometric::new(probability),
            here: here.clone(),
            window: (start, start + traffic.measure.0),
            count: traffic.count,
            counts: Counts::NOTHING,
            latencies: Default::default(),
            stopped: false,
        })
    }

    /// Returns the measured window.
    pub fn window(&self) -> (u64, u64) {
        self.window
    }

    /// Puts the first message of every node that sends into the queue.
    pub fn start(&mut self, events: &mut Events) {
        events.queue.expect_sources(self.streams.len());
        for (source, stream) in (0..).zip(&mut self.streams) {
            if self.destinations.sends(self.here.whole(source)) {
                let trials = self.gaps.draw(stream);
                events.queue.put_source(trials - 1, source);
            }
        }
    }

    /// Generates a message at a node at the present edge, and draws when the next comes; `source` numbers the node in
    /// the partition.
    pub fn generate<F: Fabric>(&mut self, fabric: &mut F, source: u32) {
        if self.stopped {
            return;
        }
        let t = fabric.events().now.time;
        let node = self.here.whole(source);
        let stream = &mut self.streams[source as usize];
        let to_node = self.destinations.draw(node, stream);
        let size = self.sizes.draw(stream);
        let trials = self.gaps.draw(stream);
        let in_window = (self.window.0..self.window.1).contains(&t);
        self.counts.generated += size.packets;
        if in_window {
            self.counts.generated_flits += size.flits;
        }
        let measured = in_window && self.count == Count::Generated;
        self.counts.measured_sent += size.packets * u64::from(measured);
        let sequence = fabric.next_sequence(node);
        let message = fabric.messages().insert(Message {
            created: t,
            bytes: size.bytes,
            flits_left: size.flits,
            packets_left: size.packets,
            to_node,
            from_rank: node,
            to_rank: to_node,
            arrived: true,
            measured,
            ..Message::new(node, sequence, Purpose::Load)
        });
        fabric.send_segmented(message, t);
        let events = fabric.events();
        events.queue.put_source(events.now.number + trials, source);
    }

    /// Counts packets of a message, measured or not, of `flits` in total, that are delivered at time `at`; returns
    /// whether their latency counts.
    pub fn deliver(&mut self, measured: bool, packets: u64, flits: u64, at: u64) -> bool {
        let in_window = (self.window.0..self.window.1).contains(&at);
        self.counts.delivered += packets;
        if in_window {
            self.counts.delivered_flits += flits;
        }
        self.counts.measured_delivered += packets * u64::from(measured);
        match self.count {
            Count::Generated => measured,
            Count::Delivered => in_window,
        }
    }

    /// Stops generating messages.
    pub fn stop(&mut self) {
        self.stopped = true;
    }
}

impl Sizes {
    fn new(lengths: Lengths, config: &Config) -> Self {
        let size = |length: Length| {
            let flits = length.flits(&config.switch);
            let packets = flits.div_ceil(u64::from(config.switch.packet_flits));
            Size { bytes: length.bytes(&config.switch), flits, packets }
        };
        match lengths {
            Lengths::One(length) => Sizes::One(size(length)),
            Lengths::Two { short, long, share } => Sizes::Two(size(short), size(long), share),
        }
    }

    fn draw(&self, stream: &mut Stream) -> Size {
        match *self {
            Sizes::One(size) => size,
            Sizes::Two(short, long, share) => {
                if stream.unit() < share {
                    long
                } else {
                    short
                }
            }
        }
    }
}

/// What the injection channels of some nodes could carry.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    clock: Time,
    flits_per_cycle: f64,
    nodes: u32,
}

impl Capacity {
    /// Returns that of so many nodes.
    pub fn new(config: &Config, nodes: u32) -> Self {
        Capacity { clock: config.switch.clock, flits_per_cycle: flits_per_cycle(config), nodes }
    }

    /// Returns the flits of a time.
    pub fn flits(self, time: Time) -> f64 {
        time.0 as f64 / self.clock.0 as f64 * self.flits_per_cycle * f64::from(self.nodes)
    }
}

/// Returns the least probability of a message in a clock cycle: gaps between messages are drawn in reasonable time, and
/// end within 64 bits of picoseconds.
fn least_probability(Time(clock): Time) -> f64 {
    const RAREST: f64 = 1e-9;
    // A gap of 64 times the mean has a probability of e^-64; ten days are far from the end of time.
    const LONGEST: f64 = 1e18;
    RAREST.max(64.0 * clock as f64 / LONGEST)
}

/// Returns how many flits a node's injection channel carries in a clock cycle.
fn flits_per_cycle(config: &Config) -> f64 {
    let flit_bits = config.switch.flit.0 as f64 * 8.0;
    let Time(clock) = config.switch.clock;
    config.classes[0].bandwidth.0 as f64 / flit_bits * (clock as f64 / 1e12)
}
