//! The curves of two other simulators on tori, trees and low-diameter networks, and our parameters set to theirs.

use drowse_core::engine;
use drowse_core::model::balance::Balance;
use drowse_core::model::config::{
    Arbitration, ClassModel, Config, Escape, FlowControl, Forwarding, Injection, NodeModel, OutputQueues, Queues,
    SleepRules, SwitchModel, TrunkChoice, VirtualChannels,
};
use drowse_core::model::unit::Unit;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{
    Arrangement, Dragonfly, HyperX, Network, PerDimension, SlimFly, TableKind, ThinTree, TopologySpec, Torus,
};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

/// The clock period; peers count in cycles.
pub const CYCLE: u64 = 1_600;

/// One curve of another simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// `BookSim2`, dimension order: input queues, one read port each, virtual channels split by the dateline.
    BookSim,
    /// CAMINOS, dimension order: every virtual channel has its own crossbar input; bubble flow control.
    Caminos,
    /// CAMINOS, minimal adaptive with a dimension-order escape.
    CaminosAdaptive,
    /// CAMINOS on a 4-ary 3-tree: up by the output with the shortest queues.
    CaminosTree64,
    /// CAMINOS on an 8-ary 4-tree, the same.
    CaminosTree4096,
    /// `BookSim2` on an 8-ary 4-tree: up by the emptier of two outputs drawn at random.
    BookSimTree4096,
    /// CAMINOS on a dragonfly, routes with the fewest global links.
    CaminosDragonfly,
    /// CAMINOS on a Slim Fly, shortest paths.
    CaminosSlimFly,
    /// CAMINOS on a HyperX of two dimensions, the same.
    CaminosHyperX,
    /// `BookSim2` on the dragonfly, with its own link lengths.
    BookSimDragonfly,
}

/// One point of a peer's curve.
pub struct Point {
    /// The offered load.
    pub offered: f64,
    /// The accepted load.
    pub accepted: f64,
    /// Mean packet latency in cycles.
    pub latency: f64,
}

/// Our result at a point.
pub struct Ours {
    /// The accepted load.
    pub accepted: f64,
    /// Mean packet latency in cycles.
    pub latency: f64,
    /// Whether the accepted load is below the offered load.
    pub saturated: bool,
}

impl Peer {
    /// The seeds of runs of which means are taken.
    pub const SEEDS: [u64; 3] = [1, 2, 3];
    /// Curves on the torus.
    pub const TORUS: [Peer; 3] = [Peer::BookSim, Peer::Caminos, Peer::CaminosAdaptive];
    /// Curves on trees.
    pub const TREES: [Peer; 3] = [Peer::CaminosTree64, Peer::CaminosTree4096, Peer::BookSimTree4096];
    /// Curves on low-diameter networks, from CAMINOS.
    pub const LOW_DIAMETER: [Peer; 3] = [Peer::CaminosDragonfly, Peer::CaminosSlimFly, Peer::CaminosHyperX];

