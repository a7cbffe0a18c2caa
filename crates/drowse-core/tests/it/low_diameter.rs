//! Low-diameter networks: their structure in closed form, their paths, and that packets cannot wait in a circle.

use std::collections::BTreeMap;

use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId, PortId};
use drowse_core::model::units::Time;
use drowse_core::power::StallTimer;
use drowse_core::routing::dependencies::{self, Verdict};
use drowse_core::routing::low_diameter::{self, NON_MINIMAL, SALT, Undecided};
use drowse_core::routing::{RoutingKind, route};
use drowse_core::topology::{
    Aries, Arrangement, Dragonfly, DragonflyPlus, End, Full, Geometry, HyperX, Network, PerDimension, Percs,
    TopologySpec,
};
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
use proptest::prelude::*;

use crate::common::*;
use crate::small::{self, Small};

#[expect(clippy::needless_pass_by_value, reason = "they are made where they are built")]
fn build(spec: TopologySpec) -> Network {
    spec.build().unwrap()
}

/// Counts how often a class is among some.
fn count(classes: &[u8], class: u8) -> u32 {
    classes.iter().map(|&c| u32::from(c == class)).sum()
}

fn dragonfly(p: u32, a: u32, h: u32, groups: u32, arrangement: Arrangement) -> Network {
    build(TopologySpec::Dragonfly(Dragonfly { p, a, h, groups, arrangement }))
}

fn routed(network: &Network, routing: RoutingKind) -> Config {
    let mut config = config(network, 2);
    config.routing = routing;
    config.switch.vcs = match low_diameter::longest(network, routing) {
        Some(longest) => VirtualChannels::hop(longest.max(1) as u8),
        None => VirtualChannels::any(2),
    };
    config
}

/// Counts the links between each two switches, in both directions, by class.
fn links(network: &Network) -> BTreeMap<(u32, u32, u8), u32> {
    let mut links = BTreeMap::new();
    for port in 0..network.ports() {
        if let Some(to) = neighbour(network, port) {
            *links.entry((network.port_switch(port as usize), to, network.port_class[port as usize])).or_default() += 1;
        }
    }
    links
}

/// Returns the classes of the channels on a packet's path, and checks that it arrives.
fn path(network: &Network, from: u32, to: u32, route: u16) -> Vec<u8> {
    let (mut classes, mut at) = (Vec::new(), from);
    low_diameter::walk(network, from, to, route, |port| {
        assert_eq!(network.port_switch(port.index()), at, "a path without gaps");
        classes.push(network.port_class[port.index()]);
        at = neighbour(network, port.0).unwrap();
        assert!(classes.len() <= 16, "{from} to {to} by {route:#x} never arrives");
    });
    assert_eq!(at, to);
    classes
}

/// Returns all pairs of switches that have nodes.
fn pairs(network: &Network) -> Vec<(u32, u32)> {
    let mut switches: Vec<u32> = network.node_port.iter().map(|&port| network.port_switch(port as usize)).collect();
    switches.dedup();
    switches.iter().flat_map(|&from| switches.iter().map(move |&to| (from, to))).collect()
}

