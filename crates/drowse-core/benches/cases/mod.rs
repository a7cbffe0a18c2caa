//! The benchmark cases. All counters, histograms and a sleeping policy are on.

use drowse_core::model::config::{ClassModel, Config, SwitchModel, VirtualChannels};
use drowse_core::model::units::Time;
use drowse_core::power::{SleepState, SleepStates, StallTimer};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, PerDimension, ThinTree, TopologySpec, Torus};
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

/// The clock period, which is also the time of one flit.
const CYCLE: u64 = 1_600;

/// One network with its switches and load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// Its name in benches and in the table of instruction counts.
    pub name: &'static str,
    kind: Kind,
    load: f64,
    cycles: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// 8x8x8 torus, dimension order, `BookSim2`'s pipeline and buffers.
    Torus,
    /// The same, adaptive and with buffers of 16 KiB.
    Adaptive,
    /// 4x4 torus with trunks of 4 links and 4 nodes per switch, adaptive (Andújar et al. 2019).
    Trunks,
    /// 8-ary 4-tree with 4,096 nodes, adaptive.
    Tree,
    /// 4x4x4 torus that is almost idle.
    Idle,
}

const fn case(name: &'static str, kind: Kind, load: f64, cycles: u64) -> Case {
    Case { name, kind, load, cycles }
}

/// All cases.
pub const CASES: [Case; 9] = [
    case("torus-512-load-0.0005", Kind::Torus, 0.0005, 500_000),
    case("torus-512-load-0.05", Kind::Torus, 0.05, 20_000),
    case("torus-512-load-0.2", Kind::Torus, 0.2, 5_000),
    case("torus-512-load-0.4", Kind::Torus, 0.4, 5_000),
    // Past saturation.
    case("adaptive-512-load-0.8", Kind::Adaptive, 0.8, 1_000),
    case("trunks-64-load-0.2", Kind::Trunks, 0.2, 20_000),
    // Past saturation.
    case("trunks-64-load-0.9", Kind::Trunks, 0.9, 5_000),
    case("tree-4096-load-0.4", Kind::Tree, 0.4, 500),
    case("idle-64-load-0.01", Kind::Idle, 0.01, 200_000),
];

impl Case {
    /// Builds the network.
    pub fn network(&self) -> Network {
        let torus = |dims: &[u32], trunk, nodes| {
            TopologySpec::Torus(Torus::new(dims.to_vec(), PerDimension::All(trunk), nodes))
        };
        let spec = match self.kind {
            Kind::Torus | Kind::Adaptive => torus(&[8, 8, 8], 1, 1),
            Kind::Trunks => torus(&[4, 4], 4, 4),
            Kind::Tree => TopologySpec::Tree(ThinTree { down: 8, up: 8, levels: 4 }),
            Kind::Idle => torus(&[4, 4, 4], 1, 1),
        };
        spec.build().unwrap()
    }

    /// Returns the parameters.
    pub fn config(&self, network: &Network) -> Config {
        let state = |power, enter, wake| SleepState { power, enter: Time(enter), wake: Time(wake) };
        let states = SleepStates::new(state(0.6, 0, 250_000), state(0.1, 2_880_000, 4_480_000));
        let (latency, hop) = (Time(CYCLE), Time(4 * CYCLE));
        let class = ClassModel { latency, hop, states: Some(states), ..ClassModel::default() };
        let (vcs, packet_flits, buffer_flits, routing) = match self.kind {
            Kind::Torus | Kind::Idle => (VirtualChannels::grid(0, 4), 8, 16, RoutingKind::DimensionOrder),
            Kind::Adaptive | Kind::Trunks => (VirtualChannels::grid(2, 2), 8, 256, RoutingKind::Adaptive),
            Kind::Tree => (VirtualChannels::any(1), 16, 64, RoutingKind::Adaptive),
        };
        Config {
            switch: SwitchModel { clock: Time(CYCLE), packet_flits, vcs, buffer_flits, ..SwitchModel::default() },
            classes: vec![class; network.classes.len()],
            routing,
            ..Config::new(network)
        }
    }

    /// Returns the traffic, whose first tenth is warm-up.
    pub fn traffic(&self) -> Traffic {
        Traffic {
            pattern: Pattern::Uniform,
            packets: Lengths::packets(1),
            load: self.load,
            include_self: true,
            count: Count::Generated,
            warmup: Time(CYCLE * self.cycles / 10),
            measure: Time(CYCLE * self.cycles * 9 / 10),
            drain: true,
        }
    }
}

/// Returns the policy: channels sleep deeply after 50 us.
pub fn policy(network: &Network) -> StallTimer {
    StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(50)))
}
