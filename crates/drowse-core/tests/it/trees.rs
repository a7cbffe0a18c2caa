//! Trees: wiring against Navaridas et al. 2010's formulas, the paths of packets, and what a switch of the paper does
//! with them.

use std::collections::BTreeMap;

use drowse_core::model::config::{Arbitration, Config, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId, PortId};
use drowse_core::model::rng::{Purpose, Stream};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::routing::RoutingKind;
use drowse_core::routing::{Destination, levels::permitted};
use drowse_core::topology::{End, Geometry, Network, Racks, ThinTree, TopologySpec};
use drowse_core::workload::operation::Operation;

use crate::common::*;

const ROUTINGS: [RoutingKind; 3] = [RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK];

/// k, k', n: those of Navaridas et al. 2010 and others, k' below, at and above k, dividing it or not.
const TREES: [(u32, u32, u32); 17] = [
    (8, 8, 4),
    (8, 4, 4),
    (8, 2, 4),
    (4, 4, 3),
    (4, 2, 3),
    (4, 3, 3),
    (4, 3, 4),
    (4, 1, 3),
    (8, 3, 3),
    (8, 5, 3),
    (6, 4, 3),
    (3, 2, 5),
    (8, 7, 2),
    (2, 1, 6),
    (5, 3, 4),
    (4, 6, 3),
    (5, 2, 1),
];

pub fn thin_tree(down: u32, up: u32, levels: u32) -> Network {
    TopologySpec::ThinTree(ThinTree { down, up, levels }).build().unwrap()
}

fn racks(racks: u32, nodes_per_rack: u32, uplinks: u32) -> Network {
    TopologySpec::Racks(Racks { racks, nodes_per_rack, uplinks }).build().unwrap()
}

/// The switch of Navaridas et al. 2010: phits of 4 B, one a cycle of 1 ns; packets of 16 and queues of four of them; no
/// virtual channels.
pub fn navaridas_2010(network: &Network) -> Config {
    let mut config = config(network, 0);
    let clock = Time::from_ns(1);
    config.switch.clock = clock;
    config.switch.flit = Bytes(4);
    config.switch.packet_flits = 16;
    config.switch.buffer_flits = 64;
    config.switch.vcs = VirtualChannels::any(1);
    config.switch.arbitration = Arbitration::Random;
    for class in &mut config.classes {
        class.bandwidth = BitRate::from_bytes_per_second(4_000_000_000);
        class.latency = clock;
        class.hop = clock;
        class.states = None;
    }
    config.routing = RoutingKind::Adaptive;
    config
}

/// The switch at the other end of a port between switches, and the port's number there.
fn neighbour(network: &Network, switch: u32, local: u32) -> (u32, u32) {
    let port = network.first_port[switch as usize] + local;
    let End::Port(PortId(there)) = network.target(ChannelId(port)) else { panic!("a node") };
    let other = network.port_switch(there as usize);
    (other, there - network.first_port[other as usize])
}

/// Navaridas et al. 2010, Table I and the wiring of section III, its formulas written once more; the primes that its
/// printed text lost are put back, without which ports would be used twice.
#[test]
fn wiring_of_thin_trees_is_the_papers() {
    for (k, up, n) in TREES {
        let network = thin_tree(k, up, n);
        let at_level = |l: u32| k.pow(n - 1 - l) * up.pow(l);
        let first = |l: u32| (0..l).map(at_level).sum::<u32>();
        let switches = first(n);
        assert_eq!((network.nodes, network.switches()), (k.pow(n), switches), "{k}:{up},{n}");
        assert_eq!(network.links(), switches * k, "L = S k");
        if k != up {
            assert_eq!(switches, k.pow(n).abs_diff(up.pow(n)) / k.abs_diff(up), "S in closed form");
        }
        for l in 0..n - 1 {
            for s in 0..at_level(l) {
                for p in 0..up {
                    let parent = p * up.pow(l) + s % up.pow(l) + s / (k * up.pow(l)) * up.pow(l + 1);
                    let port = s / up.pow(l) % k;
                    let found = neighbour(&network, first(l) + s, k + p);
                    assert_eq!(found, (first(l + 1) + parent, port), "{k}:{up},{n}: level {l} switch {s} up {p}");
                }
            }
        }
        for node in 0..network.nodes {
            assert_eq!(network.node_switch(NodeId(node)).0, node / k);
        }
    }
}

