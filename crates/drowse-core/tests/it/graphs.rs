//! Graphs from outside: networks of every kind rebuilt as graphs, paths counted by enumeration, traffic on what
//! failures leave.

use std::collections::{HashMap, HashSet};

use drowse_core::measure::Record;
use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId, PortId};
use drowse_core::model::units::Time;
use drowse_core::power::StallTimer;
use drowse_core::routing::dependencies::{self, Verdict};
use drowse_core::routing::{RoutingKind, low_diameter, route};
use drowse_core::topology::geometry::graph::Tables;
use drowse_core::topology::graph;
use drowse_core::topology::{
    Arrangement, Dragonfly, End, Faults, Faulty, Full, Graph, HyperX, Network, NetworkError, PerDimension, Racks,
    SlimFly, TableKind, ThinTree, Topology, TopologySpec, Torus, Trunk,
};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
use proptest::prelude::*;

use crate::common::*;
use crate::deadlock::all_to_all;
use crate::partitions;

pub const ROUTINGS: [RoutingKind; 6] = [
    RoutingKind::Minimal,
    RoutingKind::Valiant,
    RoutingKind::Ugal,
    RoutingKind::Progressive,
    RoutingKind::UpDown,
    RoutingKind::KShortest,
];

/// Networks of other kinds, and whether their arithmetic finds the shortest paths there are: where groups are joined by
/// single links, two of these may be shorter than one with the paths to and from it.
fn others() -> Vec<(TopologySpec, bool)> {
    let torus = |dims: &[u32], trunk, nodes| Torus::new(dims.to_vec(), PerDimension::All(trunk), nodes);
    vec![
        (TopologySpec::Torus(torus(&[5, 4], 2, 2)), true),
        (TopologySpec::Torus(torus(&[3, 3, 3], 1, 1)), true),
        (TopologySpec::Mesh(torus(&[4, 2, 3], 1, 2)), true),
        (TopologySpec::Tree(ThinTree { down: 3, up: 3, levels: 3 }), true),
        (TopologySpec::ThinTree(ThinTree { down: 4, up: 2, levels: 3 }), true),
        (TopologySpec::Racks(Racks { racks: 6, nodes_per_rack: 3, uplinks: 2 }), true),
        (TopologySpec::Full(Full { switches: 7, nodes: 2 }), true),
        (TopologySpec::HyperX(HyperX { dims: vec![4, 3], widths: PerDimension::Each(vec![1, 3]), nodes: 2 }), true),
        (TopologySpec::Dragonfly(Dragonfly { p: 2, a: 4, h: 2, groups: 9, arrangement: Arrangement::Palmtree }), false),
    ]
}

pub fn rebuilt(network: &Network, tables: TableKind) -> Network {
    Graph::of(network, tables, |_| true).build().unwrap()
}

pub fn tables_of(kind: RoutingKind) -> TableKind {
    TableKind::of(kind, 3)
}

/// Returns parameters for a routing on a graph; `None` where it needs more virtual channels than there are.
pub fn config_of(network: &Network, kind: RoutingKind) -> Option<Config> {
    let mut config = config(network, 2);
    config.routing = kind;
    config.switch.vcs = match low_diameter::longest(network, kind) {
        Some(longest) if longest <= 8 => VirtualChannels::hop(longest.max(1) as u8),
        Some(_) => return None,
        None => VirtualChannels::any(1),
    };
    config.switch.buffer_flits = 16;
    Some(config)
}

fn length_of_route(network: &Network, from: u32, to: u32) -> u32 {
    let mut channels = 0;
    route::minimal(network, NodeId(from), NodeId(to), |class, more| channels += if class == 0 { 0 } else { more });
    channels
}

/// A rebuilt network has the nodes and links of the original, and its tables have paths as short as arithmetic has.
#[test]
fn rebuilt_networks_are_as_far() {
    for (spec, shortest) in others() {
        let whole = spec.build().unwrap();
        let graph = rebuilt(&whole, TableKind::Shortest);
        assert_eq!((graph.nodes, graph.links()), (whole.nodes, whole.links()), "{spec:?}");
        let switches =
            |network: &Network| (0..whole.nodes).map(|node| network.node_switch(NodeId(node))).collect::<Vec<_>>();
        assert_eq!(switches(&graph), switches(&whole));
        let by_class = |network: &Network| {
            let count = |class| network.port_class.iter().filter(|&&c| usize::from(c) == class).count();
            (0..network.classes.len()).map(count).collect::<Vec<_>>()
        };
        assert_eq!((by_class(&graph), &graph.classes), (by_class(&whole), &whole.classes));
        for from in 0..whole.nodes {
            let distance = distances_from(&whole, whole.node_switch(NodeId(from)).0);
            for to in 0..whole.nodes {
                let (table, arithmetic) = (length_of_route(&graph, from, to), length_of_route(&whole, from, to));
                assert_eq!(table, distance[whole.node_switch(NodeId(to)).index()]);
                assert!(if shortest { table == arithmetic } else { table <= arithmetic }, "{spec:?}: {from} to {to}");
            }
        }
    }
}

