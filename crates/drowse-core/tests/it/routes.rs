//! What is told of routes, against walks and searches: whether there is one, how long they are, and which outputs lead
//! on.

use std::collections::BTreeSet;

use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId, PortId};
use drowse_core::model::units::{BitRate, Time};
use drowse_core::power::runtime::Routes;
use drowse_core::routing::low_diameter::{self, SALT};
use drowse_core::routing::{
    Candidates, Destination, NO_RING, NeededVcs, PortGroup, Router, RoutingKind, crossing, kinds, needed_vcs, ring,
    route, walk,
};
use drowse_core::topology::geometry::groups::Groups;
use drowse_core::topology::{
    Arrangement, Dragonfly, DragonflyPlus, Full, Geometry, HyperX, Ideal, Jellyfish, Network, PerDimension, Racks,
    SlimFly, TableKind, ThinTree, TopologySpec, Xgft,
};

use crate::common::*;
use crate::graphs::rebuilt;

fn configured(network: &Network, kind: RoutingKind) -> Config {
    let mut config = config(network, 2);
    config.routing = kind;
    config.switch.vcs = match needed_vcs(network, kind) {
        NeededVcs::Hops(longest) => VirtualChannels::hop(longest.clamp(1, 8) as u8),
        NeededVcs::Grid { .. } if kind == RoutingKind::Adaptive => VirtualChannels::grid(2, 2),
        NeededVcs::Grid { .. } => VirtualChannels::grid(0, 2),
        NeededVcs::Lanes(lanes) => VirtualChannels::any(lanes as u8),
        NeededVcs::Any | NeededVcs::None => VirtualChannels::any(2),
    };
    config
}

fn networks() -> Vec<Network> {
    let tree = |down, up, levels| TopologySpec::ThinTree(ThinTree { down, up, levels });
    let xgft = |parents: &[u32], links: &[u32]| {
        TopologySpec::Xgft(Xgft { children: vec![2, 2, 2], parents: parents.to_vec(), links: links.to_vec() })
    };
    let hyperx = |dims: &[u32], widths: &[u32]| {
        TopologySpec::HyperX(HyperX { dims: dims.to_vec(), widths: PerDimension::Each(widths.to_vec()), nodes: 2 })
    };
    let dragonfly =
        |a, h, groups| TopologySpec::Dragonfly(Dragonfly { p: 1, a, h, groups, arrangement: Arrangement::Palmtree });
    let plus = |leaves, spines, h, groups| {
        let arrangement = Arrangement::Absolute;
        TopologySpec::DragonflyPlus(DragonflyPlus { nodes: 1, leaves, spines, h, groups, arrangement })
    };
    let jellyfish = |tables| TopologySpec::Jellyfish(Jellyfish { switches: 9, degree: 4, nodes: 1, seed: 5, tables });
    let specs = [
        tree(2, 1, 3),
        tree(3, 2, 2),
        xgft(&[1, 1], &[1, 1]),
        xgft(&[1, 1], &[1, 2]),
        xgft(&[1, 2], &[1, 1]),
        xgft(&[2, 1], &[2, 1]),
        TopologySpec::Racks(Racks { racks: 6, nodes_per_rack: 2, uplinks: 1 }),
        TopologySpec::Full(Full { switches: 5, nodes: 2 }),
        hyperx(&[4], &[2]),
        hyperx(&[3, 4], &[1, 1]),
        hyperx(&[3, 2], &[1, 2]),
        dragonfly(4, 2, 9),
        dragonfly(4, 2, 5),
        dragonfly(3, 1, 1),
        plus(2, 2, 2, 5),
        TopologySpec::SlimFly(SlimFly { q: 3, nodes: Some(1), tables: TableKind::Shortest }),
        jellyfish(TableKind::Shortest),
        jellyfish(TableKind::of(RoutingKind::KShortest, 3)),
        jellyfish(TableKind::UpDown),
    ];
    let grids = [torus(&[5, 4], 1, 1), torus(&[4, 3, 3], 2, 1), mesh(&[4, 3], 1, 2), mesh(&[2, 5], 3, 1)];
    specs.iter().map(|spec| spec.build().unwrap()).chain(grids).collect()
}

fn walked(network: &Network, router: &Router<'_>, from: u32, to: u32, salt: u16) -> Vec<ChannelId> {
    let mut channels = Vec::new();
    walk::walk(network, router, NodeId(from), NodeId(to), salt, |channel| channels.push(channel));
    channels
}

