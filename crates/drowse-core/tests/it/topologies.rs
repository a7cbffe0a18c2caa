//! The structure of networks against closed forms, over many parameters.

use drowse_core::model::ids::{ChannelId, NodeId, PortId};
use drowse_core::topology::{
    Arrangement, Basis, Bisection, Dragonfly, DragonflyPlus, End, Full, Geometry, HyperX, Hypercube, Network,
    NetworkError, PerDimension, Racks, SlimFly, TableKind, TopologySpec, Torus, Xgft, search,
};
use proptest::prelude::*;

use crate::common::proptest_config;

/// Every port has one link, whose other end leads back and is of the same class; every node has one port.
pub fn every_port_is_used_once(network: &Network) {
    let mut nodes = vec![0; network.nodes as usize];
    for port in 0..network.ports() {
        match network.target(ChannelId(port)) {
            End::Port(PortId(there)) => {
                assert_ne!(there, port);
                assert_eq!(network.target(ChannelId(there)), End::Port(PortId(port)));
                assert_eq!(network.port_class[port as usize], network.port_class[there as usize]);
            }
            End::Node(node) => {
                assert_eq!((network.node_port[node.index()], network.port_class[port as usize]), (port, 0));
                nodes[node.index()] += 1;
            }
        }
    }
    assert!(nodes.iter().all(|&ports| ports == 1));
}

/// Returns the links of a class; one between switches has two ports.
fn links_of_class(network: &Network, class: u8) -> u64 {
    let ports = network.port_class.iter().map(|&other| u64::from(other == class)).sum::<u64>();
    if class == 0 { ports } else { ports / 2 }
}

/// Returns the switches that the ports of a switch lead to, in the order of the ports.
fn neighbours(network: &Network, switch: u32) -> Vec<u32> {
    let ports = network.first_port[switch as usize]..network.first_port[switch as usize + 1];
    let other = |port| match network.target(ChannelId(port)) {
        End::Port(there) => Some(network.port_switch(there.index())),
        End::Node(_) => None,
    };
    ports.filter_map(other).collect()
}

/// The closed forms of distances are those that searches from every switch find.
fn distances_are_those_of_searches(spec: &TopologySpec, network: &Network) {
    let metrics = spec.metrics().expect("there are channels");
    let searched = search(network).expect("every switch can be reached");
    assert!(searched.complete);
    let found = searched.metrics;
    assert_eq!(metrics.diameter, found.diameter, "{spec:?}");
    for (ours, searched) in
        [(metrics.mean_distance, found.mean_distance), (metrics.mean_distance_distinct, found.mean_distance_distinct)]
    {
        assert!((ours - searched).abs() < 1e-9 * searched.max(1.0), "{spec:?}: {ours} and {searched}");
    }
}

