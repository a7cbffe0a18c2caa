//! Traffic patterns: their formulas, and the load that they put on channels of known networks.

use drowse_core::measure::{Record, Warning};
use drowse_core::model::rng::{Purpose, Stream};
use drowse_core::model::units::Time;
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, PatternError, Traffic};

use crate::common::*;

const CYCLE: u64 = 1_600;

/// Every pattern that is a permutation.
const PERMUTATIONS: [Pattern; 7] = [
    Pattern::Transpose,
    Pattern::Complement,
    Pattern::BitReversal,
    Pattern::Shuffle,
    Pattern::Tornado,
    Pattern::Neighbour,
    Pattern::Permutation,
];

/// Returns the destination of each node under a permutation.
fn table(network: &Network, pattern: &Pattern) -> Vec<u32> {
    let destinations = pattern.destinations(network, true, 1).unwrap();
    (0..network.nodes).map(|node| destinations.draw(node, &mut Stream::new(1, Purpose::Traffic, node))).collect()
}

fn refused(network: &Network, pattern: &Pattern, include_self: bool) -> PatternError {
    pattern.destinations(network, include_self, 1).map(|_| ()).unwrap_err()
}

fn traffic(pattern: Pattern, load: f64, cycles: u64) -> Traffic {
    Traffic {
        pattern,
        packets: Lengths::packets(1),
        load,
        include_self: false,
        count: Count::Generated,
        warmup: Time(CYCLE * cycles / 5),
        measure: Time(CYCLE * cycles),
        drain: true,
    }
}

fn run_traffic(network: &Network, traffic: Traffic) -> Record {
    run_seed(network, traffic, 1)
}

fn run_seed(network: &Network, traffic: Traffic, seed: u64) -> Record {
    let mut config = config(network, 3);
    (config.audit, config.seed) = (false, seed);
    run(network, &config, Workload::OpenLoop(traffic))
}