/// Every port has one link, and the link's other end leads back.
#[test]
fn every_port_is_used_once() {
    let mut networks: Vec<Network> = TREES.iter().map(|&(k, up, n)| thin_tree(k, up, n)).collect();
    networks.extend(
        [(1, 5, 1), (3, 2, 1), (4, 2, 1), (5, 3, 1), (8, 8, 1), (8, 4, 2), (16, 1, 1), (4, 2, 4)]
            .map(|(r, nodes, uplinks)| racks(r, nodes, uplinks)),
    );
    for network in networks {
        for port in 0..network.ports() {
            match network.target(ChannelId(port)) {
                End::Port(PortId(there)) => {
                    assert_eq!(network.target(ChannelId(there)), End::Port(PortId(port)));
                    assert_eq!(network.port_class[port as usize], network.port_class[there as usize]);
                }
                End::Node(node) => assert_eq!(network.node_port[node.index()], port),
            }
        }
    }
}

/// The links between two nodes, their own included: 2 h for the least h with floor(a / k^h) = floor(b / k^h).
fn links_apart(k: u32, a: u32, b: u32) -> u64 {
    2 * u64::from((1..16).find(|&h| a / k.pow(h) == b / k.pow(h)).unwrap())
}

/// Follows a packet by all its permitted outputs; returns the number of switches passed, which must be one only.
fn walk(network: &Network, kind: RoutingKind, from: u32, to: u32, salt: u16) -> u64 {
    let Geometry::Levels(levels) = &network.geometry else { panic!("no tree") };
    let port = network.node_port[to as usize];
    let switch = network.port_switch(port as usize);
    let output = (port - network.first_port[switch as usize]) as u16;
    let mut at = vec![network.node_switch(NodeId(from)).0];
    let mut hops = 1;
    while at != [switch] {
        assert!(hops < 20, "{from} to {to} goes in circles");
        let mut next = Vec::new();
        for here in at {
            let group = permitted(levels, kind, 1, here, Destination { switch, output }, salt);
            let outputs = group.first..group.first + group.count;
            assert!(!outputs.is_empty());
            next.extend(outputs.map(|local| neighbour(network, here, u32::from(local)).0));
        }
        next.sort_unstable();
        next.dedup();
        at = next;
        hops += 1;
    }
    hops
}

#[test]
fn every_path_arrives_and_is_shortest() {
    for (k, up, n) in [(4, 4, 3), (4, 2, 3), (4, 3, 3), (3, 2, 4), (4, 6, 2), (2, 1, 5), (5, 2, 1)] {
        let network = thin_tree(k, up, n);
        for kind in ROUTINGS {
            for (from, to) in (0..network.nodes).flat_map(|a| (0..network.nodes).map(move |b| (a, b))) {
                if from / k != to / k {
                    let hops = walk(&network, kind, from, to, (from * 31 + to) as u16);
                    assert_eq!(hops, links_apart(k, from, to) - 1, "{k}:{up},{n} {kind:?}: {from} to {to}");
                }
            }
        }
    }
}