fn pairs(network: &Network) -> impl Iterator<Item = (u32, u32)> + use<> {
    let nodes = network.nodes;
    (0..nodes).flat_map(move |from| (0..nodes).map(move |to| (from, to)))
}

/// A single route is one for packets of any number; where routes are several, packets do take them.
#[test]
fn single_routes() {
    let (mut single, mut several) = (0, 0);
    for network in networks() {
        for &kind in kinds(&network.geometry) {
            let config = configured(&network, kind);
            let router = Router::new(&network, &config);
            let salts = || (0..64u16).map(|i| i.wrapping_mul(40_503));
            let one_path = |(from, to)| {
                let first = walked(&network, &router, from, to, 0);
                salts().all(|salt| walked(&network, &router, from, to, salt) == first)
            };
            let one = pairs(&network).all(one_path);
            let told = walk::is_single(&network, kind);
            if told {
                assert!(one, "{kind:?} on {network:?}");
                single += 1;
            } else if matches!(network.geometry, Geometry::Graph(_)) {
                // Graphs are not looked through.
            } else if kind != RoutingKind::Valiant || low_diameter::places(&network) > 2 {
                assert!(!one, "{kind:?} on {network:?}");
                several += 1;
            }
        }
    }
    assert!(single > 8 && several > 20, "{single} {several}");
    let ideal = Ideal { nodes: 4, latency: Time(1), bandwidth: BitRate(1_000_000) };
    let ideal = TopologySpec::Ideal(ideal).build().unwrap();
    assert!(walk::is_single(&ideal, RoutingKind::Minimal) && kinds(&ideal.geometry).is_empty());
    let router_config = configured(&ideal, RoutingKind::Minimal);
    let router = Router::new(&ideal, &router_config);
    assert!(walked(&ideal, &router, 0, 3, 1).is_empty());
    let mut found = Candidates::new();
    found.offer(PortGroup { first: 0, count: 1, vcs: 1 });
    router.candidates(0, Destination { switch: 1, output: 0 }, 0, || 0, &mut found);
    assert_eq!(found.all().count(), 0);
}

/// Every walk is a path without gaps, from the first node's channel to the last one's, and takes no hop more than
/// virtual channels are needed for.
#[test]
fn walks_arrive() {
    for network in networks() {
        for &kind in kinds(&network.geometry) {
            let config = configured(&network, kind);
            let router = Router::new(&network, &config);
            for (from, to) in pairs(&network) {
                for salt in [0, 7, 0x1fff, 0xabcd, u16::MAX] {
                    let channels = walked(&network, &router, from, to, salt);
                    if from == to {
                        assert!(channels.is_empty());
                        continue;
                    }
                    let ends = [channels[0], channels[channels.len() - 1]].map(ChannelId::index);
                    assert_eq!(ends, [injection_of(&network, from), ejection_of(&network, to)]);
                    let mut at = network.node_switch(NodeId(from)).0;
                    for channel in &channels[1..] {
                        assert_eq!(network.port_switch(channel.index()), at, "{kind:?} on {network:?}");
                        at = neighbour(&network, channel.0).unwrap_or(at);
                    }
                    assert_eq!(at, network.node_switch(NodeId(to)).0);
                    if let NeededVcs::Hops(longest) = needed_vcs(&network, kind) {
                        assert!(channels.len() as u32 <= longest + 2, "{kind:?}: {channels:?} on {network:?}");
                    }
                }
            }
        }
    }
}

fn total(visit: impl FnOnce(&mut dyn FnMut(u8, u32))) -> (Vec<u32>, u32) {
    let mut by_class = vec![0; 8];
    visit(&mut |class, channels| by_class[usize::from(class)] += channels);
    let sum = by_class.iter().sum();
    (by_class, sum)
}

