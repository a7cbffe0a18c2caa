//! Deadlocks that both the check and a run under load find, and proofs whose sizes are known by hand.

use drowse_core::engine::{self, Deadlock, Failure, Standstill};
use drowse_core::measure::Record;
use drowse_core::model::config::{Config, Escape, SwitchModel, VirtualChannels};
use drowse_core::model::ids::{ChannelId, PortId};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::routing::RoutingKind;
use drowse_core::routing::dependencies::{self, Proof, Verdict};
use drowse_core::topology::{End, Geometry, Hypercube, Network, Racks, ThinTree, TopologySpec, Xgft};
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
use proptest::prelude::*;

use crate::common::*;

/// Runs with every node sending packets of 8 flits at high load; buffers hold one packet.
pub fn overload(network: &Network, config: &Config, drain: bool) -> Result<Record, Failure> {
    let traffic = Traffic {
        pattern: Pattern::Uniform,
        packets: Lengths::packets(1),
        load: 0.9,
        include_self: false,
        count: Count::Generated,
        warmup: Time::ZERO,
        measure: Time(1_600 * 20_000),
        drain,
    };
    try_run(network, config, Workload::OpenLoop(traffic))
}

fn tight(network: &Network, kind: RoutingKind) -> Config {
    let mut config = config(network, 2);
    config.routing = kind;
    config.switch.vcs = VirtualChannels::grid(u8::from(kind == RoutingKind::Adaptive), 2);
    config.switch.buffer_flits = 8;
    config.audit = false;
    config
}

/// Returns channel and virtual channel of every buffer of the cycle that a run reports.
fn reported(network: &Network, deadlock: &Deadlock) -> Vec<(u32, u32)> {
    let number = |line: &str, before: &str| -> u32 {
        let rest = line.split_once(before).unwrap().1;
        rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
    };
    let held = |line: &String| {
        let (switch, input) = (number(line, "switch "), number(line, "input "));
        let port = network.first_port[switch as usize] + input;
        (network.feeder(PortId(port)).0, number(line, "virtual channel "))
    };
    deadlock.members.iter().map(held).collect()
}

/// Without datelines, the check finds a cycle of channels on rings, and a run at high load deadlocks in one and reports
/// it. With datelines the check passes and all packets arrive.
#[test]
fn datelines_make_the_difference() {
    for (dims, kind) in [
        (&[5][..], RoutingKind::DimensionOrder),
        (&[8], RoutingKind::DimensionOrder),
        (&[6], RoutingKind::Adaptive),
        (&[5, 3], RoutingKind::DimensionOrder),
    ] {
        let mut network = torus(dims, 1, 1);
        let config = tight(&network, kind);
        assert!(matches!(dependencies::check(&network, &config), Ok(Verdict::Proven(_))), "{dims:?}");
        let record = overload(&network, &config, false).unwrap();
        assert!(record.packets_delivered > 1_000, "{dims:?}: {}", record.packets_delivered);

        let Geometry::Grid(grid) = &mut network.geometry else { panic!("not a grid") };
        grid.datelines.fill(None);
        let Ok(Verdict::Circle(circle)) = dependencies::check(&network, &config) else { panic!("{dims:?} is proven") };
        for drain in [true, false] {
            // Whether all buffers of a ring fill up at the same time is chance.
            let deadlock =
                (1..=40).find_map(|seed| match overload(&network, &Config { seed, ..config.clone() }, drain) {
                    Err(Failure::Deadlock(deadlock)) if deadlock.at < Time(1_600 * 20_000) => Some(deadlock),
                    _ => None,
                });
            let Some(deadlock) = deadlock else { panic!("{dims:?} goes on") };
            assert_eq!(deadlock.what, Standstill::PacketCircle);
            let held = reported(&network, &deadlock);
            for (&(channel, vc), &(next, next_vc)) in held.iter().zip(held.iter().cycle().skip(1)) {
                let End::Port(end) = network.target(ChannelId(channel)) else { panic!("waits at a node") };
                assert_eq!(
                    network.port_switch(end.index()),
                    network.port_switch(next as usize),
                    "each waits for the next"
                );
                assert_eq!((network.port_class[channel as usize], vc), (network.port_class[next as usize], next_vc));
            }
            let ring = dims[usize::from(network.port_class[held[0].0 as usize]) - 1] as usize;
            assert_eq!((held.len(), circle.len() <= ring), (ring, true), "around one ring: {deadlock}");
        }
    }
}

