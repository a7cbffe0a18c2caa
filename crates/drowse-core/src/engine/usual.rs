//! What a simulation has where nothing else is said: the switch of Andújar et al. 2019, section 3.1, on a network with its
//! usual routing.

use crate::model::config::{ClassModel, Config, NodeModel, SleepRules, SwitchModel, VirtualChannels};
use crate::model::unit::Unit;
use crate::model::units::{BitRate, Bytes, Time};
use crate::routing::{self, NeededVcs, RoutingKind};
use crate::topology::Network;

impl VirtualChannels {
    /// Returns those that a port usually has under a routing: two adaptive and two escape ones on a torus or mesh, one for
    /// each hop of a low-diameter network, else one.
    pub fn usual(network: &Network, routing: RoutingKind) -> Self {
        match routing::needed_vcs(network, routing) {
            NeededVcs::Grid { .. } => VirtualChannels::grid(if routing == RoutingKind::Adaptive { 2 } else { 0 }, 2),
            NeededVcs::Hops(hops) => VirtualChannels::hop(hops.clamp(1, u32::from(u8::MAX)) as u8),
            NeededVcs::Lanes(lanes) => VirtualChannels::any(lanes.clamp(1, u32::from(VirtualChannels::MAX)) as u8),
            NeededVcs::Any | NeededVcs::None => VirtualChannels::any(1),
        }
    }
}

impl SwitchModel {
    /// The usual size of an input port's buffer, which its virtual channels share evenly.
    pub const BUFFER: Bytes = Bytes(16 << 10);
    /// The usual cycles that a head takes through a switch beside allocation.
    pub const PIPELINE: u32 = 20;
    /// The usual cycles of an allocation.
    pub const ALLOCATION: u32 = 5;

    /// Makes the usual switch with these virtual channels.
    pub fn with(vcs: VirtualChannels) -> Self {
        let switch = SwitchModel::default();
        let buffer_flits = SwitchModel::BUFFER.0 / switch.flit.0 / u64::from(vcs.total().max(1));
        SwitchModel { vcs, buffer_flits: buffer_flits as u16, ..switch }
    }
}

impl ClassModel {
    /// The usual latency of a wire.
    pub const LATENCY: Time = Time::from_ns(10);
}

impl Default for ClassModel {
    /// Links of 10 GB/s that never sleep.
    fn default() -> Self {
        let cycles = u64::from(SwitchModel::PIPELINE + SwitchModel::ALLOCATION);
        ClassModel {
            bandwidth: BitRate::from_bytes_per_second(10_000_000_000),
            lanes: 1,
            latency: ClassModel::LATENCY,
            hop: Time(cycles * SwitchModel::default().clock.0) + ClassModel::LATENCY,
            states: None,
        }
    }
}

impl Config {
    /// Makes the parameters that an experiment has which says nothing beside the network: its usual routing, the usual
    /// switches, links and nodes. What a network does not tell is that of any other here: the links of a machine (PERCS,
    /// Aries), and the static routes of racks.
    pub fn new(network: &Network) -> Self {
        let routing = routing::kinds(&network.geometry).first().copied().unwrap_or(RoutingKind::Adaptive);
        Config {
            switch: SwitchModel::with(VirtualChannels::usual(network, routing)),
            classes: vec![ClassModel::default(); network.classes.len()],
            node: NodeModel::default(),
            routing,
            sleep: SleepRules::default(),
            unit: Unit::default(),
            transport: None,
            seed: 1,
            audit: false,
        }
    }
}
