//! The table of the k shortest paths, which twin and engine share, against all paths without loops, found one by one.

use std::collections::BTreeSet;

use drowse_core::routing::RoutingKind;
use drowse_core::topology::geometry::graph::{Routes, Tables};
use drowse_core::topology::{Geometry, Network, TableKind, TopologySpec};
use proptest::prelude::*;

use crate::cases::proptest_config;
use crate::networks::graph;

/// Extends a path by all switches that it has not visited, and collects those that end at `to`.
fn extend(network: &Network, path: &mut Vec<u32>, to: u32, found: &mut BTreeSet<Vec<u32>>) {
    let at = path[path.len() - 1];
    if at == to {
        found.insert(path.clone());
        return;
    }
    for port in network.first_port[at as usize]..network.first_port[at as usize + 1] {
        let peer = network.peer[port as usize];
        if peer < network.ports() && !path.contains(&network.port_switch(peer as usize)) {
            path.push(network.port_switch(peer as usize));
            extend(network, path, to, found);
            path.pop();
        }
    }
}

/// Returns the path of a packet with a random number, as switches.
fn drawn(tables: &Tables, from: u32, to: u32, random: u16) -> Vec<u32> {
    let Routes::Paths(paths) = &tables.routes else { return Vec::new() };
    let mut path = vec![from];
    for &place in paths.hops(paths.draw(from, random), to) {
        let at = path[path.len() - 1];
        if at != to {
            path.push(tables.neighbours(at)[usize::from(place)].to);
        }
    }
    path
}

proptest! {
    #![proptest_config(proptest_config(256))]

    /// The paths of each pair are loopless and as short as the shortest; all are as likely, but for one that comes
    /// again if there are fewer than wanted.
    #[test]
    fn paths_are_the_shortest((spec, ..) in graph(Just(RoutingKind::KShortest))) {
        let network = spec.build().unwrap();
        let TopologySpec::Graph(graph) = &spec else { unreachable!() };
        let (TableKind::Paths(each), Geometry::Graph(tables)) = (graph.tables, &network.geometry) else { unreachable!() };
        let ends: BTreeSet<u32> = network.node_switch.iter().copied().collect();
        for (&from, &to) in ends.iter().flat_map(|from| ends.iter().map(move |to| (from, to))) {
            let mut all = BTreeSet::new();
            extend(&network, &mut vec![from], to, &mut all);
            // Each path has the same share of the random numbers.
            let number = |path: u32| (path << 16).div_ceil(each) as u16;
            let found: Vec<Vec<u32>> = (0..each).map(|path| drawn(tables, from, to, number(path))).collect();
            let mut shortest: Vec<usize> = all.iter().map(Vec::len).collect();
            shortest.sort_unstable();
            shortest.truncate(each as usize);
            let distinct: BTreeSet<&Vec<u32>> = found.iter().collect();
            prop_assert!(distinct.iter().all(|path| all.contains(*path)), "{from} to {to}: {found:?}");
            let mut lengths: Vec<usize> = distinct.iter().map(|path| path.len()).collect();
            lengths.sort_unstable();
            prop_assert_eq!(&lengths, &shortest, "{} to {}", from, to);
            for path in distinct {
                let times = found.iter().filter(|other| *other == path).count();
                prop_assert!((each as usize / lengths.len()..=(each as usize).div_ceil(lengths.len())).contains(&times));
            }
        }
    }
}