/// Bubble flow control without datelines, with one to three escape channels. The check counts a ring as one channel. At
/// high load, with buffers of two packets, all packets arrive and every credit is accounted for.
#[test]
fn bubbles_keep_rings_moving() {
    for (dims, adaptive, escape) in
        [(&[5][..], 0, 1), (&[6], 0, 3), (&[4, 5], 0, 1), (&[4, 4], 1, 1), (&[3, 3, 4], 2, 2)]
    {
        let mut network = torus(dims, 1, 1);
        let mut config =
            tight(&network, if adaptive > 0 { RoutingKind::Adaptive } else { RoutingKind::DimensionOrder });
        config.switch.vcs = VirtualChannels::grid(adaptive, escape);
        (config.switch.escape, config.switch.buffer_flits, config.switch.padding) = (Escape::Bubble, 16, true);
        let Geometry::Grid(grid) = &mut network.geometry else { panic!("not a grid") };
        grid.datelines.fill(None);
        let Ok(Verdict::Proven(proof)) = dependencies::check(&network, &config) else { panic!("{dims:?}") };
        // One ring per dimension, direction and position in the other dimensions.
        let switches = network.switches();
        assert_eq!(proof.bubbles, dims.iter().map(|&k| u64::from(2 * switches / k)).sum::<u64>());
        assert_eq!(proof.longest, dims.len() as u32, "one ring after the other");
        config.audit = true;
        let record = all_to_all(&network, &config).unwrap();
        let pairs = u64::from(switches) * u64::from(switches - 1);
        assert_eq!(record.packets_delivered, 5 * pairs);
    }
}

/// Every node sends five packets to every other at once.
pub fn all_to_all(network: &Network, config: &Config) -> Result<Record, Failure> {
    let mut config = config.clone();
    config.node.eager_limit = Bytes(u64::MAX);
    let nodes = network.nodes;
    let program = |rank| {
        let others = || (0..nodes).filter(move |&other| other != rank);
        let receives = others().map(|other| irecv(other, 0, other));
        let sends = others().map(|other| isend(other, 0, 16 * 8 * 5 - 7, nodes + other));
        receives.chain(sends).chain([Operation::WaitAll]).collect()
    };
    try_run(network, &config, job((0..nodes).map(program).collect(), &(0..nodes).collect::<Vec<_>>()))
}

/// The check includes the needs of a bubble: with too small a buffer, or with packets of several lengths, it finds the
/// ring.
#[test]
fn bubbles_need_room_and_one_length() {
    let network = torus(&[5], 1, 1);
    let mut config = tight(&network, RoutingKind::DimensionOrder);
    config.switch.escape = Escape::Bubble;
    for (buffer_flits, padding, proven) in [(16, true, true), (15, true, false), (16, false, false)] {
        (config.switch.buffer_flits, config.switch.padding) = (buffer_flits, padding);
        let verdict = dependencies::check(&network, &config);
        assert_eq!(matches!(verdict, Ok(Verdict::Proven(_))), proven, "{verdict:?}");
        let policy = StallTimer::always_on(network.classes.len());
        let refused = engine::run(&network, &config, &policy, job(vec![vec![]], &[0])).err().map(|error| error.key);
        let key = if buffer_flits < 16 { "switch.buffer" } else { "switch.padding" };
        assert_eq!(refused, (!proven).then_some(key));
    }
}

/// A packet that enters a ring needs more room, which a lone packet finds. So zero-load times are those with datelines.
#[test]
fn a_bubble_costs_a_lone_packet_nothing() {
    let network = torus(&[4, 6], 1, 1);
    let mut config = config(&network, 3);
    config.switch.padding = true;
    for to in 1..network.nodes {
        let time = |escape| {
            let config = Config { switch: SwitchModel { escape, ..config.switch.clone() }, ..config.clone() };
            run(&network, &config, job(vec![vec![send(1, 128)], vec![recv(0)]], &[0, to])).makespan
        };
        let cycles = 1 + 4 * (distance(&network, 0, to) + 1) + 8;
        assert_eq!([Escape::Dateline, Escape::Bubble].map(time), [Some(Time(1_600 * cycles)); 2]);
    }
}

