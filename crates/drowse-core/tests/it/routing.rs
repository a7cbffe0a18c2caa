//! Shortest paths, balanced paths, and no cycle of waiting channels, on tori and meshes.

use std::collections::{BTreeMap, BTreeSet};

use drowse_core::model::config::{Config, Escape, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::model::units::Bytes;
use drowse_core::routing::dependencies::{self, Verdict};
use drowse_core::routing::grid as grid_routing;
use drowse_core::routing::{Candidates, GridVcs, PortGroup, RoutingKind};
use drowse_core::topology::{Bisection, End, Geometry, Network, PerDimension, Ties, TopologySpec, Torus};
use drowse_core::workload::operation::Operation;
use proptest::prelude::*;

use crate::common::*;

fn adaptive(network: &Network) -> Config {
    let mut config = config(network, 2);
    config.routing = RoutingKind::Adaptive;
    config.switch.vcs = VirtualChannels::grid(2, 2);
    config
}

/// Tori and meshes of one to four dimensions, with trunks and several nodes.
fn networks() -> Vec<Network> {
    let build = |dims: &[u32], trunk: &[u32], nodes| {
        let torus = Torus::new(dims.to_vec(), PerDimension::Each(trunk.to_vec()), nodes);
        [TopologySpec::Torus(torus.clone()), TopologySpec::Mesh(torus)].map(|spec| spec.build().unwrap())
    };
    let rings = |dims: &[u32], trunk: &[u32], ties| {
        let torus = Torus::new(dims.to_vec(), PerDimension::Each(trunk.to_vec()), 1);
        TopologySpec::Torus(Torus { rings_of_two: true, ties, ..torus }).build().unwrap()
    };
    let others = [
        rings(&[2], &[2], Ties::Alternate),
        rings(&[4, 2], &[1, 3], Ties::Direct),
        rings(&[2, 6, 2], &[1, 1, 2], Ties::Direct),
        rings(&[2, 2, 2, 2], &[1; 4], Ties::Alternate),
    ];
    let networks = [
        build(&[2], &[1], 3),
        build(&[3], &[2], 1),
        build(&[9], &[1], 1),
        build(&[4, 3], &[1, 3], 1),
        build(&[5, 2, 2], &[2, 1, 1], 1),
        build(&[2, 3, 2, 2], &[1, 1, 2, 1], 1),
    ];
    networks.into_iter().flatten().chain(others).collect()
}

/// Every pair on its own, by both routings.
#[test]
fn every_pair_takes_a_shortest_path() {
    for network in networks() {
        for config in [config(&network, 2), adaptive(&network)] {
            for from in 0..network.nodes {
                for to in (0..network.nodes).filter(|&to| to != from) {
                    let ranks = vec![vec![send(1, 16 * 20)], vec![recv(0)]];
                    let record = run(&network, &config, job(ranks, &[from, to]));
                    let hops = 3 * (distance(&network, from, to) + 1);
                    assert_eq!((record.hops, record.packets_delivered), (hops, 3), "{from} to {to} of {network:?}");
                }
            }
        }
    }
}

/// A ring of two has two trunks, of which dimension order leaves alone the one that closes it.
#[test]
fn rings_of_two_have_two_trunks() {
    let torus = Torus { rings_of_two: true, ..Torus::new(vec![2, 3], PerDimension::Each(vec![3, 1]), 2) };
    let network = TopologySpec::Torus(torus.clone()).build().unwrap();
    // A switch has 3 links up, 3 down, one in each direction of the other dimension, and two nodes.
    assert_eq!((network.radix(), network.switch_links()), (10, 6 * 8 / 2));
    // Halves of two switches of one ring of two and one of the next: both trunks of that ring, and two links of each
    // ring of three.
    assert_eq!(Bisection::of(&network, &[1; 3]).unwrap().count(), 6 + 2 + 2);
    let nodes: Vec<u32> = (0..network.nodes).collect();
    let record = run(&network, &config(&network, 2), job(all_to_all(&network), &nodes));
    for switch in 0..6 {
        for up in [true, false] {
            let first = channel_of(&network, switch, 0, up);
            let sent: u64 = record.channels[first..first + 3].iter().map(|channel| channel.flits).sum();
            // Two nodes send to six in the other column.
            let direct = up == switch.is_multiple_of(2);
            assert_eq!(sent, if direct { 12 } else { 0 }, "switch {switch}, up {up}");
        }
    }
    let one = TopologySpec::Mesh(torus).build().unwrap();
    assert_eq!(one.radix(), 3 + 2 + 2, "a mesh has no rings");
}

/// Everybody sends one flit to everybody else.
fn all_to_all(network: &Network) -> Vec<Vec<Operation>> {
    let nodes = network.nodes;
    (0..nodes)
        .map(|rank| {
            let others = || (0..nodes).filter(move |&other| other != rank);
            let receives = others().map(|other| irecv(other, 0, other));
            let sends = others().map(|other| isend(other, 0, 16, nodes + other));
            receives.chain(sends).chain([Operation::WaitAll]).collect()
        })
        .collect()
}

/// Under all-to-all, dimension order loads every channel of a ring whose size divides by four the same: k N / 8 flits
/// for N switches. Without the paths that are as long on both sides it is k (k - 2) / 8 N / k, and they add k / 4 N /
/// k.
#[test]
fn both_directions_carry_the_same() {
    for dims in [&[4][..], &[8], &[4, 4], &[8, 4], &[4, 2, 4]] {
        let network = torus(dims, 1, 1);
        let nodes: Vec<u32> = (0..network.nodes).collect();
        let record = run(&network, &config(&network, 2), job(all_to_all(&network), &nodes));
        for channel in 0..network.ports() {
            let class = usize::from(network.channel_class(ChannelId(channel)));
            let expected = match class {
                0 => u64::from(network.nodes) - 1,
                // Two switches: half of all pairs of rows, one channel in each direction.
                _ if dims[class - 1] == 2 => u64::from(network.nodes) / 2,
                _ => u64::from(dims[class - 1] * network.nodes / 8),
            };
            assert_eq!(record.channels[channel as usize].flits, expected, "channel {channel} of {dims:?}");
        }
    }
}

/// Channel by channel, dimension order is what its definition says: every packet walked by hand, for sizes of any
/// parity.
#[test]
fn dimension_order_by_its_definition() {
    for network in networks() {
        let nodes: Vec<u32> = (0..network.nodes).collect();
        let record = run(&network, &config(&network, 2), job(all_to_all(&network), &nodes));
        let mut expected = BTreeMap::new();
        for (from, to) in nodes.iter().flat_map(|&from| nodes.iter().map(move |&to| (from, to))) {
            for step in walk(&network, from, to) {
                *expected.entry(step).or_insert(0) += 1;
            }
        }
        for switch in 0..network.switches() {
            for (d, &width) in grid(&network).trunk.iter().enumerate() {
                for up in [true, false] {
                    if grid(&network).trunk_of(switch, d, up) == u16::MAX {
                        continue;
                    }
                    let first = channel_of(&network, switch, d, up);
                    let sent: u64 = (first..first + width as usize).map(|c| record.channels[c].flits).sum();
                    let walked = expected.get(&(switch, d, up)).copied().unwrap_or(0);
                    assert_eq!(sent, walked, "switch {switch}, dimension {d}, up {up} of {network:?}");
                }
            }
        }
    }
}

/// Returns the channels from node to node as switch, dimension and direction.
fn walk(network: &Network, from: u32, to: u32) -> Vec<(u32, usize, bool)> {
    let [mut at, goal] = [from, to].map(|node| network.node_switch(NodeId(node)).0);
    let target = coordinates(network, goal);
    let mut steps = Vec::new();
    for (d, &k) in grid(network).dims.iter().enumerate() {
        let x = coordinates(network, at)[d];
        let (ahead, wraps) = ((target[d] + k - x) % k, grid(network).wraps[d]);
        let up = match (wraps, (2 * ahead).cmp(&k)) {
            (false, _) => target[d] > x,
            (true, std::cmp::Ordering::Equal) if grid(network).ties == Ties::Direct => target[d] > x,
            (true, std::cmp::Ordering::Equal) => x.is_multiple_of(2),
            (true, order) => order.is_lt(),
        };
        while coordinates(network, at)[d] != target[d] {
            steps.push((at, d, up));
            let channel = ChannelId(channel_of(network, at, d, up) as u32);
            let End::Port(port) = network.target(channel) else { panic!("{channel:?} ends at a node") };
            at = network.port_switch(port.index());
        }
    }
    assert_eq!(at, goal);
    steps
}

/// A channel and a virtual channel of it.
type Buffer = (u32, u8);

/// Which buffers a packet that holds an escape buffer may wait for, over all pairs and paths: the escape buffers that
/// it may request next, now or after adaptive hops (the extended dependencies of Duato's theorem).
struct Dependencies<'a> {
    network: &'a Network,
    kind: RoutingKind,
    vcs: GridVcs,
    edges: BTreeMap<Buffer, BTreeSet<Buffer>>,
}

