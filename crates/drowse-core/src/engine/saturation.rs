//! Whether a network is saturated under open-loop traffic, as far as a window of time can tell.
//!
//! What is missing in a window, generated but not delivered, is what is on its way at its end less what was at its
//! beginning. Also where all is accepted, some is missing:
//! - while the network fills up. By Little's law, of messages with latency `L` that come at a rate `r`, `r L` are on
//!   their way; after a warm-up of `w < L`, `r (L - w)` of these are still to come;
//! - by chance. Messages on their way are about Poisson distributed, so the difference of two such numbers has twice
//!   the variance; messages that wait for each other are late together, which doubles it. Bernstein's inequality: a sum
//!   of independent terms of at most `F` flits and variance `V` exceeds its mean by `t` with a probability of at most
//!   `exp(-t^2 / (2 V + 2 F t / 3))`. What chance explains is the `t` of a probability of 0.01.
//!
//! The latency is twice that in an idle network, with what messages wait for waking channels: more than that is what
//! congestion does, which must not excuse itself.

use crate::model::config::{ClassModel, Config};
use crate::workload::Traffic;
use crate::workload::traffic::{Length, Lengths};

use crate::engine::parallel::window::PATIENCE;

/// Less than this share of the load accepted is what counts.
const ACCEPTED: f64 = 0.95;
/// How many times the latency in an idle network messages have on their way in one that accepts all.
const CONGESTED: f64 = 2.0;
/// How many times the variance of independent messages that of messages is which wait for each other.
const TOGETHER: f64 = 2.0;
/// Standard deviations that chance explains: `exp(-3^2 / 2)` is 0.01.
const DEVIATIONS: f64 = 3.0;
/// A window in which edges and chance explain more than this share of the load is too short.
const TELLS: f64 = 0.1;

/// What messages take in an idle network.
#[derive(Clone, Debug)]
pub struct Unloaded {
    kinds: Vec<Kind>,
    /// Time of a hop in picoseconds.
    hop: f64,
    /// Time before the first hop.
    start: f64,
}

/// Messages of one length.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// Share of all messages.
    share: f64,
    flits: f64,
    /// Time on the slowest link, in picoseconds.
    time: f64,
}

/// What a run has shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Flits generated in the window.
    pub generated: u64,
    /// Flits delivered in the window.
    pub delivered: u64,
    /// Mean number of hops of a packet.
    pub hops: f64,
    /// Time that messages have waited for channels to wake, all together.
    pub waking: u128,
    /// Measured messages did not arrive although the run went on for long.
    pub gave_up: bool,
}

/// What can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The network takes the load.
    Accepts,
    /// It does not.
    Saturated,
    /// The window is too short to tell.
    TooShort {
        /// What may be missing or too much by edges and chance, in percent of the load; 100 stands for all and more.
        percent: u8,
    },
}

impl Unloaded {
    /// Prepares the judgement of some traffic.
    pub fn new(config: &Config, traffic: &Traffic) -> Self {
        let kind = |share: f64, length: Length| Kind {
            share,
            flits: length.flits(&config.switch) as f64,
            time: message_time(config, length),
        };
        let kinds = match traffic.packets {
            Lengths::One(length) => vec![kind(1.0, length)],
            Lengths::Two { short, long, share } => vec![kind(1.0 - share, short), kind(share, long)],
        };
        let start = config.node.nic_latency.saturating_add(config.classes[0].latency);
        Unloaded { kinds, hop: hop_time(config), start: start.0 as f64 }
    }

    /// Judges what a window has shown.
    pub fn judge(&self, traffic: &Traffic, shown: Shown) -> Verdict {
        let generated = shown.generated as f64;
        let behind = (shown.delivered as f64) < ACCEPTED * generated;
        let missing = generated - shown.delivered as f64;
        let explained = self.explained(traffic, shown);
        let gave_up = traffic.drain && shown.gave_up;
        let waited = PATIENCE as f64 * (traffic.warmup.0 as f64 + traffic.measure.0 as f64);
        if (behind && missing > explained) || (gave_up && waited > self.longest_latency(shown)) {
            Verdict::Saturated
        } else if behind || gave_up || shown.generated == 0 || explained > TELLS * generated {
            Verdict::TooShort { percent: percent(explained, generated) }
        } else {
            Verdict::Accepts
        }
    }

    /// Returns how many flits edges and chance explain.
    fn explained(&self, traffic: &Traffic, shown: Shown) -> f64 {
        let (warmup, window) = (traffic.warmup.0 as f64, traffic.measure.0 as f64);
        let (mut filling, mut variance, mut longest) = (0.0, 0.0, 0.0);
        for kind in self.kinds.iter().filter(|kind| kind.share > 0.0) {
            let flits = shown.generated as f64 / self.mean_flits() * kind.share * kind.flits;
            let latency = self.latency(kind, shown);
            filling += flits * (latency - warmup).clamp(0.0, window) / window;
            variance += 2.0 * flits * kind.flits * (TOGETHER * latency).min(window) / window;
            longest = kind.flits.max(longest);
        }
        let square = DEVIATIONS * DEVIATIONS;
        let half = square * longest / 6.0;
        filling + half + (half * half + square * variance).sqrt()
    }

    /// Returns the latency of a message in a network that accepts all, in picoseconds.
    fn latency(&self, kind: &Kind, shown: Shown) -> f64 {
        let messages = (shown.generated as f64 / self.mean_flits()).max(1.0);
        CONGESTED * (self.start + shown.hops * self.hop + kind.time + shown.waking as f64 / messages)
    }

    fn longest_latency(&self, shown: Shown) -> f64 {
        self.kinds.iter().map(|kind| self.latency(kind, shown)).fold(0.0, f64::max)
    }

    fn mean_flits(&self) -> f64 {
        self.kinds.iter().map(|kind| kind.share * kind.flits).sum()
    }
}

#[expect(clippy::cast_sign_loss, reason = "neither is negative, and the cast stops at 100")]
fn percent(explained: f64, generated: f64) -> u8 {
    if generated > 0.0 { (100.0 * explained / generated).min(100.0).ceil() as u8 } else { 100 }
}

/// Returns how long a message takes on the slowest link, which carries a packet in a clock cycle at most.
fn message_time(config: &Config, length: Length) -> f64 {
    let flits = length.flits(&config.switch);
    let packets = flits.div_ceil(u64::from(config.switch.packet_flits));
    let cycles = packets as f64 * config.switch.clock.0 as f64;
    let gap = config.node.overheads.gap_after(length.bytes(&config.switch)).0 as f64;
    (flits as f64 * flit_time(config)).max(cycles) + gap
}

/// Returns how long a flit takes on the slowest link, in picoseconds.
fn flit_time(config: &Config) -> f64 {
    let of_class = |class: &ClassModel| config.switch.flit.0 as f64 * 8e12 / class.bandwidth.0 as f64;
    config.classes.iter().map(of_class).fold(0.0, f64::max)
}

/// Returns the longest time of a hop.
fn hop_time(config: &Config) -> f64 {
    let stored = if config.switch.stores() { f64::from(config.switch.packet_flits) * flit_time(config) } else { 0.0 };
    config.classes.iter().map(|class| class.hop.0 as f64).fold(0.0, f64::max) + stored
}
