//! Forwarding tables that are given: paths are the tables', lanes break circles, and wrong tables are refused.

use std::collections::VecDeque;
use std::sync::Arc;

use drowse_core::engine::{Failure, Standstill};
use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::model::units::Time;
use drowse_core::power::StallTimer;
use drowse_core::routing::dependencies::{self, Verdict};
use drowse_core::routing::{Router, RoutingKind, walk};
use drowse_core::topology::{Forwarding, Graph, Lanes, Network, NetworkError, TableKind, Topology, Trunk};
use drowse_core::workload::traffic::Count;
use proptest::prelude::*;

use crate::common::*;
use crate::deadlock::overload;
use crate::graphs::any_graph;
use crate::partitions;

/// The ports of a switch: which switch the link of each leads to, counted from the trunks.
fn neighbours(graph: &Graph) -> Vec<Vec<u32>> {
    let mut of_switch: Vec<Vec<(u16, u32)>> = vec![Vec::new(); graph.nodes.len()];
    for (trunk, first) in graph.trunks.iter().zip(graph.first_ports()) {
        for side in 0..2 {
            for link in 0..trunk.links as u16 {
                of_switch[trunk.ends[side] as usize].push((first[side] + link, trunk.ends[1 - side]));
            }
        }
    }
    let sorted = |mut ports: Vec<(u16, u32)>| {
        ports.sort_unstable();
        assert!(ports.iter().zip(0..).all(|((port, _), place)| *port == place), "ports follow each other: {ports:?}");
        ports.into_iter().map(|(_, to)| to).collect()
    };
    of_switch.into_iter().map(sorted).collect()
}

/// Tables of shortest paths by a search of their own; `draw` selects one of the ports that lead nearer.
fn shortest(graph: &Graph, mut draw: impl FnMut(usize) -> usize) -> Forwarding {
    let ports = neighbours(graph);
    let mut outputs = Vec::new();
    for home in (0..graph.nodes.len()).flat_map(|switch| (0..graph.nodes[switch]).map(move |_| switch)) {
        let mut distance = vec![usize::MAX; ports.len()];
        let mut reached = VecDeque::from([(home, 0)]);
        while let Some((at, hops)) = reached.pop_front() {
            if distance[at] == usize::MAX {
                distance[at] = hops;
                reached.extend(ports[at].iter().map(|&to| (to as usize, hops + 1)));
            }
        }
        for at in 0..ports.len() {
            let nearer: Vec<usize> =
                (0..ports[at].len()).filter(|&port| distance[ports[at][port] as usize] < distance[at]).collect();
            outputs.push(if nearer.is_empty() { Forwarding::NOWHERE } else { nearer[draw(nearer.len())] as u16 });
        }
    }
    Forwarding { outputs, lanes: None }
}

fn built(graph: &Graph, forwarding: Forwarding) -> Result<Network, NetworkError> {
    Graph { tables: TableKind::Forwarding, forwarding: Some(Arc::new(forwarding)), ..graph.clone() }.build()
}

fn table_config(network: &Network, vcs: u8) -> Config {
    let mut config = config(network, 2);
    config.routing = RoutingKind::Table;
    config.switch.vcs = VirtualChannels::any(vcs);
    config.switch.buffer_flits = 16;
    config
}

/// Eight switches in a ring with a node each.
fn ring() -> Graph {
    let trunks = (0..8).map(|switch| Trunk { ends: [switch, (switch + 1) % 8], class: 0, links: 1 }).collect();
    Graph { classes: vec!["ring".into()], nodes: vec![1; 8], trunks, ..Graph::default() }
}

/// The shorter way around the ring, clockwise where both are as short.
fn around() -> Forwarding {
    let ports = neighbours(&ring());
    let mut outputs = Vec::new();
    for to in 0..8u32 {
        for at in 0..8u32 {
            let ahead = (to + 8 - at) % 8;
            let next = if ahead <= 4 { (at + 1) % 8 } else { (at + 7) % 8 };
            let port = ports[at as usize].iter().position(|&switch| switch == next).unwrap();
            outputs.push(if ahead == 0 { Forwarding::NOWHERE } else { port as u16 });
        }
    }
    Forwarding { outputs, lanes: None }
}