/// A packet at a switch: datelines crossed, and the escape buffer that it held last.
type Visit = (u32, u16, Option<Buffer>);

impl<'a> Dependencies<'a> {
    fn of(network: &'a Network, kind: RoutingKind, vcs: VirtualChannels) -> Self {
        let mut all = Dependencies { network, kind, vcs: GridVcs::new(vcs, Escape::Dateline), edges: BTreeMap::new() };
        for to in 0..network.switches() {
            let mut seen = BTreeSet::new();
            let mut open: Vec<Visit> = (0..network.switches()).map(|from| (from, 0, None)).collect();
            while let Some(visit) = open.pop() {
                if visit.0 != to && seen.insert(visit) {
                    all.visit(to, visit, &mut open);
                }
            }
        }
        all
    }

    fn visit(&mut self, to: u32, (at, crossed, held): Visit, open: &mut Vec<Visit>) {
        let mut found = Candidates::new();
        grid_routing::candidates(grid(self.network), self.kind, &self.vcs, at, to, crossed, &mut found);
        for group in found.adaptive() {
            for (buffer, next, crosses) in self.buffers(at, *group) {
                assert_ne!(Some(buffer), held);
                open.push((next, crossed | crosses, held));
            }
        }
        for (buffer, next, crosses) in self.buffers(at, found.escape) {
            if let Some(held) = held {
                self.edges.entry(held).or_default().insert(buffer);
            }
            open.push((next, crossed | crosses, Some(buffer)));
        }
    }

