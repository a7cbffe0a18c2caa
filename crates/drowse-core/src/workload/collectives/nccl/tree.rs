//! Double binary trees (Sanders, Speck and Träff 2009, in NCCL since version 2.4): half of the data goes up and down
//! one tree of the nodes, half another, in which the leaves of the first are inner nodes. Within a node, ranks form a
//! chain.

use super::super::pipeline::Segments;
use super::super::trees::Place;
use super::Channels;
use super::colours::colour;
use super::double_tree::double;
use super::slots::{Edge, Transfer, along, take};
use crate::workload::operation::Operation;

/// Returns how many steps a place is away from the root.
fn depth(second: bool, place: u32, size: u32) -> u32 {
    let up = |place: &u32| double(second, *place, size).parent;
    std::iter::successors(Some(place), up).count() as u32 - 1
}

impl Channels<'_> {
    /// Combines data up both trees of each channel, and passes the results down behind.
    pub fn allreduce_by_tree(&self, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        let element = bytes / count.max(1);
        let groups = self.groups.count();
        let steps = self.size.div_ceil(groups) + groups.ilog2();
        let mut transfers = Vec::new();
        for number in 0..2 * self.channels {
            let all = self.share(count, number / 2);
            let half = if number.is_multiple_of(2) { all.div_ceil(2) } else { all / 2 };
            if half > 0 || number == 0 {
                self.along_tree(number, self.cut(half * element, steps), &mut transfers);
            }
        }
        take(transfers, operations);
    }

    /// Appends what a rank moves along one of the trees, of which each channel has two: between nodes if it is the
    /// first of its own there, and to its neighbours in the node's chain.
    fn along_tree(&self, tree: u32, segments: Segments, transfers: &mut Vec<Transfer>) {
        let (channel, second) = (tree / 2, tree % 2 == 1);
        let (group, groups) = (self.groups.of(self.rank), self.groups.count());
        let first = self.groups.before(group);
        let within = self.place(self.rank, channel) - first;
        let depth = depth(second, group, groups) + within;
        let colours = self.groups.colours(colour);
        let colour = |group: u32| colours[group as usize][usize::from(second)];
        let head = |group: u32| self.at(self.groups.before(group), channel);
        let mut edge = |peer: u32, depth: u32, colour: bool, upper: bool| {
            along(Edge { peer, tree, depth, colour }, upper, segments, transfers);
        };
        if within > 0 {
            edge(self.at(first + within - 1, channel), depth, false, false);
        } else {
            let Place { parent, children } = double(second, group, groups);
            parent.into_iter().for_each(|parent| edge(head(parent), depth, colour(group), false));
            children.into_iter().for_each(|child| edge(head(child), depth + 1, colour(child), true));
        }
        if within + 1 < self.groups.ranks(group).len() as u32 {
            edge(self.at(first + within + 1, channel), depth + 1, false, true);
        }
    }
}
