//! Mean latency against the curves of two other simulators under their parameters: within 5 % up to half of saturation.
//!
//! At higher loads, the switches differ: output queues and bubbles there, input queues and datelines here
//! (docs/peers.md).

use std::thread;

use drowse_core::model::config::{OutputQueues, Queues};
use drowse_twin::peers::engine_runs::{Run, kept};
use drowse_twin::peers::{Ours, Peer};

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
/// last are saturated at these loads (docs/peers-low-diameter.md): the low-diameter networks accept 0.57, 0.65 and 0.70.
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
    let queues = Queues::Output(OutputQueues { room_flits: 32, speedup: 2, paths: 1 });
    for (peer, load) in [(Peer::CaminosDragonfly, 0.7), (Peer::CaminosSlimFly, 0.7), (Peer::CaminosHyperX, 0.8)] {
        let theirs = peer.curve().into_iter().find(|point| point.offered.total_cmp(&load).is_eq()).unwrap();
        let ours = peer.ours_with(queues, load, 3_000);
        assert!((ours.accepted - theirs.accepted).abs() < 0.01, "{}: {}", peer.name(), ours.accepted);
    }
}

/// Returns all peers whose curves pages show, each with the runs that they show.
fn shown() -> impl Iterator<Item = (Peer, Vec<Run>)> {
    let beside_the_twin = Peer::TORUS.into_iter().chain(Peer::TREES).chain(Peer::LOW_DIAMETER).map(|peer| {
        let mut runs = vec![Run::Long, Run::Short];
        runs.extend((!peer.is_booksim()).then_some(Run::TheirSwitch));
        (peer, runs)
    });
    beside_the_twin.chain([(Peer::BookSimDragonfly, vec![Run::Long])])
}

/// Returns the measured cycles of long runs: fewer where more nodes make up for it.
fn long_cycles(peer: Peer) -> u64 {
    match peer {
        Peer::CaminosTree4096 | Peer::BookSimTree4096 => 1_500,
        Peer::CaminosDragonfly | Peer::BookSimDragonfly => 3_000,
        _ => 6_000,
    }
}

fn simulated(peer: Peer, run: Run, load: f64) -> Ours {
    match run {
        Run::Long => peer.ours(load, long_cycles(peer)),
        Run::Short => peer.ours(load, peer.short_cycles()),
        Run::TheirSwitch => peer.with_their_switch(load),
    }
}

/// The kept runs are the engine's, to the last digit: those at the lowest load of each curve, and the short ones at the
/// highest.
#[test]
fn kept_runs_are_the_engines() {
    let all = |ours: Ours| (ours.accepted.to_bits(), ours.latency.to_bits(), ours.saturated);
    for (peer, runs) in shown() {
        let loads: Vec<f64> = peer.curve().iter().map(|point| point.offered).collect();
        let highest = (Run::Short, loads[loads.len() - 1]);
        let highest = runs.contains(&Run::Short).then_some(highest);
        for (run, load) in runs.into_iter().map(|run| (run, loads[0])).chain(highest) {
            let kept = all(kept(peer, run, load));
            assert_eq!(
                kept,
                all(simulated(peer, run, load)),
                "{} at {load}, {run:?}: write_engine_curves",
                peer.name()
            );
        }
    }
}

#[test]
#[ignore = "writes data/engine_curves.csv, in some minutes; with --release"]
fn write_engine_curves() {
    let lines = |(peer, runs): (Peer, Vec<Run>)| {
        let points = peer.curve().into_iter().flat_map(|point| runs.iter().map(move |&run| (run, point.offered)));
        let line = |(run, load)| {
            let Ours { accepted, latency, saturated } = simulated(peer, run, load);
            format!("{peer:?},{run:?},{load},{accepted},{latency},{saturated}\n")
        };
        points.map(line).collect::<String>()
    };
    let threads: Vec<_> = shown().map(|curve| thread::spawn(move || lines(curve))).collect();
    let text = threads.into_iter().map(|thread| thread.join().unwrap()).collect::<String>();
    let head = "# The engine at the points of the peers' curves; latency in cycles, mean over packets.
# Written by `cargo test --release -p drowse-twin --test it -- --ignored write_engine_curves`; every digit is exact.
peer,run,offered,accepted,latency,saturated
";
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/data/engine_curves.csv"), head.to_owned() + &text).unwrap();
}