    /// Returns the buffers of a port group, where they lead, and which dateline their channel crosses.
    fn buffers(&self, at: u32, group: PortGroup) -> Vec<(Buffer, u32, u16)> {
        let network = self.network;
        let mut buffers = Vec::new();
        for local in group.first..group.first + group.count {
            let channel = network.first_port[at as usize] + u32::from(local);
            let End::Port(port) = network.target(ChannelId(channel)) else { panic!("routed to a node") };
            let crosses = grid_routing::crossing(grid(network), at, local);
            let next = network.port_switch(port.index());
            buffers.extend((0..8).filter(|vc| group.vcs >> vc & 1 == 1).map(|vc| ((channel, vc), next, crosses)));
        }
        buffers
    }

    fn has_cycle(&self) -> bool {
        // Takes away what waits for nothing until nothing or a cycle is left.
        let mut edges = self.edges.clone();
        loop {
            let before = edges.len();
            let waiting: BTreeSet<Buffer> = edges.keys().copied().collect();
            for targets in edges.values_mut() {
                targets.retain(|target| waiting.contains(target));
            }
            edges.retain(|_, targets| !targets.is_empty());
            if edges.len() == before {
                return before > 0;
            }
        }
    }
}

const ESCAPE: VirtualChannels = VirtualChannels::grid(0, 2);
const DUATO: VirtualChannels = VirtualChannels::grid(1, 2);

/// Returns whether channels wait in a circle, by the definition above, and that the check of the library says the same.
fn has_cycle(network: &Network, kind: RoutingKind, vcs: VirtualChannels) -> bool {
    let mut config = config(network, 1);
    (config.routing, config.switch.vcs) = (kind, vcs);
    let dependencies = Dependencies::of(network, kind, vcs);
    let told = dependencies::check(network, &config).unwrap();
    match &told {
        Verdict::Proven(_) => {}
        Verdict::Circle(circle) => {
            for (here, next) in circle.iter().zip(circle.iter().cycle().skip(1)) {
                let [from, to] = [here, next]
                    .map(|waiting| (network.first_port[waiting.switch as usize] + waiting.port, waiting.vc));
                assert!(dependencies.edges[&from].contains(&to), "{from:?} does not wait for {to:?}");
            }
        }
        Verdict::Stray { .. } => panic!("{told:?}"),
    }
    let cycle = dependencies.has_cycle();
    assert_eq!(cycle, matches!(told, Verdict::Circle(_)), "{told:?} of {network:?}");
    cycle
}

/// A torus whose datelines were forgotten.
fn without_datelines(dims: &[u32]) -> Network {
    let mut network = torus(dims, 1, 1);
    let Geometry::Grid(grid) = &mut network.geometry else { panic!("not a grid") };
    grid.datelines.fill(None);
    network
}

#[test]
fn escape_channels_never_wait_in_a_cycle() {
    let mut all = networks();
    all.extend(
        [&[4][..], &[5], &[6], &[8], &[4, 4], &[5, 3], &[6, 4], &[3, 3, 3], &[4, 2, 5]].map(|dims| torus(dims, 1, 1)),
    );
    for network in all {
        assert!(!has_cycle(&network, RoutingKind::DimensionOrder, ESCAPE), "{network:?}");
        assert!(!has_cycle(&network, RoutingKind::Adaptive, DUATO), "{network:?}");
        assert!(!has_cycle(&network, RoutingKind::Adaptive, VirtualChannels::grid(2, 4)), "{network:?}");
    }
}