/// Messages cross 2, 4 or 6 links (Saravanan and Carpenter 2018, section 4.1), whether or not all leaf ports are used.
#[test]
fn racks_are_2_4_or_6_links_apart() {
    for (count, nodes, uplinks) in [(8, 8, 1), (8, 16, 2), (5, 2, 1), (4, 3, 1), (3, 2, 4), (16, 1, 1), (2, 2, 2)] {
        let network = racks(count, nodes, uplinks);
        let per_switch = 4 / uplinks;
        for kind in ROUTINGS {
            for (from, to) in (0..network.nodes).flat_map(|a| (0..network.nodes).map(move |b| (a, b))) {
                let (a, b) = (from / nodes, to / nodes);
                if a != b {
                    let links = if a / per_switch == b / per_switch { 4 } else { 6 };
                    assert_eq!(walk(&network, kind, from, to, from as u16) + 1, links, "{from} to {to}");
                }
            }
        }
    }
}

/// Means over all pairs against counting on the built network.
#[test]
fn distances_are_those_of_the_network() {
    let specs = [(4, 4, 3), (4, 2, 3), (3, 2, 3), (4, 6, 2), (5, 2, 1), (2, 3, 4)];
    let specs = specs.map(|(down, up, levels)| TopologySpec::ThinTree(ThinTree { down, up, levels }));
    let irregular = [(8, 3, 1), (6, 2, 1), (5, 4, 2), (1, 4, 1), (9, 1, 1)];
    let irregular =
        irregular.map(|(racks, nodes_per_rack, uplinks)| TopologySpec::Racks(Racks { racks, nodes_per_rack, uplinks }));
    for spec in specs.into_iter().chain(irregular) {
        let network = spec.build().unwrap();
        let metrics = spec.metrics().unwrap();
        let (mut sum, mut most) = (0, 0);
        for (from, to) in (0..network.nodes).flat_map(|a| (0..network.nodes).map(move |b| (a, b))) {
            let same = network.node_switch(NodeId(from)) == network.node_switch(NodeId(to));
            let distance = if same { 0 } else { walk(&network, RoutingKind::DModK, from, to, 0) - 1 };
            (sum, most) = (sum + distance, distance.max(most));
        }
        let pairs = f64::from(network.nodes).powi(2);
        assert_eq!(u64::from(metrics.diameter), most, "{spec:?}");
        assert!((metrics.mean_distance - sum as f64 / pairs).abs() < 1e-9, "{spec:?}");
    }
}

/// One message of m packets over h links takes 16 m + h cycles: INSEE's oracle without its two cycles of bookkeeping.
#[test]
fn a_lone_message_takes_its_packets_and_links() {
    for (k, up, n) in [(4, 4, 3), (4, 2, 3), (4, 1, 3), (8, 2, 2)] {
        let network = thin_tree(k, up, n);
        for routing in ROUTINGS {
            let mut config = navaridas_2010(&network);
            config.routing = routing;
            config.node.eager_limit = Bytes(u64::MAX);
            for to in [1, k, network.nodes - 1] {
                for packets in [1, 3, 160] {
                    let ranks = vec![vec![send(1, packets * 64)], vec![recv(0)]];
                    let record = run(&network, &config, job(ranks, &[0, to]));
                    let cycles = 16 * packets + links_apart(k, 0, to);
                    assert_eq!(record.makespan, Some(Time::from_ns(cycles)), "{k}:{up},{n} to {to}");
                }
            }
        }
    }
}

/// Message lengths that are no whole packet: filled up with padding, as long as they are without.
#[test]
fn padding_fills_the_last_packet() {
    let network = thin_tree(4, 4, 2);
    for (bytes, plain, padded) in [(0, 1, 16), (4, 1, 16), (64, 16, 16), (65, 17, 32), (130, 33, 48)] {
        for (padding, flits) in [(false, plain), (true, padded)] {
            let mut config = navaridas_2010(&network);
            config.switch.padding = padding;
            let record = run(&network, &config, job(vec![vec![send(1, bytes)], vec![recv(0)]], &[0, 15]));
            assert_eq!(record.makespan, Some(Time::from_ns(4 + flits)), "{bytes} B");
        }
    }
}

