//! The channels of minimal routes, by link class: how many channels a message crosses that may sleep.

use super::dispatch;
use crate::model::ids::NodeId;
use crate::topology::Network;

/// Calls `visit` with each link class on a minimal route between two nodes, and the number of channels of it.
///
/// All minimal routes of a grid or tree cross the same numbers; on low-diameter networks, one of them is taken. Nodes
/// of one switch are two node channels apart; a node and itself none.
pub fn minimal(network: &Network, from: NodeId, to: NodeId, mut visit: impl FnMut(u8, u32)) {
    if from != to {
        // An ideal network has no switches.
        let switch = |node: NodeId| network.node_switch.get(node.index()).copied().unwrap_or(0);
        dispatch::minimal(network, switch(from), switch(to), &mut visit);
    }
}

/// Calls `visit` with the same for two nodes that are as far apart as any; on low-diameter networks, for the first node
/// and that farthest from it.
pub fn longest(network: &Network, mut visit: impl FnMut(u8, u32)) {
    dispatch::longest(network, &mut visit);
}