/// Without datelines, rings deadlock: the check above can fail. On a ring of three no path has two channels of it; on
/// one of four, dimension order goes two up from even and two down from odd switches only, which closes no cycle.
#[test]
fn rings_without_datelines_wait_in_a_cycle() {
    for k in [5, 6, 7, 8] {
        assert!(has_cycle(&without_datelines(&[k]), RoutingKind::DimensionOrder, ESCAPE), "{k}");
    }
    for dims in [&[4][..], &[5], &[8], &[3, 4], &[2, 6]] {
        assert!(has_cycle(&without_datelines(dims), RoutingKind::Adaptive, DUATO), "{dims:?}");
    }
    for (k, kind, vcs) in [(3, RoutingKind::Adaptive, DUATO), (4, RoutingKind::DimensionOrder, ESCAPE)] {
        assert!(!has_cycle(&without_datelines(&[k]), kind, vcs), "{k}");
    }
}

/// A dateline anywhere breaks the circle of its ring, and no other.
#[test]
fn datelines_may_lie_anywhere() {
    for (below, others) in [(0, None), (2, None), (4, None), (2, Some(3))] {
        let mut network = torus(&[5, 6], 1, 1);
        let Geometry::Grid(grid) = &mut network.geometry else { panic!("not a grid") };
        grid.datelines = vec![Some(below), others];
        for (kind, vcs) in [(RoutingKind::DimensionOrder, ESCAPE), (RoutingKind::Adaptive, DUATO)] {
            assert_eq!(has_cycle(&network, kind, vcs), others.is_none(), "{below}, {others:?}");
        }
    }
}

proptest! {
    #![proptest_config(proptest_config(48))]

    /// Random tori and meshes, with datelines anywhere or nowhere: the check and the definition agree.
    #[test]
    fn the_check_agrees_with_the_definition(
        wrap: bool,
        dims in proptest::collection::vec((2u32..7, 1u32..3, proptest::option::weighted(0.8, 0u16..6)), 1..4),
        adaptive in 0u8..3,
        escape in 1u8..3,
    ) {
        let dims: Vec<_> = dims.into_iter().scan(1, |switches, (k, trunk, dateline)| {
            *switches *= k;
            (*switches <= 60).then_some((k, trunk, dateline))
        }).collect();
        let torus = Torus::new(dims.iter().map(|dim| dim.0).collect(), PerDimension::Each(dims.iter().map(|dim| dim.1).collect()), 1);
        let spec = if wrap { TopologySpec::Torus(torus) } else { TopologySpec::Mesh(torus) };
        let mut network = spec.build().unwrap();
        let Geometry::Grid(grid) = &mut network.geometry else { panic!("not a grid") };
        for (dateline, &(k, _, at)) in grid.datelines.iter_mut().zip(&dims) {
            *dateline = dateline.and(at).map(|at| at % k as u16);
        }
        let kind = if adaptive == 0 { RoutingKind::DimensionOrder } else { RoutingKind::Adaptive };
        has_cycle(&network, kind, VirtualChannels::grid(adaptive, 2 * escape));
    }
}

/// The smallest buffers under the heaviest load: everybody sends long messages to everybody, and all arrive.
#[test]
fn full_buffers_never_lock() {
    for network in networks() {
        for mut config in [config(&network, 1), adaptive(&network)] {
            config.switch.buffer_flits = config.switch.packet_flits;
            config.audit = false;
            config.node.eager_limit = Bytes(u64::MAX);
            if config.routing == RoutingKind::DimensionOrder {
                config.switch.vcs.escape = 2;
            }
            let long = |operation: &Operation| match *operation {
                Operation::Isend { to, tag, request: Some(request), .. } => isend(to, tag, 16 * 40, request),
                ref other => other.clone(),
            };
            let ranks = all_to_all(&network).iter().map(|program| program.iter().map(long).collect()).collect();
            let nodes: Vec<u32> = (0..network.nodes).collect();
            let record = run(&network, &config, job(ranks, &nodes));
            let pairs = nodes.iter().flat_map(|&a| nodes.iter().map(move |&b| (a, b))).filter(|(a, b)| a != b);
            assert_eq!(record.hops, pairs.map(|(a, b)| 5 * (distance(&network, a, b) + 1)).sum::<u64>());
        }
    }
}