proptest! {
    #![proptest_config(proptest_config(40))]

    /// 2^n switches of n links, numbered so that neighbours differ in one bit, and n 2^(n-1) links; each half of a
    /// dimension has 2^(n-1) links to the other.
    #[test]
    fn hypercubes(dimension in 1u32..9, nodes in 1u32..5) {
        let hypercube = Hypercube { dimension, nodes };
        let spec = TopologySpec::Hypercube(hypercube);
        let network = spec.build().unwrap();
        let switches = 1 << dimension;
        prop_assert_eq!((network.switches(), network.nodes), (switches, switches * nodes));
        prop_assert_eq!((network.radix(), spec.ports().unwrap()), (dimension + nodes, u64::from(network.ports())));
        for d in 0..dimension {
            prop_assert_eq!(links_of_class(&network, 1 + d as u8), u64::from(switches / 2));
        }
        for switch in 0..switches {
            let flipped: Vec<u32> = (0..dimension).map(|d| switch ^ 1 << d).collect();
            prop_assert_eq!(neighbours(&network, switch), flipped);
        }
        every_port_is_used_once(&network);
        distances_are_those_of_searches(&spec, &network);
        let cut = Bisection::of(&network, &vec![1; network.classes.len()]).unwrap();
        prop_assert_eq!((cut.count(), cut.basis), (u64::from(switches / 2), Basis::Exact));
    }

    /// Switches are as far apart as they differ in coordinates.
    #[test]
    fn distances_of_hyperx(
        (dims, widths) in (1usize..4).prop_flat_map(|n| {
            (prop::collection::vec(2u32..6, n), prop::collection::vec(1u32..3, n))
        }),
        nodes in 1u32..4,
    ) {
        let spec = TopologySpec::HyperX(HyperX { dims: dims.clone(), widths: PerDimension::Each(widths), nodes });
        distances_are_those_of_searches(&spec, &spec.build().unwrap());
        let full = TopologySpec::Full(Full { switches: dims[0], nodes });
        distances_are_those_of_searches(&full, &full.build().unwrap());
    }

    /// Searches of networks of groups, which have no closed form, find what going through every third switch finds.
    #[test]
    fn distances_of_groups(
        (a, h, groups) in (1u32..6, 1u32..4).prop_flat_map(|(a, h)| (Just(a), Just(h), 1..(a * h + 2).min(8))),
        nodes in 1u32..3,
        arrangement in prop::sample::select(vec![Arrangement::Absolute, Arrangement::Relative, Arrangement::Palmtree]),
    ) {
        for spec in [
            TopologySpec::Dragonfly(Dragonfly { p: nodes, a, h, groups, arrangement }),
            TopologySpec::DragonflyPlus(DragonflyPlus { nodes, leaves: 2, spines: a, h, groups, arrangement }),
        ] {
            let network = spec.build().unwrap();
            prop_assert_eq!(spec.metrics(), None);
            let (diameter, sum) = by_third_switches(&network);
            let found = search(&network).unwrap().metrics;
            let all = f64::from(network.nodes);
            prop_assert_eq!(found.diameter, diameter);
            prop_assert!((found.mean_distance * all * all - sum as f64).abs() < 1e-6);
        }
    }

    /// The counts of Öhring et al., section 2: level i has (m_(i+1) ... m_h)(w_1 ... w_i) switches, and m_i times as
    /// many links, each p_i times, to those below.
    #[test]
    fn extended_generalised_fat_trees(tree in trees()) {
        let spec = TopologySpec::Xgft(tree.clone());
        let network = spec.build().unwrap();
        let levels = tree.children.len();
        let at_level = |l: usize| tree.children[l + 1..].iter().chain(&tree.parents[..l]).product::<u32>();
        prop_assert_eq!(network.nodes, tree.children.iter().product::<u32>());
        prop_assert_eq!(network.switches(), (0..levels).map(at_level).sum::<u32>());
        prop_assert_eq!(network.classes.len(), levels);
        prop_assert_eq!(spec.ports().unwrap(), u64::from(network.ports()));
        for l in 1..levels {
            let links = u64::from(at_level(l) * tree.children[l] * tree.links[l - 1]);
            prop_assert_eq!(links_of_class(&network, l as u8), links);
            prop_assert_eq!(links, u64::from(at_level(l - 1) * tree.parents[l - 1] * tree.links[l - 1]));
        }
        every_port_is_used_once(&network);
        every_parent_is_another(&tree, &network);
        distances_are_those_of_searches(&spec, &network);
    }
}

/// Whatever the field, all switches of a Slim Fly are two links apart at most.
#[test]
fn distances_of_slim_flies() {
    for q in [3, 4, 5, 7, 8, 9, 11, 13, 16, 17] {
        for nodes in [None, Some(1), Some(3)] {
            let spec = TopologySpec::SlimFly(SlimFly { q, nodes, tables: TableKind::Shortest });
            distances_are_those_of_searches(&spec, &spec.build().unwrap());
        }
    }
}

/// Returns the largest distance and the sum over all pairs of nodes, by the algorithm of Floyd and Warshall.
fn by_third_switches(network: &Network) -> (u32, u64) {
    let count = network.switches() as usize;
    let mut distance = vec![vec![u32::MAX / 4; count]; count];
    for (switch, distance) in distance.iter_mut().enumerate() {
        neighbours(network, switch as u32).into_iter().for_each(|other| distance[other as usize] = 1);
        distance[switch] = 0;
    }
    for over in 0..count {
        for from in 0..count {
            for to in 0..count {
                distance[from][to] = distance[from][to].min(distance[from][over] + distance[over][to]);
            }
        }
    }
    let switch = |node| network.node_switch(NodeId(node)).index();
    let nodes = || 0..network.nodes;
    let pairs = nodes().flat_map(|from| nodes().map(move |to| (from, to)));
    let distances = pairs.map(|(from, to)| distance[switch(from)][switch(to)]);
    distances.fold((0, 0), |(most, sum), distance| (most.max(distance), sum + u64::from(distance)))
}

