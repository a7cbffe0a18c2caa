//! The ports of switches by trunk.

use crate::model::ids::{ChannelId, PortId};
use crate::topology::{End, Geometry, Network};

/// Groups the ports of some switches by trunk: ports side by side in the same direction, in an order that is the same at
/// both ends.
pub fn grouped(network: &Network, switches: impl Iterator<Item = u32>) -> Vec<Vec<u32>> {
    let trunk_of = network.trunks();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for switch in switches.map(|switch| switch as usize) {
        let mut ports: Vec<u32> = (network.first_port[switch]..network.first_port[switch + 1]).collect();
        ports.sort_by_key(|&port| (trunk_of[port as usize], port));
        for parallel in ports.chunk_by(|a, b| trunk_of[*a as usize] == trunk_of[*b as usize]) {
            // Both directions of a ring of two switches lead to the same neighbour; routing distinguishes them.
            let width = match &network.geometry {
                Geometry::Grid(grid) if !network.is_node_channel(ChannelId(parallel[0])) => {
                    grid.trunk[usize::from(network.channel_class(ChannelId(parallel[0]))) - 1] as usize
                }
                _ => parallel.len(),
            };
            groups.extend(parallel.chunks(width.max(1)).map(<[u32]>::to_vec));
        }
    }
    let cable = |port: u32| match network.target(ChannelId(port)) {
        End::Port(PortId(there)) => port.min(there),
        End::Node(_) => port,
    };
    groups.iter_mut().for_each(|ports| ports.sort_by_key(|&port| cable(port)));
    groups
}
