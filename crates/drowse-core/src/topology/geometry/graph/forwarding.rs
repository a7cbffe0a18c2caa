//! Forwarding tables: the output that each switch has for each node, as a subnet manager or an operator has written them.
//!
//! A packet takes exactly one path, which its destination alone decides. Where tables say so, it also takes given virtual
//! lanes, which are virtual channels here, hop by hop: on InfiniBand, each pair of nodes has a service level, and each
//! switch a map from service level, input and output to a lane (InfiniBand Architecture, volume 1, 7.6.6).

use super::adjacency::{Adjacency, Plug};
use crate::model::config::VirtualChannels;
use crate::topology::error::NetworkError;

/// The key that refusals name.
const KEY: &str = "network.tables";

/// What forwarding tables say; nodes and switches by number, ports relative to the first of their switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forwarding {
    /// By node and switch: the port by which packets to the node leave the switch; [`Forwarding::NOWHERE`] where there is
    /// none.
    pub outputs: Vec<u16>,
    /// Which virtual lanes packets take, where the tables say so.
    pub lanes: Option<Lanes>,
}

/// Which virtual lanes packets take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// The service level of packets, by the node that sends and the node that receives.
    pub levels: Vec<u8>,
    /// By switch: the lane for each input, output and service level, those of an input side by side, then those of an
    /// output.
    pub maps: Vec<Vec<u8>>,
}

impl Forwarding {
    /// Stands for no output.
    pub const NOWHERE: u16 = u16::MAX;
}

impl Lanes {
    /// Service levels.
    pub const LEVELS: usize = 16;

    /// Returns the lane of packets of a service level from an input to an output of a switch with so many ports.
    fn lane(&self, switch: usize, ports: usize, [input, output]: [u16; 2], level: u8) -> Option<u8> {
        let place = (usize::from(input) * ports + usize::from(output)) * Self::LEVELS + usize::from(level);
        self.maps.get(switch)?.get(place).copied()
    }
}

/// Forwarding tables as routing reads them.
#[derive(Clone, Debug)]
pub struct ForwardingTables {
    /// The most channels between switches of a path.
    pub longest: u32,
    /// The virtual lanes that packets need, where tables say which they take.
    pub lanes: Option<u32>,
    switches: usize,
    nodes: usize,
    /// By switch: the number of its first node, less its links to other switches.
    first_node: Vec<u32>,
    /// By node and switch.
    outputs: Vec<u16>,
    /// By node and switch: how many channels between switches are left; [`FAR`] where there is no path.
    left: Vec<u8>,
    /// By source, destination and channels that are left: the lane; empty where tables say none.
    lane: Vec<u8>,
}

/// No path.
const FAR: u8 = u8::MAX;
/// Not known yet.
const UNKNOWN: u8 = u8::MAX - 1;
/// The most lanes of all pairs and hops.
const MOST_LANES: usize = 1 << 28;

impl ForwardingTables {
    /// Follows the tables of a graph whose switches have so many nodes, and links that end there.
    pub fn new(
        given: &Forwarding,
        adjacency: &Adjacency,
        nodes: &[u32],
        ends: &[Vec<Plug>],
    ) -> Result<Self, NetworkError> {
        let (switches, all) = (nodes.len(), nodes.iter().map(|&nodes| nodes as usize).sum::<usize>());
        if given.outputs.len() != switches * all {
            let what = format!("tables of {} outputs for {all} nodes and {switches} switches", given.outputs.len());
            return Err(refuse(what, "give an output for each node and switch"));
        }
        let first_node = nodes.iter().zip(0..).scan(0u32, |next, (&nodes, switch)| {
            let first = next.wrapping_sub(adjacency.links(switch));
            *next += nodes;
            Some(first)
        });
        let mut tables = ForwardingTables {
            longest: 0,
            lanes: None,
            switches,
            nodes: all,
            first_node: first_node.collect(),
            outputs: given.outputs.clone(),
            left: vec![UNKNOWN; given.outputs.len()],
            lane: Vec::new(),
        };
        let homes: Vec<u32> =
            nodes.iter().zip(0..).flat_map(|(&nodes, switch)| (0..nodes).map(move |_| switch)).collect();
        for (node, &home) in homes.iter().enumerate() {
            tables.measure(node, home, ends)?;
        }
        tables.check_reached(&homes)?;
        if let Some(lanes) = &given.lanes {
            tables.take_lanes(lanes, &homes, ends, nodes)?;
        }
        Ok(tables)
    }

    /// Returns the port by which packets to a node leave a switch; the node is told by its switch and its port there.
    #[inline]
    pub fn output(&self, at: u32, switch: u32, port: u16) -> u16 {
        self.outputs[self.node(switch, port) * self.switches + at as usize]
    }

    /// Returns the virtual lane of packets from a node, at a switch, to another node; `None` where tables say none.
    #[inline]
    pub fn lane(&self, from: u16, at: u32, switch: u32, port: u16) -> Option<u8> {
        self.lanes?;
        let to = self.node(switch, port);
        let left = self.left[to * self.switches + at as usize];
        let pair = usize::from(from) * self.nodes + to;
        Some(self.lane[pair * self.longest as usize + usize::from(left) - 1])
    }

