//! A shard's share of the network: some switches with their ports and nodes, numbered from 0 within the partition.
//!
//! A shard works with these numbers only. What leads out of the partition is marked, and keeps its number in the whole
//! network. A partition that is the whole network shares the network's tables.
//!
//! **Output queues.** The queues of an output port are the input queues of a switch of their own, which has one port,
//! and whose only channel is the link. The channel that leaves the port of the switch proper is the path through the
//! crossbar. So the allocator, credits and sleep know nothing of output queues. With `P` ports, port `P + p` is that of
//! the queues behind port `p`; its switch comes behind all others, in the order of ports.

mod assignment;
mod halves;
mod owners;
mod spans;

use std::sync::Arc;

use crate::model::ids::{ChannelId, NodeId, PortId};
use crate::topology::{End, Network};

pub use assignment::assign;
pub use halves::halves;
pub use owners::Owners;
pub use spans::Spans;

/// Marks a port of another partition; the other bits are its number in the whole network.
pub const REMOTE: u32 = 1 << 31;

/// A shard's share of the network.
///
/// Channel `p` below [`Partition::ports`] leaves port `p` of the partition, channel `ports + n` is the injection channel
/// of its node `n`.
#[derive(Debug)]
pub struct Partition {
    /// The switches, as numbered in the whole network.
    pub switches: Spans,
    /// The ports, as numbered in the whole network.
    pub all_ports: Spans,
    /// The nodes, as numbered in the whole network.
    pub all_nodes: Spans,
    /// The first port of each switch, and one more entry.
    pub first_port: Arc<[u32]>,
    /// The channel that feeds each port: without output queues also the port to which its channel leads. One
    /// [`REMOTE`], numbered as the port at the other end in the whole network; or, at a node's port, the node's injection
    /// channel.
    pub peer: Arc<[u32]>,
    /// The port of each node.
    pub node_port: Arc<[u32]>,
    /// The port of the first output queue; 0 where there are none.
    pub outputs: u32,
}

impl Partition {
    /// Creates the partition of a network that consists of these switches, with queues at its outputs or without.
    pub fn new(network: &Network, switches: Spans, output_queues: bool) -> Self {
        let part =
            if switches.count() == network.switches() { Self::whole(network) } else { Self::part(network, switches) };
        if output_queues { part.with_output_queues() } else { part }
    }

    fn part(network: &Network, switches: Spans) -> Self {
        let all_ports = ports_of(network, &switches);
        let all_nodes = nodes_of(network, &all_ports);
        let local = |port: u32| all_ports.local(port).unwrap_or(port | REMOTE);
        let ports = |switch: u32| network.first_port[switch as usize + 1] - network.first_port[switch as usize];
        let ends = switches.iter().scan(0, |end, switch| {
            *end += ports(switch);
            Some(*end)
        });
        let mut part = Partition {
            first_port: std::iter::once(0).chain(ends).collect(),
            peer: Arc::default(),
            node_port: all_nodes.iter().map(|node| local(network.node_port[node as usize])).collect(),
            switches,
            all_ports,
            all_nodes,
            outputs: 0,
        };
        part.peer = part.all_ports.iter().map(|p| part.local_peer(network, p)).collect();
        part
    }

    /// Creates the partition that is the whole network.
    fn whole(network: &Network) -> Self {
        Partition {
            switches: Spans::one(0..network.switches()),
            all_ports: Spans::one(0..network.ports()),
            all_nodes: Spans::one(0..network.nodes),
            first_port: Arc::clone(&network.first_port),
            peer: Arc::clone(&network.peer),
            node_port: Arc::clone(&network.node_port),
            outputs: 0,
        }
    }

    /// Puts queues behind all ports.
    fn with_output_queues(mut self) -> Self {
        let ports = self.ports();
        let first_port: Arc<[u32]> = self.first_port.iter().copied().chain(ports + 1..=2 * ports).collect();
        let feeder = |&peer: &u32| if peer & REMOTE == 0 { peer + ports } else { peer };
        let peer: Arc<[u32]> = self.peer.iter().map(feeder).chain(0..ports).collect();
        (self.first_port, self.peer, self.outputs) = (first_port, peer, ports);
        self
    }

    /// Returns the number of ports, those of output queues included.
    #[inline]
    pub fn ports(&self) -> u32 {
        self.all_ports.count() + self.outputs
    }

    /// Returns the number of switches, those of output queues included.
    pub fn all_switches(&self) -> usize {
        self.first_port.len() - 1
    }

