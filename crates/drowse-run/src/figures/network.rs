//! The size of the network.

use drowse_experiment::System;
use drowse_tables::Row;
use drowse_tables::schema::cases;

/// Returns the counts of nodes, switches, links and ports.
pub fn columns(system: &System) -> Row {
    let network = &system.network;
    let mut row = Row::new();
    row.push(cases::NETWORK_NODES, network.nodes);
    row.push(cases::NETWORK_SWITCHES, network.switches());
    row.push(cases::NETWORK_LINKS, network.links());
    row.push(cases::NETWORK_SWITCH_LINKS, network.switch_links());
    row.push(cases::NETWORK_PORTS, system.ports());
    row
}
