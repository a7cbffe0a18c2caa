//! The table of the k shortest paths, which twin and engine share, against all paths without loops, found one by one.

use std::collections::BTreeSet;

use drowse_core::topology::geometry::graph::{Routes, Tables};
use drowse_core::topology::{Geometry, Network, TableKind, TopologySpec};
use drowse_machines::generate;

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

/// The paths of each pair are loopless and as short as the shortest; all are as likely, but for one that comes again if
/// there are fewer than wanted.
#[test]
fn paths_are_the_shortest() {
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for seed in 0..400 {
        let network = generate::network_of_kind("graph", "k-shortest", seed, folder.path());
        let Some(system) = network else { continue };
        let Some(paths) = wanted(&system.topology) else { continue };
        check(&system.network, paths);
        checked += 1;
    }
    assert!(checked > 200, "only {checked} graphs have such paths");
}

/// Returns how many paths of each pair a graph wants.
fn wanted(topology: &TopologySpec) -> Option<u32> {
    let TopologySpec::Graph(graph) = topology else { return None };
    let TableKind::Paths(each) = graph.tables else { return None };
    Some(each)
}

fn check(network: &Network, each: u32) {
    let Geometry::Graph(tables) = &network.geometry else { panic!("a graph") };
    let ends: BTreeSet<u32> = network.node_switch.iter().copied().collect();
    for (&from, &to) in ends.iter().flat_map(|from| ends.iter().map(move |to| (from, to))) {
        let mut all = BTreeSet::new();
        extend(network, &mut vec![from], to, &mut all);
        // Each path has the same share of the random numbers.
        let number = |path: u32| (path << 16).div_ceil(each) as u16;
        let found: Vec<Vec<u32>> = (0..each).map(|path| drawn(tables, from, to, number(path))).collect();
        let mut shortest: Vec<usize> = all.iter().map(Vec::len).collect();
        shortest.sort_unstable();
        shortest.truncate(each as usize);
        let distinct: BTreeSet<&Vec<u32>> = found.iter().collect();
        assert!(distinct.iter().all(|path| all.contains(*path)), "{from} to {to}: {found:?}");
        let mut lengths: Vec<usize> = distinct.iter().map(|path| path.len()).collect();
        lengths.sort_unstable();
        assert_eq!(&lengths, &shortest, "{from} to {to}");
        for path in distinct {
            let times = found.iter().filter(|other| *other == path).count();
            assert!((each as usize / lengths.len()..=(each as usize).div_ceil(lengths.len())).contains(&times));
        }
    }
}