    /// Returns whether a port is that of the queues of an output.
    #[inline]
    pub fn feeds_link(&self, port: u32) -> bool {
        self.outputs > 0 && port >= self.outputs
    }

    /// Returns whether a switch is the queues of an output.
    #[inline]
    pub fn is_output(&self, switch: u32) -> bool {
        switch >= self.switches.count()
    }

    /// Returns the channel that is the link of a port of the network.
    #[inline]
    pub fn link(&self, port: u32) -> u32 {
        port + self.outputs
    }

    /// Returns the port behind which a port's output queues lie, or before which: the same where there are none.
    #[inline]
    pub fn opposite(&self, port: u32) -> u32 {
        if port < self.outputs { port + self.outputs } else { port - self.outputs }
    }

    /// Returns where a channel leads: to a port, to one [`REMOTE`], or to a node, whose injection channel stands for it.
    pub fn leads_to(&self, channel: u32) -> u32 {
        if let Some(node) = channel.checked_sub(self.ports()) {
            return self.node_port[node as usize];
        }
        let Some(port) = channel.checked_sub(self.outputs) else { return channel + self.outputs };
        let feeder = self.peer[port as usize];
        if feeder < self.ports() { feeder - self.outputs } else { feeder }
    }

    /// Returns the ports and the nodes, as numbered in the whole network.
    pub fn spans(&self) -> [Spans; 2] {
        [self.all_ports.clone(), self.all_nodes.clone()]
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> u32 {
        self.node_port.len() as u32
    }

    /// Returns the number of channels.
    pub fn channels(&self) -> u32 {
        self.ports() + self.nodes()
    }

    /// Returns the number of a channel in the whole network; of the crossbar path to output queues, that of their link.
    pub fn channel_id(&self, network: &Network, channel: u32) -> ChannelId {
        match channel.checked_sub(self.ports()) {
            Some(node) => ChannelId(network.ports() + self.all_nodes.whole(node)),
            None => self.link_id(channel),
        }
    }

    /// Returns the number in the whole network of the channel that leaves a port, or the queues behind it.
    pub fn link_id(&self, port: u32) -> ChannelId {
        ChannelId(self.all_ports.whole(port.checked_sub(self.outputs).unwrap_or(port)))
    }

    /// Returns whether a channel is the crossbar path to output queues.
    #[inline]
    pub fn crosses(&self, channel: usize) -> bool {
        channel < self.outputs as usize
    }

    /// Returns the number in the partition of a channel of the whole network; `None` for one that is elsewhere.
    pub fn local_channel(&self, network: &Network, channel: ChannelId) -> Option<u32> {
        match channel.0.checked_sub(network.ports()) {
            Some(node) => Some(self.ports() + self.all_nodes.local(node)?),
            None => Some(self.link(self.all_ports.local(channel.0)?)),
        }
    }

    fn local_peer(&self, network: &Network, port: u32) -> u32 {
        match network.target(ChannelId(port)) {
            End::Node(NodeId(node)) => self.ports() + self.all_nodes.here(node),
            End::Port(PortId(to)) => self.all_ports.local(to).unwrap_or(to | REMOTE),
        }
    }
}

/// Returns the ports of some switches.
fn ports_of(network: &Network, switches: &Spans) -> Spans {
    let port = |switch: u32| network.first_port[switch as usize];
    Spans::new(switches.ranges().map(|switches| port(switches.start)..port(switches.end)))
}

/// Returns the nodes at some ports. Nodes are numbered in the order of their ports.
fn nodes_of(network: &Network, ports: &Spans) -> Spans {
    let node = |port: u32| network.node_port.partition_point(|&p| p < port) as u32;
    Spans::new(ports.ranges().map(|ports| node(ports.start)..node(ports.end)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Geometry, PerDimension, ThinTree, TopologySpec, Torus};

    fn networks() -> [Network; 3] {
        let torus = |dims: &[u32], nodes| TopologySpec::Torus(Torus::new(dims.to_vec(), PerDimension::All(1), nodes));
        let tree = TopologySpec::ThinTree(ThinTree { down: 3, up: 2, levels: 3 });
        [torus(&[5, 4], 1), torus(&[7], 3), tree].map(|spec| spec.build().unwrap())
    }

    /// All switches; each piece has its share of ports and nodes, but for a switch that is not cut, in a tree one of each of
    /// three levels.
    #[test]
    fn work_is_assigned_evenly() {
        for network in networks() {
            let nodes =
                |switch: u32| (0..network.nodes).filter(|&n| network.node_switch(NodeId(n)).0 == switch).count();
            let ports = |switch: u32| network.first_port[switch as usize + 1] - network.first_port[switch as usize];
            let work: Vec<usize> = (0..network.switches()).map(|s| ports(s) as usize + nodes(s)).collect();
            let (all, most) = (work.iter().sum::<usize>(), *work.iter().max().unwrap());
            for parts in 0..work.len() + 3 {
                let pieces = assign(&network, parts);
                let mut switches: Vec<u32> = pieces.iter().flat_map(Spans::iter).collect();
                switches.sort_unstable();
                assert_eq!(switches, (0..network.switches()).collect::<Vec<_>>());
                assert!(pieces.len() <= parts.max(1) && pieces.iter().all(|piece| piece.count() > 0));
                for piece in &pieces {
                    let work: usize = piece.iter().map(|switch| work[switch as usize]).sum();
                    let share = all as f64 / parts.clamp(1, network.switches() as usize) as f64;
                    let levels = if let Geometry::Levels(_) = network.geometry { 3.0 } else { 1.0 };
                    assert!(
                        (work as f64 - share).abs() < levels * most as f64 + 1.0,
                        "{work}, not {share}, among {parts}"
                    );
                }
            }
        }
    }

    /// The numbers of a partition lead back to those of the network, which lead where the network says.
    #[test]
    fn numbers_go_there_and_back() {
        for network in networks() {
            let pieces = [1, 2, 3, 5].into_iter().flat_map(|parts| {
                let pieces = assign(&network, parts);
                let owners = Owners::new(&network, &pieces);
                pieces.into_iter().enumerate().map(move |(number, piece)| (owners.clone(), number, piece))
            });
            for (owners, number, piece) in pieces {
                let part = Partition::new(&network, piece.clone(), false);
                assert!(part.all_ports.iter().all(|port| owners.of(port) == number));
                let here: Vec<u32> = (0..part.channels()).map(|channel| part.channel_id(&network, channel).0).collect();
                let local = |channel| part.local_channel(&network, ChannelId(channel));
                let found: Vec<u32> = (0..network.channels()).filter(|&channel| local(channel).is_some()).collect();
                assert_eq!(here, found);
                (0..).zip(&here).for_each(|(number, &channel)| assert_eq!(local(channel), Some(number)));
                for (port, &peer) in (0..).zip(part.peer.iter()) {
                    let all = part.channel_id(&network, port);
                    assert!(piece.contains(network.port_switch(all.index())));
                    match network.target(all) {
                        End::Node(node) => {
                            assert_eq!(part.channel_id(&network, peer).0, network.ports() + node.0);
                            assert_eq!(part.node_port[(peer - part.ports()) as usize], port);
                        }
                        End::Port(to) if peer & REMOTE != 0 => {
                            assert_eq!(peer & !REMOTE, to.0);
                            assert!(!piece.contains(network.port_switch(to.index())));
                        }
                        End::Port(to) => assert_eq!(part.channel_id(&network, peer).0, to.0),
                    }
                }
                assert_eq!(part.nodes(), part.all_nodes.count());
            }
        }
    }

    /// With output queues, too, every port is fed by the channel that leads to it, and links keep their numbers in the whole
    /// network. A port's crossbar path leads to the queues behind it, whose only channel is its link.
    #[test]
    fn output_queues_lie_before_links() {
        for network in networks() {
            for piece in [1, 2, 3, 5].into_iter().flat_map(|parts| assign(&network, parts)) {
                let (plain, part) =
                    (Partition::new(&network, piece.clone(), false), Partition::new(&network, piece, true));
                assert_eq!((part.ports(), part.nodes()), (2 * plain.ports(), plain.nodes()));
                for channel in 0..part.channels() {
                    let to = part.leads_to(channel);
                    assert!(to >= part.ports() || part.peer[to as usize] == channel);
                }
                for port in 0..plain.ports() {
                    let (way, link) = (port, part.link(port));
                    assert!(part.crosses(way as usize) && !part.crosses(link as usize));
                    assert_eq!([part.leads_to(way), part.opposite(port), part.opposite(link)], [link, link, port]);
                    let id = plain.channel_id(&network, port);
                    assert_eq!((part.channel_id(&network, link), part.local_channel(&network, id)), (id, Some(link)));
                    let switch = (part.switches.count() + port) as usize;
                    assert!(part.is_output(switch as u32) && part.first_port[switch..][..2] == [link, link + 1]);
                }
            }
        }
    }
}