/// Searches find the closed forms of tori, meshes and racks, too.
#[test]
fn distances_of_grids_and_racks() {
    for dims in [vec![2], vec![7], vec![3, 4], vec![5, 2, 3], vec![4, 4, 4], vec![2, 3, 2, 3]] {
        for (trunk, nodes) in [(1, 1), (3, 2)] {
            let torus = Torus::new(dims.clone(), PerDimension::All(trunk), nodes);
            let rings = Torus { rings_of_two: true, ..torus.clone() };
            for spec in [TopologySpec::Torus(rings), TopologySpec::Torus(torus.clone()), TopologySpec::Mesh(torus)] {
                distances_are_those_of_searches(&spec, &spec.build().unwrap());
            }
        }
    }
    for (racks, nodes_per_rack, uplinks) in [(8, 3, 1), (6, 2, 1), (5, 4, 2), (1, 4, 1), (9, 1, 1), (3, 2, 4)] {
        let spec = TopologySpec::Racks(Racks { racks, nodes_per_rack, uplinks });
        distances_are_those_of_searches(&spec, &spec.build().unwrap());
    }
}

/// Draws parameters of trees of up to some hundred switches.
fn trees() -> impl Strategy<Value = Xgft> {
    let of_levels = |levels: usize| {
        let children = prop::collection::vec(1u32..5, levels);
        let parents = prop::collection::vec(1u32..5, levels - 1);
        let links = prop::collection::vec(1u32..4, levels - 1);
        (children, parents, links).prop_map(|(children, parents, links)| Xgft { children, parents, links })
    };
    (1usize..5).prop_flat_map(of_levels)
}

/// A switch has as many different parents and children as the parameters say, each on consecutive ports of one trunk,
/// children first.
fn every_parent_is_another(tree: &Xgft, network: &Network) {
    let Geometry::Levels(levels) = &network.geometry else { panic!("no tree") };
    for switch in 0..network.switches() {
        let level = usize::from(levels.level[switch as usize]);
        let (below, above): (Vec<u32>, Vec<u32>) = neighbours(network, switch)
            .into_iter()
            .partition(|&other| usize::from(levels.level[other as usize]) < level);
        let trunks = |neighbours: &[u32], links: u32| {
            let trunks: Vec<&[u32]> = neighbours.chunk_by(|a, b| a == b).collect();
            assert!(trunks.iter().all(|trunk| trunk.len() == links as usize), "{tree:?}: {neighbours:?}");
            let mut others: Vec<u32> = trunks.iter().map(|trunk| trunk[0]).collect();
            others.sort_unstable();
            others.dedup();
            assert_eq!(others.len(), trunks.len(), "{tree:?}: a trunk is split");
            others.len() as u32
        };
        if level > 0 {
            assert_eq!(trunks(&below, tree.links[level - 1]), tree.children[level]);
        }
        if let Some(&parents) = tree.parents.get(level) {
            assert_eq!(trunks(&above, tree.links[level]), parents);
        }
    }
}

/// What is out of range is refused with its key; what does not fit the tables, too.
#[test]
fn parameters_out_of_range() {
    let key_of = |spec: TopologySpec| match spec.build() {
        Err(NetworkError::OutOfRange { key, .. }) => key,
        Err(NetworkError::Refused { .. }) => "refused",
        Err(NetworkError::TooLarge { .. }) => "too large",
        Ok(_) => "built",
    };
    let xgft = |children: &[u32], parents: &[u32], links: &[u32]| {
        let [children, parents, links] = [children, parents, links].map(<[u32]>::to_vec);
        key_of(TopologySpec::Xgft(Xgft { children, parents, links }))
    };
    assert_eq!(xgft(&[], &[], &[]), "network.children");
    assert_eq!(xgft(&[2, 0], &[1], &[1]), "network.children");
    assert_eq!(xgft(&[2; 17], &[1; 16], &[1; 16]), "network.children");
    assert_eq!(xgft(&[2, 2], &[1, 1], &[1]), "network.parents");
    assert_eq!(xgft(&[2, 2], &[0], &[1]), "network.parents");
    assert_eq!(xgft(&[2, 2], &[1], &[1, 1]), "network.links");
    assert_eq!(xgft(&[2, 2], &[1], &[257]), "network.links");
    assert_eq!(xgft(&[2, 2], &[2048], &[32]), "network.children", "65,538 ports");
    assert_eq!(xgft(&[2048; 4], &[1; 3], &[1; 3]), "too large");
    assert_eq!(xgft(&[2048; 3], &[2048; 2], &[1; 2]), "too large");
    let hypercube = |dimension, nodes| key_of(TopologySpec::Hypercube(Hypercube { dimension, nodes }));
    assert_eq!(hypercube(0, 1), "network.dimension");
    assert_eq!(hypercube(17, 1), "network.dimension");
    assert_eq!(hypercube(4, 0), "network.nodes");
    assert_eq!(hypercube(16, 1), "built");
}
