//! The wiring and the tables that twin and engine share, against the definitions of the topologies.

use std::collections::{BTreeMap, BTreeSet};

use drowse_core::topology::{
    Aries, Arrangement, Dragonfly, DragonflyPlus, Full, Geometry, HyperX, Hypercube, Network, PerDimension, Percs,
    PolarFly, Racks, SlimFly, TableKind, ThinTree, TopologySpec, Torus,
};

use crate::common::{neighbour, ports};

/// Counts the links from a switch to each other one.
fn neighbours(network: &Network, switch: u32) -> BTreeMap<u32, u32> {
    let mut links = BTreeMap::new();
    for next in ports(network, switch).filter_map(|port| neighbour(network, port)) {
        *links.entry(next).or_default() += 1;
    }
    links
}

fn dragonfly(a: u32, h: u32, groups: u32, arrangement: Arrangement) -> Network {
    TopologySpec::Dragonfly(Dragonfly { p: 1, a, h, groups, arrangement }).build().unwrap()
}

fn dragonflies() -> impl Iterator<Item = (u32, u32, u32, Arrangement)> {
    let arrangements = [Arrangement::Absolute, Arrangement::Relative, Arrangement::Palmtree];
    let shapes = (2..=5).flat_map(|a| (1..=3).map(move |h| (a, h)));
    shapes.flat_map(move |(a, h)| {
        let groups = (2..=a * h + 1).step_by(2).chain([a * h + 1]);
        groups.flat_map(move |g| arrangements.map(|arrangement| (a, h, g, arrangement)))
    })
}

fn all() -> Vec<TopologySpec> {
    let torus = |dims: &[u32], trunk| Torus::new(dims.to_vec(), PerDimension::All(trunk), 2);
    let arrangement = Arrangement::Palmtree;
    let mut specs = vec![
        TopologySpec::Torus(torus(&[4, 3, 2], 2)),
        TopologySpec::Torus(Torus { rings_of_two: true, ..torus(&[2, 5], 1) }),
        TopologySpec::Mesh(torus(&[3, 4], 1)),
        TopologySpec::Hypercube(Hypercube { dimension: 4, nodes: 1 }),
        TopologySpec::ThinTree(ThinTree { down: 3, up: 2, levels: 3 }),
        TopologySpec::Racks(Racks { racks: 5, nodes_per_rack: 3, uplinks: 2 }),
        TopologySpec::DragonflyPlus(DragonflyPlus { nodes: 2, leaves: 3, spines: 2, h: 2, groups: 5, arrangement }),
        TopologySpec::Percs(Percs { supernodes: 5 }),
        TopologySpec::Aries(Aries { groups: 3, arrangement }),
        TopologySpec::Full(Full { switches: 5, nodes: 2 }),
        TopologySpec::HyperX(HyperX { dims: vec![3, 4], widths: PerDimension::Each(vec![2, 1]), nodes: 1 }),
        TopologySpec::SlimFly(SlimFly { q: 5, nodes: Some(1), tables: TableKind::Shortest }),
        TopologySpec::PolarFly(PolarFly { q: 5, nodes: Some(1), tables: TableKind::Shortest }),
    ];
    specs.extend(
        dragonflies()
            .map(|(a, h, groups, arrangement)| TopologySpec::Dragonfly(Dragonfly { p: 1, a, h, groups, arrangement })),
    );
    specs
}

/// Each port and each node has one link; both ends of it agree and are of one class. No link leads back to its switch.
#[test]
fn links_have_two_ends() {
    for spec in all() {
        let network = spec.build().unwrap();
        for port in 0..network.ports() {
            let peer = network.peer[port as usize];
            if let Some(node) = peer.checked_sub(network.ports()) {
                assert_eq!(network.node_port[node as usize], port, "{spec:?}");
                continue;
            }
            assert_eq!(network.peer[peer as usize], port, "{spec:?}");
            assert_eq!(network.port_class[peer as usize], network.port_class[port as usize], "{spec:?}");
            assert_ne!(network.port_switch(peer as usize), network.port_switch(port as usize), "{spec:?}");
        }
        for (node, &port) in network.node_port.iter().enumerate() {
            assert_eq!(network.peer[port as usize], network.ports() + node as u32, "{spec:?}");
            assert_eq!(network.node_switch[node], network.port_switch(port as usize), "{spec:?}");
        }
    }
}

