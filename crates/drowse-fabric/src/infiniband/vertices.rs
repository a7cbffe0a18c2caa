//! From a subnet to the graph that is simulated: its switches, and a compute node for each port of an adapter that has
//! a cable.

use std::ops::Range;

use super::degraded::degraded;
use super::subnet::{Cable, End, Kind, Subnet};
use crate::model::attributes::Links;
use crate::model::fabric::Address;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Wrong, shown};

/// Makes vertices and links, with names, ports, LIDs and GUIDs, and says what is left out.
pub(crate) fn vertices(subnet: &Subnet) -> Result<Vertices, Wrong> {
    let mut vertices = Vertices::of_program();
    let switches: Vec<Option<usize>> = (0..subnet.devices.len()).map(|at| switch(&mut vertices, subnet, at)).collect();
    let from_switch = |cable: &'_ Cable| {
        let mut ends = cable.ends;
        ends.sort_by_key(|&end| (switches[end.device as usize].is_none(), end));
        ends
    };
    // By the ports of switches, so that nodes are numbered in their order.
    let mut cables: Vec<([End; 2], &Cable)> = subnet.cables.iter().map(|cable| (from_switch(cable), cable)).collect();
    cables.sort_by_key(|(ends, _)| *ends);
    for ([from, to], cable) in cables {
        let Some(switch) = switches[from.device as usize] else {
            let [a, b] = [from, to].map(|end| shown(&subnet.end_name(end)));
            let message = format!("`{a}` and `{b}` are adapters, with a cable between them");
            return Err(Wrong::new(&cable.span, message, "hosts are linked with switches: leave these two out"));
        };
        let other = switches[to.device as usize].unwrap_or_else(|| node(&mut vertices, subnet, to, &cable.span));
        let links = Links::written(1, subnet.bandwidth(cable), None, &cable.span);
        vertices.link([switch, other], &cable.span, links.on_ports([from.port, to.port]))?;
    }
    notes(subnet).into_iter().for_each(|note| vertices.note(note));
    Ok(vertices)
}

/// Adds a switch; returns nothing for an adapter.
fn switch(vertices: &mut Vertices, subnet: &Subnet, at: usize) -> Option<usize> {
    let device = &subnet.devices[at];
    (device.kind == Kind::Switch).then(|| {
        let vertex = vertices.named(&(&format!("switch {at}"), device.span.clone()));
        vertices.call(vertex, device.name.clone());
        // A switch has the nodes that the file lists, and no others.
        vertices.set_nodes(vertex, 0);
        let lid = device.ports.first().and_then(|port| port.lid);
        vertices.set_address(vertex, Address { lid, guid: device.guid });
        vertex
    })
}

/// Adds the node of an adapter's port.
fn node(vertices: &mut Vertices, subnet: &Subnet, end: End, span: &Range<usize>) -> usize {
    let device = subnet.device(end);
    let vertex = vertices.named(&(&format!("adapter {} {}", end.device, end.port), span.clone()));
    vertices.set_node(vertex);
    if let Some(port) = device.ports.iter().find(|port| port.number == end.port) {
        vertices.call(vertex, port.name.clone());
        vertices.set_address(vertex, Address { lid: port.lid, guid: port.guid.or(device.guid) });
    }
    vertex
}

/// Says what of a subnet is not simulated, or worth a look.
fn notes(subnet: &Subnet) -> Vec<String> {
    let left = &subnet.left_out;
    let counted = [
        (left.routers, "routers to other subnets"),
        (left.aggregation_nodes, "aggregation nodes within switches (SHARP)"),
        (left.by_name, "adapters of hosts that are left out by their names"),
        (left.unlinked, "adapters without a cable"),
        (left.loops, "cables of a switch to itself"),
    ];
    let mut notes = subnet.notes.clone();
    notes.extend(
        counted.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("left out: {count} {what}")),
    );
    if let Some(first) = subnet.disagreeing.first() {
        let count = subnet.disagreeing.len();
        notes.push(format!("cables whose ends disagree on width or speed: {count}; the lower holds. {first}"));
    }
    let slow = degraded(subnet);
    if let Some(first) = slow.first() {
        let count = slow.len();
        notes.push(format!(
            "cables below the usual width or speed, as they run today: {count}, such as {}: {}, most are {}",
            first.cable, first.rate, first.usual
        ));
    }
    notes
}
