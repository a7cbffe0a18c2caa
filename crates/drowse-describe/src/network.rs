//! Describes a network: counts, distances, cuts, costs, times, memory.

use drowse_core::limits::limits;
use drowse_core::model::units::Time;
use drowse_core::topology::{Basis, Bisection, Geometry, Network, TopologySpec, search};
use drowse_fabric::recognise;
use drowse_tables::Row;
use drowse_tables::schema::network as columns;

use drowse_experiment::System;
use drowse_experiment::memory;
use drowse_run::faults;

/// Makes the row of `drowse network`.
pub fn describe(system: &System) -> Row {
    let network = &system.network;
    let mut row = Row::new();
    row.push(columns::KIND, system.topology.kind());
    row.push(columns::NODES, network.nodes);
    row.push(columns::SWITCHES, network.switches());
    row.push(columns::LINKS_ALL, network.links());
    row.push(columns::LINKS_SWITCH, network.switch_links());
    row.push(columns::CHANNELS_ALL, network.channels());
    row.push(columns::CHANNELS_SWITCH, 2 * u64::from(network.switch_links()));
    for (class, count) in network.classes.iter().zip(links_by_class(system)) {
        row.push(columns::LINKS_BY_CLASS.of(class), count);
    }
    push_trunks(&mut row, network);
    push_levels(&mut row, network);
    row.push(columns::RADIX, system.switch_ports().max().unwrap_or(0));
    row.push(columns::PORTS, system.ports());
    let ratio = system.model.reference.map(|_| system.model.port_ratio(system.ports()));
    row.push_some(columns::PORT_RATIO, ratio);
    row.append(faults::columns(system));
    push_distances(&mut row, system);
    push_bisection(&mut row, system);
    push_costs(&mut row, system);
    // An ideal network has no channels.
    let models = if network.channels() == 0 { &[] } else { system.config.classes.as_slice() };
    for (class, model) in network.classes.iter().zip(models) {
        let hop = model.hop.0;
        row.push(columns::HOP_WRITTEN_NS.of(class), model.hop.nanoseconds());
        let rounded = hop.div_ceil(system.config.switch.clock.0) * system.config.switch.clock.0;
        row.push(columns::HOP_ROUNDED_NS.of(class), Time(rounded).nanoseconds());
    }
    push_memory(&mut row, system);
    push_shape(&mut row, system);
    let limits = limits(&system.network, &system.config);
    row.push_all(columns::WARNINGS, limits.iter().map(ToString::to_string).chain(system.notes.iter().cloned()));
    row
}

/// Adds the number of trunks between switches, and the parallel links of the widest.
fn push_trunks(row: &mut Row, network: &Network) {
    let trunks = network.trunks();
    let mut links = vec![0u32; trunks.len()];
    trunks.iter().zip(&network.port_class).filter(|(_, class)| **class != 0).for_each(|(trunk, _)| {
        links[trunk.index()] += 1;
    });
    // Each has a port at both ends.
    row.push(columns::TRUNKS_ALL, links.iter().filter(|&&links| links > 0).count() as u64 / 2);
    row.push_some(columns::TRUNKS_WIDEST, links.iter().max().copied().filter(|&links| links > 0));
}

/// Adds the switches of each level of a tree.
fn push_levels(row: &mut Row, network: &Network) {
    let Geometry::Levels(levels) = &network.geometry else { return };
    for (level, (blocks, width)) in levels.blocks.iter().zip(&levels.width).enumerate() {
        row.push(columns::LEVELS_SWITCHES.of(level), blocks * width);
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
    row.push_some(columns::DISTANCE_SOURCES, sampled);
    row.push(columns::DIAMETER, metrics.diameter);
    row.push(columns::MEAN_DISTANCE, metrics.mean_distance);
    row.push(columns::MEAN_DISTANCE_DISTINCT, metrics.mean_distance_distinct);
}

/// Adds the fewest links between two halves, and the least bandwidth, which may be that of another cut.
fn push_bisection(row: &mut Row, system: &System) {
    let weights = vec![1; system.network.classes.len()];
    let Some(links) = Bisection::of(&system.network, &weights) else { return };
    let bits: Vec<u64> = system.config.classes.iter().map(|class| class.bandwidth.0).collect();
    let Some(bandwidth) = Bisection::of(&system.network, &bits) else { return };
    row.push(columns::BISECTION_LINKS, links.count());
    row.push(columns::BISECTION_BYTES_PER_S, bandwidth.weight(&bits) as f64 / 8.0);
    row.push(columns::BISECTION_EXACT, [links.basis, bandwidth.basis] == [Basis::Exact; 2]);
}

/// Adds the three cost functions of Navaridas et al. 2010, section V: a switch costs 1, its ports, or the square of
/// them.
fn push_costs(row: &mut Row, system: &System) {
    let network = &system.network;
    if network.switches() == 0 {
        return;
    }
    // The paper's trees have ports up at the top level, too.
    let built = system.topology.switch_ports();
    let unused =
        network.first_port.windows(2).map(|ports| built.map_or(0, |built| built.saturating_sub(ports[1] - ports[0])));
    let ports: Vec<u64> = system.switch_ports().zip(unused).map(|(used, unused)| used + u64::from(unused)).collect();
    row.push_some(
        columns::SWITCH_PORTS,
        ports.first().copied().filter(|first| ports.iter().all(|ports| ports == first)),
    );
    row.push(columns::COST_CONSTANT, network.switches());
    row.push(columns::COST_LINEAR, ports.iter().sum::<u64>());
    row.push(columns::COST_QUADRATIC, ports.iter().map(|ports| ports * ports).sum::<u64>());
}

/// Adds the regular network that a graph is, and the cables that differ.
fn push_shape(row: &mut Row, system: &System) {
    let TopologySpec::Graph(graph) = &system.topology else { return };
    if let Some(shape) = recognise(graph) {
        row.push(columns::SHAPE, shape.words);
        row.push_all(columns::SHAPE_DEVIATIONS, shape.deviations);
    }
}

/// Adds the memory of the network and of its simulation, without traces, packets and messages.
fn push_memory(row: &mut Row, system: &System) {
    let ports = u64::from(system.network.ports());
    let network = memory::of_tables(ports) + system.topology.routing_bytes(ports);
    let simulation = memory::of_simulation(system, &system.policy);
    if system.network.switches() > 0 {
        row.push(columns::MEMORY_NETWORK_BYTES, network);
        row.push(columns::MEMORY_SIMULATION_BYTES, simulation);
    }
}
