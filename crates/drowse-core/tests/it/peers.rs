//! Mean latency against the curves of two other simulators under their parameters: within 5 % up to half of saturation.
//!
//! At higher loads, the switches differ: output queues and bubbles there, input queues and datelines here
//! (docs/peers.md).

use drowse_core::model::config::{OutputQueues, Queues};

use crate::peer_cases::Peer;

fn check(peer: Peer, loads: &[f64], cycles: u64) {
    for point in peer.curve().iter().filter(|point| loads.contains(&point.offered)) {
        let ours = peer.ours(point.offered, cycles);
        let ratio = ours.latency / point.latency;
        assert!(
            (0.95..=1.05).contains(&ratio),
            "{} at {}: ours {:.2} cycles, theirs {:.2}",
            peer.name(),
            point.offered,
            ours.latency,
            point.latency
        );
        assert!((ours.accepted - point.offered).abs() < 0.01, "accepted {}", ours.accepted);
    }
}

#[test]
fn booksim_dimension_order() {
    check(Peer::BookSim, &[0.01, 0.1, 0.2, 0.3], 5_000);
}

#[test]
fn caminos_dimension_order() {
    check(Peer::Caminos, &[0.01, 0.1, 0.2, 0.3, 0.4], 5_000);
}

#[test]
fn caminos_minimal_adaptive() {
    check(Peer::CaminosAdaptive, &[0.01, 0.1, 0.3, 0.5], 5_000);
}

#[test]
fn caminos_small_tree() {
    check(Peer::CaminosTree64, &[0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5], 20_000);
}

#[test]
fn caminos_large_tree() {
    check(Peer::CaminosTree4096, &[0.1, 0.3], 1_000);
}

#[test]
fn booksim_large_tree() {
    check(Peer::BookSimTree4096, &[0.1, 0.3], 1_000);
}

#[test]
fn caminos_dragonfly() {
    check(Peer::CaminosDragonfly, &[0.01, 0.05, 0.1, 0.2, 0.3], 2_000);
}

#[test]
fn caminos_slim_fly() {
    check(Peer::CaminosSlimFly, &[0.01, 0.1, 0.3], 5_000);
}

#[test]
fn caminos_hyperx() {
    check(Peer::CaminosHyperX, &[0.01, 0.1, 0.3], 5_000);
}

#[test]
fn booksim_dragonfly() {
    check(Peer::BookSimDragonfly, &[0.05, 0.1, 0.3], 2_000);
}

/// Input queues split by the dateline saturate where `BookSim2`'s do, which accepts 0.554 to 0.576 of the capacity.
#[test]
fn saturation_of_booksim() {
    let ours = Peer::BookSim.ours(0.7, 5_000);
    assert!(ours.saturated && (0.54..0.60).contains(&ours.accepted), "accepted {}", ours.accepted);
}

/// The curves are plausible: each begins unsaturated, and latency grows with load.
#[test]
fn curves_are_read_whole() {
    for peer in Peer::TORUS.into_iter().chain(Peer::TREES).chain(Peer::LOW_DIAMETER) {
        let curve = peer.curve();
        assert!(curve.len() >= 2 && (curve[0].accepted - curve[0].offered).abs() < 0.01, "{}", peer.name());
        assert!(curve.windows(2).all(|pair| pair[0].latency < pair[1].latency), "{}", peer.name());
    }
}

/// If a peer was run with many seeds, the first is the run of its curve.
#[test]
fn the_first_seed_is_that_of_the_curve() {
    let points = Peer::TREES.into_iter().chain(Peer::LOW_DIAMETER).flat_map(|peer| {
        let points = peer.curve().into_iter().map(move |point| (peer.seeds(point.offered), point));
        points.filter(|(seeds, _)| !seeds.is_empty())
    });
    let points: Vec<_> = points.collect();
    assert_eq!(points.len(), 5);
    for (seeds, point) in points {
        assert!((seeds[0].latency - point.latency).abs() < 0.001, "{} and {}", seeds[0].latency, point.latency);
    }
}

/// With queues at outputs as CAMINOS has them, packets wait as long as there, within 3 %, and networks accept as much,
/// within a hundredth of the capacity; where CAMINOS's seeds differ much, than in their mean. With queues at inputs the
/// last are saturated at these loads (docs/peers.md): the low-diameter networks accept 0.57, 0.65 and 0.70.
#[test]
fn caminos_with_its_switch() {
    for (peer, loads) in [
        (Peer::Caminos, &[0.1, 0.6, 0.8] as &[f64]),
        (Peer::CaminosTree64, &[0.3, 0.8]),
        (Peer::CaminosDragonfly, &[0.3, 0.6, 0.7]),
        (Peer::CaminosSlimFly, &[0.3, 0.7, 0.8]),
        (Peer::CaminosHyperX, &[0.3, 0.8]),
    ] {
        for &load in loads {
            let theirs = peer.mean(load);
            let ours = peer.with_their_switch(load);
            let [latency, accepted] = [ours.latency / theirs.latency - 1.0, ours.accepted - theirs.accepted];
            assert!(latency.abs() < 0.03, "{} at {load}: {latency:+.3} of {}", peer.name(), theirs.latency);
            assert!(accepted.abs() < 0.01, "{} at {load}: {accepted:+.4} of {}", peer.name(), theirs.accepted);
        }
    }
}

/// A crossbar twice as fast as a link does as well, up to these loads.
#[test]
fn caminos_with_a_faster_crossbar() {
    let queues = Queues::Output(OutputQueues { room_flits: 32, speedup: 2, ways: 1 });
    for (peer, load) in [(Peer::CaminosDragonfly, 0.7), (Peer::CaminosSlimFly, 0.7), (Peer::CaminosHyperX, 0.8)] {
        let theirs = peer.curve().into_iter().find(|point| point.offered.total_cmp(&load).is_eq()).unwrap();
        let ours = peer.ours_with(queues, load, 3_000);
        assert!((ours.accepted - theirs.accepted).abs() < 0.01, "{}: {}", peer.name(), ours.accepted);
    }
}
