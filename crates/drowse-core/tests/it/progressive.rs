//! Progressive routing keeps to its proof: packets deviate once at most, and never deadlock, asleep or not.

use drowse_core::engine;
use drowse_core::measure::Record;
use drowse_core::model::config::{Config, OutputQueues, Queues, SleepSelection, VirtualChannels};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::{SleepState, SleepStates, StallTimer};
use drowse_core::routing::dependencies::{self, Verdict};
use drowse_core::routing::low_diameter::{self, NON_MINIMAL, SALT, Undecided};
use drowse_core::routing::{Candidates, Destination, Router, RoutingKind};
use drowse_core::topology::{
    Arrangement, Dragonfly, HyperX, Network, PerDimension, PolarFly, SlimFly, TableKind, TopologySpec,
};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
use proptest::prelude::*;

use crate::common::*;
use crate::small;

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

/// The channels from a switch to another.
fn channels(network: &Network, from: u32, to: u32) -> Vec<u32> {
    ports(network, from).filter(|&port| neighbour(network, port) == Some(to)).collect()
}

/// Three groups of two switches: each switch has a link to the other of its group, and one to another group. Switch 0
/// sends a packet by switch 1 to the group at that one's global link, to which switch 1 has just sent a long one. At
/// its source both ways are idle, so the packet takes the minimal one. At switch 1 the long packet is in the way: with
/// UGAL it goes behind that; with progressive routing it decides again, and goes back, and by the third group.
#[test]
fn a_packet_decides_again_after_its_first_hop() {
    let spec = Dragonfly { p: 1, a: 2, h: 1, groups: 3, arrangement: Arrangement::Absolute };
    let network = TopologySpec::Dragonfly(spec).build().unwrap();
    let global = |from: u32| (2..6).find(|&to| !channels(&network, from, to).is_empty()).unwrap();
    let (there, third) = (global(1), global(0));
    let output = Queues::Output(OutputQueues { room_flits: 64, speedup: 1, paths: 1 });
    for queues in [Queues::Input, Queues::VirtualOutput, output] {
        let sent = |routing: RoutingKind| {
            let mut config = config(&network, 2);
            config.routing = routing;
            let longest = low_diameter::longest(&network, routing).unwrap();
            config.switch.vcs = VirtualChannels::hop(longest as u8);
            (config.switch.packet_flits, config.switch.queues) = (64, queues);
            config.node.eager_limit = Bytes(100_000);
            let ranks = vec![vec![send(2, 16)], vec![send(2, 64 * 16)], vec![recv(0), recv(1)]];
            let record = run(&network, &config, job(ranks, &[0, 1, there]));
            let packets = |(from, to): (u32, u32)| {
                channels(&network, from, to)
                    .iter()
                    .map(|&channel| record.channels[channel as usize].packets)
                    .sum::<u64>()
            };
            [(0, 1), (1, there), (1, 0), (0, third)].map(packets)
        };
        assert_eq!(sent(RoutingKind::Ugal), [1, 2, 0, 0], "{queues:?}");
        assert_eq!(sent(RoutingKind::Progressive), [1, 1, 1, 1], "{queues:?}");
    }
}

/// Graphs, and what has arithmetic of its own.
fn any_network() -> impl Strategy<Value = Network> {
    let arithmetic = small::low_diameter_specs().into_iter().map(|spec| spec.build().unwrap());
    prop_oneof![prop::sample::select(arithmetic.collect::<Vec<_>>()), prop::sample::select(networks())]
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
                low_diameter::decide(&network, kind, Undecided { at, to, hop, route }, |group| queue(group.first))
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
