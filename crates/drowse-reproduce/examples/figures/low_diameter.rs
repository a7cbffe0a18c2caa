//! Low-diameter networks beside other simulators and the literature: their page.

use std::fmt::Write;

use drowse_twin::peers::Peer;
use drowse_twin::peers::engine_runs::{self, Run};

use crate::full_load::{QUEUES, ROWS, Row, kept_at_full_load};
use crate::peers::{self, Curve};

/// Writes the page.
pub fn page(curves: &[Curve]) -> String {
    let mut page = include_str!("low_diameter_head.md").trim_end().to_owned();
    page.push('\n');
    curves.iter().for_each(|curve| peers::push_table(&mut page, curve));
    push_curve(&mut page, Peer::BookSimDragonfly);
    page.push_str(include_str!("low_diameter_saturation.md"));
    for row in &ROWS {
        let Row { network, pattern, routing, expected, source, .. } = row;
        let [at_inputs, at_outputs] = QUEUES.map(|queues| kept_at_full_load(row, queues));
        let _ = writeln!(
            page,
            "| {network} | {pattern} | {routing} | {expected} | {at_inputs} | {at_outputs} | {source} |"
        );
    }
    page
}

fn push_curve(page: &mut String, peer: Peer) {
    let _ = writeln!(page, "\n### {}\n", peer.name());
    page.push_str("| offered load | their latency, cycles | ours | they accept | we accept |\n|---|---|---|---|---|\n");
    let curve = peer.curve();
    for theirs in &curve {
        let ours = engine_runs::kept(peer, Run::Long, theirs.offered);
        let permille = (1000.0 * (ours.latency / theirs.latency - 1.0)).round();
        let latency = if ours.saturated {
            "saturated".into()
        } else {
            format!("{:.2} ({:+.1} %)", ours.latency, permille / 10.0 + 0.0)
        };
        let _ = writeln!(
            page,
            "| {} | {:.2} | {latency} | {:.3} | {:.3} |",
            theirs.offered, theirs.latency, theirs.accepted, ours.accepted
        );
    }
}
