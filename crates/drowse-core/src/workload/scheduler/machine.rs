//! The nodes of a machine as a scheduler sees them: which are free, and which of them a job gets.

use std::sync::Arc;

use serde::Serialize;

use crate::model::ids::NodeId;
use crate::model::rng::{Purpose, Stream};
use crate::topology::{Geometry, Network};
use crate::workload::placement::FreeCores;

use super::request::Request;

/// Which free cores or nodes a job gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Allocation {
    /// The first, node by node.
    Linear,
    /// One of each node in turn, those with the most free cores first.
    RoundRobin,
    /// Any, at random.
    Random,
    /// Those of nodes in random order, a node filled before the next.
    RandomNodes,
    /// Consecutive nodes that are free as a whole.
    Contiguous,
    /// Those of as few groups of nodes as possible; the group of each node.
    Grouped(Arc<[u32]>),
}

impl Allocation {
    /// Returns the allocation by the nodes of a switch: for racks of one switch each, by rack.
    pub fn by_switch(network: &Network) -> Self {
        let switch = |node: u32| match network.geometry {
            Geometry::Ideal(_) => 0,
            _ => network.node_switch(NodeId(node)).0,
        };
        Allocation::Grouped((0..network.nodes).map(switch).collect())
    }

    /// Returns the allocation by groups of switches; `None` where the network has none.
    pub fn by_group(network: &Network) -> Option<Self> {
        let Geometry::Groups(groups) = &network.geometry else { return None };
        Some(Allocation::Grouped(
            (0..network.nodes).map(|node| groups.group(network.node_switch(NodeId(node)).0)).collect(),
        ))
    }
}

/// The free cores of all nodes; or the free nodes, where jobs do not share any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Machine {
    /// Cores; or nodes, which count as one each.
    free: FreeCores,
    /// How many of these a node has.
    of_node: u32,
    /// How many ranks one of these takes.
    ranks: u32,
    allocation: Allocation,
    seed: u64,
}

impl Machine {
    /// Makes the empty machine; with whole nodes, jobs never share one.
    pub fn new(nodes: u32, cores: u32, allocation: Allocation, whole_nodes: bool, seed: u64) -> Self {
        let (of_node, ranks) = if whole_nodes { (1, cores) } else { (cores, 1) };
        Machine { free: FreeCores::new(nodes, of_node), of_node, ranks, allocation, seed }
    }

    /// Returns how many cores or nodes a job takes.
    fn units(&self, request: &Request) -> u32 {
        request.ranks.div_ceil(self.ranks).max(if self.of_node == 1 { request.nodes } else { 0 })
    }

    /// Returns the cores that a job holds.
    pub fn held(&self, request: &Request) -> u64 {
        u64::from(self.units(request)) * u64::from(self.ranks)
    }

    /// Returns whether a job could start.
    pub fn fits(&self, request: &Request) -> bool {
        let units = self.units(request);
        match self.allocation {
            Allocation::Contiguous => self.free.block(units, self.of_node).is_some(),
            _ => u64::from(units) <= self.free.total(),
        }
    }

    /// Takes nodes for a job; `None` where it does not fit.
    pub fn take(&mut self, job: u32, request: &Request) -> Option<Nodes> {
        let units = self.units(request);
        let stream = || Stream::new(self.seed, Purpose::Placement, job);
        let taken = match &self.allocation {
            Allocation::Linear => self.free.linear(units).ok(),
            Allocation::RoundRobin => self.free.round_robin(units).ok(),
            Allocation::Random => self.free.random(units, &mut stream()).ok(),
            Allocation::RandomNodes => self.free.random_nodes(units, &mut stream()).ok(),
            Allocation::Contiguous => self.free.contiguous(units, self.of_node),
            Allocation::Grouped(groups) => self.free.grouped(units, groups).ok(),
        };
        let taken = taken?;
        Some(Nodes { of_ranks: self.spread(&taken, request), taken })
    }

    /// Takes the very nodes that a job had. What others hold at the time, it shares with them.
    pub fn take_named(&mut self, named: &[NodeId], request: &Request) -> Nodes {
        let taken = named.iter().filter_map(|node| self.free.take(node.0)).collect();
        Nodes { of_ranks: self.spread(named, request), taken }
    }

    /// Returns the node of each rank: nodes are filled one by one, or, where there are more than the ranks need, each
    /// gets as many as any other, or one less.
    fn spread(&self, nodes: &[NodeId], request: &Request) -> Vec<NodeId> {
        let (ranks, count) = (request.ranks as usize, nodes.len());
        if count <= request.ranks.div_ceil(self.ranks) as usize {
            let filled = nodes.iter().flat_map(|&node| std::iter::repeat_n(node, self.ranks as usize));
            return filled.take(ranks).collect();
        }
        (0..ranks).map(|rank| nodes[rank * count / ranks]).collect()
    }

    /// Takes what another copy of the machine has given, if it is free here.
    pub fn take_same(&mut self, nodes: &Nodes) -> bool {
        nodes.taken.iter().all(|node| self.free.take(node.0).is_some())
    }

    /// Frees the nodes of a job.
    pub fn free(&mut self, nodes: &Nodes) {
        self.free.release(&nodes.taken);
    }
}

/// The nodes of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nodes {
    /// The node of each rank.
    pub of_ranks: Vec<NodeId>,
    /// What was taken: a node for each core, or each node once.
    taken: Vec<NodeId>,
}

impl Nodes {
    /// Returns the node of each core, or each node once.
    pub fn taken(&self) -> &[NodeId] {
        &self.taken
    }
}
