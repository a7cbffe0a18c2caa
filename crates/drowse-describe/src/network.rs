//! Says what a network is: counts, distances, cuts, costs, times, memory.

use drowse_core::model::units::Time;
use drowse_core::topology::{Basis, Bisection, Geometry, Network, search};
use drowse_tables::Row;

use drowse_experiment::System;
use drowse_experiment::memory;
use drowse_run::failures;

/// Makes the row of `drowse network`.
pub fn describe(system: &System) -> Row {
    let network = &system.network;
    let mut row = Row::new();
    row.push("kind", system.topology.kind());
    row.push("nodes", network.nodes);
    row.push("switches", network.switches());
    row.push("links.all", network.links());
    row.push("links.switch", network.switch_links());
    row.push("channels.all", network.channels());
    row.push("channels.switch", 2 * u64::from(network.switch_links()));
    for (class, count) in network.classes.iter().zip(links_by_class(system)) {
        row.push(format!("links.by_class.{class}"), count);
    }
    push_trunks(&mut row, network);
    push_levels(&mut row, network);
    row.push("radix", system.switch_ports().max().unwrap_or(0));
    row.push("ports", system.ports());
    let ratio = system.model.reference.map(|_| system.model.port_ratio(system.ports()));
    row.push_some("port_ratio", ratio);
    failures::push(&mut row, system);
    push_distances(&mut row, system);
    push_bisection(&mut row, system);
    push_costs(&mut row, system);
    // An ideal network has no channels.
    let models = if network.channels() == 0 { &[] } else { system.config.classes.as_slice() };
    for (class, model) in network.classes.iter().zip(models) {
        let hop = model.hop.0;
        row.push(format!("hop.{class}.written_ns"), model.hop.nanoseconds());
        let rounded = hop.div_ceil(system.config.switch.clock.0) * system.config.switch.clock.0;
        row.push(format!("hop.{class}.rounded_ns"), Time(rounded).nanoseconds());
    }
    push_memory(&mut row, system);
    row
}

/// Adds how many trunks join switches, and the parallel links of the widest.
fn push_trunks(row: &mut Row, network: &Network) {
    let trunks = network.trunks();
    let mut links = vec![0u32; trunks.len()];
    trunks.iter().zip(&network.port_class).filter(|(_, class)| **class != 0).for_each(|(trunk, _)| {
        links[trunk.index()] += 1;
    });
    // Each has a port at both ends.
    row.push("trunks.all", links.iter().filter(|&&links| links > 0).count() as u64 / 2);
    row.push_some("trunks.widest", links.iter().max().copied().filter(|&links| links > 0));
}

/// Adds the switches of each level of a tree.
fn push_levels(row: &mut Row, network: &Network) {
    let Geometry::Levels(levels) = &network.geometry else { return };
    for (level, (blocks, width)) in levels.blocks.iter().zip(&levels.width).enumerate() {
        row.push(format!("levels.{level}.switches"), blocks * width);
    }
}

/// Counts the links of each class; a link between switches has two ports, a node's has one.
fn links_by_class(system: &System) -> Vec<u64> {
    let mut ports = vec![0; system.network.classes.len()];
    for &class in &system.network.port_class {
        ports[usize::from(class)] += 1;
    }
    ports.iter().enumerate().map(|(class, &ports)| if class == 0 { ports } else { ports / 2 }).collect()
}

fn push_distances(row: &mut Row, system: &System) {
    let searched =
        || search(&system.network).map(|found| (found.metrics, Some(found.sources).filter(|_| !found.complete)));
    let known = system.topology.metrics().map(|metrics| (metrics, None));
    let Some((metrics, sampled)) = known.or_else(searched) else { return };
    row.push_some("distance_sources", sampled);
    row.push("diameter", metrics.diameter);
    row.push("mean_distance", metrics.mean_distance);
    row.push("mean_distance_distinct", metrics.mean_distance_distinct);
}

/// Adds the least links between two halves, and the least bandwidth, which may be that of another cut.
fn push_bisection(row: &mut Row, system: &System) {
    let weights = vec![1; system.network.classes.len()];
    let Some(links) = Bisection::of(&system.network, &weights) else { return };
    let bits: Vec<u64> = system.config.classes.iter().map(|class| class.bandwidth.0).collect();
    let Some(bandwidth) = Bisection::of(&system.network, &bits) else { return };
    row.push("bisection.links", links.count());
    row.push("bisection.bytes_per_s", bandwidth.weight(&bits) as f64 / 8.0);
    row.push("bisection.exact", [links.basis, bandwidth.basis] == [Basis::Exact; 2]);
}

/// Adds the three cost functions of Navaridas et al. 2010, section V: switches that all cost the same, in proportion to their ports,
/// and to the square of these.
fn push_costs(row: &mut Row, system: &System) {
    let network = &system.network;
    if network.switches() == 0 {
        return;
    }
    // Those of the paper's trees are built with ports up at the top, too.
    let built = system.topology.switch_ports();
    let unplugged =
        network.first_port.windows(2).map(|ports| built.map_or(0, |built| built.saturating_sub(ports[1] - ports[0])));
    let ports: Vec<u64> =
        system.switch_ports().zip(unplugged).map(|(plugged, more)| plugged + u64::from(more)).collect();
    row.push_some("switch_ports", ports.first().copied().filter(|first| ports.iter().all(|ports| ports == first)));
    row.push("cost.constant", network.switches());
    row.push("cost.linear", ports.iter().sum::<u64>());
    row.push("cost.quadratic", ports.iter().map(|ports| ports * ports).sum::<u64>());
}

/// Adds what the network and its simulation need, traces, packets and messages left out.
fn push_memory(row: &mut Row, system: &System) {
    let ports = u64::from(system.network.ports());
    let network = memory::of_tables(ports) + system.topology.routing_bytes(ports);
    let simulation = memory::of_simulation(system, &system.policy);
    if system.network.switches() > 0 {
        row.push("memory.network_bytes", network);
        row.push("memory.simulation_bytes", simulation);
    }
}
