//! Says what a network is: counts, distances, cuts, times.

use drowse_core::config::ClassModel;
use drowse_core::topology::{Geometry, Network};
use drowse_core::units::Time;
use drowse_tables::Row;

use crate::experiment::System;

/// Makes the row of `drowse network`.
pub fn network(system: &System) -> Row {
    let network = &system.network;
    let mut row = Row::new();
    row.push("kind", system.topology.kind());
    row.push("nodes", network.nodes);
    row.push("switches", network.switches());
    row.push("links.all", network.links());
    row.push("links.switch", network.switch_links());
    for (class, count) in network.classes.iter().zip(links_by_class(system)) {
        row.push(format!("links.by_class.{class}"), count);
    }
    push_levels(&mut row, network);
    row.push("radix", network.radix());
    row.push("ports", network.ports());
    let ratio = system.model.reference.map(|_| system.model.port_ratio(u64::from(network.ports())));
    row.push_some("port_ratio", ratio);
    push_distances(&mut row, system);
    push_costs(&mut row, system);
    // An ideal network has no channels.
    let models = if network.channels() == 0 { &[] } else { system.config.classes.as_slice() };
    for (class, model) in network.classes.iter().zip(models) {
        let hop = model.hop.0;
        row.push(format!("hop.{class}.written_ns"), model.hop.nanoseconds());
        let rounded = hop.div_ceil(system.config.switch.clock.0) * system.config.switch.clock.0;
        row.push(format!("hop.{class}.rounded_ns"), Time(rounded).nanoseconds());
    }
    row
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
    let Some(metrics) = system.topology.metrics() else { return };
    row.push("diameter", metrics.diameter);
    row.push("mean_distance", metrics.mean_distance);
    row.push("mean_distance_distinct", metrics.mean_distance_distinct);
    row.push_some("bisection.links", metrics.bisection_links);
    let bits = metrics.bisection_links.zip(common_bandwidth(&system.config.classes[1..]));
    row.push_some("bisection.bytes_per_s", bits.map(|(links, bits)| links as f64 * bits as f64 / 8.0));
}

/// Adds the three cost functions of paper 002, section V: switches that all cost the same, in proportion to their ports,
/// and to the square of these.
fn push_costs(row: &mut Row, system: &System) {
    let Some(ports) = system.topology.switch_ports() else { return };
    let (switches, ports) = (u64::from(system.network.switches()), u64::from(ports));
    row.push("switch_ports", ports);
    row.push("cost.constant", switches);
    row.push("cost.linear", switches * ports);
    row.push("cost.quadratic", switches * ports * ports);
}

/// Gives the bandwidth of all classes in bits per second, if it is the same.
fn common_bandwidth(classes: &[ClassModel]) -> Option<u64> {
    let (first, rest) = classes.split_first()?;
    rest.iter().all(|class| class.bandwidth == first.bandwidth).then_some(first.bandwidth.0)
}