/// On trees, paths up and down are those of the tree: no longer than the shortest.
#[test]
fn up_and_down_a_tree() {
    for (spec, _) in others().into_iter().filter(|(spec, _)| spec.build().unwrap().classes[1] == "level-1") {
        let whole = spec.build().unwrap();
        let graph = rebuilt(&whole, TableKind::UpDown);
        for (from, to) in (0..whole.nodes).flat_map(|from| (0..whole.nodes).map(move |to| (from, to))) {
            assert_eq!(
                length_of_route(&graph, from, to),
                length_of_route(&whole, from, to),
                "{spec:?}: {from} to {to}"
            );
        }
    }
}

/// All routings of graphs are proven on all kinds, wherever the virtual channels suffice.
#[test]
fn all_are_proven() {
    let mut count = 0;
    let slim_fly = TopologySpec::SlimFly(SlimFly { q: 4, nodes: Some(1), tables: TableKind::Shortest });
    for spec in others().into_iter().map(|(spec, _)| spec).chain([slim_fly]) {
        let whole = spec.build().unwrap();
        for kind in ROUTINGS {
            let graph = match Graph::of(&whole, tables_of(kind), |_| true).build() {
                Err(NetworkError::Refused { .. }) => continue,
                graph => graph.unwrap(),
            };
            let Some(config) = config_of(&graph, kind) else { continue };
            let verdict = dependencies::check(&graph, &config).unwrap();
            assert!(matches!(verdict, Verdict::Proven(_)), "{spec:?} {kind:?}: {verdict:?}");
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

/// On a ring of four switches, the root is 0, below it are 1 and 3, and 2 is below both. Between 1 and 3, the path over
/// 2 would lead down and up again: all packets go over the root. Between 0 and 2 both paths are open.
#[test]
fn up_and_down_a_ring() {
    let ring = rebuilt(&torus(&[4], 1, 1), TableKind::UpDown);
    let tables = graph::up_down(&ring).unwrap();
    assert_eq!([tables.left(1, 3), tables.left(3, 1), tables.left(0, 2), tables.left(2, 0)], [Some(2); 4]);
    let leads =
        |at, to| (0..4).filter(|&next| next != at && next != (at + 2) % 4 && tables.leads(at, to)(next)).collect();
    let found: [Vec<u32>; 4] = [leads(1, 3), leads(3, 1), leads(0, 2), leads(2, 0)];
    assert_eq!(found, [vec![0], vec![0], vec![1, 3], vec![1, 3]]);
}

fn overload(network: &Network, config: &Config, cycles: u64) -> Record {
    let traffic = Traffic {
        pattern: Pattern::Uniform,
        packets: Lengths::packets(1),
        load: 0.9,
        include_self: false,
        count: Count::Generated,
        warmup: Time::ZERO,
        measure: Time(1_600 * cycles),
        drain: false,
    };
    run(network, config, Workload::OpenLoop(traffic))
}

/// Uniform traffic at load 0.9 goes on and on, every packet and credit accounted for; and all arrives that everybody
/// sends to everybody at once.
#[test]
fn everything_arrives() {
    let specs = [
        TopologySpec::SlimFly(SlimFly { q: 4, nodes: None, tables: TableKind::Shortest }),
        TopologySpec::Torus(Torus::new(vec![4, 3], PerDimension::All(2), 2)),
        TopologySpec::Tree(ThinTree { down: 3, up: 3, levels: 2 }),
    ];
    for (spec, kind) in specs.iter().flat_map(|spec| ROUTINGS.map(|kind| (spec, kind))) {
        let faults = Faults { per_million: 100_000, seed: 3, ..Faults::default() };
        for faults in [Faults::default(), faults] {
            let faulty = Faulty { whole: Box::new(spec.clone()), faults, tables: tables_of(kind) };
            let network = TopologySpec::Faulty(faulty).build().unwrap();
            let Some(config) = config_of(&network, kind) else { continue };
            let record = overload(&network, &config, 3_000);
            let all = all_to_all(&network, &config).unwrap();
            let pairs = u64::from(network.nodes) * u64::from(network.nodes - 1);
            assert_eq!(all.packets_delivered, 5 * pairs, "{spec:?} {kind:?}");
            assert!(record.packets_delivered > u64::from(network.nodes) * 40, "{kind:?}: {}", record.packets_delivered);
        }
    }
}

/// The record does not depend on how the switches are dealt out to shards, however packets choose their paths.
#[test]
fn graphs_are_cut_without_a_trace() {
    let slim_fly = SlimFly { q: 3, nodes: None, tables: TableKind::Shortest }.graph().unwrap();
    for kind in ROUTINGS {
        let network = Graph { tables: tables_of(kind), ..slim_fly.clone() }.build().unwrap();
        let config = config_of(&network, kind).unwrap();
        let sleepy = StallTimer::uniform(network.classes.len(), Some(Time::from_ns(20)), Some(Time::from_ns(400)));
        partitions::check(&network, &config, &sleepy, || partitions::traffic(0.4, Count::Generated));
    }
}

/// A connected graph of up to 9 switches.
pub fn any_graph() -> impl Strategy<Value = Graph> {
    (2..9usize).prop_flat_map(|switches| {
        let parents: Vec<_> = (1..switches).map(|switch| 0..switch).collect();
        let more = prop::collection::vec((0..switches, 0..switches, 1..3u32), 0..12);
        (parents, more, prop::collection::vec(0..3u32, switches)).prop_map(move |(parents, more, mut nodes)| {
            let tree = parents.into_iter().enumerate().map(|(child, parent)| (child + 1, parent, 1));
            let edges = tree.chain(more).filter(|(a, b, _)| a != b);
            let trunk = |(a, b, links)| Trunk { ends: [a as u32, b as u32], class: 0, links };
            nodes[switches / 2] += 1;
            let classes = vec!["link".into()];
            Graph { classes, nodes, trunks: edges.map(trunk).collect(), ..Graph::default() }
        })
    })
}

/// Returns the lengths of all loopless paths between two switches, ascending, by trying all.
fn lengths_of_all(neighbours: &[HashSet<u32>], at: u32, to: u32, been: &mut Vec<u32>, lengths: &mut Vec<usize>) {
    been.push(at);
    if at == to {
        lengths.push(been.len() - 1);
    } else {
        for &next in &neighbours[at as usize] {
            if !been.contains(&next) {
                lengths_of_all(neighbours, next, to, been, lengths);
            }
        }
    }
    been.pop();
}

proptest! {
    /// Yen's paths have the lengths of the shortest of all loopless paths, lead where they should, and no two are the
    /// same.
    #[test]
    fn paths_are_the_shortest(mut graph in any_graph(), count in 1..6u32) {
        graph.tables = TableKind::Paths(count);
        let network = match graph.build() {
            Err(NetworkError::Refused { key, what, .. }) => {
                prop_assert!(key == "network.paths" && what.contains("channels"), "{what}");
                return Ok(());
            }
            network => network.unwrap(),
        };
        let paths = graph::paths(&network).unwrap();
        let mut neighbours = vec![HashSet::new(); graph.nodes.len()];
        for Trunk { ends: [a, b], .. } in &graph.trunks {
            neighbours[*a as usize].insert(*b);
            neighbours[*b as usize].insert(*a);
        }
        let ends = || (0..graph.switches()).filter(|&switch| graph.nodes[switch as usize] > 0);
        let Some(config) = config_of(&network, RoutingKind::KShortest) else { unreachable!() };
        let verdict = dependencies::check(&network, &config);
        prop_assert!(matches!(verdict, Ok(Verdict::Proven(_))), "{verdict:?}");
        for (from, to) in ends().flat_map(|from| ends().map(move |to| (from, to))).filter(|(from, to)| from != to) {
            let mut expected = Vec::new();
            lengths_of_all(&neighbours, from, to, &mut Vec::new(), &mut expected);
            expected.sort_unstable();
            expected.truncate(count as usize);
            let mut found = HashMap::new();
            for random in 0..count {
                let route = paths.draw(from, ((random << 16).div_ceil(count)) as u16);
                let mut been = vec![from];
                for &hop in paths.hops(route, to).iter().filter(|&&hop| hop != u16::MAX) {
                    let at = been[been.len() - 1];
                    been.push(tables(&network).neighbours(at)[usize::from(hop)].to);
                }
                prop_assert_eq!(been[been.len() - 1], to);
                prop_assert_eq!(been.iter().collect::<HashSet<_>>().len(), been.len());
                found.insert(been.clone(), been.len() - 1);
            }
            let mut lengths: Vec<usize> = found.into_values().collect();
            lengths.sort_unstable();
            prop_assert_eq!(lengths, expected, "{} to {}", from, to);
        }
    }

    /// All routings are proven on any graph, each port is the end of one link, and links lead there and back.
    #[test]
    fn any_graph_is_proven(mut graph in any_graph()) {
        for kind in ROUTINGS {
            graph.tables = tables_of(kind);
            let Ok(network) = graph.build() else { continue };
            for port in 0..network.ports() {
                if let End::Port(end) = network.target(ChannelId(port)) {
                    prop_assert_eq!(network.target(ChannelId(end.0)), End::Port(PortId(port)));
                }
            }
            let links: u32 = graph.trunks.iter().map(|trunk| trunk.links).sum();
            prop_assert_eq!((network.switch_links(), network.nodes), (links, graph.nodes.iter().sum()));
            let Some(config) = config_of(&network, kind) else { continue };
            let verdict = dependencies::check(&network, &config);
            prop_assert!(matches!(verdict, Ok(Verdict::Proven(_))), "{:?}: {:?}", kind, verdict);
        }
    }

    /// As many links fail as the share says, the same for the same seed, and those of a smaller share are among those
    /// of a larger.
    #[test]
    fn shares_of_links(dims in prop::collection::vec(3..6u32, 2..4), percent in 0..20u32, seed in any::<u64>()) {
        let torus = TopologySpec::Torus(Torus::new(dims, PerDimension::All(1), 1));
        let whole = torus.build().unwrap();
        let left = |percent: u32| {
            let faults = Faults { per_million: percent * 10_000, seed, ..Faults::default() };
            Faulty { whole: Box::new(torus.clone()), faults, tables: TableKind::UpDown }.graph()
        };
        let (Ok(more), Ok(fewer)) = (left(percent), left(percent / 2)) else { return Ok(()) };
        prop_assert_eq!(&more, &left(percent).unwrap());
        let links = |graph: &Graph| graph.trunks.iter().map(|trunk| trunk.links).sum::<u32>();
        let (all, gone) = (whole.switch_links(), whole.switch_links() - links(&more));
        prop_assert!((200 * gone).abs_diff(2 * percent * all) <= 100, "{} of {}", gone, all);
        let ends: HashSet<[u32; 2]> = fewer.trunks.iter().map(|trunk| trunk.ends).collect();
        prop_assert!(more.trunks.iter().all(|trunk| ends.contains(&trunk.ends)));
    }
}

fn tables(network: &Network) -> &Tables {
    let drowse_core::topology::Geometry::Graph(tables) = &network.geometry else { panic!("not a graph") };
    tables
}

fn faulty(whole: Torus, faults: Faults) -> Result<Network, NetworkError> {
    TopologySpec::Faulty(Faulty { whole: Box::new(TopologySpec::Mesh(whole)), faults, tables: TableKind::Shortest })
        .build()
}

/// Named links and switches: one of two parallel links, a switch with its nodes; what is left keeps its order.
#[test]
fn named_failures() {
    let mesh = |trunk| Torus::new(vec![3, 2], PerDimension::All(trunk), 2);
    let links = |links: &[[u32; 2]]| Faults { links: links.to_vec(), ..Faults::default() };
    // 0 1 2 above 3 4 5: seven trunks.
    let one = faulty(mesh(2), links(&[[1, 0]])).unwrap();
    assert_eq!((one.nodes, one.switches(), one.switch_links(), length_of_route(&one, 0, 2)), (12, 6, 13, 1));
    let both = faulty(mesh(2), links(&[[1, 0], [0, 1]])).unwrap();
    assert_eq!((both.switch_links(), length_of_route(&both, 0, 2)), (12, 3));
    assert_eq!(both.detail(4), "1, 1");
    let gone = faulty(mesh(1), Faults { switches: vec![1], ..Faults::default() }).unwrap();
    assert_eq!((gone.nodes, gone.switches(), gone.switch_links()), (10, 5, 4));
    assert_eq!(length_of_route(&gone, 0, 2), 4, "from 0 to 2 all round");
    assert_eq!(gone.detail(1), "2 before, 2, 0");
    for (failures, key, what) in [
        (links(&[[0, 1], [0, 1]]), "network.failed.links.1", "all links between switches 0 and 1 have failed already"),
        (links(&[[0, 2]]), "network.failed.links.0", "no link joins switches 0 and 2"),
        (links(&[[0, 6]]), "network.failed.links.0", "there is no switch 6"),
        (links(&[[0, 1], [0, 3]]), "network.failed", "no path between switches 1, 2, 3, 4, 5 and switch 0"),
        (Faults { switches: vec![4, 4], ..Faults::default() }, "network.failed.switches.1", "switch 4 is named twice"),
        (Faults { switches: vec![1, 4], ..Faults::default() }, "network.failed", "no path between"),
        (Faults { switches: (0..6).collect(), ..Faults::default() }, "network.failed.switches", "all switches"),
    ] {
        let Err(NetworkError::Refused { key: told, what: why, .. }) = faulty(mesh(1), failures) else {
            panic!("{what}")
        };
        assert_eq!((told.as_str(), why.contains(what)), (key, true), "{why}");
    }
}
