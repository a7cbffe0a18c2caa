//! Mean latency beside two other simulators' curves, under their parameters.
//!
//! Up to a load of 0.3 the mean is within 5 % for dimension order. Adaptive routing is held to a wider band, below: CAMINOS
//! picks among the minimal outputs at random, whether busy or not, and queues at the output; our allocator offers only
//! free outputs, so packets wait less. (Picking at random in our switch as well gives its latencies to within 1 %.)

use crate::peer_cases::Peer;

fn check(peer: Peer, loads: &[f64], lowest: f64, highest: f64) {
    for point in peer.curve().iter().filter(|point| loads.contains(&point.offered)) {
        let ours = peer.ours(point.offered, 5_000);
        let ratio = ours.latency / point.latency;
        assert!(
            (lowest..=highest).contains(&ratio),
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
    check(Peer::BookSim, &[0.01, 0.1, 0.2, 0.3], 0.95, 1.05);
}

#[test]
fn caminos_dimension_order() {
    check(Peer::Caminos, &[0.01, 0.1, 0.2, 0.3], 0.95, 1.05);
}

#[test]
fn caminos_adaptive_waits_for_busy_outputs() {
    check(Peer::CaminosAdaptive, &[0.01, 0.1, 0.3], 0.90, 1.0);
}

/// Input queues split by the dateline saturate where `BookSim2`'s do: it accepts 0.554 to 0.576 of the capacity.
#[test]
fn saturation_of_booksim() {
    let ours = Peer::BookSim.ours(0.7, 5_000);
    assert!(ours.saturated && (0.54..0.60).contains(&ours.accepted), "accepted {}", ours.accepted);
}

/// The curves say what they should: each begins unsaturated, and latency grows with the load.
#[test]
fn curves_are_read_whole() {
    for peer in Peer::ALL {
        let curve = peer.curve();
        assert!(curve.len() >= 5 && (curve[0].accepted - curve[0].offered).abs() < 0.01, "{}", peer.name());
        assert!(curve.windows(2).all(|pair| pair[0].latency < pair[1].latency), "{}", peer.name());
    }
}
