//! Routing by queues, against plain models: UGAL's comparison of queue times hops, progressive routing's second
//! decision, and the adaptive choice of the output with the most credits.

use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::units::Time;
use drowse_core::routing::low_diameter::{self, NON_MINIMAL, SALT, Undecided};
use drowse_core::routing::{Candidates, Destination, PortGroup, Router, RoutingKind};
use drowse_core::topology::{
    Arrangement, Dragonfly, Full, HyperX, Network, PerDimension, SlimFly, TableKind, ThinTree, TopologySpec,
};
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use proptest::prelude::*;

use crate::common::*;

fn build(spec: &TopologySpec) -> Network {
    spec.build().unwrap()
}

fn hyperx(dims: &[u32], width: u32) -> Network {
    build(&TopologySpec::HyperX(HyperX { dims: dims.to_vec(), widths: PerDimension::All(width), nodes: 1 }))
}

fn slim_fly(q: u32) -> Network {
    build(&TopologySpec::SlimFly(SlimFly { q, nodes: Some(1), tables: TableKind::Shortest }))
}

/// Parameters whose links take long, so that no credit returns while packets decide: what an output has sent stays in
/// its queue.
fn slow_links(network: &Network, kind: RoutingKind) -> Config {
    let mut config = config(network, 2);
    config.routing = kind;
    config.switch.vcs = match low_diameter::longest(network, kind) {
        Some(longest) => VirtualChannels::hop(longest as u8),
        None => VirtualChannels::any(1),
    };
    for class in config.classes.iter_mut().skip(1) {
        class.latency = Time(20_000_000);
        class.hop = Time(20_000_000 + 3 * 1_600);
    }
    config
}

/// The switch by which a packet with a number is led by Valiant routing; `None` where it passes its destination before.
fn intermediate(network: &Network, (from, to): (u32, u32), salt: u16) -> Option<u32> {
    let kind = RoutingKind::Valiant;
    let config = slow_links(network, kind);
    let router = Router::new(network, &config);
    let mut route = low_diameter::decide(network, kind, Undecided { at: from, to, hop: 0, route: salt }, |_| 0);
    let (mut at, mut hop, mut found) = (from, 0, Candidates::new());
    assert!(route & NON_MINIMAL != 0);
    loop {
        router.candidates(at, Destination { switch: to, output: 0 }, route, || hop, &mut found);
        let first = ports(network, at).start + u32::from(found.all().next()?.first);
        at = neighbour(network, first)?;
        hop += 1;
        route = low_diameter::decide(network, kind, Undecided { at, to, hop, route }, |_| 0);
        if route & NON_MINIMAL == 0 {
            return Some(at);
        }
        if at == to {
            return None;
        }
    }
}

/// UGAL by its definition, where every shortest path may be taken: whether the shortest queue of all outputs that lead
/// nearer to the destination, times the distance, exceeds that of all outputs that lead nearer to the intermediate
/// switch, times the way by it.
fn deviates(network: &Network, (at, by, to): (u32, u32, u32), queues: &[u64]) -> bool {
    let [to_destination, to_intermediate] = [to, by].map(|goal| distances_from(network, goal));
    let shortest = |left: &[u32]| {
        let nearer = |port: &u32| neighbour(network, *port).is_some_and(|next| left[next as usize] < left[at as usize]);
        let queue = |port: u32| queues[(port - ports(network, at).start) as usize];
        ports(network, at).filter(nearer).map(queue).min().unwrap()
    };
    let way = to_intermediate[at as usize] + to_destination[by as usize];
    let direct = to_destination[at as usize];
    shortest(&to_destination) * u64::from(direct) > shortest(&to_intermediate) * u64::from(way)
}

/// What a switch with these queues says of some outputs.
fn busy(queues: &[u64]) -> impl Fn(PortGroup) -> u64 {
    move |group| queues[usize::from(group.first)..usize::from(group.first + group.count)].iter().copied().min().unwrap()
}

fn models() -> Vec<Network> {
    let full = build(&TopologySpec::Full(Full { switches: 5, nodes: 1 }));
    vec![full, hyperx(&[4, 3], 1), hyperx(&[3, 2, 3], 2), slim_fly(3), slim_fly(5)]
}

proptest! {
    #![proptest_config(proptest_config(2_000))]

    /// At the source with UGAL and progressive routing, and after the first hop with the latter.
    #[test]
    fn queue_times_hops(
        network in prop::sample::select(models()),
        ends in (any::<u32>(), any::<u32>(), any::<u32>()),
        salt in 0..=SALT,
        drawn in prop::collection::vec(prop_oneof![0u64..4, 0u64..200], 64),
    ) {
        let [from, to, next] = [ends.0, ends.1, ends.2].map(|end| end % network.switches());
        if from == to {
            return Ok(());
        }
        for kind in [RoutingKind::Ugal, RoutingKind::Progressive] {
            let route = low_diameter::decide(&network, kind, Undecided { at: from, to, hop: 0, route: salt }, busy(&drawn));
            // A number that draws the source is replaced: the packet tells by which.
            if let Some(by) = intermediate(&network, (from, to), salt) {
                let expected = deviates(&network, (from, by, to), &drawn);
                prop_assert_eq!(route & NON_MINIMAL != 0, expected, "{:?} from {} by {} to {}", kind, from, by, to);
            }
            // Once more after the first hop of a minimal route, whatever led it there.
            let idle = low_diameter::decide(&network, kind, Undecided { at: from, to, hop: 0, route: salt }, |_| 0);
            prop_assert_eq!(idle, low_diameter::decide(&network, kind, Undecided { at: from, to, hop: 0, route: idle }, busy(&drawn)), "once");
            if next == to || kind != RoutingKind::Progressive {
                let again = low_diameter::decide(&network, kind, Undecided { at: next, to, hop: 1, route: idle }, busy(&drawn));
                prop_assert_eq!(again & NON_MINIMAL, 0);
            } else if let Some(by) = intermediate(&network, (next, to), idle & SALT) {
                let again = low_diameter::decide(&network, kind, Undecided { at: next, to, hop: 1, route: idle }, busy(&drawn));
                let expected = deviates(&network, (next, by, to), &drawn);
                prop_assert_eq!(again & NON_MINIMAL != 0, expected, "from {} by {} to {}", next, by, to);
                let once = low_diameter::decide(&network, kind, Undecided { at: next, to, hop: 1, route: again }, busy(&drawn));
                prop_assert_eq!(once, again);
            }
        }
    }
}

