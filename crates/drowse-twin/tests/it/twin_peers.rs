//! The twin in the modes of two other simulators reproduces their curves; in our mode it equals the fast engine.
//!
//! The twin is slow and deterministic. Its runs are stored in a file, and some are repeated here.

use std::fs;

use drowse_twin::peers::twin_runs::{Mode, kept, runs, spread};
use drowse_twin::peers::{Ours, Peer, Point};

use crate::twin_runs::{in_our_mode, run, with_their_switch};

/// The largest relative difference.
const NEAR: f64 = 0.03;

/// Returns the number of kept runs at a point, one for each seed.
fn seeds(peer: Peer, mode: Mode, load: f64) -> u64 {
    match mode {
        Mode::Ours => 1,
        Mode::Theirs => peer.seeds(load).len().max(3) as u64,
    }
}

fn all_peers() -> impl Iterator<Item = Peer> {
    Peer::TORUS.into_iter().chain(Peer::TREES).chain(Peer::LOW_DIAMETER)
}

/// Compares latency if a peer accepts the offered load within 1 %. Beyond, latency grows with the length of the run, so
/// the accepted load is compared.
#[test]
fn curves_of_the_peers() {
    for (peer, point) in all_peers().flat_map(|peer| peer.curve().into_iter().map(move |point| (peer, point))) {
        // If the peer's seeds differ much, this is its mean over many seeds.
        let Point { offered, accepted, latency } = peer.mean(point.offered);
        let twin = kept(peer, Mode::Theirs, offered);
        // The generated load is random; at the lowest loads it varies by more than 1 %.
        let accepts = accepted >= 0.99 * offered - 0.001;
        let difference = if accepts { twin.latency / latency } else { twin.accepted / accepted } - 1.0;
        assert!(difference.abs() <= NEAR, "{} at {offered}: {difference:+.3}", peer.name());
    }
}

/// Close to saturation, runs differ: on the tree by a tenth, those of the twin as much as the peer's.
#[test]
fn seeds_of_a_peer() {
    let (peer, load) = (Peer::CaminosTree64, 0.9);
    let [mean, deviation] = spread(peer.seeds(load).iter().map(|point| point.latency));
    let [_, ours] = spread(runs(peer, Mode::Theirs, load).iter().map(|run| run.latency));
    assert!(deviation > 0.1 * mean && (ours / deviation - 1.0).abs() < 0.15, "{mean} +- {deviation}, ours {ours}");
}

/// Repeats the first kept run at each of these loads. The 8-ary trees are left out, because their runs take long.
#[test]
fn kept_runs_are_the_twins() {
    let cases = [
        (Peer::BookSim, 0.1),
        (Peer::Caminos, 0.4),
        (Peer::CaminosAdaptive, 0.3),
        (Peer::CaminosTree64, 0.4),
        (Peer::CaminosSlimFly, 0.3),
    ];
    for (peer, load) in cases {
        for mode in [Mode::Theirs, Mode::Ours] {
            let line = line(peer, mode, load, 1, &run(peer, mode, load, 1));
            assert!(include_str!("../../data/twin_curves.csv").contains(&line), "not in the file: {line}");
        }
    }
}

#[test]
#[ignore = "writes data/twin_curves.csv, in a quarter of an hour; with --release"]
fn write_twin_curves() {
    let mut text = String::from(
        "# The twin at the points of the peers' curves; latency in cycles, mean over packets.
# theirs: in the peer's mode, over its warm-up and window; ours: in our mode, over 1,000 cycles, 300 on the 8-ary trees.
# Three seeds, or as many as there are of the peer.
# Written by `cargo test --release -p drowse-twin -- --ignored write_twin_curves`; every digit is exact.
peer,mode,offered,seed,accepted,latency
",
    );
    for (peer, point) in all_peers().flat_map(|peer| peer.curve().into_iter().map(move |point| (peer, point))) {
        for mode in [Mode::Theirs, Mode::Ours] {
            for seed in 1..=seeds(peer, mode, point.offered) {
                text += &line(peer, mode, point.offered, seed, &run(peer, mode, point.offered, seed));
            }
        }
    }
    fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/data/twin_curves.csv"), text).unwrap();
}

fn line(peer: Peer, mode: Mode, load: f64, seed: u64, found: &Ours) -> String {
    format!("{peer:?},{mode:?},{load},{seed},{},{}\n", found.accepted, found.latency)
}

/// With our parameters for the peers' cases, the twin in our mode has the fast engine's latency, also in saturation.
#[test]
fn our_mode_is_the_fast_engine() {
    for (peer, load) in [
        (Peer::BookSim, 0.3),
        (Peer::Caminos, 0.9),
        (Peer::CaminosAdaptive, 0.6),
        (Peer::CaminosTree64, 0.9),
        (Peer::CaminosDragonfly, 0.5),
        (Peer::CaminosHyperX, 0.7),
    ] {
        let [twin, fast] = [in_our_mode(peer, load, 1, 300), peer.ours(load, 300)];
        assert_eq!(twin.latency.to_bits(), fast.latency.to_bits(), "{} at {load}", peer.name());
        assert_eq!(twin.saturated, fast.saturated, "{} at {load}", peer.name());
    }
}

/// The twin and the engine agree with CAMINOS's switch, too, whose outputs take in several packets at a time.
#[test]
fn their_switch_is_that_of_the_fast_engine() {
    let (peer, load) = (Peer::CaminosSlimFly, 0.8);
    let [twin, fast] = [with_their_switch(peer, load), peer.with_their_switch(load).latency];
    assert_eq!(twin.to_bits(), fast.to_bits(), "{twin} and {fast}");
}
