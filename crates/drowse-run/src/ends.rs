//! Names of the ends of channels in tables.

use drowse_core::model::ids::{ChannelId, NodeId, PortId};
use drowse_core::topology::{End, Network};

/// Returns the end that sends on a channel: the port of the same number, or a node for the numbers after the ports.
pub fn source(network: &Network, channel: ChannelId) -> End {
    match channel.0.checked_sub(network.ports()) {
        Some(node) => End::Node(NodeId(node)),
        None => End::Port(PortId(channel.0)),
    }
}

/// Returns the name of an end: `node N`, or `switch S port P` with the port counted within its switch.
pub fn end_name(network: &Network, end: End) -> String {
    match end {
        End::Node(node) => format!("node {}", node.0),
        End::Port(port) => {
            let switch = network.port_switch(port.index());
            format!("switch {switch} port {}", port.0 - network.first_port[switch as usize])
        }
    }
}
