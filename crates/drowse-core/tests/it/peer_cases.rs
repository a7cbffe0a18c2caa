//! The curves of two other simulators, and our parameters set to theirs.

use drowse_core::config::{ClassModel, Config, NodeModel, SleepRules, SwitchModel, VirtualChannels};
use drowse_core::engine;
use drowse_core::power::StallTimer;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{PerDimension, TopologySpec, Torus};
use drowse_core::units::{BitRate, Bytes, Time};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Pattern, Traffic};

/// The clock period; peers count in cycles.
pub const CYCLE: u64 = 1_600;

/// One curve of another simulator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// `BookSim2`, dimension order: input queues, one read port each, virtual channels split by the dateline.
    BookSim,
    /// CAMINOS, dimension order: every virtual channel has its own way into the crossbar; bubble flow control.
    Caminos,
    /// CAMINOS, minimal adaptive with a dimension-order escape.
    CaminosAdaptive,
}

/// One point of a peer's curve.
pub struct Point {
    pub offered: f64,
    pub accepted: f64,
    pub latency: f64,
}

/// What we find at a point.
pub struct Ours {
    pub accepted: f64,
    /// Mean packet latency in cycles.
    pub latency: f64,
    pub saturated: bool,
}

impl Peer {
    pub const ALL: [Peer; 3] = [Peer::BookSim, Peer::Caminos, Peer::CaminosAdaptive];

    pub fn name(self) -> &'static str {
        match self {
            Peer::BookSim => "BookSim2, dimension order",
            Peer::Caminos => "CAMINOS, dimension order",
            Peer::CaminosAdaptive => "CAMINOS, minimal adaptive",
        }
    }

    /// Reads the curve.
    pub fn curve(self) -> Vec<Point> {
        let text = match self {
            Peer::BookSim => include_str!("../data/booksim_torus888_dor.csv"),
            Peer::Caminos => include_str!("../data/caminos_torus888_dor.csv"),
            Peer::CaminosAdaptive => include_str!("../data/caminos_torus888_minadapt.csv"),
        };
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        rows.map(|row| {
            let fields: Vec<f64> = row.split(',').take(3).map(|field| field.parse().unwrap()).collect();
            Point { offered: fields[0], accepted: fields[1], latency: fields[2] }
        })
        .collect()
    }

    /// Runs our simulator at an offered load, for so many measured cycles after a fifth of them as warm-up.
    pub fn ours(self, load: f64, cycles: u64) -> Ours {
        let torus = Torus { dims: vec![8, 8, 8], trunk: PerDimension::All(1), nodes: 1 };
        let network = TopologySpec::Torus(torus).build().unwrap();
        let booksim = self == Peer::BookSim;
        let traffic = Traffic {
            pattern: Pattern::Uniform,
            packets: 1,
            load,
            include_self: booksim,
            count: if booksim { Count::Generated } else { Count::Delivered },
            warmup: Time(CYCLE * cycles / 5),
            measure: Time(CYCLE * cycles),
            // Above saturation a drain would only wait; the curves there depend on the run's length anyway.
            drain: load < 0.55,
        };
        let policy = StallTimer::always_on(network.classes.len());
        let record = engine::run(&network, &self.config(), &policy, Workload::OpenLoop(traffic)).unwrap().unwrap();
        let open_loop = record.open_loop.unwrap();
        Ours {
            accepted: open_loop.delivered_flits as f64 / open_loop.capacity_flits,
            latency: record.packet_latency.mean().unwrap() / CYCLE as f64,
            saturated: open_loop.saturated,
        }
    }

    /// Sets our parameters to the peer's: 16 flits a virtual channel, all wires a cycle, a hop of 4 cycles (`BookSim2`) or 2.
    /// CAMINOS counts from the first flit's arrival at the switch, which takes the injection wire's cycle away. Its crossbar
    /// serves every virtual channel at the same time, which is an input speedup of 4.
    fn config(self) -> Config {
        let booksim = self == Peer::BookSim;
        let class = ClassModel {
            bandwidth: BitRate::from_bytes_per_second(10_000_000_000),
            latency: Time(CYCLE),
            hop: Time(CYCLE * if booksim { 4 } else { 2 }),
            states: None,
        };
        let mut classes = vec![class; 4];
        classes[0].latency = Time(if booksim { CYCLE } else { 0 });
        let adaptive = self == Peer::CaminosAdaptive;
        Config {
            switch: SwitchModel {
                clock: Time(CYCLE),
                flit: Bytes(16),
                packet_flits: 8,
                vcs: VirtualChannels { adaptive: if adaptive { 2 } else { 0 }, escape: if adaptive { 2 } else { 4 } },
                buffer_flits: 16,
                input_speedup: if booksim { 1 } else { 4 },
            },
            classes,
            node: NodeModel {
                memory_latency: Time::ZERO,
                memory_bandwidth: BitRate(1),
                eager_limit: Bytes(0),
                nic_latency: Time::ZERO,
            },
            routing: if adaptive { RoutingKind::Adaptive } else { RoutingKind::DimensionOrder },
            sleep: SleepRules { aware: true, wake_after: None },
            seed: 1,
            audit: false,
        }
    }
}
