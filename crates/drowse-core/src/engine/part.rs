//! A part of the network: consecutive switches with their ports and nodes, numbered from 0 within the part.
//!
//! A shard works with these numbers only. What leads out of the part is marked, and keeps its number in the whole network.

use std::ops::Range;

use crate::ids::{ChannelId, NodeId, PortId};
use crate::routing::grid;
use crate::topology::{End, Geometry, Network};

/// Marks a port of another part; the other bits are its number in the whole network.
pub const ELSEWHERE: u32 = 1 << 31;

/// A part of the network.
///
/// Channel `p` below `ports` leaves port `p` of the part, channel `ports + n` is the injection channel of its node `n`.
#[derive(Debug)]
pub struct Part {
    /// The switches, as numbered in the whole network.
    pub switches: Range<u32>,
    /// The ports, as numbered in the whole network.
    pub all_ports: Range<u32>,
    /// The nodes, as numbered in the whole network.
    pub all_nodes: Range<u32>,
    /// The first port of each switch, and one more entry.
    pub first_port: Vec<u32>,
    /// The switch of each port.
    pub port_switch: Vec<u32>,
    /// Where the channel of each port leads: a port, one [`ELSEWHERE`], or `ports` for a node.
    pub leads_to: Vec<u32>,
    /// The channel that feeds each port: one of the part, or one [`ELSEWHERE`].
    pub fed_by: Vec<u32>,
    /// The port of each node.
    pub node_port: Vec<u32>,
    /// The dimension bit of a port whose channel crosses a dateline.
    pub dateline: Vec<u16>,
}

impl Part {
    /// Takes the part of a network that consists of these switches.
    pub fn new(network: &Network, switches: Range<u32>) -> Self {
        let port = |switch: u32| network.first_port[switch as usize];
        let all_ports = port(switches.start)..port(switches.end);
        // Nodes are numbered in the order of their ports.
        let node = |port: u32| network.node_port.partition_point(|&p| p < port) as u32;
        let mut all_nodes = node(all_ports.start)..node(all_ports.end);
        if network.switches() == 0 {
            all_nodes = 0..network.nodes;
        }
        // An ideal network's nodes have no ports.
        let ports_of_nodes =
            network.node_port.get(all_nodes.start as usize..all_nodes.end as usize).unwrap_or_default();
        let here = all_ports.start as usize..all_ports.end as usize;
        let mut part = Part {
            first_port: (switches.start..=switches.end).map(|switch| port(switch) - all_ports.start).collect(),
            port_switch: network.port_switch[here].iter().map(|switch| switch - switches.start).collect(),
            leads_to: Vec::new(),
            fed_by: Vec::new(),
            node_port: ports_of_nodes.iter().map(|port| port - all_ports.start).collect(),
            dateline: all_ports.clone().map(|p| dateline(network, PortId(p))).collect(),
            switches,
            all_ports,
            all_nodes,
        };
        part.leads_to = part.all_ports.clone().map(|p| part.local_target(network, p)).collect();
        part.fed_by = part.all_ports.clone().map(|p| part.local_feeder(network, p)).collect();
        part
    }

    /// Gives the number of ports.
    #[inline]
    pub fn ports(&self) -> u32 {
        self.port_switch.len() as u32
    }

    /// Gives the number of nodes.
    pub fn nodes(&self) -> u32 {
        self.node_port.len() as u32
    }

    /// Gives the number of channels.
    pub fn channels(&self) -> u32 {
        self.ports() + self.nodes()
    }

    /// Gives the number of a channel in the whole network.
    pub fn channel_id(&self, network: &Network, channel: u32) -> ChannelId {
        match channel.checked_sub(self.ports()) {
            Some(node) => ChannelId(network.ports() + self.all_nodes.start + node),
            None => ChannelId(self.all_ports.start + channel),
        }
    }

    fn local_target(&self, network: &Network, port: u32) -> u32 {
        match network.target(ChannelId(port)) {
            End::Node(_) => self.ports(),
            End::Port(PortId(to)) => self.local_port(to),
        }
    }

    fn local_feeder(&self, network: &Network, port: u32) -> u32 {
        match network.target(ChannelId(port)) {
            End::Node(NodeId(node)) => self.ports() + node - self.all_nodes.start,
            End::Port(PortId(from)) => self.local_port(from),
        }
    }

    fn local_port(&self, port: u32) -> u32 {
        if self.all_ports.contains(&port) { port - self.all_ports.start } else { port | ELSEWHERE }
    }
}

/// Deals the switches out to at most `parts` parts of about the same number of ports.
pub fn deal(network: &Network, parts: usize) -> Vec<Range<u32>> {
    let (ports, switches) = (u64::from(network.ports()), network.switches());
    if switches == 0 {
        return std::iter::once(0..0).collect();
    }
    let parts = parts.clamp(1, switches as usize) as u64;
    let cut = |i: u64| network.first_port.partition_point(|&p| u64::from(p) < ports * i / parts).min(switches as usize);
    let cuts: Vec<u32> = (0..=parts).map(|i| if i == parts { switches } else { cut(i) as u32 }).collect();
    cuts.windows(2).map(|pair| pair[0]..pair[1]).filter(|range| !range.is_empty()).collect()
}

/// Gives the dimension bit of a port whose channel crosses a dateline, or 0.
fn dateline(network: &Network, port: PortId) -> u16 {
    let Geometry::Grid(grid) = &network.geometry else { return 0 };
    let switch = network.port_switch[port.index()];
    grid::crossing(grid, switch, (port.0 - network.first_port[switch as usize]) as u16)
}