/// Reduction to rank 0 over a binary tree of ranks: at step s, every 2^(s+1)th rank receives from the one 2^s above it.
fn binary_reduction(ranks: u32, bytes: u64) -> Vec<Vec<Operation>> {
    let program = |rank: u32| {
        let steps = (0..ranks.ilog2()).map(|s| 1 << s);
        let receives = steps.take_while(|p| rank.is_multiple_of(2 * p)).map(|p| recv(rank + p));
        let sends = (rank > 0).then(|| send(rank - (1 << rank.trailing_zeros()), bytes));
        receives.chain(sends).collect()
    };
    (0..ranks).map(program).collect()
}

/// INSEE's times of BI (measured on INSEE: workloads of Navaridas et al. 2010), with its conventions: the clock starts
/// at 1, and a receive keeps its rank busy for a cycle unless a send follows. They do not depend on k' or the seed.
#[test]
fn binary_reductions_take_insees_times() {
    let cases = [
        (4, 4, 3, 10_240, 15_386),
        (4, 2, 3, 10_240, 15_386),
        (4, 1, 3, 10_240, 15_386),
        (8, 8, 4, 1_024, 3_134),
        (8, 4, 4, 1_024, 3_134),
        (8, 2, 4, 1_024, 3_134),
    ];
    for (k, up, n, bytes, cycles) in cases {
        let network = thin_tree(k, up, n);
        let mut config = navaridas_2010(&network);
        config.audit = false;
        config.switch.padding = true;
        config.node.receive_overhead = Time::from_ns(1);
        let nodes: Vec<u32> = (0..network.nodes).collect();
        for seed in [1, 2] {
            config.seed = seed;
            let workload = started(job(binary_reduction(network.nodes, bytes), &nodes), Time::from_ns(1));
            let record = run(&network, &config, workload);
            assert_eq!(record.makespan, Some(Time::from_ns(cycles)), "{k}:{up},{n}, {bytes} B");
        }
    }
}

/// A receive keeps its rank busy before it computes or ends, but not before it sends.
#[test]
fn receive_overhead_delays_all_but_sends() {
    let network = thin_tree(4, 4, 2);
    let mut config = navaridas_2010(&network);
    config.node.receive_overhead = Time::from_ns(100);
    let flight = 16 + 4;
    let ranks = vec![vec![send(1, 64), recv(1)], vec![recv(0), send(0, 64), compute(Time::from_ns(7))]];
    let record = run(&network, &config, job(ranks, &[0, 15]));
    assert_eq!(record.ranks[1].finish, Time::from_ns(flight + 100 + 7));
    assert_eq!(record.ranks[0].finish, Time::from_ns(2 * flight + 100));
}

/// Of many packets to one far destination, each of the k' ports up takes its share: adaptive the emptiest, random each
/// as likely, d-mod-k one only.
#[test]
fn ports_up_are_shared_as_the_routing_says() {
    let network = thin_tree(4, 3, 2);
    for routing in ROUTINGS {
        let mut config = navaridas_2010(&network);
        config.routing = routing;
        config.node.eager_limit = Bytes(u64::MAX);
        let packets = 3_000;
        let record = run(&network, &config, job(vec![vec![send(1, packets * 64)], vec![recv(0)]], &[0, 13]));
        let up: Vec<u64> = (4..7).map(|port| record.channels[port].packets).collect();
        assert_eq!(up.iter().sum::<u64>(), packets);
        match routing {
            // Node 13 has the number 13 mod 3 = 1.
            RoutingKind::DModK => assert_eq!(up, [0, packets, 0]),
            // Each share is binomial: within five standard deviations of a third.
            RoutingKind::Random => {
                let deviation = (packets as f64 * 2.0 / 9.0).sqrt();
                assert!(up.iter().all(|&n| (n as f64 - 1_000.0).abs() < 5.0 * deviation), "{up:?}");
            }
            _ => assert!(up.iter().all(|&n| n > 0), "{up:?}"),
        }
    }
}

