//! Our latency curves beside those of two other simulators: the runs, and the page's tables.

use std::fmt::Write;

use crate::parallel;
use crate::peer_cases::{Ours, Peer, Point};

/// Gives the measured cycles of a run: fewer where more nodes make up for it.
fn cycles(peer: Peer) -> u64 {
    if matches!(peer, Peer::CaminosTree4096 | Peer::BookSimTree4096) { 2_000 } else { 10_000 }
}

/// A peer's curve, and what we find at its points.
pub struct Curve {
    /// The other simulator.
    pub peer: Peer,
    /// Its points and ours, by offered load.
    pub points: Vec<(Point, Ours)>,
}

/// Runs our simulator at all points of some peers.
pub fn curves(peers: &[Peer]) -> Vec<Curve> {
    let loads = |&peer: &Peer| peer.curve().into_iter().map(move |point| (peer, point.offered));
    let cases: Vec<(Peer, f64)> = peers.iter().flat_map(loads).collect();
    let mut ours = parallel::map(&cases, |&(peer, load)| peer.ours(load, cycles(peer))).into_iter();
    let curve = |&peer: &Peer| Curve { peer, points: peer.curve().into_iter().zip(ours.by_ref()).collect() };
    peers.iter().map(curve).collect()
}

/// Writes the page.
pub fn page(torus: &[Curve], trees: &[Curve]) -> String {
    let mut page = include_str!("peers_head.md").trim_end().to_owned();
    page.push('\n');
    torus.iter().for_each(|curve| push_table(&mut page, curve));
    page.push('\n');
    page.push_str(include_str!("peers_trees.md").trim_end());
    page.push('\n');
    trees.iter().for_each(|curve| push_table(&mut page, curve));
    page
}

fn push_table(page: &mut String, curve: &Curve) {
    let _ = writeln!(page, "\n### {}\n", curve.peer.name());
    page.push_str("| offered load | their latency, cycles | ours | difference | they accept | we accept |\n");
    page.push_str("|---|---|---|---|---|---|\n");
    for (theirs, ours) in &curve.points {
        let permille = (1000.0 * (ours.latency / theirs.latency - 1.0)).round();
        // Adding zero takes the sign from a zero.
        let difference = permille / 10.0 + 0.0;
        let latency = if ours.saturated { "saturated".into() } else { format!("{:.2}", ours.latency) };
        let difference = if ours.saturated { "-".into() } else { format!("{difference:+.1} %") };
        let _ = writeln!(
            page,
            "| {} | {:.2} | {latency} | {difference} | {:.3} | {:.3} |",
            theirs.offered, theirs.latency, theirs.accepted, ours.accepted
        );
    }
}
