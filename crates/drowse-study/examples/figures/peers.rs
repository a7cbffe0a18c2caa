//! Our latency curves beside those of two other simulators: the runs, and the page's tables.

use std::fmt::Write;

use crate::parallel;
use crate::peer_cases::{Ours, Peer, Point};

/// Measured cycles of a run.
const CYCLES: u64 = 10_000;

/// A peer's curve, and what we find at its points.
pub struct Curve {
    /// The other simulator.
    pub peer: Peer,
    /// Its points and ours, by offered load.
    pub points: Vec<(Point, Ours)>,
}

/// Runs our simulator at all points of all peers.
pub fn curves() -> Vec<Curve> {
    let cases: Vec<(Peer, f64)> =
        Peer::ALL.iter().flat_map(|&peer| peer.curve().into_iter().map(move |point| (peer, point.offered))).collect();
    let mut ours = parallel::map(&cases, |&(peer, load)| peer.ours(load, CYCLES)).into_iter();
    let curve = |peer: Peer| Curve { peer, points: peer.curve().into_iter().zip(ours.by_ref()).collect() };
    Peer::ALL.into_iter().map(curve).collect()
}

/// Writes the page.
pub fn page(curves: &[Curve]) -> String {
    let mut page = include_str!("peers_head.md").trim_end().to_owned();
    page.push('\n');
    for curve in curves {
        push_table(&mut page, curve);
    }
    page
}

fn push_table(page: &mut String, curve: &Curve) {
    let _ = writeln!(page, "\n## {}\n", curve.peer.name());
    page.push_str("| offered load | their latency, cycles | ours | difference | they accept | we accept |\n");
    page.push_str("|---|---|---|---|---|---|\n");
    for (theirs, ours) in &curve.points {
        let difference = 100.0 * (ours.latency / theirs.latency - 1.0);
        let latency = if ours.saturated { "saturated".into() } else { format!("{:.2}", ours.latency) };
        let difference = if ours.saturated { "-".into() } else { format!("{difference:+.1} %") };
        let _ = writeln!(
            page,
            "| {} | {:.2} | {latency} | {difference} | {:.3} | {:.3} |",
            theirs.offered, theirs.latency, theirs.accepted, ours.accepted
        );
    }
}
