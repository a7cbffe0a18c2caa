//! Where the switches and nodes of each kind of network stand.

pub(super) mod boxes;
mod circle;
mod groups;
mod levels;

use std::f64::consts::TAU;

use drowse_core::topology::{Geometry, Network};

use super::point::Point;
use super::trunks::Ends;

/// The places of everything.
pub struct Layout {
    /// Of each switch.
    pub switches: Vec<Point>,
    /// Of each node; empty where they are not drawn.
    pub nodes: Vec<Point>,
    /// How far the middle of each trunk lies left of the straight line.
    pub bends: Vec<f64>,
}

/// What all layouts need to know.
pub struct Scene<'a> {
    network: &'a Network,
    trunks: &'a [Ends],
    switch_radius: f64,
    shows_nodes: bool,
}

/// Half the width of a node.
pub const NODE_RADIUS: f64 = 2.6;
/// The distance of neighbouring nodes.
const NODES_APART: f64 = 2.0 * NODE_RADIUS + 2.4;

/// Lays out a network as people expect it to look.
pub fn of(network: &Network, trunks: &[Ends], switch_radius: f64, shows_nodes: bool) -> Layout {
    let scene = Scene { network, trunks, switch_radius, shows_nodes };
    match &network.geometry {
        Geometry::Grid(grid) if grid.dims.len() == 1 && grid.wraps[0] => circle::place(&scene),
        Geometry::Grid(grid) => boxes::place(&scene, &grid.dims, |switch, d| u32::from(grid.coordinate(switch, d))),
        Geometry::Levels(levels) => levels::place(&scene, levels),
        Geometry::Groups(groups) => groups::place(&scene, groups),
        Geometry::HyperX(lattice) if lattice.dims.len() == 1 => circle::place(&scene),
        Geometry::HyperX(lattice) => boxes::place(&scene, &lattice.dims, |switch, d| lattice.coordinate(switch, d)),
        Geometry::Graph(_) | Geometry::Ideal(_) => circle::place(&scene),
    }
}

impl Scene<'_> {
    /// Returns the number of nodes of a switch that are drawn.
    fn nodes_of(&self, switch: usize) -> u32 {
        let network = self.network;
        let ports = network.first_port[switch] as usize..network.first_port[switch + 1] as usize;
        let nodes: u32 = network.port_class[ports].iter().map(|&class| u32::from(class == 0)).sum();
        if self.shows_nodes { nodes } else { 0 }
    }

    /// Returns the room beside a switch that its nodes need.
    fn room(&self) -> f64 {
        if self.shows_nodes { 24.0 } else { 4.0 }
    }

    /// Places nodes in fans of a share of a turn that open from their switches in a direction.
    fn fans(&self, switches: &[Point], span: f64, direction: impl Fn(usize) -> Point) -> Vec<Point> {
        let fan = |(switch, &at): (usize, &Point)| self.fan(at, direction(switch), span, self.nodes_of(switch));
        switches.iter().enumerate().flat_map(fan).collect()
    }

    /// Places so many nodes on arcs around a switch, on another one farther out where one is full.
    fn fan(&self, at: Point, direction: Point, span: f64, count: u32) -> Vec<Point> {
        let (ahead, left) = (direction.direction(), direction.left());
        let (mut radius, mut nodes) = (self.switch_radius + 10.0, Vec::new());
        while (nodes.len() as u32) < count {
            let fits = |node: &u32| f64::from(*node) * NODES_APART <= span * TAU * radius;
            let row = (0..count - nodes.len() as u32).take_while(fits).count() as u32;
            for node in 0..row {
                let turn = (f64::from(node) - f64::from(row - 1) / 2.0) * NODES_APART / (radius * TAU);
                let turned = Point::after_turn(turn);
                nodes.push(at + (ahead * -turned.y + left * -turned.x) * radius);
            }
            radius += NODES_APART;
        }
        nodes
    }
}
