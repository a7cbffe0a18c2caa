//! The ranks of communicators by node, for collectives that follow the machine.

use std::sync::OnceLock;

use super::communicators::{CommId, Communicators};
use crate::model::ids::NodeId;

/// The ranks of all communicators of a job by node.
#[derive(Debug)]
pub struct ByNode {
    /// By communicator.
    groups: Vec<Groups>,
}

impl ByNode {
    /// Groups the ranks of all communicators; `placement` has the node of each rank of the job.
    pub fn new(communicators: &Communicators, placement: &[NodeId]) -> Self {
        let groups = |comm: CommId| {
            let size = communicators.size(comm).unwrap_or(0);
            let node = |rank| placement[communicators.rank(comm, rank).unwrap_or(0) as usize];
            Groups::new(&(0..size).map(node).collect::<Vec<_>>())
        };
        ByNode { groups: (0..communicators.count()).map(groups).collect() }
    }

    /// Returns the groups of a communicator; `None` if there is none.
    pub fn of(&self, comm: CommId) -> Option<&Groups> {
        self.groups.get(comm as usize)
    }
}

/// The ranks of one communicator by node. Nodes come in the order of their first ranks, ranks of a node ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    ranks: Box<[u32]>,
    /// The place in `ranks` of each group's first rank, and the end.
    starts: Box<[u32]>,
    /// The group of each rank.
    groups: Box<[u32]>,
    /// The colours of the edges of trees among groups, once they are asked for.
    colours: OnceLock<Box<[[bool; 2]]>>,
}

impl Groups {
    /// Groups ranks by the node of each.
    pub fn new(nodes: &[NodeId]) -> Self {
        let mut first: Vec<(NodeId, u32)> = nodes.iter().copied().zip(0..).collect();
        first.sort_unstable();
        first.dedup_by_key(|&mut (node, _)| node);
        // By node, its first rank; and the numbers of these in the order of ranks.
        let mut firsts: Vec<u32> = first.iter().map(|&(_, rank)| rank).collect();
        firsts.sort_unstable();
        let number = |node: &NodeId| {
            let place = first.partition_point(|&(other, _)| other < *node);
            firsts.partition_point(|&rank| rank < first[place].1) as u32
        };
        let groups: Box<[u32]> = nodes.iter().map(number).collect();
        let mut ranks: Box<[u32]> = (0..nodes.len() as u32).collect();
        ranks.sort_by_key(|&rank| groups[rank as usize]);
        let start = |group| ranks.partition_point(|&rank| groups[rank as usize] < group) as u32;
        let starts = (0..=firsts.len() as u32).map(start).collect();
        Groups { ranks, starts, groups, colours: OnceLock::new() }
    }

    /// Puts each rank on a node of its own.
    pub fn apart(size: u32) -> Self {
        Groups {
            ranks: (0..size).collect(),
            starts: (0..=size).collect(),
            groups: (0..size).collect(),
            colours: OnceLock::new(),
        }
    }

    /// Returns the number of groups.
    pub fn count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// Returns the group of a rank.
    pub fn of(&self, rank: u32) -> u32 {
        self.groups[rank as usize]
    }

    /// Returns the ranks of a group, ascending.
    pub fn ranks(&self, group: u32) -> &[u32] {
        let [start, end] = [group, group + 1].map(|group| self.starts[group as usize] as usize);
        &self.ranks[start..end]
    }

    /// Returns the colours of the edges of two trees among the groups, which are computed from the number of groups
    /// where they are asked for first.
    pub fn colours(&self, compute: impl FnOnce(u32) -> Box<[[bool; 2]]>) -> &[[bool; 2]] {
        self.colours.get_or_init(|| compute(self.count()))
    }

    /// Returns how many ranks are in the groups before one.
    pub fn before(&self, group: u32) -> u32 {
        self.starts[group as usize]
    }

    /// Returns the group in which there are so many ranks before a place.
    pub fn at(&self, place: u32) -> u32 {
        self.starts.partition_point(|&start| start <= place) as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_by_node() {
        let groups = Groups::new(&[7, 3, 7, 9, 3, 3].map(NodeId));
        assert_eq!(groups.count(), 3);
        assert_eq!([0, 1, 2].map(|group| groups.ranks(group)), [&[0, 2][..], &[1, 4, 5], &[3]]);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|rank| groups.of(rank)), [0, 1, 0, 2, 1, 1]);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|place| groups.at(place)), [0, 0, 1, 1, 1, 2]);
        assert_eq!([0, 1, 2].map(|group| groups.before(group)), [0, 2, 5]);
        assert_eq!(Groups::new(&[5, 4, 6].map(NodeId)), Groups::apart(3));
    }

    #[test]
    fn communicators_by_node() {
        let mut communicators = Communicators::of(4);
        let some = communicators.add(vec![3, 0, 1]).unwrap();
        let nodes = ByNode::new(&communicators, &[1, 1, 0, 0].map(NodeId));
        assert_eq!(nodes.of(0).unwrap().ranks(0), [0, 1]);
        // Ranks 3, 0 and 1 of the job.
        assert_eq!([0, 1].map(|group| nodes.of(some).unwrap().ranks(group)), [&[0][..], &[1, 2]]);
        assert!(nodes.of(2).is_none());
    }
}