    /// Returns all that the tables say: the outputs by node and switch, then the lanes.
    pub fn entries(&self) -> impl Iterator<Item = u64> {
        let outputs = self.outputs.iter().map(|&output| u64::from(output));
        outputs.chain(self.lane.iter().map(|&lane| u64::from(lane)))
    }

    /// Returns how many channels between switches are left from a switch to a node.
    pub fn left(&self, at: u32, switch: u32, port: u16) -> u32 {
        u32::from(self.left[self.node(switch, port) * self.switches + at as usize])
    }

    #[inline]
    fn node(&self, switch: u32, port: u16) -> usize {
        self.first_node[switch as usize].wrapping_add(u32::from(port)) as usize
    }

    /// Finds how far all switches are from a node.
    fn measure(&mut self, node: usize, home: u32, ends: &[Vec<Plug>]) -> Result<(), NetworkError> {
        let outputs = &self.outputs[node * self.switches..][..self.switches];
        let left = &mut self.left[node * self.switches..][..self.switches];
        left[home as usize] = 0;
        let mut path = Vec::new();
        for from in 0..self.switches {
            let mut at = from;
            while left[at] == UNKNOWN {
                let Some(&(next, _)) = ends[at].get(usize::from(outputs[at])) else {
                    left[at] = FAR;
                    break;
                };
                path.push(at);
                if path.len() >= usize::from(UNKNOWN) {
                    let what = format!("packets to node {node} come to no end from switch {from}");
                    return Err(refuse(what, "their tables lead in a circle: correct them"));
                }
                at = next as usize;
            }
            let mut known = left[at];
            while let Some(at) = path.pop() {
                known = if known == FAR { FAR } else { known + 1 };
                left[at] = known;
            }
        }
        Ok(())
    }

    /// Checks that packets from each node come to each other node, and finds the longest path.
    fn check_reached(&mut self, homes: &[u32]) -> Result<(), NetworkError> {
        let mut sources = homes.to_vec();
        sources.dedup();
        for (node, left) in self.left.chunks(self.switches.max(1)).enumerate() {
            for &from in &sources {
                if left[from as usize] == FAR {
                    let what = format!("no output leads from switch {from} to node {node}, on switch {}", homes[node]);
                    return Err(refuse(what, "give an output for each node at each switch on the way"));
                }
                self.longest = self.longest.max(u32::from(left[from as usize]));
            }
        }
        Ok(())
    }

    /// Follows the path of every pair of nodes, and notes the lane of each hop.
    fn take_lanes(
        &mut self,
        given: &Lanes,
        homes: &[u32],
        ends: &[Vec<Plug>],
        nodes: &[u32],
    ) -> Result<(), NetworkError> {
        let room = self.nodes.saturating_mul(self.nodes).saturating_mul(self.longest as usize);
        if self.nodes > usize::from(u16::MAX) || room > MOST_LANES {
            return Err(refuse(format!("virtual lanes for {} nodes", self.nodes), "leave out the service levels"));
        }
        if given.levels.len() != self.nodes * self.nodes || given.maps.len() != self.switches {
            let what = format!("service levels of {} pairs for {} nodes", given.levels.len(), self.nodes);
            return Err(refuse(what, "give a level for each pair of nodes, and a map for each switch"));
        }
        let mut lane = vec![0; room];
        let mut most = 0;
        for (from, &home) in homes.iter().enumerate() {
            // A node's ports follow the links of its switch, in the order of the nodes.
            let entry = (from as u32).wrapping_sub(self.first_node[home as usize]) as u16;
            for to in 0..self.nodes {
                let level = given.levels[from * self.nodes + to];
                let (mut at, mut input) = (home as usize, entry);
                while at != homes[to] as usize {
                    let output = self.outputs[to * self.switches + at];
                    let ports = ends[at].len() + nodes[at] as usize;
                    let vl = given.lane(at, ports, [input, output], level);
                    let vl = vl.filter(|&vl| vl < VirtualChannels::MAX).ok_or_else(|| no_lane(from, to, at, vl))?;
                    let left = usize::from(self.left[to * self.switches + at]);
                    lane[(from * self.nodes + to) * self.longest as usize + left - 1] = vl;
                    most = most.max(u32::from(vl) + 1);
                    let (next, entry) = ends[at][usize::from(output)];
                    (at, input) = (next as usize, entry);
                }
            }
        }
        (self.lane, self.lanes) = (lane, Some(most.max(1)));
        Ok(())
    }
}

fn refuse(what: impl Into<String>, cure: impl Into<String>) -> NetworkError {
    NetworkError::Refused { key: KEY.into(), what: what.into(), cure: cure.into() }
}

fn no_lane(from: usize, to: usize, at: usize, lane: Option<u8>) -> NetworkError {
    let lane = lane.map_or("no lane".to_owned(), |lane| format!("lane {lane}"));
    let what = format!("packets from node {from} to node {to} get {lane} at switch {at}");
    refuse(what, "data has lanes 0 to 7: correct the maps, or leave them out")
}
