//! The draws that twin and engine share, or make alike, are uniform: chi-square tests with fixed seeds.

use std::collections::BTreeMap;

use drowse_core::model::config::{Arbitration, Config, VirtualChannels};
use drowse_core::model::rng::{self, Purpose, Stream};
use drowse_core::routing::RoutingKind;
use drowse_core::routing::low_diameter::{self, Undecided};
use drowse_core::topology::{
    Arrangement, Dragonfly, Full, HyperX, Network, PerDimension, SlimFly, TableKind, ThinTree, TopologySpec,
};
use drowse_core::workload::traffic::Pattern;

use crate::common::*;

/// Asserts that counts do not differ more from each other than 99.99 % of uniform draws do (Wilson and Hilferty 1931).
fn assert_uniform(counts: &[u32], what: &str) {
    let mean = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    let chi2: f64 = counts.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum();
    let freedom = (counts.len() - 1) as f64;
    let part = 2.0 / (9.0 * freedom);
    let most = freedom * (1.0 - part + 3.719 * part.sqrt()).powi(3);
    assert!(mean > 20.0 && chi2 < most, "{what}: chi-square {chi2}, at most {most}; {counts:?}");
}

/// Returns the random number of packet `packet` of a node, as NICs draw it.
fn number(node: u32, packet: u64) -> u16 {
    rng::draw(1, Purpose::Routing, node, packet) as u16 & RoutingKind::SALT
}

/// Returns the switches of the non-minimal route of a packet at its source switch.
fn route(network: &Network, from: u32, to: u32, number: u16) -> Vec<u32> {
    let route =
        low_diameter::decide(network, RoutingKind::Valiant, Undecided { at: from, to, hop: 0, route: number }, |_| 0);
    let mut switches = vec![from];
    low_diameter::walk(network, from, to, route, |port| {
        let peer = network.peer[port.index()];
        switches.push(network.port_switch(peer as usize));
    });
    switches
}

/// Packets draw each number as often; from each number one intermediate group or switch follows, see below.
#[test]
fn numbers() {
    let mut counts = vec![0; usize::from(RoutingKind::SALT) + 1];
    (0..200).for_each(|node| (1..=2_000).for_each(|packet| counts[usize::from(number(node, packet))] += 1));
    assert_uniform(&counts, "numbers of packets");
}

/// On a full mesh, every switch but the source's and the destination's is as likely the intermediate one.
#[test]
fn intermediate_switches() {
    let network = TopologySpec::Full(Full { switches: 17, nodes: 1 }).build().unwrap();
    for (from, to) in [(0, 16), (16, 0), (3, 4), (8, 7), (5, 11)] {
        let mut counts = BTreeMap::new();
        for number in 0..=RoutingKind::SALT {
            let switches = route(&network, from, to, number);
            assert_eq!((switches.len(), switches[0], switches[2]), (3, from, to));
            *counts.entry(switches[1]).or_default() += 1;
        }
        let others = (0..17).filter(|&switch| switch != from && switch != to);
        assert!(counts.keys().copied().eq(others), "neither source nor destination, but all others");
        assert_uniform(&counts.into_values().collect::<Vec<_>>(), "intermediate switches");
    }
}

/// Non-minimal routes lead from the source's group straight to a third one, and on straight to the destination's; every
/// third group is as likely, and so is every link to it.
#[test]
fn intermediate_groups() {
    let dragonfly = Dragonfly { p: 1, a: 4, h: 4, groups: 9, arrangement: Arrangement::Palmtree };
    let network = TopologySpec::Dragonfly(dragonfly).build().unwrap();
    for (from, to) in [(0, 35), (35, 0), (6, 9), (17, 20)] {
        let (mut groups_by, mut links_by) = (BTreeMap::new(), BTreeMap::new());
        for number in 0..=RoutingKind::SALT {
            let switches = route(&network, from, to, number);
            let mut groups: Vec<u32> = switches.iter().map(|switch| switch / 4).collect();
            groups.dedup();
            assert!(groups.len() == 3 && groups[0] == from / 4 && groups[2] == to / 4, "{switches:?}");
            *groups_by.entry(groups[1]).or_default() += 1;
            let leaves = switches.iter().position(|switch| switch / 4 != from / 4).unwrap();
            *links_by.entry((groups[1], switches[leaves - 1])).or_default() += 1;
        }
        assert_eq!(groups_by.len(), 7, "all groups but the source's and the destination's");
        assert_uniform(&groups_by.into_values().collect::<Vec<_>>(), "intermediate groups");
        // A switch with links of its own takes one of these.
        let from_source = |&(group, _): &(u32, u32)| !links_by.contains_key(&(group, from));
        let drawn: Vec<u32> = links_by.iter().filter(|(link, _)| from_source(link)).map(|(_, &count)| count).collect();
        let leads = |switch: u32, group: u32| {
            ports(&network, switch).any(|port| neighbour(&network, port).is_some_and(|end| end / 4 == group))
        };
        let others = (0..9).filter(|&group| ![from / 4, to / 4].contains(&group) && !leads(from, group));
        let all = others.flat_map(|group| (from / 4 * 4..from / 4 * 4 + 4).filter(move |&switch| leads(switch, group)));
        assert_eq!(drawn.len(), all.count(), "every link to an intermediate group is drawn");
        assert_uniform(&drawn, "links to the intermediate groups");
    }
}