/// Minimal routes have as many channels of each class as a search finds, or as a walk; the longest is that of the two
/// nodes that are farthest apart, or of the first and that farthest from it.
#[test]
fn lengths_of_routes() {
    for network in networks() {
        let kind = kinds(&network.geometry)[0];
        let of = |(from, to)| total(|visit| route::minimal(&network, NodeId(from), NodeId(to), visit));
        let is_searched = !matches!(network.geometry, Geometry::Groups(_)) && kind != RoutingKind::UpDown;
        for (from, to) in pairs(&network) {
            let (by_class, sum) = of((from, to));
            if from == to {
                assert_eq!(sum, 0);
                continue;
            }
            assert_eq!(by_class[0], 2, "the channels of the nodes");
            let [a, b] = [from, to].map(|node| network.node_switch(NodeId(node)).0);
            let distance = distances_from(&network, a)[b as usize];
            if is_searched {
                assert_eq!(sum, 2 + distance, "{from} to {to} of {network:?}");
            }
            match &network.geometry {
                Geometry::Grid(_) => {
                    let expected: Vec<u32> = distances(&network, from, to).iter().map(|&steps| steps as u32).collect();
                    assert_eq!(by_class[1..=expected.len()], expected);
                }
                Geometry::Groups(groups) => assert_eq!(by_class, through_groups(&network, groups, a, b)),
                _ => {}
            }
        }
        let (by_class, longest) = total(|visit| route::longest(&network, visit));
        let farthest = match &network.geometry {
            Geometry::Grid(_) | Geometry::Levels(_) => pairs(&network).map(|pair| of(pair).1).max(),
            _ => (0..network.nodes).map(|to| of((0, to)).1).max(),
        };
        assert_eq!(Some(longest), farthest, "{network:?}");
        assert!(pairs(&network).any(|pair| of(pair).0 == by_class), "{by_class:?} of {network:?}");
    }
}

/// The classes of one minimal walk between two switches of groups; it takes at most one global link.
fn through_groups(network: &Network, groups: &Groups, from: u32, to: u32) -> Vec<u32> {
    let mut by_class = vec![0; 8];
    by_class[0] = 2;
    let (mut at, mut crossed) = (from, 0);
    low_diameter::walk(network, from, to, 0, |port| {
        by_class[usize::from(network.port_class[port.index()])] += 1;
        let next = neighbour(network, port.0).unwrap();
        crossed += u32::from(groups.group(next) != groups.group(at));
        at = next;
    });
    assert_eq!((at, crossed), (to, u32::from(groups.group(from) != groups.group(to))));
    by_class
}

/// Walks of low-diameter networks arrive by the shortest drawn path, by a shortest path, or by a path up and down.
#[test]
fn walks_by_the_first_output() {
    for network in networks() {
        let Geometry::Graph(_) = &network.geometry else { continue };
        for (from, to) in pairs(&network) {
            let (mut at, mut hops) = (from, 0);
            low_diameter::walk(&network, from, to, 0, |port| {
                assert_eq!(network.port_switch(port.index()), at);
                (at, hops) = (neighbour(&network, port.0).unwrap(), hops + 1);
            });
            let distance = distances_from(&network, from)[to as usize];
            assert_eq!(at, to);
            assert!(hops >= distance && (hops == distance || kinds(&network.geometry)[0] == RoutingKind::UpDown));
        }
    }
}

/// The outputs that lead nearer, ports side by side as one group; and where these are one group, nothing else is said.
#[test]
fn outputs_of_graphs() {
    let grids = [torus(&[4, 3], 2, 1), mesh(&[3, 3], 3, 1), torus(&[5], 1, 2)];
    let graphs = grids.iter().map(|whole| rebuilt(whole, TableKind::Shortest));
    let (mut one, mut several) = (0, 0);
    for network in graphs.chain(networks()) {
        if !matches!(network.geometry, Geometry::Graph(_)) || kinds(&network.geometry)[0] != RoutingKind::Minimal {
            continue;
        }
        let config = configured(&network, RoutingKind::Minimal);
        let router = Router::new(&network, &config);
        for to in 0..network.switches() {
            let distances = distances_from(&network, to);
            for at in (0..network.switches()).filter(|&at| at != to) {
                let nearer = |port: u32| {
                    neighbour(&network, port).is_some_and(|next| distances[next as usize] < distances[at as usize])
                };
                let first = network.first_port[at as usize];
                let leading: Vec<u16> =
                    ports(&network, at).filter(|&port| nearer(port)).map(|port| (port - first) as u16).collect();
                let mut expected: Vec<(u16, u16)> = Vec::new();
                for &port in &leading {
                    match expected.last_mut() {
                        Some((first, count)) if *first + *count == port => *count += 1,
                        _ => expected.push((port, 1)),
                    }
                }
                let to = Destination { switch: to, output: 99 };
                let mut found = Candidates::new();
                router.candidates(at, to, 0, || 0, &mut found);
                let told: Vec<(u16, u16)> = found.all().map(|group| (group.first, group.count)).collect();
                assert_eq!(told, expected, "from {at} to {to:?} of {network:?}");
                let only = router.only_group(at, to, 0, || 0).map(|group| (group.first, group.count));
                assert_eq!(only, Some(expected[0]).filter(|_| expected.len() == 1));
                let mut offered = BTreeSet::new();
                let goal = low_diameter::Goal::Switch(to.switch);
                low_diameter::all_next_hops(&network, at, goal, |group| _ = offered.insert((group.first, group.count)));
                assert!(offered.into_iter().eq(expected.iter().copied()));
                if expected.len() == 1 { one += 1 } else { several += 1 }
            }
        }
    }
    assert!(one > 50 && several > 50, "{one} {several}");
}

