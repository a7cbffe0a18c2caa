//! What the check asks of a routing, and the routing of the simulator.

use crate::model::config::{Config, Escape, SwitchModel};
use crate::model::routing_kind::RoutingKind;
use crate::routing::candidates::Candidates;
use crate::routing::destination::Destination;
use crate::routing::router::Router;
use crate::topology::Network;
use crate::topology::geometry::graph::up_down::UpDown;

/// Where packets may go.
pub trait Rules {
    /// Returns all destinations that are routed to differently.
    fn destinations(&self) -> Vec<Destination>;

    /// Returns the virtual channels on which a bubble keeps rings from filling up, one bit each.
    fn bubble(&self) -> u8;

    /// Finds the outputs that some packet to a destination may take at another switch; `crossed` has a bit for each
    /// dimension whose dateline it has crossed.
    fn candidates(&self, at: u32, to: Destination, crossed: u16, found: &mut Candidates);

    /// Returns the channels that packets at a switch have left to take to another where paths need not be the shortest;
    /// `None` at switches that they do not pass.
    fn left(&self, _at: u32, _to: u32) -> Option<u32> {
        None
    }

    /// Returns whether paths need not be the shortest, and packets wait for any of their outputs, adaptive ones
    /// included.
    fn has_long_paths(&self) -> bool {
        false
    }
}

/// The routing of the simulator.
#[derive(Debug)]
pub struct Simulated<'a> {
    network: &'a Network,
    router: Router<'a>,
    bubble: u8,
    up_down: Option<&'a UpDown>,
}

impl<'a> Simulated<'a> {
    /// Takes the routing of a simulation; `up_down` are its tables where paths lead up and then down.
    pub fn new(network: &'a Network, config: &Config, up_down: Option<&'a UpDown>) -> Self {
        let mut router = Router::new(network, config);
        // What is drawn at random is any of the outputs of which adaptive routing has the choice.
        if router.kind == RoutingKind::Random {
            router.kind = RoutingKind::Adaptive;
        }
        let bubble = if leaves_bubbles(&config.switch) { router.grid_vcs.escape() } else { 0 };
        Simulated { network, router, bubble, up_down }
    }
}

/// Returns whether rings are kept from filling up: a packet enters one only where there is room for another beside it,
/// which a virtual channel can have, and that room is enough for any packet that comes along the ring, since all are as
/// long.
fn leaves_bubbles(switch: &SwitchModel) -> bool {
    switch.escape == Escape::Bubble && switch.padding && switch.buffer_flits / 2 >= switch.packet_flits
}

impl Rules for Simulated<'_> {
    fn bubble(&self) -> u8 {
        self.bubble
    }

    fn destinations(&self) -> Vec<Destination> {
        destinations(self.network, self.router.kind)
    }

    fn candidates(&self, at: u32, to: Destination, crossed: u16, found: &mut Candidates) {
        self.router.candidates(at, to, crossed, || 0, found);
    }

    fn left(&self, at: u32, to: u32) -> Option<u32> {
        self.up_down.and_then(|tables| tables.left(at, to))
    }

    fn has_long_paths(&self) -> bool {
        self.up_down.is_some()
    }
}

/// Returns all destinations that are routed to differently.
pub fn destinations(network: &Network, kind: RoutingKind) -> Vec<Destination> {
    let place = |&port: &u32| {
        let switch = network.port_switch(port as usize);
        Destination { switch, output: (port - network.first_port[switch as usize]) as u16 }
    };
    let mut nodes: Vec<Destination> = network.node_port.iter().map(place).collect();
    // Only d-mod-k tells the nodes of a switch apart.
    if kind != RoutingKind::DModK {
        nodes.dedup_by_key(|node| node.switch);
    }
    nodes
}
