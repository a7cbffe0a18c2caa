//! Our runs on the cases of other simulators, stored in a file: all of them take ten minutes, and pages show them. A test
//! repeats some (`tests/it/engine_peers.rs`), and one that `cargo xtask long` runs all.

use super::cases::{Ours, Peer};

/// Which of our runs at a point of a peer's curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// With our switch, as long as pages show.
    Long,
    /// As long as the twin's.
    Short,
    /// With the switch of CAMINOS: means of three seeds.
    TheirSwitch,
}

/// Returns the kept run at a point.
///
/// # Panics
///
/// If none is kept, as a test does then.
pub fn kept(peer: Peer, run: Run, offered: f64) -> Ours {
    let point = format!("{peer:?},{run:?},{offered},");
    let row = include_str!("../../data/engine_curves.csv").lines().find_map(|line| line.strip_prefix(&point));
    let fields: Vec<&str> = row.unwrap().split(',').collect();
    let [accepted, latency] = [0, 1].map(|field| fields[field].parse().unwrap());
    Ours { accepted, latency, saturated: fields[2] == "true" }
}
