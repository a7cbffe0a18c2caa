//! Progressive routing keeps to its proof: packets deviate once at most, and never deadlock, asleep or not.

use drowse_core::engine;
use drowse_core::measure::Record;
use drowse_core::model::config::{Config, SleepSelection, VirtualChannels};
use drowse_core::model::units::Time;
use drowse_core::power::{SleepState, SleepStates, StallTimer};
use drowse_core::routing::dependencies::{self, Verdict};
use drowse_core::routing::low_diameter::{self, NON_MINIMAL, SALT};
use drowse_core::routing::{Candidates, Destination, Router, RoutingKind};
use drowse_core::topology::{HyperX, Network, PerDimension, PolarFly, SlimFly, TableKind, TopologySpec};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
use proptest::prelude::*;

use crate::common::*;
use crate::random::low_diameter_spec;

fn hyperx(dims: &[u32]) -> TopologySpec {
    TopologySpec::HyperX(HyperX { dims: dims.to_vec(), widths: PerDimension::All(1), nodes: 2 })
}

/// Networks whose outputs are several port groups.
fn networks() -> Vec<Network> {
    let specs = [
        TopologySpec::SlimFly(SlimFly { q: 3, nodes: None, tables: TableKind::Shortest }),
        TopologySpec::SlimFly(SlimFly { q: 4, nodes: None, tables: TableKind::Shortest }),
        TopologySpec::PolarFly(PolarFly { q: 3, nodes: None, tables: TableKind::Shortest }),
        hyperx(&[3, 3]),
        hyperx(&[4, 3]),
        hyperx(&[3, 3, 2]),
    ];
    specs.iter().map(|spec| spec.build().unwrap()).collect()
}

/// Packets of one flit, the least buffers, and states that channels enter and leave in no time.
fn tight(network: &Network, selection: SleepSelection) -> Config {
    let mut config = config(network, 2);
    config.routing = RoutingKind::Progressive;
    let longest = low_diameter::longest(network, config.routing).unwrap();
    config.switch.vcs = VirtualChannels::hop(longest as u8);
    (config.switch.packet_flits, config.switch.buffer_flits) = (1, 1);
    let state = |power, enter, wake| SleepState { power, enter: Time::from_ns(enter), wake: Time::from_ns(wake) };
    let states = SleepStates::new(state(0.6, 0, 5), state(0.1, 5, 30));
    config.classes.iter_mut().for_each(|class| class.states = Some(states));
    config.sleep.selection = selection;
    config
}

/// Loads a network whose channels all sleep after short idle times.
fn load(network: &Network, config: &Config, cycles: u64) -> Record {
    let policy = StallTimer::uniform(network.classes.len(), Some(Time::from_ns(10)), Some(Time::from_ns(60)));
    let traffic = Traffic {
        pattern: Pattern::Uniform,
        packets: Lengths::packets(1),
        load: 0.5,
        include_self: false,
        count: Count::Generated,
        warmup: Time::ZERO,
        measure: Time(1_600 * cycles),
        drain: true,
    };
    engine::run(network, config, &policy, Workload::OpenLoop(traffic)).unwrap().unwrap()
}

/// What is proven free of deadlock does not deadlock, and every law of the audit holds, however packets choose between
/// channels that are awake and channels that sleep.
#[test]
fn what_is_proven_does_not_deadlock() {
    for network in networks() {
        for selection in [SleepSelection::Awake, SleepSelection::LeastDelay, SleepSelection::Blind] {
            let mut config = tight(&network, selection);
            assert!(matches!(dependencies::check(&network, &config), Ok(Verdict::Proven(_))));
            load(&network, &config, 300);
            config.audit = false;
            let record = load(&network, &config, 2_000);
            assert!(2 * record.packets_delivered > record.packets_injected, "{record:?}");
        }
    }
}

/// Graphs, and what has arithmetic of its own.
fn any_network() -> impl Strategy<Value = Network> {
    let arithmetic = low_diameter_spec().prop_map(|spec| spec.build().unwrap());
    prop_oneof![arithmetic, prop::sample::select(networks())]
}

proptest! {
    #![proptest_config(proptest_config(400))]

    /// A packet that is asked again and again at each switch, with other queues each time, sticks to its first answer
    /// there, deviates once at most, and arrives over no more channels than there are classes.
    #[test]
    fn packets_stick_to_their_decision(
        network in any_network(),
        ends in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        salt in 0..=SALT,
        draws in prop::collection::vec(any::<u64>(), 256),
    ) {
        let kind = RoutingKind::Progressive;
        // Cascade would need nine.
        let longest = low_diameter::longest(&network, kind).unwrap().max(1);
        prop_assume!(longest <= 8);
        let mut config = config(&network, 2);
        config.routing = kind;
        config.switch.vcs = VirtualChannels::hop(longest as u8);
        let router = Router::new(&network, &config);
        let mut draws = draws.into_iter().cycle();
        let mut draw = || draws.next().unwrap();
        let [from, to] = [ends.0, ends.1].map(|end| network.port_switch(*end.get(&network.node_port) as usize));
        let (mut at, mut route, mut begun, mut hop, mut found) = (from, salt, 0, 0, Candidates::new());
        while at != to {
            let was = route;
            let mut ask = |route| {
                let (a, b) = (draw() % 3, draw());
                let queue = |first: u16| (b >> (first % 32)) % 8 * a;
                low_diameter::decide(&network, kind, (at, to), hop, route, |group| queue(group.first))
            };
            route = ask(was);
            for _ in 0..4 {
                prop_assert_eq!(ask(route), route, "again at switch {} after {} hops", at, hop);
            }
            begun += u32::from(route & NON_MINIMAL != 0 && was & NON_MINIMAL == 0);
            prop_assert!(begun <= 1);
            router.candidates(at, Destination { switch: to, output: 0 }, route, || hop, &mut found);
            let groups: Vec<_> = found.all().collect();
            let group = groups[(draw() % groups.len() as u64) as usize];
            prop_assert!(group.vcs != 0, "no class after {} hops", hop);
            at = neighbour(&network, network.first_port[at as usize] + u32::from(group.first)).unwrap();
            hop += 1;
        }
        prop_assert!(hop <= longest);
    }
}