/// Packets whose path crosses the link between switches 7 and 0 have a service level and a lane of their own. No such path
/// is longer than four links, so that none of them begins and ends its half of the ring behind the other.
fn two_lanes() -> Lanes {
    let crosses = |from: u32, to: u32| {
        let ahead = (to + 8 - from) % 8;
        if ahead <= 4 { from + ahead >= 8 } else { from < 8 - ahead }
    };
    let levels = (0..8).flat_map(|from| (0..8).map(move |to| u8::from(from != to && crosses(from, to)))).collect();
    let map = (0..3 * 3).flat_map(|_| (0..16).map(|level| level.min(1))).collect::<Vec<u8>>();
    Lanes { levels, maps: vec![map; 8] }
}

#[test]
fn lanes_break_the_circle_of_a_ring() {
    let network = built(&ring(), around()).unwrap();
    let config = Config { audit: false, ..table_config(&network, 1) };
    let Ok(Verdict::Circle(circle)) = dependencies::check(&network, &config) else { panic!("a ring is proven") };
    assert_eq!(circle.len(), 8);
    for (waiting, next) in circle.iter().zip(circle.iter().cycle().skip(1)) {
        assert_eq!(waiting.leads_to, next.switch);
        // Packets that go that far are on their way there.
        let ahead = (waiting.packets_to + 8 - waiting.switch) % 8;
        assert!((2..=6).contains(&ahead), "{waiting:?}");
    }
    let stuck = |network: &Network, config: &Config| {
        (1..=40).find_map(|seed| overload(network, &Config { seed, ..config.clone() }, false).err())
    };
    let Some(Failure::Deadlock(deadlock)) = stuck(&network, &config) else { panic!("the ring goes on") };
    assert_eq!(deadlock.what, Standstill::PacketCircle);

    let network = built(&ring(), Forwarding { lanes: Some(two_lanes()), ..around() }).unwrap();
    let config = Config { audit: false, ..table_config(&network, 2) };
    let Ok(Verdict::Proven(proof)) = dependencies::check(&network, &config) else { panic!("lanes do not suffice") };
    // Clockwise, lane 0 is used on seven links, lane 1 on the one that crosses and up to three on both sides of it;
    // paths of four links are clockwise only, so that the other way it is two on both sides.
    assert_eq!((proof.channels, proof.longest), (7 + 7 + 7 + 5, 7));
    assert_eq!(stuck(&network, &config).map(|failure| failure.to_string()), None);
}

/// Whatever tables say, packets go there: each channel of a path is the one that the table names.
#[test]
fn parallel_links_are_told_apart() {
    let trunks = vec![Trunk { ends: [0, 1], class: 0, links: 3 }, Trunk { ends: [1, 2], class: 0, links: 2 }];
    let graph = Graph { classes: vec!["link".into()], nodes: vec![1, 2, 3], trunks, ..Graph::default() };
    // Nodes 1 and 2 are on switch 1, nodes 3 to 5 on switch 2. Links come first, by neighbour.
    let none = Forwarding::NOWHERE;
    let outputs = [[none, 0, 1], [2, none, 0], [1, none, 1], [0, 3, none], [1, 4, none], [2, 3, none]].concat();
    let network = built(&graph, Forwarding { outputs, lanes: None }).unwrap();
    let config = table_config(&network, 1);
    let router = Router::new(&network, &config);
    let channels = |from: u32, to: u32| {
        let mut channels = Vec::new();
        walk::walk(&network, &router, NodeId(from), NodeId(to), 77, |channel: ChannelId| channels.push(channel.0));
        channels
    };
    // Switch 0 has ports 0 to 3, switch 1 has 4 to 10, switch 2 has 11 to 15; nodes inject behind all 16 ports.
    assert_eq!(channels(0, 4), [16, 1, 8, 14]);
    assert_eq!(channels(0, 5), [16, 2, 7, 15]);
    assert_eq!(channels(5, 0), [21, 12, 4, 3]);
    assert_eq!(channels(1, 2), [17, 10]);
    let sleepy = StallTimer::uniform(2, Some(Time::from_ns(20)), Some(Time::from_ns(400)));
    partitions::check(&network, &config, &sleepy, || partitions::traffic(0.4, Count::Generated));
}

