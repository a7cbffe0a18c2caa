//! The twin in the modes of two other simulators meets their curves; in our mode it is the fast engine.
//!
//! The twin is slow and deterministic: its runs are kept in a file, of which a part is made again here.

use std::fs;

use crate::kept::{Mode, kept};
use crate::peer_cases::{Ours, Peer, Point};
use crate::twin_cases::{in_our_mode, run};

/// The largest relative difference.
const NEAR: f64 = 0.03;

/// Points of peers at which the twin differs by more: the load, and the difference, which is held within [`NEAR`] of the peer's value.
const EXCEPTIONS: [(Peer, f64, f64); 1] = [
    // On the way into saturation, 1 % of load is 12 % of latency (249 cycles at 0.89). The peer accepts 0.8 % more than the twin: its switch
    // seems to saturate that much later, or its one run was a lucky one (seeds of the twin differ by 4 %). Not settled.
    (Peer::CaminosTree64, 0.9, 0.12),
];

fn all_peers() -> impl Iterator<Item = Peer> {
    Peer::TORUS.into_iter().chain(Peer::TREES)
}

/// Where a peer accepts what is offered within 1 %, latency is compared; beyond, where latency grows with the length of the run,
/// the accepted load is.
#[test]
fn curves_of_the_peers() {
    for (peer, point) in all_peers().flat_map(|peer| peer.curve().into_iter().map(move |point| (peer, point))) {
        let Point { offered, accepted, latency } = point;
        let twin = kept(peer, Mode::Theirs, offered);
        let difference =
            if accepted >= 0.99 * offered { twin.latency / latency } else { twin.accepted / accepted } - 1.0;
        let exception = EXCEPTIONS.iter().find(|exception| (exception.0, exception.1) == (peer, offered));
        let known = exception.map_or(0.0, |exception| exception.2);
        let what = format!("{} at {offered}", peer.name());
        assert!((difference - known).abs() <= NEAR, "{what}: {difference:+.3}, known {known:+.3}");
    }
}

/// A dragonfly, run here: in CAMINOS's mode the twin meets the lower part of its curve, in ours the fast engine in distribution.
/// From a load of 0.3 on, it waits longer than CAMINOS (22 % at 0.4), which is not settled.
#[test]
fn a_dragonfly() {
    for point in Peer::CaminosDragonfly.curve().iter().filter(|point| [0.05, 0.1, 0.2].contains(&point.offered)) {
        let twin = run(Peer::CaminosDragonfly, Mode::Theirs, point.offered, 1);
        assert!((twin.latency / point.latency - 1.0).abs() <= NEAR, "{} at {}", twin.latency, point.offered);
    }
    let [twin, ours] = [in_our_mode(Peer::CaminosDragonfly, 0.3, 1, 500), Peer::CaminosDragonfly.ours(0.3, 500)];
    assert!((twin.latency / ours.latency - 1.0).abs() <= 0.01, "{} and {}", twin.latency, ours.latency);
}

/// Of the kept runs, the first at each of these loads; the 8-ary trees, whose runs take long, at none.
#[test]
fn kept_runs_are_the_twins() {
    let cases = [(Peer::BookSim, 0.1), (Peer::Caminos, 0.4), (Peer::CaminosAdaptive, 0.3), (Peer::CaminosTree64, 0.4)];
    for (peer, load) in cases {
        for mode in [Mode::Theirs, Mode::Ours] {
            let line = line(peer, mode, load, 1, &run(peer, mode, load, 1));
            assert!(include_str!("../data/curves.csv").contains(&line), "not in the file: {line}");
        }
    }
}

#[test]
#[ignore = "writes tests/data/curves.csv, in some minutes; with --release"]
fn write_curves() {
    let mut text = String::from(
        "# The twin at the points of the peers' curves (../../../drowse-core/tests/data); latency in cycles, mean over packets.
# theirs: in the peer's mode, over its warm-up and window; ours: in our mode, over 1,000 cycles, 300 on the 8-ary trees.
# Written by `cargo test --release -p drowse-twin -- --ignored write_curves`; every digit is exact.
peer,mode,offered,seed,accepted,latency
",
    );
    for (peer, point) in all_peers().flat_map(|peer| peer.curve().into_iter().map(move |point| (peer, point))) {
        for (mode, seeds) in [(Mode::Theirs, 1..=3), (Mode::Ours, 1..=1)] {
            for seed in seeds {
                text += &line(peer, mode, point.offered, seed, &run(peer, mode, point.offered, seed));
            }
        }
    }
    fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/curves.csv"), text).unwrap();
}

fn line(peer: Peer, mode: Mode, load: f64, seed: u64, found: &Ours) -> String {
    format!("{peer:?},{mode:?},{load},{seed},{},{}\n", found.accepted, found.latency)
}

/// With our parameters for the peers' cases, the twin in our mode has the fast engine's latency, saturated or not.
#[test]
fn our_mode_is_the_fast_engine() {
    for (peer, load) in
        [(Peer::BookSim, 0.3), (Peer::Caminos, 0.9), (Peer::CaminosAdaptive, 0.6), (Peer::CaminosTree64, 0.9)]
    {
        let [twin, fast] = [in_our_mode(peer, load, 1, 300), peer.ours(load, 300)];
        assert_eq!(twin.latency.to_bits(), fast.latency.to_bits(), "{} at {load}", peer.name());
        assert_eq!(twin.saturated, fast.saturated, "{} at {load}", peer.name());
    }
}