proptest! {
    /// Channels lead in both directions, on one class; every port is used once; each port is where its switch says;
    /// nodes are in order.
    #[test]
    fn tables_fit_together(spec in prop::sample::select(small::low_diameter_specs())) {
        let network = build(spec.clone());
        prop_assert_eq!(u64::from(network.ports()), spec.ports().unwrap());
        let mut used = vec![0; network.ports() as usize];
        for port in 0..network.ports() {
            if let End::Port(PortId(there)) = network.target(ChannelId(port)) {
                used[there as usize] += 1;
                prop_assert_eq!(network.target(ChannelId(there)), End::Port(PortId(port)));
                prop_assert_eq!(network.port_class[there as usize], network.port_class[port as usize]);
                prop_assert_ne!(network.port_switch(there as usize), network.port_switch(port as usize));
            } else {
                used[port as usize] += 1;
            }
        }
        prop_assert!(used.iter().all(|&uses| uses == 1));
        prop_assert!(network.node_port.is_sorted());
        prop_assert!(distances_from(&network, 0).iter().all(|&distance| distance < u32::MAX), "it hangs together");
    }

    /// Trunks are parallel links: the same class, the same two switches, and all of them.
    #[test]
    fn trunks_are_parallel(spec in prop::sample::select(small::low_diameter_specs())) {
        let network = build(spec);
        let trunks = network.trunks();
        let mut sizes = BTreeMap::new();
        for port in 0..network.ports() {
            let first = trunks[port as usize];
            prop_assert!(first.0 <= port && trunks[first.index()] == first);
            prop_assert_eq!(neighbour(&network, port), neighbour(&network, first.0));
            prop_assert_eq!(network.port_class[port as usize], network.port_class[first.index()]);
            prop_assert_eq!(network.port_switch(port as usize), network.port_switch(first.index()));
            *sizes.entry(first).or_insert(0) += 1;
        }
        let links = links(&network);
        for (&first, &size) in &sizes {
            let expected = neighbour(&network, first.0)
                .map_or(1, |to| links[&(network.port_switch(first.index()), to, network.port_class[first.index()])]);
            prop_assert_eq!(size, expected);
        }
        prop_assert_eq!(sizes.len(), links.len() + network.nodes as usize);
    }

    /// Groups are full meshes; every two groups have the same number of global links, which no switch has more than h
    /// of.
    #[test]
    fn dragonflies((p, a, h) in (1u32..=3, 1u32..=6, 1u32..=4), drawn in any::<u32>(), which in 0usize..3) {
        let groups = 1 + drawn % (a * h + 1);
        let arrangement = [Arrangement::Absolute, Arrangement::Relative, Arrangement::Palmtree][which];
        let network = dragonfly(p, a, h, groups, arrangement);
        prop_assert_eq!((network.nodes, network.switches()), (p * a * groups, a * groups));
        let (mut of_pair, mut of_switch) = (BTreeMap::new(), BTreeMap::new());
        for ((from, to, class), count) in links(&network) {
            if from / a == to / a {
                prop_assert_eq!((class, count), (1, 1));
            } else {
                prop_assert_eq!(class, 2);
                *of_pair.entry((from / a, to / a)).or_insert(0) += count;
                *of_switch.entry(from).or_insert(0) += count;
            }
        }
        let local = count(&network.port_class, 1);
        prop_assert_eq!(local, groups * a * (a - 1));
        if groups > 1 {
            prop_assert_eq!(of_pair.len() as u32, groups * (groups - 1));
            prop_assert!(of_pair.values().all(|&count| count == a * h / (groups - 1)));
            prop_assert!(of_switch.values().all(|&count| count <= h));
        }
    }

    /// Minimal paths arrive, are no longer than they may be, and are shortest where the network has no paths over a
    /// third group.
    #[test]
    fn minimal_paths(spec in prop::sample::select(small::low_diameter_specs()), salt in 0..=SALT) {
        let network = build(spec);
        let most = low_diameter::longest(&network, RoutingKind::Minimal).unwrap();
        for (from, to) in pairs(&network) {
            let classes = path(&network, from, to, salt);
            let distance = distances_from(&network, from)[to as usize] as usize;
            prop_assert!(classes.len() as u32 <= most && classes.len() >= distance);
            if let Geometry::Groups(groups) = &network.geometry {
                let crossings = count(&classes, network.classes.len() as u8 - 1);
                prop_assert_eq!(crossings, u32::from(groups.group(from) != groups.group(to)));
                if crossings > 0 {
                    continue;
                }
            }
            prop_assert_eq!(classes.len(), distance);
        }
    }

    /// Non-minimal routes lead by one other group, or one other switch, that each packet draws.
    #[test]
    fn non_minimal_routes(spec in prop::sample::select(small::low_diameter_specs()), salt in 0..=SALT) {
        let network = build(spec);
        let most = low_diameter::longest(&network, RoutingKind::Valiant).unwrap();
        for (from, to) in pairs(&network) {
            let route = low_diameter::decide(&network, RoutingKind::Valiant, Undecided { at: from, to, hop: 0, route: salt }, |_| 0);
            let classes = path(&network, from, to, route);
            prop_assert!(classes.len() as u32 <= most);
            if let Geometry::Groups(groups) = &network.geometry {
                let global = network.classes.len() as u8 - 1;
                let apart = groups.group(from) != groups.group(to);
                let crossings = count(&classes, global);
                prop_assert_eq!(crossings, if !apart { 0 } else if groups.count > 2 { 2 } else { 1 });
            } else {
                prop_assert_eq!(route & NON_MINIMAL != 0, from != to && network.switches() > 2);
            }
        }
    }
}

