//! Checks parameters against each other and the network, and makes the idle machine.

use crate::config::{Config, VirtualChannels};
use crate::ids::ChannelId;
use crate::power::Policy;
use crate::routing::RoutingKind;
use crate::topology::{Geometry, Network};
use crate::workload::Job;

use super::channel::{Channel, Channels, Class};
use super::fabric::Fabric;
use super::part::Part;
use super::wheel::Wheel;

/// Why a run cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {reason}")]
pub struct SetupError {
    /// The experiment key to change.
    pub key: &'static str,
    /// What is wrong and what is allowed.
    pub reason: String,
}

fn refuse<T>(key: &'static str, reason: impl Into<String>) -> Result<T, SetupError> {
    Err(SetupError { key, reason: reason.into() })
}

/// Checks the parameters and prepares the classes of channels for the hot path.
pub fn classes(network: &Network, config: &Config) -> Result<Vec<Class>, SetupError> {
    check_switch(config)?;
    check_vcs(network, config)?;
    if config.classes.len() != network.classes.len() {
        return refuse(
            "link",
            format!("{} classes for a network with {}", config.classes.len(), network.classes.len()),
        );
    }
    // The round-robin pointers number outputs and virtual channels in 16 bits.
    if network.radix() > 4096 {
        return refuse("network", format!("a switch with {} ports; the most is 4096", network.radix()));
    }
    let mut classes = Vec::new();
    for model in &config.classes {
        if model.bandwidth.0 == 0 {
            return refuse("link.bandwidth", "must be above 0");
        }
        if model.hop < config.switch.clock {
            return refuse("switch.pipeline", "a hop must take at least one clock cycle");
        }
        match Class::new(model, config.switch.flit.0, config.sleep.wake_after) {
            Some(class) => classes.push(class),
            None => return refuse("link.bandwidth", "too odd a number to tell a flit's time exactly; round it"),
        }
    }
    Ok(classes)
}

/// Makes the idle switches and channels of a part.
pub fn fabric<'a, P: Policy>(
    network: &'a Network,
    part: Part,
    config: &Config,
    policy: &'a P,
    classes: &[Class],
) -> Fabric<'a, P> {
    let channel = |channel| idle_channel(network, config, part.channel_id(network, channel));
    let hot = (0..part.channels()).map(channel).collect();
    let wheel = Wheel::new(wheel_span(config, classes));
    Fabric::new(network, part, config, Channels::new(policy, classes.to_vec(), hot), wheel)
}

/// Gives how many buckets parts of the network may be apart: what one does in a bucket reaches another no sooner.
pub fn lookahead(config: &Config, classes: &[Class]) -> u64 {
    // Only channels between switches are cut: all classes but that of the nodes, which comes first. A credit goes back when
    // the packet has left the next switch, by a channel of any class.
    let shortest_packet = classes.iter().map(|class| class.duration_ceil(1)).min().unwrap_or(0);
    let reach = |class: &Class| class.hop.min(class.latency + shortest_packet);
    let shortest = classes.iter().skip(1).map(reach).min().unwrap_or(u64::MAX);
    (shortest / config.switch.clock.0).max(1)
}

/// Checks that every job's ranks are on nodes that exist.
pub fn check_jobs(network: &Network, jobs: &[Job]) -> Result<(), SetupError> {
    for job in jobs {
        let (ranks, placed) = (job.source.ranks() as usize, job.placement.len());
        if ranks != placed {
            return refuse("job.placement", format!("job {}: {placed} places for {ranks} ranks", job.name));
        }
        if let Some(node) = job.placement.iter().find(|node| node.0 >= network.nodes) {
            return refuse("job.placement", format!("job {}: node {} of {}", job.name, node.0, network.nodes));
        }
    }
    Ok(())
}

fn check_switch(config: &Config) -> Result<(), SetupError> {
    let switch = &config.switch;
    if switch.clock.0 == 0 {
        return refuse("switch.clock", "must be above 0");
    }
    if switch.flit.0 == 0 || switch.packet_flits == 0 {
        return refuse("switch.packet", "a packet is at least one flit of at least one byte");
    }
    if switch.buffer_flits < switch.packet_flits {
        return refuse(
            "switch.buffer",
            format!(
                "{} flits for each virtual channel cannot hold a packet of {} flits, as virtual cut-through must",
                switch.buffer_flits, switch.packet_flits
            ),
        );
    }
    Ok(())
}

fn check_vcs(network: &Network, config: &Config) -> Result<(), SetupError> {
    let VirtualChannels { adaptive, escape, any } = config.switch.vcs;
    let total = u16::from(adaptive) + u16::from(escape) + u16::from(any);
    if !(1..=u16::from(VirtualChannels::MAX)).contains(&total) {
        return refuse("switch.vcs", format!("{total} virtual channels; there must be 1 to 8"));
    }
    if !(1..=config.switch.vcs.total()).contains(&config.switch.input_speedup) {
        let reason = format!("{}; it is 1 to the number of virtual channels", config.switch.input_speedup);
        return refuse("switch.input_speedup", reason);
    }
    let grid = match (&network.geometry, config.routing) {
        (Geometry::Levels(_), RoutingKind::DimensionOrder) => {
            return refuse("network.routing", "trees have no dimension order");
        }
        (Geometry::Levels(_), _) if total > u16::from(any) => {
            return refuse("switch.vcs", "trees use virtual channels for any purpose only: any = 1 or more");
        }
        (Geometry::Levels(_) | Geometry::Ideal(_), _) => return Ok(()),
        (Geometry::Grid(_), RoutingKind::Random | RoutingKind::DModK) => {
            return refuse("network.routing", "only trees route by random or d-mod-k");
        }
        (Geometry::Grid(_), _) if any > 0 => {
            return refuse("switch.vcs", format!("tori and meshes never use any = {any}; leave it out"));
        }
        (Geometry::Grid(grid), _) => grid,
    };
    let rings = grid.wraps.iter().any(|&wraps| wraps);
    if escape == 0 || (rings && !escape.is_multiple_of(2)) {
        let need = if rings { "an even number, half of them for each side of the dateline" } else { "at least 1" };
        return refuse("switch.vcs", format!("escape = {escape}; this network needs {need}"));
    }
    match (config.routing, adaptive) {
        (RoutingKind::Adaptive, 0) => refuse("switch.vcs", "adaptive routing needs adaptive = 1 or more"),
        (RoutingKind::DimensionOrder, 1..) => {
            refuse("switch.vcs", format!("dimension-order never uses adaptive = {adaptive}; leave it out"))
        }
        _ => Ok(()),
    }
}

/// Gives how many buckets ahead events usually lie: a hop, a packet, a credit's way.
fn wheel_span(config: &Config, classes: &[Class]) -> u64 {
    let reach = |class: &Class| class.hop + class.latency + class.duration_ceil(config.switch.packet_flits);
    classes.iter().map(reach).max().unwrap_or(0) / config.switch.clock.0 + 2
}

fn idle_channel(network: &Network, config: &Config, channel: ChannelId) -> Channel {
    let class = network.channel_class(channel);
    let ejects = network.is_node_channel(channel) && channel.0 < network.ports();
    let sleeps = config.classes[usize::from(class)].states.is_some();
    let flags = if ejects { Channel::EJECTS } else { 0 } | if sleeps { Channel::SLEEPS } else { 0 };
    // A node takes everything: its channel's credits are never spent.
    let room = if ejects { u16::MAX } else { config.switch.buffer_flits };
    let mut credits = [0; 8];
    credits[..usize::from(config.switch.vcs.total())].fill(room);
    Channel::new(class, flags, credits)
}