#[test]
fn wrong_tables_are_refused() {
    let wrong = |change: &dyn Fn(&mut Forwarding)| {
        let mut forwarding = Forwarding { lanes: Some(two_lanes()), ..around() };
        change(&mut forwarding);
        built(&ring(), forwarding).unwrap_err().to_string()
    };
    let at = |to: usize, switch: usize| to * 8 + switch;
    for (told, found) in [
        ("tables of 63 outputs for 8 nodes", wrong(&|it| it.outputs.truncate(63))),
        ("no output leads from switch 1 to node 0", wrong(&|it| it.outputs[at(0, 1)] = Forwarding::NOWHERE)),
        ("no output leads from switch 4 to node 0", wrong(&|it| it.outputs[at(0, 6)] = 9)),
        ("packets to node 3 come to no end", wrong(&|it| it.outputs[at(3, 2)] = 1 - it.outputs[at(3, 2)])),
        ("get lane 9 at switch", wrong(&|it| it.lanes.as_mut().unwrap().maps[4].fill(9))),
        ("service levels of 3 pairs", wrong(&|it| it.lanes.as_mut().unwrap().levels.truncate(3))),
    ] {
        assert!(found.contains(told), "{found}");
    }
    let none = Graph { tables: TableKind::Forwarding, ..ring() }.build().unwrap_err().to_string();
    assert!(none.contains("has no forwarding tables"), "{none}");
}

proptest! {
    /// On any graph, with any shortest paths, packets take the path that following the table by hand gives, and the check
    /// and a second search for circles agree.
    #[test]
    fn any_tables(graph in any_graph(), seed in any::<u64>()) {
        let mut state = seed;
        let forwarding = shortest(&graph, |most| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % most
        });
        let network = built(&graph, forwarding.clone()).unwrap();
        let config = table_config(&network, 1);
        let router = Router::new(&network, &config);
        let switches = graph.nodes.len();
        let mut follows = std::collections::BTreeSet::new();
        for (from, to) in (0..network.nodes).flat_map(|from| (0..network.nodes).map(move |to| (from, to))) {
            if from == to {
                continue;
            }
            let mut path = vec![network.ports() + from];
            let (mut at, home) = (network.node_switch(NodeId(from)).0, network.node_switch(NodeId(to)).0);
            while at != home {
                let port = network.first_port[at as usize] + u32::from(forwarding.outputs[to as usize * switches + at as usize]);
                path.push(port);
                at = network.port_switch(network.peer[port as usize] as usize);
            }
            path.windows(2).skip(1).for_each(|pair| _ = follows.insert((pair[0], pair[1])));
            path.push(network.node_port[to as usize]);
            let mut walked = Vec::new();
            walk::walk(&network, &router, NodeId(from), NodeId(to), 5, |channel: ChannelId| walked.push(channel.0));
            prop_assert_eq!(walked, path);
        }
        // Channels that nothing waits for are taken away until none is left, or only those of circles are.
        let mut left = follows.clone();
        loop {
            let before = left.len();
            let waited: std::collections::BTreeSet<u32> = left.iter().map(|pair| pair.0).collect();
            left.retain(|pair| waited.contains(&pair.1));
            if left.len() == before {
                break;
            }
        }
        let verdict = dependencies::check(&network, &config).unwrap();
        match verdict {
            Verdict::Proven(proof) => {
                prop_assert!(left.is_empty());
                prop_assert_eq!(proof.dependencies, follows.len() as u64);
            }
            Verdict::Circle(circle) => prop_assert!(!left.is_empty() && circle.len() > 1, "{circle:?}"),
            Verdict::Stray { .. } => prop_assert!(false, "a stray"),
        }
    }
}