/// Destinations spread evenly: under d-mod-k every up channel of a full tree carries as many of all ordered pairs.
#[test]
fn d_mod_k_balances_all_pairs() {
    let network = thin_tree(4, 4, 3);
    let mut config = navaridas_2010(&network);
    config.routing = RoutingKind::DModK;
    config.audit = false;
    let nodes: Vec<u32> = (0..64).collect();
    let everybody = |rank: u32| {
        let others = || (0..64).filter(move |&other| other != rank);
        let receives = others().map(|other| irecv(other, 0, other));
        let sends = others().map(|other| isend(other, 0, 4, 64 + other));
        receives.chain(sends).chain([Operation::WaitAll]).collect()
    };
    let record = run(&network, &config, job((0..64).map(everybody).collect(), &nodes));
    let mut loads: BTreeMap<(u8, u64), u32> = BTreeMap::new();
    for port in 0..network.ports() {
        *loads.entry((network.port_class[port as usize], record.channels[port as usize].packets)).or_default() += 1;
    }
    // Each of the 64 channels of a level and direction carries 64 x (nodes beyond it) / 64 packets.
    assert_eq!(loads.into_iter().collect::<Vec<_>>(), [((0, 63), 64), ((1, 60), 128), ((2, 48), 128)]);
}

/// Three nodes send to one: arbiters that do not draw let all three end together; random ones give each a third in the long
/// run, so the first ends a few square roots of the number of packets before the last.
#[test]
fn random_arbiters_are_fair_but_not_in_turn() {
    use Arbitration::{Age, LeastRecentlyServed, Random, RoundRobin};

    let network = thin_tree(4, 4, 1);
    let packets = 2_000;
    for arbitration in [LeastRecentlyServed, RoundRobin, Random, Age] {
        let mut config = navaridas_2010(&network);
        config.switch.arbitration = arbitration;
        config.node.eager_limit = Bytes(u64::MAX);
        config.audit = false;
        // Ranks 0 to 2 receive on node 0 what ranks 3 to 5 send.
        let receivers = (0..3).map(|rank| vec![recv(rank + 3)]);
        let senders = (0..3).map(|rank| vec![send(rank, packets * 64)]);
        let record = run(&network, &config, job(receivers.chain(senders).collect(), &[0, 0, 0, 1, 2, 3]));
        assert_eq!(record.makespan, Some(Time::from_ns(2 + 16 * 3 * packets)));
        let finish = record.ranks[..3].iter().map(|rank| rank.finish.0);
        let early = (record.makespan.unwrap().0 - finish.min().unwrap()) / Time::from_ns(16).0;
        match arbitration {
            LeastRecentlyServed | RoundRobin | Age => assert!(early <= 2, "{early} packets"),
            // The standard deviation of a share of 3 n draws is sqrt(2 n / 3), 37 packets.
            Random => assert!((3..400).contains(&early), "{early} packets"),
        }
    }
}

/// A seed gives one record, another seed other choices.
#[test]
fn random_choices_follow_the_seed() {
    let network = thin_tree(4, 2, 3);
    let mut stream = Stream::new(5, Purpose::Traffic, 0);
    let ranks: Vec<Vec<Operation>> = (0..64)
        .map(|_| {
            let sends = (0..4).map(|_| isend(stream.below(64), 0, 640, 0));
            sends.collect()
        })
        .collect();
    let record = |seed, routing| {
        let mut config = navaridas_2010(&network);
        config.seed = seed;
        config.routing = routing;
        run(&network, &config, job(ranks.clone(), &(0..64).collect::<Vec<u32>>()))
    };
    for routing in ROUTINGS {
        assert_eq!(record(1, routing), record(1, routing));
        assert_ne!(record(1, routing).packet_latency.sum(), record(2, routing).packet_latency.sum());
    }
}
