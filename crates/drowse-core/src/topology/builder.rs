//! A network while it is built: switches are added port by port, then ports are joined by links.

use crate::model::ids::{NodeId, PortId};

/// Collects ports and links, then numbers them.
#[derive(Debug)]
pub struct NetworkBuilder {
    pub(super) first_port: Vec<u32>,
    pub(super) peer: Vec<u32>,
    pub(super) port_class: Vec<u8>,
    pub(super) node_port: Vec<u32>,
    pub(super) node_switch: Vec<u32>,
}

/// Marks a port whose link is still missing.
pub(super) const UNPLUGGED: u32 = u32::MAX;

impl NetworkBuilder {
    /// Starts with no switch.
    pub fn new() -> Self {
        NetworkBuilder {
            first_port: vec![0],
            peer: Vec::new(),
            port_class: Vec::new(),
            node_port: Vec::new(),
            node_switch: Vec::new(),
        }
    }

    /// Returns the number of ports so far, which is the number of the next.
    pub fn ports(&self) -> u32 {
        self.peer.len() as u32
    }

    /// Adds a port to the switch that is being built.
    pub fn add_port(&mut self, class: u8) -> PortId {
        let port = PortId(self.peer.len() as u32);
        self.peer.push(UNPLUGGED);
        self.port_class.push(class);
        port
    }

    /// Adds a port with a node to the switch that is being built.
    pub fn add_node(&mut self) -> NodeId {
        let port = self.add_port(0);
        self.node_port.push(port.0);
        self.node_switch.push(self.first_port.len() as u32 - 1);
        NodeId(self.node_port.len() as u32 - 1)
    }

    /// Ends the switch that is being built and begins the next.
    pub fn end_switch(&mut self) {
        self.first_port.push(self.peer.len() as u32);
    }

    /// Joins two ports by a link.
    pub fn link(&mut self, a: PortId, b: PortId) {
        debug_assert!(self.peer[a.index()] == UNPLUGGED && self.peer[b.index()] == UNPLUGGED, "a port is used twice");
        self.peer[a.index()] = b.0;
        self.peer[b.index()] = a.0;
    }
}

impl Default for NetworkBuilder {
    fn default() -> Self {
        Self::new()
    }
}