/// Global port k of group i, counted through its switches, leads to group k, or k + 1 from i on (absolute), to group
/// i + k + 1 (relative), or to group i - k - 1 (palmtree), modulo the groups (Hastings et al. 2015, Camarero et al.
/// 2014). With fewer groups than ports, this is repeated.
#[test]
fn dragonflies_follow_their_arrangements() {
    for (a, h, groups, arrangement) in dragonflies() {
        let network = dragonfly(a, h, groups, arrangement);
        let rounds = a * h / (groups - 1);
        for group in 0..groups {
            let mut k = 0;
            for switch in group * a..(group + 1) * a {
                let mut local = BTreeSet::new();
                let (mut global, first) = (0, k);
                for port in ports(&network, switch) {
                    let Some(next) = neighbour(&network, port) else { continue };
                    if network.port_class[port as usize] == 1 {
                        assert!(next / a == group && local.insert(next), "each switch of the group once");
                        continue;
                    }
                    let place = k % (groups - 1);
                    let to = match arrangement {
                        Arrangement::Absolute => place + u32::from(place >= group),
                        Arrangement::Relative => (group + place + 1) % groups,
                        Arrangement::Palmtree => (group + groups - place - 1) % groups,
                    };
                    assert_eq!(next / a, to, "port {k} of group {group}: {a} {h} {groups} {arrangement:?}");
                    (k, global) = (k + 1, global + 1);
                }
                assert_eq!(local.len() as u32, a - 1, "all switches of the group");
                let own = (rounds * (groups - 1)).saturating_sub(first).min(h);
                assert_eq!(global, own, "ports are numbered switch by switch");
            }
            assert_eq!(k, rounds * (groups - 1), "as many links to each group");
        }
    }
}

/// Gateways reach the group that they claim, at the switch that they claim, and are all global links.
#[test]
fn gateways_reach_their_groups() {
    for spec in all() {
        let network = spec.build().unwrap();
        let Geometry::Groups(groups) = &network.geometry else { continue };
        let mut claimed = BTreeSet::new();
        for (from, to) in (0..groups.count).flat_map(|from| (0..groups.count).map(move |to| (from, to))) {
            for gateway in groups.gateways(from, to) {
                let first =
                    network.first_port[(from * groups.size + gateway.switch) as usize] + u32::from(gateway.port);
                for port in first..first + u32::from(gateway.links) {
                    assert_eq!(neighbour(&network, port), Some(to * groups.size + gateway.far), "{spec:?}");
                    assert!(claimed.insert(port), "{spec:?}");
                }
            }
        }
        let other_group = |port: u32| {
            neighbour(&network, port)
                .is_some_and(|next| next / groups.size != network.port_switch(port as usize) / groups.size)
        };
        assert_eq!(claimed, (0..network.ports()).filter(|&port| other_group(port)).collect(), "{spec:?}");
    }
}