/// Proves a tree's routing.
fn tree_proof(network: &Network, kind: RoutingKind, vcs: u8) -> Proof {
    let mut config = config(network, 1);
    (config.routing, config.switch.vcs) = (kind, VirtualChannels::any(vcs));
    match dependencies::check(network, &config) {
        Ok(Verdict::Proven(proof)) => proof,
        other => panic!("{other:?}"),
    }
}

/// Two leaf switches under two top switches. Each channel up is followed by the channel down to the other leaf. This
/// holds for d-mod-k, too, because each leaf has nodes for both top switches. With two virtual channels, each pair
/// becomes four.
#[test]
fn a_small_tree_by_hand() {
    let tree = ThinTree { down: 2, up: 2, levels: 2 };
    let network = TopologySpec::Tree(tree).build().unwrap();
    for kind in [RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK] {
        assert_eq!(tree_proof(&network, kind, 1), Proof { channels: 8, dependencies: 4, longest: 2, bubbles: 0 });
        assert_eq!(tree_proof(&network, kind, 2), Proof { channels: 16, dependencies: 16, longest: 2, bubbles: 0 });
    }
}

proptest! {
    #![proptest_config(proptest_config(24))]

    /// On any tree, packets go up, then down. All routing is proven, and the longest chain passes the top.
    #[test]
    fn trees_are_proven(down in 2u32..5, up in 1u32..5, levels in 1u32..5, vcs in 1u8..4) {
        let network = TopologySpec::ThinTree(ThinTree { down, up, levels }).build().unwrap();
        let trunks = 2 * u64::from(network.switch_links());
        for kind in [RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK] {
            let proof = tree_proof(&network, kind, vcs);
            prop_assert_eq!(proof.longest, 2 * (levels - 1));
            prop_assert!(proof.channels <= trunks * u64::from(vcs));
            if kind != RoutingKind::DModK {
                prop_assert_eq!(proof.channels, trunks * u64::from(vcs));
            }
        }
    }

    /// Racks are proven, whose blocks may be incomplete and whose trunks have up to four links.
    #[test]
    fn racks_are_proven(racks in 1u32..17, links in 0u32..3) {
        let uplinks = 1 << links;
        let shape = Racks { racks: racks.min(16 / uplinks), nodes_per_rack: 3, uplinks };
        let network = TopologySpec::Racks(shape).build().unwrap();
        for kind in [RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK] {
            prop_assert_eq!(u64::from(tree_proof(&network, kind, 1).longest), diameter(&network));
        }
    }

    /// Fat trees that differ by level, with parallel links, are proven.
    #[test]
    fn extended_generalised_fat_trees_are_proven(
        children in prop::collection::vec(2u32..5, 3),
        parents in prop::collection::vec(1u32..4, 2),
        links in prop::collection::vec(1u32..4, 2),
    ) {
        let network = TopologySpec::Xgft(Xgft { children, parents, links }).build().unwrap();
        for kind in [RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK] {
            prop_assert_eq!(tree_proof(&network, kind, 1).longest, 4);
        }
    }

    /// A hypercube has no rings: one escape channel is enough, and the longest chain takes every dimension once, in
    /// order.
    #[test]
    fn hypercubes_are_proven(dimension in 1u32..8) {
        let network = TopologySpec::Hypercube(Hypercube { dimension, nodes: 1 }).build().unwrap();
        for (kind, adaptive) in [(RoutingKind::DimensionOrder, 0), (RoutingKind::Adaptive, 1)] {
            let mut config = tight(&network, kind);
            config.switch.vcs = VirtualChannels::grid(adaptive, 1);
            let Ok(Verdict::Proven(proof)) = dependencies::check(&network, &config) else { panic!("{dimension}") };
            let links = u64::from(network.switch_links());
            prop_assert_eq!((proof.channels, proof.longest), (2 * links, dimension));
        }
    }
}
