//! The channels of minimal routes, by link class: how many channels a message crosses that may sleep.

use super::direct;
use crate::model::ids::NodeId;
use crate::topology::levels::Levels;
use crate::topology::torus::{Grid, Ring};
use crate::topology::{Geometry, Network};

/// The class of channels between nodes and switches, in every network.
const NODE: u8 = 0;

/// Returns `visit` each link class on a minimal route between two nodes, and the number of channels of it.
///
/// All minimal routes of a grid or tree cross the same numbers; on networks of groups and on graphs, one of them is taken. Nodes of one switch are two node channels apart; a node and itself
/// none.
pub fn minimal(network: &Network, from: NodeId, to: NodeId, mut visit: impl FnMut(u8, u32)) {
    if from == to {
        return;
    }
    let switch = |node: NodeId| network.port_switch(network.node_port[node.index()] as usize);
    match &network.geometry {
        Geometry::Ideal(_) => return,
        Geometry::Grid(grid) => {
            for (d, ring) in grid.rings.iter().enumerate() {
                let (a, b) = (grid.coordinate(switch(from), d), grid.coordinate(switch(to), d));
                visit(dimension(d), distance(ring, u32::from(a.abs_diff(b))));
            }
        }
        Geometry::Levels(levels) => {
            for level in 1..=common_level(levels, switch(from), switch(to)) {
                visit(level as u8, 2);
            }
        }
        Geometry::Groups(_) | Geometry::HyperX(_) | Geometry::Graph(_) => {
            direct::walk(network, switch(from), switch(to), 0, |port| {
                visit(network.port_class[port.index()], 1);
            });
        }
    }
    visit(NODE, 2);
}

/// Returns `visit` the same for two nodes that are as far apart as any; on direct networks, for the first node and that farthest from
/// it.
pub fn longest(network: &Network, mut visit: impl FnMut(u8, u32)) {
    match &network.geometry {
        Geometry::Ideal(_) => return,
        Geometry::Grid(Grid { rings, .. }) => {
            let farthest = |ring: &Ring| if ring.wraps { ring.size / 2 } else { ring.size - 1 };
            rings.iter().enumerate().for_each(|(d, ring)| visit(dimension(d), farthest(ring)));
        }
        Geometry::Levels(levels) => {
            let leaves = levels.shape.leaf_switches;
            (1..=common_level(levels, 0, leaves - 1)).for_each(|level| visit(level as u8, 2));
        }
        Geometry::Groups(_) | Geometry::HyperX(_) | Geometry::Graph(_) => {
            let channels = |to: u32| {
                let mut channels = 0;
                minimal(network, NodeId(0), NodeId(to), |_, more| channels += more);
                channels
            };
            let farthest = (0..network.nodes).max_by_key(|&to| (channels(to), std::cmp::Reverse(to)));
            return minimal(network, NodeId(0), NodeId(farthest.unwrap_or(0)), visit);
        }
    }
    visit(NODE, 2);
}

/// Returns the link class of a dimension.
fn dimension(d: usize) -> u8 {
    d as u8 + 1
}

fn distance(ring: &Ring, difference: u32) -> u32 {
    if ring.wraps { difference.min(ring.size - difference) } else { difference }
}

/// Returns the lowest level at which a switch reaches two leaf switches.
fn common_level(levels: &Levels, a: u32, b: u32) -> usize {
    levels.reach.iter().position(|reach| a / reach == b / reach).unwrap_or(levels.reach.len() - 1)
}
