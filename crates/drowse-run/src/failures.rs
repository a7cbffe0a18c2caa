//! What failed links and switches have taken from a network.

use drowse_core::topology::{Faulty, TopologySpec};
use drowse_tables::Row;

use drowse_experiment::System;

/// What is gone.
struct Lost {
    links: u32,
    switches: u32,
    nodes: u32,
}

/// Adds what has failed to the row of `drowse network`, where something may have.
pub fn push(row: &mut Row, system: &System) {
    if let Some(lost) = lost(system) {
        row.push("failed.links", lost.links);
        row.push("failed.switches", lost.switches);
        row.push("failed.nodes", lost.nodes);
    }
}

/// Says that nodes are numbered anew, where some are gone.
pub fn warning(system: &System) -> Option<String> {
    let some_failed = |faulty: &Faulty| !faulty.faults.switches.is_empty();
    // Counting takes the network before the failures, which need not be built where no node can be gone.
    let gone = matches!(&system.topology, TopologySpec::Faulty(faulty) if some_failed(faulty));
    let lost = gone.then(|| lost(system)).flatten().filter(|lost| lost.nodes > 0)?;
    let left = system.network.nodes - 1;
    Some(format!(
        "nodes numbered anew: {} of them are gone with {} failed switches, and those left have the numbers 0 to {left}",
        lost.nodes, lost.switches
    ))
}

fn lost(system: &System) -> Option<Lost> {
    let TopologySpec::Faulty(faulty) = &system.topology else { return None };
    let (whole, left) = (faulty.whole.build().ok()?, &system.network);
    Some(Lost {
        links: whole.switch_links() - left.switch_links(),
        switches: whole.switches() - left.switches(),
        nodes: whole.nodes - left.nodes,
    })
}