/// The rings that channels are part of, and the datelines that they cross: those of tori alone, by coordinates.
#[test]
fn rings_and_datelines() {
    for network in networks() {
        for port in 0..network.ports() {
            let told = (ring(&network, PortId(port)), crossing(&network, PortId(port)));
            let Some(next) = neighbour(&network, port).filter(|_| matches!(network.geometry, Geometry::Grid(_))) else {
                assert_eq!(told, (NO_RING, 0));
                continue;
            };
            let [here, there] = [network.port_switch(port as usize), next].map(|at| coordinates(&network, at));
            let d = (0..here.len()).find(|&d| here[d] != there[d]).unwrap();
            let (grid, [x, y]) = (grid(&network), [here[d], there[d]]);
            if !grid.wraps[d] {
                assert_eq!(told, (NO_RING, 0));
                continue;
            }
            let up = (x + 1) % grid.dims[d] == y;
            let below = u32::from(grid.datelines[d].unwrap());
            let crosses = if up { x == below } else { y == below };
            assert_eq!(told, (2 * d as u8 + u8::from(!up), u16::from(crosses) << d), "{here:?} {there:?}");
        }
    }
}

/// Random routing draws the way up, and a walk draws one of its parallel links by another number: all four are taken.
#[test]
fn links_are_drawn_beside_the_paths_up() {
    let tree = Xgft { children: vec![2, 2], parents: vec![2], links: vec![2] };
    let network = TopologySpec::Xgft(tree).build().unwrap();
    let config = configured(&network, RoutingKind::Random);
    let router = Router::new(&network, &config);
    let taken: BTreeSet<ChannelId> = (0..200).map(|salt| walked(&network, &router, 0, 2, salt)[1]).collect();
    assert_eq!(taken.len(), 4);
}

/// The runtime system marks what packets of any number may cross: on groups by every choice of routing.
#[test]
fn marks_on_groups() {
    use RoutingKind::{Minimal, Progressive, Ugal, Valiant};
    let spec =
        |groups| TopologySpec::Dragonfly(Dragonfly { p: 1, a: 3, h: 1, groups, arrangement: Arrangement::Relative });
    let ideal = Ideal { nodes: 4, latency: Time(1), bandwidth: BitRate(1_000_000) };
    let ideal = TopologySpec::Ideal(ideal).build().unwrap();
    Routes::new(&ideal, &configured(&ideal, Minimal)).between(NodeId(0), NodeId(1), |channel| panic!("{channel:?}"));
    for network in [2, 3, 4].map(|groups| spec(groups).build().unwrap()) {
        let to_itself = |channel: ChannelId| panic!("{channel:?}");
        Routes::new(&network, &configured(&network, Minimal)).between(NodeId(1), NodeId(1), to_itself);
        let walks = |kind, from, to| {
            let config = configured(&network, kind);
            let router = Router::new(&network, &config);
            (0..=SALT).step_by(5).flat_map(|salt| walked(&network, &router, from, to, salt)).collect::<BTreeSet<_>>()
        };
        for (from, to) in [(0, 1), (0, 3), (1, 4), (2, network.nodes - 1), (network.nodes - 1, 1)] {
            for kind in [Minimal, Valiant, Ugal, Progressive] {
                let config = configured(&network, kind);
                let mut marked = BTreeSet::new();
                Routes::new(&network, &config).between(NodeId(from), NodeId(to), |channel| _ = marked.insert(channel));
                let mut expected = walks(if kind == Valiant { Valiant } else { Minimal }, from, to);
                if kind != Minimal {
                    expected.extend(walks(Valiant, from, to));
                }
                if kind == Progressive {
                    assert!(marked.is_superset(&expected), "{from} to {to}");
                } else {
                    assert_eq!(marked, expected, "{kind:?}: {from} to {to}");
                }
            }
        }
    }
}
