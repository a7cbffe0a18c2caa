//! What keeps a link below its bandwidth whatever the traffic: the clock of the switches, their buffers, or their read
//! ports.
//!
//! Closed forms of the switch model, for full packets of `L` bits on a link of bandwidth `b`:
//! - a switch sends one packet on a link per clock cycle `c`, so that the link carries at most `L / c`;
//! - a packet's room in the next buffer is free again a credit round trip `t` after the packet was sent, so that a
//!   buffer of `n` packets lets the link carry at most `n L / t` (Dally and Towles 2004, section 13.3.1). Only the
//!   virtual channels that one packet may use count: they are all that a stream of packets has;
//! - a read port of an input sends one packet at a time, at the speed of the output.
//!
//! Policies that narrow links or put them to sleep come on top.

use std::fmt;

use crate::model::config::{ClassModel, Config, Escape};
use crate::model::units::{BitRate, Bytes, Time};
use crate::routing::{HopVcs, NeededVcs, needed_vcs};
use crate::topology::{Geometry, Network};

/// The class of links between nodes and switches.
const NODE: usize = 0;
const BITS_TIMES_PICOSECONDS: u128 = 8 * 1_000_000_000_000;

/// Links that cannot carry what their bandwidth promises.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The names of the link classes that they have; those that are limited alike are named together.
    pub classes: Vec<String>,
    /// The bandwidth that the configuration gives them.
    pub bandwidth: BitRate,
    /// What they carry at most, in bits per second.
    pub carried: f64,
    /// Why, and what would fill them.
    pub cause: Cause,
}

/// Why a link cannot be filled.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A packet takes less time than a clock cycle, in which a switch sends one on a link.
    Clock {
        /// Size of a full packet.
        packet: Bytes,
        /// The clock of the switches.
        clock: Time,
        /// The least size of packets that fills the link.
        fills: Bytes,
    },
    /// The room for packets is used up before credits return.
    Credits {
        /// Time from sending a packet to having its credit back.
        round_trip: Time,
        /// Full packets of a stream that the next buffer holds.
        packets: u64,
        /// Virtual channels that a packet may use.
        vcs: u8,
        /// All virtual channels of a port.
        of: u8,
        /// A size of `switch.buffer` that fills the link.
        fills: Bytes,
    },
    /// Packets that go on by slower links leave an input port one at a time for each read port.
    ReadPorts {
        /// The class of the slower links.
        next_hop: String,
        /// Read ports of an input port.
        speedup: u8,
        /// The number that fills the link, which takes as many virtual channels.
        fills: u64,
    },
}

/// Returns the links of a network that no traffic can fill, and why; several causes may hold for one class.
pub fn limits(network: &Network, config: &Config) -> Vec<Limit> {
    let mut found: Vec<Limit> = Vec::new();
    // An ideal network has no switches that could limit anything.
    if matches!(network.geometry, Geometry::Ideal(_)) {
        return found;
    }
    for (class, model) in config.classes.iter().enumerate() {
        let causes = [clock(config, model), credits(network, config, class), read_ports(network, config, class)];
        for (carried, cause) in causes.into_iter().flatten() {
            let (name, bandwidth) = (network.classes[class].clone(), model.bandwidth);
            let same = |limit: &&mut Limit| limit.bandwidth == bandwidth && limit.cause == cause;
            match found.iter_mut().find(same) {
                Some(limit) => limit.classes.push(name),
                None => found.push(Limit { classes: vec![name], bandwidth, carried, cause }),
            }
        }
    }
    found
}

/// Returns the flits that a virtual channel may come to hold beyond those with which it lets its sender pause
/// ([`FlowControl::Pause`]): all but one flit of the packet that came then, and what the sender begins until it is told.
///
/// [`FlowControl::Pause`]: crate::model::config::FlowControl::Pause
pub fn pause_headroom(config: &Config) -> u64 {
    let (packet, clock) = (u64::from(config.switch.packet_flits), config.switch.clock);
    let sent = |(class, model): (usize, &ClassModel)| {
        let comes = if class == NODE { config.node.nic_latency + model.latency } else { model.hop };
        // A packet that is granted at an edge may begin until the next one.
        let told = comes.0.saturating_add(model.latency.0).saturating_add(clock.0);
        let bits = u128::from(told) * u128::from(model.bandwidth.0);
        let flit = u128::from(config.switch.flit.0.max(1)) * BITS_TIMES_PICOSECONDS;
        u64::try_from(bits.div_ceil(flit)).unwrap_or(u64::MAX / 2)
    };
    let sent = config.classes.iter().enumerate().map(sent).max().unwrap_or(0);
    sent.saturating_add(2 * packet)
}

/// Returns the bytes of a full packet.
fn packet_bytes(config: &Config) -> u64 {
    u64::from(config.switch.packet_flits) * config.switch.flit.0
}

/// Checks that a packet takes a clock cycle.
fn clock(config: &Config, model: &ClassModel) -> Option<(f64, Cause)> {
    let (packet, clock, flit) = (packet_bytes(config), config.switch.clock, config.switch.flit.0);
    let in_a_cycle = u128::from(clock.0) * u128::from(model.bandwidth.0);
    if u128::from(packet) * BITS_TIMES_PICOSECONDS >= in_a_cycle {
        return None;
    }
    let fills = u64::try_from(in_a_cycle.div_ceil(BITS_TIMES_PICOSECONDS)).unwrap_or(u64::MAX / 2);
    let cause = Cause::Clock { packet: Bytes(packet), clock, fills: Bytes(fills.div_ceil(flit).saturating_mul(flit)) };
    Some((packet as f64 * 8.0 / clock.seconds(), cause))
}