/// Nodes of the first switch send a full packet each to a node of their own at the second, one after the other.
fn one_after_the_other(nodes: u32, cycles: u64) -> Workload {
    let sends = (0..nodes).map(|i| vec![compute(Time(1_600 * cycles * u64::from(i))), send(nodes + i, 128)]);
    let receives = (0..nodes).map(|i| vec![recv(i)]);
    let all: Vec<u32> = (0..2 * nodes).collect();
    job(sends.chain(receives).collect(), &all)
}

/// Three switches, each joined with each: a packet goes straight over one channel or by the third switch over two. They
/// come faster than they leave, and none is credited: a packet goes straight if no more have gone straight before than
/// twice those that have not.
#[test]
fn two_hops_count_twice() {
    let nodes = 24;
    let network = build(&TopologySpec::Full(Full { switches: 3, nodes }));
    let [mut straight, mut by_the_third] = [0, 0];
    for _ in 0..nodes {
        if straight <= 2 * by_the_third { straight += 1 } else { by_the_third += 1 }
    }
    assert_eq!([straight, by_the_third], [16, 8]);
    for kind in [RoutingKind::Ugal, RoutingKind::Progressive] {
        let record = run(&network, &slow_links(&network, kind), one_after_the_other(nodes, 4));
        assert_eq!(record.hops, 2 * straight + 3 * by_the_third, "{kind:?}");
    }
}

/// The queue of parallel links is the shortest of theirs: packets that find both free all take the first, and as the
/// second stays empty, none deviates.
#[test]
fn the_shortest_of_parallel_links() {
    let nodes = 12;
    let spec = HyperX { dims: vec![3], widths: PerDimension::All(2), nodes };
    let network = build(&TopologySpec::HyperX(spec));
    for kind in [RoutingKind::Ugal, RoutingKind::Progressive] {
        let record = run(&network, &slow_links(&network, kind), one_after_the_other(nodes, 16));
        assert_eq!(record.hops, 2 * u64::from(nodes), "{kind:?}");
        let sent: Vec<u64> = ports(&network, 0).map(|port| record.channels[port as usize].packets).collect();
        assert_eq!(sent.iter().filter(|&&packets| packets > 0).collect::<Vec<_>>(), [&u64::from(nodes)], "{sent:?}");
    }
}

/// The switch of a group that has the link to another, and the one at its other end; groups have two switches.
fn gateway(network: &Network, from: u32, to: u32) -> (u32, u32) {
    let mut links = (2 * from..2 * from + 2).filter_map(|switch| {
        let far = ports(network, switch).filter_map(|port| neighbour(network, port)).find(|far| far / 2 == to);
        far.map(|far| (switch, far))
    });
    links.next().unwrap()
}

/// Three groups of two switches with a global link each. A packet to the third group comes to its own group's gateway,
/// whose global link has a queue by then: with UGAL it goes on, with progressive routing it goes back and by the second
/// group.
#[test]
fn a_second_decision() {
    let spec = Dragonfly { p: 1, a: 2, h: 1, groups: 3, arrangement: Arrangement::Palmtree };
    let network = build(&TopologySpec::Dragonfly(spec));
    let ((busy, arrives), (source, second), (leaves, returns)) =
        (gateway(&network, 0, 2), gateway(&network, 0, 1), gateway(&network, 1, 2));
    assert_ne!(busy, source);
    let apart = |a: u32, b: u32| u64::from(a != b);
    for to in [4, 5] {
        // The first packet occupies the global link, and the second follows long before its credit is back.
        let delayed = vec![compute(Time(1_600 * 100)), send(2, 128)];
        let receives = vec![Operation::recv(None, None); 2];
        let workload = || job(vec![vec![send(2, 128)], delayed.clone(), receives.clone()], &[busy, source, to]);
        // Hops are switches that a packet leaves: the channels between them, and that to the node.
        let first = 1 + apart(arrives, to) + 1;
        let minimal = 1 + first;
        let deviated = 2 + 1 + apart(second, leaves) + 1 + apart(returns, to) + 1;
        for (kind, then) in [(RoutingKind::Ugal, minimal), (RoutingKind::Progressive, deviated)] {
            let mut config = slow_links(&network, kind);
            // It waits for the credit of the global link, not for its own group's.
            config.classes[1] = config.classes[0].clone();
            assert_eq!(run(&network, &config, workload()).hops, first + then, "{kind:?} to switch {to}");
        }
    }
}

/// Up a tree by the output with the most credits: packets one after the other take the two by turns. Where credits do
/// not count, each takes the first that is free.
#[test]
fn up_by_credits() {
    let network = build(&TopologySpec::ThinTree(ThinTree { down: 8, up: 2, levels: 2 }));
    let record = run(&network, &slow_links(&network, RoutingKind::Adaptive), one_after_the_other(8, 16));
    let up = ports(&network, 0).filter(|&port| neighbour(&network, port).is_some());
    assert_eq!(up.map(|port| record.channels[port as usize].packets).collect::<Vec<_>>(), [4, 4]);
}
