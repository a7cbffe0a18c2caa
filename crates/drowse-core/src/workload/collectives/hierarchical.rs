//! Collectives that follow the machine: within the nodes, among one rank of each node, the leaders, and within the
//! nodes again. Each step goes by the rules. The leader of a node is the root, if it is there, else the lowest rank.

use super::messages;
use crate::model::units::Time;
use crate::workload::algorithms::Algorithms;
use crate::workload::by_node::Groups;
use crate::workload::member::Member;
use crate::workload::operation::{Collective, Operation};

/// One rank's view of the nodes.
pub(super) struct Hierarchy<'a> {
    groups: &'a Groups,
    rules: &'a Algorithms,
    /// The rank, and the place of its group.
    rank: u32,
    group: u32,
    /// The leader of each group, by group.
    leaders: Vec<u32>,
}

impl<'a> Hierarchy<'a> {
    /// Takes the leaders of all nodes; a root leads its own.
    pub fn new(groups: &'a Groups, rules: &'a Algorithms, rank: u32, root: Option<u32>) -> Self {
        let mut leaders: Vec<u32> = (0..groups.count()).map(|group| groups.ranks(group)[0]).collect();
        if let Some(root) = root {
            leaders[groups.of(root) as usize] = root;
        }
        Hierarchy { groups, rules, rank, group: groups.of(rank), leaders }
    }

    pub fn barrier(&self, operations: &mut Vec<Operation>) {
        self.up(0, 0, operations);
        self.among_leaders(&Collective::Barrier, operations);
        self.down(0, 0, operations);
    }

    pub fn bcast(&self, root: u32, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        self.among_leaders(&Collective::Bcast { root: self.groups.of(root), bytes, count }, operations);
        self.down(bytes, count, operations);
    }

    pub fn reduce(&self, root: u32, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        self.up(bytes, count, operations);
        let (root, compute) = (self.groups.of(root), Time::ZERO);
        self.among_leaders(&Collective::Reduce { root, bytes, count, compute }, operations);
    }

    pub fn allreduce(&self, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        self.up(bytes, count, operations);
        self.among_leaders(&Collective::Allreduce { bytes, count, compute: Time::ZERO }, operations);
        self.down(bytes, count, operations);
    }

    pub fn allgather(&self, block: &dyn Fn(u32) -> u64, operations: &mut Vec<Operation>) {
        let mine = self.groups.ranks(self.group).iter().map(|&rank| block(rank)).collect();
        self.within(&|root| Collective::Gatherv { root, bytes: Box::clone(&mine) }, operations);
        let of_nodes = self.of_nodes(block);
        let all = of_nodes.iter().copied().fold(0, u64::saturating_add);
        self.among_leaders(&Collective::Allgatherv { bytes: of_nodes }, operations);
        self.down(all, all, operations);
    }

    pub fn reduce_scatter(&self, block: &dyn Fn(u32) -> u64, operations: &mut Vec<Operation>) {
        let of_nodes = self.of_nodes(block);
        let all = of_nodes.iter().copied().fold(0, u64::saturating_add);
        self.up(all, all, operations);
        self.among_leaders(&Collective::ReduceScatter { bytes: of_nodes, compute: Time::ZERO }, operations);
        let mine = self.groups.ranks(self.group).iter().map(|&rank| block(rank)).collect();
        self.within(&|root| Collective::Scatterv { root, bytes: Box::clone(&mine) }, operations);
    }

    /// Returns the bytes of all blocks of each node.
    fn of_nodes(&self, block: &dyn Fn(u32) -> u64) -> Box<[u64]> {
        let of_node = |group| self.groups.ranks(group).iter().map(|&rank| block(rank)).fold(0, u64::saturating_add);
        (0..self.groups.count()).map(of_node).collect()
    }

    /// Combines data at the leader.
    fn up(&self, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        self.within(&|root| Collective::Reduce { root, bytes, count, compute: Time::ZERO }, operations);
    }

    /// Broadcasts data of the leader.
    fn down(&self, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        self.within(&|root| Collective::Bcast { root, bytes, count }, operations);
    }

    /// Runs a collective among the ranks of the own node, whose root is the leader.
    fn within(&self, collective: &dyn Fn(u32) -> Collective, operations: &mut Vec<Operation>) {
        let ranks = self.groups.ranks(self.group);
        let place = |rank: u32| ranks.partition_point(|&other| other < rank) as u32;
        let leader = self.leaders[self.group as usize];
        self.among(ranks, place(self.rank), &collective(place(leader)), operations);
    }

    /// Runs a collective among the leaders, if this rank is one.
    fn among_leaders(&self, collective: &Collective, operations: &mut Vec<Operation>) {
        if self.leaders[self.group as usize] == self.rank {
            self.among(&self.leaders, self.group, collective, operations);
        }
    }

    fn among(&self, ranks: &[u32], rank: u32, collective: &Collective, operations: &mut Vec<Operation>) {
        let before = operations.len();
        let member = Member { rank, size: ranks.len() as u32 };
        if member.size > 1 {
            messages(self.rules, collective, member, None, operations);
        }
        let named = |peer: &mut u32| *peer = ranks[*peer as usize];
        operations[before..].iter_mut().filter_map(Operation::peer_mut).for_each(named);
    }
}