/// Routes on HyperX and Slim Fly lead by each other switch as often: the first half of a route ends there.
#[test]
fn intermediate_switches_elsewhere() {
    let hyperx = HyperX { dims: vec![3, 4], widths: PerDimension::All(1), nodes: 1 };
    for spec in [
        TopologySpec::HyperX(hyperx),
        TopologySpec::SlimFly(SlimFly { q: 3, nodes: Some(1), tables: TableKind::Shortest }),
    ] {
        let network = spec.build().unwrap();
        let (from, to) = (0, network.switches() - 1);
        // Many routes have the same switches: packets are told apart by the route's memory, which names one switch.
        let lengths = (0..=RoutingKind::SALT).map(|number| route(&network, from, to, number).len());
        let mut shares = BTreeMap::<usize, u32>::new();
        lengths.for_each(|length| *shares.entry(length - 1).or_default() += 1);
        let (out, back) = (distances_from(&network, from), distances_from(&network, to));
        let mut expected = BTreeMap::<usize, u32>::new();
        for by in (0..network.switches() as usize).filter(|&by| by != from as usize && by != to as usize) {
            *expected.entry((out[by] + back[by]) as usize).or_default() += 1;
        }
        assert!(shares.keys().eq(expected.keys()), "{shares:?} {expected:?}");
        for (length, count) in shares {
            let share = f64::from(expected[&length]) / f64::from(network.switches() - 2);
            let (expected, deviation) = (share * 8_192.0, (share * (1.0 - share) * 8_192.0).sqrt());
            assert!((f64::from(count) - expected).abs() <= 4.0 * deviation, "{length}: {count}, not {expected}");
        }
    }
}

/// Random routing on trees takes every way up as often; `k-shortest` and arbiters have their draws from the same source.
#[test]
fn uplinks() {
    let network = TopologySpec::ThinTree(ThinTree { down: 2, up: 5, levels: 2 }).build().unwrap();
    let drowse_core::topology::Geometry::Levels(levels) = &network.geometry else { unreachable!() };
    let to = drowse_core::routing::Destination { switch: 1, output: 0 };
    let mut counts = [0; 5];
    for packet in 1..=4_000 {
        let salt = rng::draw(1, Purpose::Routing, 0, packet) as u16;
        let up = drowse_core::routing::levels::permitted(levels, RoutingKind::Random, 1, 0, to, salt);
        counts[usize::from(up.first) - 2] += 1;
    }
    assert_uniform(&counts, "ways up");
}

/// Draws without a state: every bit of every purpose is fair over occasions and over entities.
#[test]
fn bits() {
    for purpose in [Purpose::Routing, Purpose::Arbitration, Purpose::Traffic] {
        for by_entity in [false, true] {
            let mut high = [0; 64];
            for i in 0..20_000 {
                let (entity, occasion) = if by_entity { (i as u32, 7) } else { (7, i) };
                let drawn = rng::draw(3, purpose, entity, occasion);
                (0..64).for_each(|bit| high[bit] += (drawn >> bit & 1) as u32);
            }
            // Four and a half standard deviations, 384 times.
            assert!(high.iter().all(|count| count.abs_diff(10_000) < 320), "{purpose:?} {high:?}");
        }
    }
}

/// Uniform traffic reaches every node but the sender as often; a permutation every node once.
#[test]
fn destinations() {
    let network = TopologySpec::Full(Full { switches: 5, nodes: 3 }).build().unwrap();
    for include_self in [false, true] {
        let destinations = Pattern::Uniform.destinations(&network, include_self, 1).unwrap();
        let mut counts = [0; 15];
        let mut stream = Stream::new(1, Purpose::Traffic, 4);
        (0..9_000).for_each(|_| counts[destinations.draw(4, &mut stream) as usize] += 1);
        let others: Vec<u32> = (0..15).filter(|&node| include_self || node != 4).map(|node| counts[node]).collect();
        assert_eq!(others.iter().sum::<u32>(), 9_000);
        assert_uniform(&others, "destinations");
    }
    // The first node's destination over many seeds, and that no node is left out.
    let mut firsts = [0; 15];
    for seed in 0..3_000 {
        let destinations = Pattern::Permutation.destinations(&network, true, seed).unwrap();
        let mut stream = Stream::new(1, Purpose::Traffic, 0);
        let mut to: Vec<u32> = (0..15).map(|node| destinations.draw(node, &mut stream)).collect();
        firsts[to[0] as usize] += 1;
        to.sort_unstable();
        assert!(to.into_iter().eq(0..15));
    }
    assert_uniform(&firsts, "permutations");
}

/// Where arbiters draw, every input draws for itself: two packets that come at once to a trunk of four links choose the
/// same one in a quarter of all cases, and then one of them loses a clock cycle. Every link is chosen as often.
#[test]
fn inputs_draw_for_themselves() {
    let network = mesh(&[2], 4, 2);
    let first = channel_of(&network, 0, 0, true);
    let (mut makespans, mut chosen) = (BTreeMap::<u64, u32>::new(), vec![0; 4]);
    for seed in 0..600 {
        let mut config = Config { seed, ..config(&network, 1) };
        config.switch.vcs = VirtualChannels::grid(0, 1);
        config.switch.arbitration = Arbitration::Random;
        let ranks = vec![vec![send(2, 128)], vec![send(3, 128)], vec![recv(0)], vec![recv(1)]];
        let record = run(&network, &config, job(ranks, &[0, 1, 2, 3]));
        *makespans.entry(record.makespan.unwrap().0).or_default() += 1;
        (0..4).for_each(|link| chosen[link] += record.channels[first + link].packets as u32);
    }
    let times: Vec<u64> = makespans.keys().copied().collect();
    assert_eq!((times.len(), times[1] - times[0]), (2, 1_600), "{makespans:?}");
    // Of 600 in the mean 150, with a standard deviation of 10.6.
    assert!((100..200).contains(&makespans[&times[1]]), "{makespans:?}");
    assert_uniform(&chosen, "links");
}
