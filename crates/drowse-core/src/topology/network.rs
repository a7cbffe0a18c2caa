//! A built network: flat tables.

use std::sync::Arc;

use super::builder::{NetworkBuilder, UNPLUGGED};
use super::geometry::Geometry;
use crate::model::ids::{ChannelId, NodeId, PortId, SwitchId};

/// A network of switches, nodes and channels; immutable once built.
///
/// Every port is one end of one link and sends on one channel of it, so port and sending channel share a number. All
/// tables are indexed by the ids of [`crate::model::ids`]. Those that a simulation works with, too, are shared with it.
#[derive(Clone, Debug)]
pub struct Network {
    /// The names of the link classes; class 0 is `node`.
    pub classes: Vec<String>,
    /// The number of nodes.
    pub nodes: u32,
    /// The first port of each switch, and one more entry: the number of ports.
    pub first_port: Arc<[u32]>,
    /// Where each port's link ends: a port, or the number of ports plus a node.
    pub peer: Arc<[u32]>,
    /// The link class of each port.
    pub port_class: Vec<u8>,
    /// The switch port of each node; empty where there are no switches.
    pub node_port: Arc<[u32]>,
    /// The switch of each node; empty where there are no switches.
    pub node_switch: Vec<u32>,
    /// The coordinates or tables that routing needs beyond.
    pub geometry: Geometry,
}

/// The end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A switch port.
    Port(PortId),
    /// A node's NIC.
    Node(NodeId),
}

impl Network {
    /// Returns the number of switches.
    pub fn switches(&self) -> u32 {
        self.first_port.len() as u32 - 1
    }

    /// Returns the number of switch ports that have a link.
    pub fn ports(&self) -> u32 {
        self.peer.len() as u32
    }

    /// Returns the number of channels: one per port, and one per node for injection.
    pub fn channels(&self) -> u32 {
        self.ports() + self.node_port.len() as u32
    }

    /// Returns the number of links, those of the nodes included.
    pub fn links(&self) -> u32 {
        self.channels() / 2
    }

    /// Returns the number of links between switches.
    pub fn switch_links(&self) -> u32 {
        self.links() - self.node_port.len() as u32
    }

    /// Returns the largest number of ports of a switch.
    pub fn radix(&self) -> u32 {
        self.first_port.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0)
    }

    /// Returns the end that a channel leads to.
    pub fn target(&self, channel: ChannelId) -> End {
        let ports = self.ports();
        if channel.0 >= ports {
            return End::Port(PortId(self.node_port[(channel.0 - ports) as usize]));
        }
        match self.peer[channel.index()] {
            port if port < ports => End::Port(PortId(port)),
            node => End::Node(NodeId(node - ports)),
        }
    }

    /// Returns the link class of a channel.
    pub fn channel_class(&self, channel: ChannelId) -> u8 {
        self.port_class.get(channel.index()).copied().unwrap_or(0)
    }

    /// Returns the channel that feeds a port's input queue.
    pub fn feeder(&self, port: PortId) -> ChannelId {
        // The peer of a node's port is `ports + node`, which is that node's injection channel; the peer of any other
        // port is a port, which is the channel that it sends on.
        ChannelId(self.peer[port.index()])
    }

    /// Returns the switch of a node.
    pub fn node_switch(&self, node: NodeId) -> SwitchId {
        SwitchId(self.node_switch[node.index()])
    }

    /// Returns the switch of a port, by looking for it.
    pub fn port_switch(&self, port: usize) -> u32 {
        self.first_port.partition_point(|&first| first as usize <= port) as u32 - 1
    }

    /// Returns where a switch is in its network, or what it is called; nothing where its number says all.
    pub fn detail(&self, switch: u32) -> String {
        self.geometry.detail(switch)
    }

    /// Returns the trunk of each port, named by the first of its ports: parallel links of one class to the same switch,
    /// however the ports of the switch are ordered. A node's port is a trunk of its own.
    pub fn trunks(&self) -> Vec<PortId> {
        let mut trunks = Vec::with_capacity(self.peer.len());
        let mut of_switch: Vec<((u32, u8), u32)> = Vec::new();
        for ports in self.first_port.windows(2) {
            of_switch.clear();
            of_switch.extend((ports[0]..ports[1]).map(|port| {
                let leads_to = match self.target(ChannelId(port)) {
                    End::Port(there) => self.port_switch(there.index()),
                    End::Node(node) => self.switches() + node.0,
                };
                ((leads_to, self.port_class[port as usize]), port)
            }));
            of_switch.sort_unstable();
            trunks.resize(ports[1] as usize, PortId(0));
            for parallel in of_switch.chunk_by(|a, b| a.0 == b.0) {
                parallel.iter().for_each(|(_, port)| trunks[*port as usize] = PortId(parallel[0].1));
            }
        }
        trunks
    }

    /// Returns the place of each port within its trunk, in the order of the ports.
    pub fn trunk_places(&self) -> Vec<u16> {
        let trunks = self.trunks();
        let mut so_far = vec![0; trunks.len()];
        let place = |trunk: &PortId| {
            let so_far: &mut u16 = &mut so_far[trunk.index()];
            *so_far += 1;
            *so_far - 1
        };
        trunks.iter().map(place).collect()
    }

    /// Returns whether a channel joins a node and a switch.
    pub fn is_node_channel(&self, channel: ChannelId) -> bool {
        self.channel_class(channel) == 0
    }
}

impl NetworkBuilder {
    /// Finishes the tables.
    pub fn build(mut self, classes: Vec<String>, geometry: Geometry) -> Network {
        let ports = self.peer.len() as u32;
        for (node, &port) in self.node_port.iter().enumerate() {
            self.peer[port as usize] = ports + node as u32;
        }
        debug_assert!(self.peer.iter().all(|&p| p != UNPLUGGED), "a port has no link");
        Network {
            classes,
            nodes: self.node_port.len() as u32,
            first_port: self.first_port.into(),
            peer: self.peer.into(),
            port_class: self.port_class,
            node_port: self.node_port.into(),
            node_switch: self.node_switch,
            geometry,
        }
    }
}
