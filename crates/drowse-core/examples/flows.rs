//! Runs one case by flows and prints how many messages went as flows, and how many a second: `flows CASE`. Without a
//! name, lists the cases.
//!
//! `cargo xtask instructions` counts the instructions per flow of the event loop, which is [`run`] here. All counters,
//! histograms and a sleeping policy are on, as in the example `hops`. No message asks its receiver first, so each is
//! one flow.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that cannot run has nothing to say")]

use std::time::Instant;

use drowse_core::engine::{Progress, Simulation};
use drowse_core::model::config::{ClassModel, Config, SwitchModel, VirtualChannels};
use drowse_core::model::unit::{FlowModel, Unit};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::{SleepState, SleepStates, StallTimer};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, PerDimension, ThinTree, TopologySpec, Torus};
use drowse_core::workload::Workload;
use drowse_core::workload::programs::{Application, Permutation, Phase, Phased, Random, Rule, Work};

/// The clock period.
const CYCLE: u64 = 1_600;

/// What ranks send, each on a node of its own.
#[derive(Clone, Copy)]
enum Load {
    /// Each rank sends so many messages of 256 KiB to the next, one iteration after the other, and computes for a time
    /// before each.
    Ring { iterations: u32, compute: Time },
    /// Each rank sends so many messages of 256 KiB to ranks that are drawn, all at once.
    Random { degree: u32 },
}

/// A network and what its nodes send.
struct Case {
    name: &'static str,
    network: TopologySpec,
    routing: RoutingKind,
    load: Load,
}

/// All cases.
fn cases() -> [Case; 4] {
    let torus = || TopologySpec::Torus(Torus::new(vec![8, 8, 8], PerDimension::All(1), 1));
    let tree = || TopologySpec::Tree(ThinTree { down: 8, up: 8, levels: 3 });
    let in_order = RoutingKind::DimensionOrder;
    let ring = |iterations, compute| Load::Ring { iterations, compute };
    [
        // All ranks keep in step.
        Case { name: "ring-512", network: torus(), routing: in_order, load: ring(64, Time::ZERO) },
        // Each message wakes all links of its path.
        Case { name: "ring-512-wakes", network: torus(), routing: in_order, load: ring(64, Time::from_us(500)) },
        // Everybody shares links with others, who share links with further ones.
        Case { name: "random-512", network: torus(), routing: in_order, load: Load::Random { degree: 8 } },
        // Each message is split over all paths up.
        Case {
            name: "adaptive-tree-512",
            network: tree(),
            routing: RoutingKind::Adaptive,
            load: Load::Random { degree: 2 },
        },
    ]
}

impl Case {
    /// Returns the parameters: usual switches, links of 50 GB/s, and nobody asks a receiver first.
    fn config(&self, network: &Network) -> Config {
        let state = |power, enter, wake| SleepState { power, enter: Time(enter), wake: Time(wake) };
        let states = SleepStates::new(state(0.6, 0, 250_000), state(0.1, 2_880_000, 4_480_000));
        let (latency, hop) = (Time(50_000), Time(50_000 + 25 * CYCLE));
        let class = ClassModel { latency, hop, states: Some(states), ..ClassModel::default() };
        let vcs = VirtualChannels::usual(network, self.routing);
        let mut config = Config {
            switch: SwitchModel { clock: Time(CYCLE), packet_flits: 64, buffer_flits: 1_024, ..SwitchModel::with(vcs) },
            classes: vec![class; network.classes.len()],
            routing: self.routing,
            unit: Unit::Flow(FlowModel::default()),
            ..Config::new(network)
        };
        config.node.eager_limit = Bytes(1 << 40);
        config
    }

    /// Returns what ranks do.
    fn workload(&self, network: &Network) -> Workload {
        let (ranks, bytes) = (network.nodes, 256 << 10);
        let (work, iterations, compute): (Work, _, _) = match self.load {
            Load::Ring { iterations, compute } => {
                (Phased(Permutation::new(ranks, Rule::Shift(1), 1, bytes, 1).unwrap()).into(), iterations, compute)
            }
            Load::Random { degree } => {
                (Phased(Random::new(ranks, degree, None, bytes, 1).unwrap()).into(), 1, Time::ZERO)
            }
        };
        let application = Application::new(vec![Phase::new(work, iterations, compute)]).unwrap();
        Workload::application(application, network).unwrap()
    }
}

/// Runs the event loop, under a name that a profiler can distinguish from preparation.
#[inline(never)]
fn run(simulation: &mut Simulation<StallTimer>) {
    while simulation.advance(u64::MAX).unwrap() != Progress::Done {}
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(case) = cases().into_iter().find(|case| case.name == name) else {
        cases().iter().for_each(|case| println!("{}", case.name));
        return;
    };
    let network = case.network.build().unwrap();
    let config = case.config(&network);
    let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(50)));
    let mut simulation = Simulation::new(&network, &config, &policy, case.workload(&network)).unwrap();
    let start = Instant::now();
    run(&mut simulation);
    let seconds = start.elapsed().as_secs_f64();
    let flows = simulation.into_record().message_latency.count();
    println!("{flows} flows, {:.1} thousand a second", flows as f64 / seconds / 1e3);
}