#[test]
fn bits_by_hand() {
    let network = mesh(&[8], 1, 1);
    assert_eq!(table(&network, &Pattern::Complement), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(table(&network, &Pattern::BitReversal), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(table(&network, &Pattern::Shuffle), [0, 2, 4, 6, 1, 3, 5, 7]);
    let transposed = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
    assert_eq!(table(&mesh(&[4, 4], 1, 1), &Pattern::Transpose), transposed, "(x, y) to (y, x)");
    assert_eq!(table(&mesh(&[8], 1, 2), &Pattern::Transpose), transposed, "independent of the switches");
    assert_eq!(table(&mesh(&[3], 1, 2), &Pattern::Complement), [5, 4, 3, 2, 1, 0]);
}

#[test]
fn digits_by_hand() {
    assert_eq!(table(&torus(&[8], 1, 1), &Pattern::Tornado), [3, 4, 5, 6, 7, 0, 1, 2]);
    assert_eq!(table(&torus(&[5], 1, 1), &Pattern::Tornado), [2, 3, 4, 0, 1]);
    // Switches (0,0) (1,0) (2,0) (0,1) (1,1) (2,1) with two nodes each, which keep their places at the switch.
    let network = torus(&[3, 2], 1, 2);
    assert_eq!(table(&network, &Pattern::Neighbour), [8, 9, 10, 11, 6, 7, 2, 3, 4, 5, 0, 1]);
    // ceil(3/2) - 1 is one up; ceil(2/2) - 1 is none.
    assert_eq!(table(&network, &Pattern::Tornado), [2, 3, 4, 5, 0, 1, 8, 9, 10, 11, 6, 7]);
}

#[test]
fn permutations_are_bijections() {
    for network in
        [torus(&[4, 4], 1, 1), torus(&[2, 4, 2], 1, 4), mesh(&[64], 1, 1), torus(&[3, 5], 2, 3), mesh(&[7], 1, 1)]
    {
        for pattern in PERMUTATIONS {
            if pattern.destinations(&network, true, 1).is_ok() {
                let mut reached = table(&network, &pattern);
                reached.sort_unstable();
                assert_eq!(reached, (0..network.nodes).collect::<Vec<_>>(), "{pattern:?}");
            }
        }
    }
    let network = mesh(&[64], 1, 1);
    let drawn = |seed| Pattern::Permutation.destinations(&network, true, seed).unwrap();
    let first =
        |seed| (0..64).map(|node| drawn(seed).draw(node, &mut Stream::new(1, Purpose::Traffic, 0))).collect::<Vec<_>>();
    assert!(first(1) == first(1) && first(1) != first(2), "only the seed decides");
}

#[test]
fn unsuitable_patterns_are_refused() {
    let six = mesh(&[6], 1, 1);
    for (pattern, name) in [
        (Pattern::BitReversal, "bit-reversal"),
        (Pattern::Shuffle, "shuffle"),
        (Pattern::BitRotation, "bit-rotation"),
        (Pattern::Transpose, "transpose"),
    ] {
        assert_eq!(refused(&six, &pattern, false), PatternError::NoPowerOfTwo { pattern: name, nodes: 6 });
    }
    assert_eq!(refused(&mesh(&[8], 1, 1), &Pattern::Transpose, false), PatternError::OddBits { nodes: 8 });
    assert_eq!(refused(&torus(&[2, 2], 1, 1), &Pattern::Tornado, false), PatternError::NobodyElse);
    let hot = |nodes: &[u32], share| refused(&six, &Pattern::HotSpot { nodes: nodes.into(), share }, false);
    assert_eq!(hot(&[], 0.1), PatternError::NoHotNode);
    assert_eq!(hot(&[0, 6], 0.1), PatternError::NoSuchNode { position: 1, node: 6, nodes: 6 });
    assert_eq!(hot(&[3, 1, 3], 0.1), PatternError::NamedTwice { position: 2, node: 3 });
    assert_eq!(hot(&[3], 1.5), PatternError::Share { share: 1.5 });
    assert!(matches!(hot(&[3], f64::NAN), PatternError::Share { .. }));
}

/// A node sends to node d with probability share / hot (if d is hot) + (1 - share) / others, where both exclude itself.
/// The only hot node sends to any node.
#[test]
fn hot_spots_get_their_share() {
    let network = mesh(&[8], 1, 1);
    let draws = 80_000u32;
    for (hot, node) in [(vec![5, 2], 0u32), (vec![5, 2], 5), (vec![3], 3), (vec![3], 0)] {
        let pattern = Pattern::HotSpot { nodes: hot.clone(), share: 0.3 };
        let destinations = pattern.destinations(&network, false, 1).unwrap();
        let mut stream = Stream::new(1, Purpose::Traffic, node);
        let mut counts = [0u32; 8];
        (0..draws).for_each(|_| counts[destinations.draw(node, &mut stream) as usize] += 1);
        let others: Vec<u32> = hot.iter().copied().filter(|&other| other != node).collect();
        let share = if others.is_empty() { 0.0 } else { 0.3 };
        let mut chi2 = 0.0;
        for to in (0..8).filter(|&to| to != node) {
            let on_purpose = if others.contains(&to) { share / others.len() as f64 } else { 0.0 };
            let expected = f64::from(draws) * (on_purpose + (1.0 - share) / 7.0);
            chi2 += (f64::from(counts[to as usize]) - expected).powi(2) / expected;
        }
        assert!(chi2 < 22.5, "chi-squared {chi2} with 6 degrees of freedom; 22.5 is its 99.9th percentile");
        assert_eq!(counts[node as usize], 0);
    }
}

/// On a ring of 8, tornado sends everything 3 up. Each channel up carries 3 of the 8 flows, the others nothing. So a
/// node gets at most a third of a channel (Dally and Towles, section 3.2).
#[test]
fn tornado_loads_one_direction_of_a_ring() {
    let network = torus(&[8], 1, 1);
    for (load, saturated) in [(0.28, false), (0.5, true)] {
        let record = run_traffic(&network, traffic(Pattern::Tornado, load, 20_000));
        for switch in 0..8 {
            let sent = |up| record.channels[channel_of(&network, switch, 0, up)].packets;
            assert!(sent(true) > 0 && sent(false) == 0);
        }
        if !saturated {
            assert_eq!(record.hops, 4 * record.packets_delivered, "three channels, four switches");
        }
        let open_loop = record.open_loop.unwrap();
        assert_eq!(open_loop.saturated, saturated);
        let accepted = open_loop.delivered_flits as f64 / open_loop.capacity_flits;
        // Below the bound, all load is accepted. Above, queues that wait for each other also leave channels idle.
        assert!(if saturated { accepted <= 1.0 / 3.0 } else { (accepted / load - 1.0).abs() < 0.05 }, "{accepted}");
    }
}

/// Under neighbour traffic on a torus, each channel up carries one flow. All load is accepted, in one hop per
/// dimension.
#[test]
fn neighbours_do_not_meet() {
    let network = torus(&[4, 4], 1, 1);
    let record = run_traffic(&network, traffic(Pattern::Neighbour, 0.9, 5_000));
    assert!(!record.open_loop.unwrap().saturated);
    assert_eq!(record.hops, 3 * record.packets_delivered);
}

/// Every packet takes a shortest path, so hops follow from the packets of each node. On a k x k mesh, the mean distance
/// is 2 (k / 2) channels for complement and 2 (k^2 - 1) / (3 k) for transpose.
#[test]
fn mean_distances_on_a_mesh() {
    for k in [4u32, 8] {
        let network = mesh(&[k, k], 1, 1);
        for (pattern, sum) in [(Pattern::Complement, k * k * k), (Pattern::Transpose, 2 * k * (k * k - 1) / 3)] {
            let table = table(&network, &pattern);
            let distance: Vec<u64> = (0..).zip(&table).map(|(from, &to)| distance(&network, from, to)).collect();
            assert_eq!(distance.iter().sum::<u64>(), u64::from(sum), "{pattern:?} on {k} x {k}");
            // Channels count the whole run if no packet is in the network at the end of the window, which some seed
            // achieves.
            let traffic = Traffic { warmup: Time::ZERO, ..traffic(pattern.clone(), 0.001, 20_000) };
            let sent = |record: &Record, node| record.channels[injection_of(&network, node)].packets;
            let whole = |record: &Record| {
                (0..network.nodes).map(|node| sent(record, node)).sum::<u64>() == record.packets_delivered
            };
            let mut seeds = (1..100).map(|seed| run_seed(&network, traffic.clone(), seed));
            let record = seeds.find(whole).unwrap();
            let hops: u64 = (0..network.nodes).map(|node| sent(&record, node) * (distance[node as usize] + 1)).sum();
            assert_eq!(record.hops, hops, "{pattern:?} on {k} x {k}");
            assert!(record.packets_delivered > 20);
        }
    }
}

/// A node whose destination is itself sends nothing, unless it may send to itself. The load counts generated messages.
#[test]
fn nodes_that_would_send_to_themselves_are_silent() {
    let network = mesh(&[4, 4], 1, 1);
    for include_self in [false, true] {
        let traffic = Traffic { include_self, ..traffic(Pattern::Transpose, 0.2, 20_000) };
        let record = run_traffic(&network, traffic);
        for node in 0..16 {
            let sends = include_self || node % 4 != node / 4;
            assert_eq!(record.channels[injection_of(&network, node)].packets > 0, sends, "node {node}");
        }
        let open_loop = record.open_loop.unwrap();
        let offered = open_loop.generated_flits as f64 / open_loop.capacity_flits;
        let nodes = if include_self { 16.0 } else { 12.0 };
        let expected = 0.2 * nodes / 16.0;
        // In each of n node cycles a packet of 8 flits is generated with probability p = 0.2 / 8: four standard
        // deviations.
        let p: f64 = 0.2 / 8.0;
        let deviation = 8.0 * (p * (1.0 - p) / (20_000.0 * nodes)).sqrt() * nodes / 16.0;
        assert!((offered - expected).abs() < 4.0 * deviation, "{offered}, not {expected}");
    }
}

/// On a ring of 8 under tornado a third of the load is carried. Without draining, a run is saturated where less than
/// 95 % arrives in its window, and says how many packets are left.
#[test]
fn what_does_not_arrive_is_told() {
    let network = torus(&[8], 1, 1);
    let run = |load| run_traffic(&network, Traffic { drain: false, ..traffic(Pattern::Tornado, load, 20_000) });
    for load in [0.2, 0.9] {
        let record = run(load);
        let counted = record.open_loop.unwrap();
        let left = counted.generated_flits / 8 - record.packet_latency.count();
        let saturated = (counted.delivered_flits * 20) < counted.generated_flits * 19;
        assert_eq!((counted.saturated, saturated), (load > 0.5, load > 0.5));
        let mut expected = vec![];
        expected.extend(saturated.then_some(Warning::Saturated));
        expected.extend((left > 0).then_some(Warning::NotDrained { packets: left }));
        assert_eq!(record.warnings, expected);
        assert!(left > 0);
    }
}