    /// Returns what pages call it.
    pub fn name(self) -> &'static str {
        match self {
            Peer::BookSim => "BookSim2, dimension order",
            Peer::Caminos => "CAMINOS, dimension order",
            Peer::CaminosAdaptive => "CAMINOS, minimal adaptive",
            Peer::CaminosTree64 => "CAMINOS, 4-ary 3-tree",
            Peer::CaminosTree4096 => "CAMINOS, 8-ary 4-tree",
            Peer::BookSimTree4096 => "BookSim2, 8-ary 4-tree",
            Peer::CaminosDragonfly => "CAMINOS, dragonfly of 1,056 nodes",
            Peer::CaminosSlimFly => "CAMINOS, Slim Fly of 200 nodes",
            Peer::CaminosHyperX => "CAMINOS, HyperX of 512 nodes",
            Peer::BookSimDragonfly => "BookSim2, dragonfly of 1,056 nodes",
        }
    }

    /// Reads the curve.
    pub fn curve(self) -> Vec<Point> {
        let text = match self {
            Peer::BookSim => include_str!("../../data/booksim_torus888_dor.csv"),
            Peer::Caminos => include_str!("../../data/caminos_torus888_dor.csv"),
            Peer::CaminosAdaptive => include_str!("../../data/caminos_torus888_minadapt.csv"),
            Peer::CaminosTree64 => include_str!("../../data/caminos_tree4ary3_adapt.csv"),
            Peer::CaminosTree4096 => include_str!("../../data/caminos_tree8ary4_adapt.csv"),
            Peer::BookSimTree4096 => include_str!("../../data/booksim_tree8ary4_anca.csv"),
            Peer::CaminosDragonfly => include_str!("../../data/caminos_dragonfly_p4a8h4_weighted.csv"),
            Peer::CaminosSlimFly => include_str!("../../data/caminos_slim_fly_q5.csv"),
            Peer::CaminosHyperX => include_str!("../../data/caminos_hyperx88.csv"),
            Peer::BookSimDragonfly => include_str!("../../data/booksim_dragonfly_p4a8h4_min.csv"),
        };
        points(text)
    }

    /// Reads the peer's runs with other seeds at a load where seeds differ much. The first is the point of its curve.
    pub fn seeds(self, offered: f64) -> Vec<Point> {
        let all = match self {
            Peer::CaminosTree64 => points(include_str!("../../data/caminos_tree4ary3_seeds.csv")),
            Peer::CaminosDragonfly => points(include_str!("../../data/caminos_dragonfly_seeds.csv")),
            Peer::CaminosSlimFly => points(include_str!("../../data/caminos_slim_fly_q5_seeds.csv")),
            Peer::CaminosHyperX => points(include_str!("../../data/caminos_hyperx88_seeds.csv")),
            _ => Vec::new(),
        };
        all.into_iter().filter(|point| point.offered.total_cmp(&offered).is_eq()).collect()
    }

    /// Returns the point of the peer's curve at a load: the mean of its seeds where there are many.
    pub fn mean(self, offered: f64) -> Point {
        let seeds = self.seeds(offered);
        let mean = |of: fn(&Point) -> f64| seeds.iter().map(of).sum::<f64>() / seeds.len() as f64;
        match self.curve().into_iter().find(|point| point.offered.total_cmp(&offered).is_eq()) {
            Some(point) if seeds.is_empty() => point,
            _ => Point { offered, accepted: mean(|point| point.accepted), latency: mean(|point| point.latency) },
        }
    }

    /// Returns the measured cycles of runs that the twin, which is slow, does as well.
    pub fn short_cycles(self) -> u64 {
        if matches!(self, Peer::CaminosTree4096 | Peer::BookSimTree4096) { 300 } else { 1_000 }
    }

    /// Runs our simulator at an offered load, for `cycles` measured cycles after a warm-up of a fifth of them.
    pub fn ours(self, load: f64, cycles: u64) -> Ours {
        self.ours_with(Queues::Input, load, cycles)
    }

    /// Runs it with other queues.
    pub fn ours_with(self, queues: Queues, load: f64, cycles: u64) -> Ours {
        let (network, mut config, traffic) = self.settings(load, cycles);
        config.switch.queues = queues;
        shorten_hops(&mut config);
        run(&network, &config, traffic)
    }

    /// Runs our simulator with CAMINOS's switch over the window of its curve, and returns the means of three seeds.
    pub fn with_their_switch(self, load: f64) -> Ours {
        let runs = Self::SEEDS.map(|seed| {
            let (network, config, traffic) = self.settings_of_their_switch(load, seed);
            run(&network, &config, traffic)
        });
        let mean = |of: fn(&Ours) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
        let saturated = runs.iter().any(|run| run.saturated);
        Ours { accepted: mean(|run| run.accepted), latency: mean(|run| run.latency), saturated }
    }

    /// Returns the network, our parameters and the traffic of such a run. To each queue of an output leads a way through
    /// the crossbar, as fast as a link, and NICs take the first virtual channel with room. On low-diameter networks, those
    /// beside the channels of hops are used from and to nodes only.
    pub fn settings_of_their_switch(self, load: f64, seed: u64) -> (Network, Config, Traffic) {
        let (warmup, measure) = self.their_cycles();
        let (network, mut config, traffic) = self.settings(load, measure);
        if Self::LOW_DIAMETER.contains(&self) {
            config.switch.vcs.any = 4 - config.switch.vcs.hop;
            config.switch.input_speedup = 4;
        }
        let (room_flits, paths) = (config.switch.buffer_flits, config.switch.vcs.total());
        let queues = Queues::Output(OutputQueues { room_flits, speedup: 1, paths });
        let switch = SwitchModel { queues, request_busy: false, ..config.switch };
        let node = NodeModel { injection: Injection::First, ..config.node };
        let mut config = Config { switch, node, seed, ..config };
        shorten_hops(&mut config);
        (network, config, Traffic { warmup: Time(CYCLE * warmup), ..traffic })
    }

    /// Returns the cycles of warm-up and window of a peer's curve.
    pub fn their_cycles(self) -> (u64, u64) {
        match self {
            Peer::BookSim | Peer::Caminos | Peer::CaminosAdaptive => (600, 900),
            Peer::CaminosTree64 => (5_000, 7_500),
            Peer::CaminosDragonfly => (600, 1_500),
            Peer::CaminosSlimFly | Peer::CaminosHyperX => (1_000, 1_500),
            Peer::BookSimDragonfly => (1_200, 600),
            Peer::CaminosTree4096 | Peer::BookSimTree4096 => (300, 450),
        }
    }

    /// Returns the network, our parameters and the traffic of such a run.
    pub fn settings(self, load: f64, cycles: u64) -> (Network, Config, Traffic) {
        let network = self.network();
        let config = self.config(&network);
        let booksim = self.is_booksim();
        let traffic = Traffic {
            pattern: Pattern::Uniform,
            packets: Lengths::packets(1),
            load,
            include_self: booksim,
            count: if booksim { Count::Generated } else { Count::Delivered },
            warmup: Time(CYCLE * cycles / 5),
            measure: Time(CYCLE * cycles),
            // Above saturation a drain only costs time; the curves there depend on the run's length anyway.
            drain: load < if self.is_tree() { 0.85 } else { 0.55 },
        };
        (network, config, traffic)
    }

    /// Returns whether the peer is `BookSim2`.
    pub fn is_booksim(self) -> bool {
        matches!(self, Peer::BookSim | Peer::BookSimTree4096 | Peer::BookSimDragonfly)
    }

    fn is_tree(self) -> bool {
        Peer::TREES.contains(&self)
    }

    fn network(self) -> Network {
        let tree = |k, n| TopologySpec::Tree(ThinTree { down: k, up: k, levels: n });
        let spec = match self {
            Peer::CaminosTree64 => tree(4, 3),
            Peer::CaminosTree4096 | Peer::BookSimTree4096 => tree(8, 4),
            Peer::CaminosDragonfly | Peer::BookSimDragonfly => {
                let arrangement = Arrangement::Palmtree;
                TopologySpec::Dragonfly(Dragonfly { p: 4, a: 8, h: 4, groups: 33, arrangement })
            }
            Peer::CaminosSlimFly => {
                TopologySpec::SlimFly(SlimFly { q: 5, nodes: Some(4), tables: TableKind::Shortest })
            }
            Peer::CaminosHyperX => {
                let widths = PerDimension::All(1);
                TopologySpec::HyperX(HyperX { dims: vec![8, 8], widths, nodes: 8 })
            }
            _ => TopologySpec::Torus(Torus::new(vec![8, 8, 8], PerDimension::All(1), 1)),
        };
        spec.build().unwrap()
    }

    /// Returns our routing. `BookSim2` draws two outputs up and takes the one with fewer outstanding credits, which are
    /// equal at low loads; the packet then waits for it. That is random routing rather than adaptive routing.
    fn routing(self) -> RoutingKind {
        match self {
            Peer::BookSim | Peer::Caminos => RoutingKind::DimensionOrder,
            Peer::CaminosAdaptive | Peer::CaminosTree64 | Peer::CaminosTree4096 => RoutingKind::Adaptive,
            Peer::BookSimTree4096 => RoutingKind::Random,
            Peer::CaminosDragonfly | Peer::CaminosSlimFly | Peer::CaminosHyperX | Peer::BookSimDragonfly => {
                RoutingKind::Minimal
            }
        }
    }

    fn vcs(self) -> VirtualChannels {
        match self {
            Peer::CaminosAdaptive => VirtualChannels::grid(2, 2),
            Peer::BookSim | Peer::Caminos => VirtualChannels::grid(0, 4),
            Peer::CaminosDragonfly | Peer::BookSimDragonfly => VirtualChannels::hop(3),
            Peer::CaminosSlimFly | Peer::CaminosHyperX => VirtualChannels::hop(2),
            _ => VirtualChannels::any(4),
        }
    }

    /// Sets our parameters to the peer's: two packets per virtual channel, wires of one cycle, hops of 4 cycles
    /// (`BookSim2`) or 2. CAMINOS counts from the first flit's arrival at the switch, so the injection wire takes no
    /// time. Its crossbar serves all virtual channels at the same time, which is an input speedup of 4.
    fn config(self, network: &Network) -> Config {
        let booksim = self.is_booksim();
        let class = ClassModel {
            bandwidth: BitRate::from_bytes_per_second(10_000_000_000),
            lanes: 1,
            latency: Time(CYCLE),
            hop: Time(CYCLE * if booksim { 4 } else { 2 }),
            states: None,
        };
        let mut classes = vec![class; network.classes.len()];
        classes[0].latency = Time(if booksim { CYCLE } else { 0 });
        if self == Peer::BookSimDragonfly {
            // Links within a group take 10 cycles, links between groups 100.
            for (class, cycles) in [(1, 10), (2, 100)] {
                (classes[class].latency, classes[class].hop) = (Time(CYCLE * cycles), Time(CYCLE * (cycles + 3)));
            }
        }
        let random = !booksim && self != Peer::Caminos;
        let packet_flits = if self.is_tree() { 16 } else { 8 };
        Config {
            switch: SwitchModel {
                clock: Time(CYCLE),
                flit: Bytes(16),
                packet_flits,
                vcs: self.vcs(),
                buffer_flits: self.buffer_flits(packet_flits),
                flow_control: FlowControl::Credits,
                input_speedup: if booksim { 1 } else { self.vcs().total() },
                queues: Queues::Input,
                forwarding: Forwarding::CutThrough,
                escape: Escape::Dateline,
                arbitration: if random { Arbitration::Random } else { Arbitration::RoundRobin },
                request_busy: self == Peer::CaminosAdaptive,
                allocation_gap: Time::ZERO,
                trunks: TrunkChoice::Balanced,
                balance: Balance::Adaptive,
                marking: None,
                padding: false,
            },
            classes,
            node: NodeModel::default(),
            routing: self.routing(),
            sleep: SleepRules::default(),
            unit: Unit::Packet,
            transport: None,
            seed: 1,
            audit: false,
        }
    }

    fn buffer_flits(self, packet: u16) -> u16 {
        match self {
            Peer::CaminosDragonfly | Peer::CaminosSlimFly | Peer::CaminosHyperX => 32,
            Peer::BookSimDragonfly => 256,
            _ => 2 * packet,
        }
    }
}

/// Runs the engine.
fn run(network: &Network, config: &Config, traffic: Traffic) -> Ours {
    let policy = StallTimer::always_on(network.classes.len());
    let record = engine::run(network, config, &policy, Workload::OpenLoop(traffic)).unwrap().unwrap();
    let open_loop = record.open_loop.unwrap();
    Ours {
        accepted: open_loop.delivered_flits as f64 / open_loop.capacity_flits,
        latency: record.packet_latency.mean().unwrap() / CYCLE as f64,
        saturated: open_loop.saturated,
    }
}

/// Takes the cycle of a crossbar to output queues out of the hop.
fn shorten_hops(config: &mut Config) {
    if config.switch.output_queues().is_some() {
        config.classes.iter_mut().for_each(|class| class.hop = Time(class.hop.0 - CYCLE));
    }
}

fn points(text: &str) -> Vec<Point> {
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let fields: Vec<f64> = row.split(',').take(3).map(|field| field.parse().unwrap()).collect();
        Point { offered: fields[0], accepted: fields[1], latency: fields[2] }
    })
    .collect()
}
