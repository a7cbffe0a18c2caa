//! Faults: which links, switches and nodes a network has lost by failures.

use drowse_core::topology::{Faulty, TopologySpec};
use drowse_tables::Row;
use drowse_tables::schema::network;

use drowse_experiment::System;

/// Counts of lost parts.
struct Lost {
    links: u32,
    switches: u32,
    nodes: u32,
}

/// Returns the columns of `drowse network` that count lost links, switches and nodes; none where nothing can have
/// failed.
pub fn columns(system: &System) -> Row {
    let mut row = Row::new();
    if let Some(lost) = lost(system) {
        row.push(network::FAILED_LINKS, lost.links);
        row.push(network::FAILED_SWITCHES, lost.switches);
        row.push(network::FAILED_NODES, lost.nodes);
    }
    row
}

/// Returns the warning that nodes are renumbered, where some are lost.
pub fn warning(system: &System) -> Option<String> {
    let some_failed = |faulty: &Faulty| !faulty.faults.switches.is_empty();
    // Counting builds the network without faults, which is not needed where no node can be lost.
    let gone = matches!(&system.topology, TopologySpec::Faulty(faulty) if some_failed(faulty));
    let lost = gone.then(|| lost(system)).flatten().filter(|lost| lost.nodes > 0)?;
    let left = system.network.nodes - 1;
    Some(format!(
        "nodes are renumbered: {} are lost with {} failed switches; the others have the numbers 0 to {left}",
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
