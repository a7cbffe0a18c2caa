//! What the check asks of a routing, and the routing of the simulator.

use crate::config::{Config, Escape, SwitchModel};
use crate::routing::grid::{self, GridVcs};
use crate::routing::levels::{self, Destination};
use crate::routing::{Candidates, RoutingKind};
use crate::topology::{Geometry, Network};

/// Where packets may go.
pub trait Rules {
    /// Gives all destinations that are routed to differently.
    fn destinations(&self) -> Vec<Destination>;

    /// Gives the virtual channels on which a bubble keeps rings from filling up, one bit each.
    fn bubble(&self) -> u8;

    /// Finds the outputs that some packet to a destination may take at another switch; `crossed` has a bit for each dimension
    /// whose dateline it has crossed.
    fn candidates(&self, at: u32, to: Destination, crossed: u16, found: &mut Candidates);
}

/// The routing of the simulator.
#[derive(Debug)]
pub struct Simulated<'a> {
    network: &'a Network,
    kind: RoutingKind,
    grid_vcs: GridVcs,
    /// All virtual channels, one bit each.
    all_vcs: u8,
    bubble: u8,
}

impl<'a> Simulated<'a> {
    /// Takes the routing of a simulation.
    pub fn new(network: &'a Network, config: &Config) -> Self {
        let vcs = config.switch.vcs;
        let grid_vcs = GridVcs::new(vcs, config.switch.escape);
        Simulated {
            network,
            kind: config.routing,
            grid_vcs,
            all_vcs: ((1u16 << vcs.total()) - 1) as u8,
            bubble: if leaves_bubbles(&config.switch) { grid_vcs.escape() } else { 0 },
        }
    }
}

/// Tells whether rings are kept from filling up: a packet enters one only where there is room for another beside it, which a
/// virtual channel can have, and that room is enough for any packet that comes along the ring, since all are as long.
fn leaves_bubbles(switch: &SwitchModel) -> bool {
    switch.escape == Escape::Bubble && switch.padding && switch.buffer_flits / 2 >= switch.packet_flits
}

impl Rules for Simulated<'_> {
    fn bubble(&self) -> u8 {
        self.bubble
    }

    fn destinations(&self) -> Vec<Destination> {
        let place = |&port: &u32| {
            let switch = self.network.port_switch[port as usize];
            Destination { switch, output: (port - self.network.first_port[switch as usize]) as u16 }
        };
        let mut nodes: Vec<Destination> = self.network.node_port.iter().map(place).collect();
        // Only d-mod-k tells the nodes of a switch apart.
        if self.kind != RoutingKind::DModK {
            nodes.dedup_by_key(|node| node.switch);
        }
        nodes
    }

    fn candidates(&self, at: u32, to: Destination, crossed: u16, found: &mut Candidates) {
        match &self.network.geometry {
            Geometry::Grid(grid) => {
                grid::candidates(grid, self.kind, &self.grid_vcs, at, to.switch, crossed, found);
            }
            Geometry::Levels(tree) => {
                // What is drawn at random is any of the outputs of which adaptive routing has the choice.
                let drawn = self.kind == RoutingKind::Random;
                let kind = if drawn { RoutingKind::Adaptive } else { self.kind };
                found.set_only(levels::permitted(tree, kind, self.all_vcs, at, to, 0));
            }
            Geometry::Ideal(_) => debug_assert!(false, "an ideal network has no packets"),
        }
    }
}