/// Switches of HyperX and the full mesh are joined if they differ in exactly one coordinate; tori and meshes if this
/// differs by one, around the end in tori; hypercubes if one bit differs.
#[test]
fn lattices_join_switches_that_differ_in_one_coordinate() {
    let coordinates = |dims: &[u32], mut switch: u32| -> Vec<u32> {
        let digit = |&size: &u32| {
            let digit = switch % size;
            switch /= size;
            digit
        };
        dims.iter().map(digit).collect()
    };
    let check = |spec: TopologySpec, dims: &[u32], links: &dyn Fn(usize, u32) -> u32| {
        let network = spec.build().unwrap();
        assert_eq!(network.switches(), dims.iter().product::<u32>());
        for switch in 0..network.switches() {
            let here = coordinates(dims, switch);
            let expected = (0..network.switches()).filter_map(|other| {
                let there = coordinates(dims, other);
                let mut differ = (0..dims.len()).filter(|&d| here[d] != there[d]);
                let d = differ.next().filter(|_| differ.next().is_none())?;
                let links = links(d, here[d].abs_diff(there[d]));
                (links > 0).then_some((other, links))
            });
            assert_eq!(neighbours(&network, switch), expected.collect(), "{spec:?}, switch {switch}");
        }
    };
    let hyperx = HyperX { dims: vec![3, 2, 4], widths: PerDimension::Each(vec![2, 1, 3]), nodes: 1 };
    check(TopologySpec::HyperX(hyperx), &[3, 2, 4], &|d, _| [2, 1, 3][d]);
    check(TopologySpec::Full(Full { switches: 6, nodes: 1 }), &[6], &|_, _| 1);
    check(TopologySpec::Hypercube(Hypercube { dimension: 4, nodes: 1 }), &[2; 4], &|_, _| 1);
    let torus = Torus::new(vec![4, 3, 2], PerDimension::Each(vec![1, 2, 3]), 1);
    check(TopologySpec::Mesh(torus.clone()), &[4, 3, 2], &|d, by| u32::from(by == 1) * [1, 2, 3][d]);
    let around = |d: usize, by: u32| u32::from(by == 1 || by + 1 == [4, 3, 2][d]) * [1, 2, 3][d];
    check(TopologySpec::Torus(torus.clone()), &[4, 3, 2], &around);
    let two = Torus { rings_of_two: true, ..torus };
    check(TopologySpec::Torus(two), &[4, 3, 2], &|d, by| around(d, by) * if d == 2 { 2 } else { 1 });
}

/// The D link from supernode i to j is at hub j mod 32 of i, and ends at hub i mod 32 of j (Totoni et al. 2014).
#[test]
fn percs_hubs() {
    let network = TopologySpec::Percs(Percs { supernodes: 40 }).build().unwrap();
    for (i, j) in (0..40).flat_map(|i| (0..40).map(move |j| (i, j))).filter(|(i, j)| i != j) {
        assert!(
            neighbours(&network, 32 * i + j % 32).get(&(32 * j + i % 32)).is_some_and(|&links| links == 1),
            "{i} {j}"
        );
    }
    for switch in 0..network.switches() {
        let own = neighbours(&network, switch).into_keys().filter(|next| next / 32 == switch / 32).count();
        assert_eq!(own, 31, "each with each");
    }
}

/// Slim Fly has 2 q^2 switches of (3q - 1) / 2 links for q = 4k + 1; a polarity graph has q^2 + q + 1 switches of q + 1
/// links, or q if they are orthogonal to themselves, of which there are q + 1. Both have diameter 2, which the degree
/// allows no graph of many more switches (Besta and Hoefler 2014; Lakhotia et al. 2022).
#[test]
fn graphs_of_diameter_two() {
    let within_two = |network: &Network| {
        let of: Vec<BTreeSet<u32>> =
            (0..network.switches()).map(|switch| neighbours(network, switch).into_keys().collect()).collect();
        for (a, b) in (0..of.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            assert!(of[a].contains(&(b as u32)) || !of[a].is_disjoint(&of[b]), "{a} {b}");
        }
        of.iter().map(BTreeSet::len).collect::<Vec<_>>()
    };
    for q in [5, 13] {
        let network =
            TopologySpec::SlimFly(SlimFly { q, nodes: Some(1), tables: TableKind::Shortest }).build().unwrap();
        let q = q as usize;
        assert_eq!(within_two(&network), vec![(3 * q - 1) / 2; 2 * q * q]);
    }
    for q in [3, 5, 7] {
        let network =
            TopologySpec::PolarFly(PolarFly { q, nodes: Some(1), tables: TableKind::Shortest }).build().unwrap();
        let (degrees, q) = (within_two(&network), q as usize);
        assert_eq!(degrees.len(), q * q + q + 1);
        assert_eq!(degrees.iter().filter(|&&degree| degree == q).count(), q + 1);
        assert!(degrees.iter().all(|&degree| degree == q || degree == q + 1));
    }
}