/// Checks that the buffers behind a link hold what it sends in a credit round trip.
fn credits(network: &Network, config: &Config, class: usize) -> Option<(f64, Cause)> {
    let (switch, model) = (&config.switch, &config.classes[class]);
    if switch.is_lossy() {
        return None;
    }
    let (packet, of) = (packet_bytes(config), switch.vcs.total());
    let vcs = if class == NODE { of } else { vcs_of_a_packet(network, config, class) };
    let packets = u64::from(vcs) * u64::from(switch.buffer_flits / switch.packet_flits);
    let takes = model.bandwidth.transfer_time(packet).0;
    // The head gets to the next switch; its last bit leaves there no earlier than a packet's time later, and two where
    // the whole packet comes first. Waits for clock edges come on top.
    let to_next = if class == NODE { config.node.nic_latency + model.latency } else { model.hop };
    let stays = if switch.stores() { takes.saturating_mul(2) } else { takes };
    let round_trip = to_next.0.saturating_add(stays).saturating_add(model.latency.0);
    if u128::from(packets) * u128::from(takes) >= u128::from(round_trip) {
        return None;
    }
    // A hop takes whole cycles, and grants wait for clock edges at both ends.
    let needed = round_trip.saturating_add(3 * switch.clock.0).div_ceil(takes.max(1));
    let each = needed.div_ceil(u64::from(vcs));
    let fills = Bytes(each.saturating_mul(packet).saturating_mul(u64::from(of)));
    let carried = packets as f64 * packet as f64 * 8.0 / Time(round_trip).seconds();
    Some((carried, Cause::Credits { round_trip: Time(round_trip), packets, vcs, of, fills }))
}

/// Returns how many virtual channels of a channel between switches, of this class, a packet may use.
fn vcs_of_a_packet(network: &Network, config: &Config, class: usize) -> u8 {
    let vcs = config.switch.vcs;
    match needed_vcs(network, config.routing) {
        NeededVcs::Hops(classes) => HopVcs::new(vcs, classes).mask(0).count_ones() as u8,
        NeededVcs::Grid { .. } => {
            // Each dimension has a class of its own, behind that of nodes.
            let wraps = matches!(&network.geometry, Geometry::Grid(grid) if grid.wraps[class - 1]);
            let halved = wraps && config.switch.escape == Escape::Dateline;
            vcs.adaptive + if halved { vcs.escape / 2 } else { vcs.escape }
        }
        NeededVcs::Any | NeededVcs::None => vcs.total(),
        NeededVcs::Lanes(_) => 1,
    }
}

/// Checks that the read ports of an input pass on what a link between switches brings, to the slowest links there.
fn read_ports(network: &Network, config: &Config, class: usize) -> Option<(f64, Cause)> {
    let (speedup, brings) = (config.switch.input_speedup, config.classes[class].bandwidth);
    if class == NODE {
        return None;
    }
    let slower = |&other: &usize| config.classes[other].bandwidth.0.saturating_mul(u64::from(speedup)) < brings.0;
    let next_hop = (0..config.classes.len())
        .filter(slower)
        .filter(|&other| meet(network, class, other))
        .min_by_key(|&other| config.classes[other].bandwidth)?;
    let slow = config.classes[next_hop].bandwidth.0;
    let cause = Cause::ReadPorts {
        next_hop: network.classes[next_hop].clone(),
        speedup,
        fills: brings.0.div_ceil(slow.max(1)),
    };
    Some((slow as f64 * f64::from(speedup), cause))
}

/// Returns whether links of two classes end at the same switch.
fn meet(network: &Network, one: usize, other: usize) -> bool {
    network.first_port.windows(2).any(|ports| {
        let classes = &network.port_class[ports[0] as usize..ports[1] as usize];
        let has = |class: usize| classes.iter().any(|&at| usize::from(at) == class);
        has(one) && has(other)
    })
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.classes.iter().map(|name| format!("\"{name}\"")).collect();
        let (carried, bandwidth) = (gigabits(self.carried), gigabits(self.bandwidth.0 as f64));
        write!(f, "links of {} carry at most {carried} of {bandwidth} Gb/s", names.join(", "))?;
        match &self.cause {
            Cause::Clock { packet, clock, fills } => write!(
                f,
                ": a switch sends one packet of {} B on a link per clock cycle of {clock}; write switch.packet = \"{}\" \
                    or a shorter switch.clock",
                packet.0,
                size(*fills)
            ),
            Cause::Credits { round_trip, packets, vcs, of, fills } => {
                if vcs < of {
                    write!(f, " for packets that share {vcs} of the {of} VCs")?;
                }
                let plural = if *packets == 1 { "" } else { "s" };
                write!(
                    f,
                    ": the buffer behind them holds {packets} packet{plural} of these, and a credit returns after \
                        {round_trip}; write switch.buffer = \"{}\"",
                    size(*fills)
                )
            }
            Cause::ReadPorts { next_hop, speedup, fills } => write!(
                f,
                " for packets that go on by links of \"{next_hop}\": an input port sends {speedup} packet{} at a time; \
                    write switch.input_speedup = {fills}, with as many VCs",
                if *speedup == 1 { "" } else { "s" }
            ),
        }
    }
}

/// Returns a rate in Gb/s, to three digits.
fn gigabits(bits_per_second: f64) -> String {
    let value = bits_per_second / 1e9;
    let (mut scaled, mut decimals) = (value, 0);
    while scaled < 100.0 && decimals < 9 {
        (scaled, decimals) = (scaled * 10.0, decimals + 1);
    }
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Returns a size as users write it.
fn size(bytes: Bytes) -> String {
    let kibi = bytes.0.is_multiple_of(1024).then_some(bytes.0 / 1024);
    kibi.map_or_else(|| format!("{} B", bytes.0), |kibi| format!("{kibi} KiB"))
}