proptest! {
    #![proptest_config(proptest_config(48))]

    /// Every pair of network and routing is proven free of circles; under uniform traffic near what nodes can inject,
    /// the conservation laws hold at every step; and where everybody sends to many others at once, all of it arrives.
    #[test]
    fn no_packet_is_lost(small in prop::sample::select(small::low_diameter())) {
        let Small { spec, routing, vcs } = small;
        let network = build(spec);
        let mut config = routed(&network, routing);
        config.switch.vcs = vcs;
        let verdict = dependencies::check(&network, &config).unwrap();
        prop_assert!(matches!(verdict, Verdict::Proven(_)), "{:?} {:?}", network, verdict);
        if network.nodes > 1 {
            run(&network, &config, traffic(Pattern::Uniform, 0.9, 100, false));
            config.audit = false;
            let record = run(&network, &config, flood(&network));
            prop_assert_eq!(record.packets_injected, record.packets_delivered);
        }
    }
}

/// Every node sends messages of ten packets to the next nodes, all at once.
fn flood(network: &Network) -> Workload {
    let nodes = network.nodes;
    let others = (nodes - 1).min(40);
    let of_rank = |rank: u32| {
        let receives = (1..=others).map(|i| irecv((rank + nodes - i) % nodes, 0, i));
        let sends = (1..=others).map(|i| isend((rank + i) % nodes, 0, 1_280, others + i));
        receives.chain(sends).chain([Operation::WaitAll]).collect()
    };
    let all: Vec<u32> = (0..nodes).collect();
    job(all.iter().map(|&rank| of_rank(rank)).collect(), &all)
}

/// Traffic of single packets, warmed up and measured for so many cycles each.
fn traffic(pattern: Pattern, load: f64, cycles: u64, drain: bool) -> Workload {
    Workload::OpenLoop(Traffic {
        pattern,
        packets: Lengths::packets(1),
        load,
        include_self: false,
        count: Count::Generated,
        warmup: Time(1_600 * cycles),
        measure: Time(1_600 * cycles),
        drain,
    })
}

/// Totoni et al. 2014: n * 32 * 31 + n (n - 1) directed links between hubs, 12 of them D links on 4,096 cores; 31 links
/// of a hub to its supernode, 7 of them LL.
#[test]
fn percs_of_the_paper() {
    for (supernodes, channels) in [(1, 992), (4, 3_980), (300, 387_300)] {
        let network = build(TopologySpec::Percs(Percs { supernodes }));
        assert_eq!(network.nodes, 32 * supernodes);
        let of_class = |class| count(&network.port_class, class);
        assert_eq!((of_class(1), of_class(2)), (32 * supernodes * 7, 32 * supernodes * 24));
        assert_eq!(of_class(3), supernodes * (supernodes - 1));
        assert_eq!(of_class(1) + of_class(2) + of_class(3), channels);
    }
}

/// The link from supernode i to j sits on hub j mod 32 of i, so that the path from another hub leads over that one.
#[test]
fn percs_paths() {
    let network = build(TopologySpec::Percs(Percs { supernodes: 40 }));
    let (ll, lr, d) = (1, 2, 3);
    let hub = |supernode: u32, hub: u32| supernode * 32 + hub;
    assert_eq!(path(&network, hub(0, 3), hub(0, 6), 0), [ll], "a drawer");
    assert_eq!(path(&network, hub(0, 3), hub(0, 9), 0), [lr], "another drawer");
    assert_eq!(path(&network, hub(1, 35 - 32), hub(35, 1), 0), [d], "both ends of the link");
    assert_eq!(path(&network, hub(1, 4), hub(35, 9), 0), [ll, d, lr], "to hub 3, across, and from hub 1");
}

/// Faanes et al. 2012: 96 switches and 384 nodes of a group, 15 green, 3 times 5 black and 10 blue links of a switch.
#[test]
fn cascade_of_cray() {
    let network = build(TopologySpec::Aries(Aries { groups: 3, arrangement: Arrangement::Absolute }));
    assert_eq!((network.nodes, network.switches()), (1_152, 288));
    for switch in 0..network.switches() {
        let ports = network.first_port[switch as usize]..network.first_port[switch as usize + 1];
        let of_class = |class| ports.clone().filter(|&port| network.port_class[port as usize] == class).count();
        assert_eq!([0, 1, 2, 3].map(of_class), [4, 15, 15, 10]);
    }
    let config = routed(&network, RoutingKind::Minimal);
    assert!(matches!(dependencies::check(&network, &config), Ok(Verdict::Proven(_))));
}

/// Where all nodes of a switch send to one other switch, all minimal paths share one link: a node gets 1 / nodes of its
/// bandwidth, to the flit. Non-minimal routes share all links but that, of which each takes two: half of the bandwidth
/// of switches - 2 links, and queues let them have most of it (Kim et al. 2007, Fig. 13).
#[test]
fn the_worst_traffic_of_a_full_mesh() {
    let (switches, nodes) = (16, 16);
    let network = build(TopologySpec::Full(Full { switches, nodes }));
    let accepted = |routing| {
        let mut config = routed(&network, routing);
        config.audit = false;
        let record = run(&network, &config, traffic(Pattern::Tornado, 0.9, 4_000, false));
        let open = record.open_loop.unwrap();
        open.delivered_flits as f64 / (f64::from(network.nodes) * 4_000.0)
    };
    assert!((accepted(RoutingKind::Minimal) - 1.0 / f64::from(nodes)).abs() < 1e-12);
    let most = f64::from(switches - 2) / 2.0 / f64::from(nodes);
    for routing in [RoutingKind::Valiant, RoutingKind::Ugal, RoutingKind::Progressive] {
        let share = accepted(routing);
        assert!((0.7 * most..=most + 1.0 / f64::from(nodes)).contains(&share), "{routing:?}: {share} of {most}");
    }
}

/// In an idle network all decide for the minimal route; where that is busy, for the non-minimal one.
#[test]
fn queues_advise() {
    let network = dragonfly(2, 4, 2, 9, Arrangement::Palmtree);
    let (from, to) = (0, 30);
    for salt in 0..100 {
        for kind in [RoutingKind::Ugal, RoutingKind::Progressive] {
            let idle = low_diameter::decide(&network, kind, Undecided { at: from, to, hop: 0, route: salt }, |_| 0);
            assert_eq!((idle & NON_MINIMAL, idle & SALT), (0, salt));
            let first = route_first(&network, from, to, salt);
            let busy = low_diameter::decide(&network, kind, Undecided { at: from, to, hop: 0, route: salt }, |group| {
                if group.first == first { 100 } else { 0 }
            });
            let other = route_first(&network, from, to, busy) != first;
            assert_eq!(
                busy & NON_MINIMAL != 0,
                other,
                "the non-minimal route begins elsewhere, or there is nothing to gain"
            );
            // Once more after the first hop, or not.
            let again = low_diameter::decide(&network, kind, Undecided { at: 1, to, hop: 1, route: idle }, |_| 0);
            assert_eq!(again != idle, kind == RoutingKind::Progressive);
        }
    }
}

/// The first output on a packet's path.
fn route_first(network: &Network, from: u32, to: u32, route: u16) -> u16 {
    let mut first = None;
    low_diameter::walk(network, from, to, route, |port| {
        first.get_or_insert((port.0 - network.first_port[from as usize]) as u16);
    });
    first.unwrap()
}

/// One message on an idle network takes as many hops as its path has switches, and the classes on its path are counted.
#[test]
fn messages_take_their_paths() {
    let networks = [
        dragonfly(1, 4, 2, 9, Arrangement::Relative),
        build(TopologySpec::DragonflyPlus(DragonflyPlus {
            nodes: 1,
            leaves: 2,
            spines: 2,
            h: 2,
            groups: 5,
            arrangement: Arrangement::Absolute,
        })),
        build(TopologySpec::HyperX(HyperX { dims: vec![3, 4], widths: PerDimension::Each(vec![2, 1]), nodes: 1 })),
    ];
    for network in &networks {
        let config = routed(network, RoutingKind::Minimal);
        for to in 1..network.nodes {
            let record = run(network, &config, job(vec![vec![Operation::send(1, 0, 16)], vec![recv(0)]], &[0, to]));
            let mut channels = 0;
            route::minimal(network, NodeId(0), NodeId(to), |_, more| channels += more);
            // Two of them are the nodes'.
            assert!(record.hops <= u64::from(low_diameter::longest(network, RoutingKind::Minimal).unwrap()) + 1);
            if matches!(network.geometry, Geometry::HyperX(_)) {
                assert_eq!(record.hops, u64::from(channels) - 1);
            }
        }
    }
}

/// A class of virtual channels too few, and the check finds where packets have none for their next hop.
#[test]
fn too_few_classes_are_found() {
    let network = dragonfly(1, 4, 2, 9, Arrangement::Palmtree);
    let mut config = routed(&network, RoutingKind::Minimal);
    assert!(matches!(dependencies::check(&network, &config), Ok(Verdict::Proven(proof)) if proof.longest == 3));
    config.switch.vcs = VirtualChannels::hop(2);
    assert!(
        drowse_core::engine::run(
            &network,
            &config,
            &StallTimer::always_on(network.classes.len()),
            traffic(Pattern::Uniform, 0.1, 10, false)
        )
        .is_err()
    );
}
