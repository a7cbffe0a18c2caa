//! Double binary trees (Sanders, Speck and Träff 2009, in NCCL since version 2.4): half of the data goes up and down
//! one tree of the nodes, half another, in which the leaves of the first are inner nodes. Within a node, ranks form a
//! chain.

use super::super::pipeline::Segments;
use super::super::trees::Place;
use super::{Channels, Lane, name, receive_up, send_down, send_up, tag, wait_down, wait_up};
use crate::workload::operation::Operation;

/// A tree in which every second place is a leaf: the parent of a place lies the value of its lowest digit that is set
/// away, up or down, so that the digit is cleared and the next is set.
fn alternating(place: u32, size: u32) -> Place {
    if place == 0 {
        let child = (size > 1).then(|| 1 << (size - 1).ilog2());
        return Place { parent: None, children: child.into_iter().collect() };
    }
    let digit = 1 << place.trailing_zeros();
    let beyond = (place ^ digit) | (digit << 1);
    let parent = if beyond < size { beyond } else { place ^ digit };
    let lower = (digit > 1).then(|| place - digit / 2);
    // Above, the nearest smaller distance at which there is a place.
    let mut distance = digit / 2;
    while distance > 0 && place + distance >= size {
        distance /= 2;
    }
    let upper = (distance > 0).then(|| place + distance);
    Place { parent: Some(parent), children: lower.into_iter().chain(upper).collect() }
}

/// The first or the second of two trees: an even number of places is mirrored for the second, an odd one shifted by
/// one.
pub(in crate::workload::collectives) fn double(second: bool, place: u32, size: u32) -> Place {
    if !second {
        return alternating(place, size);
    }
    let there = |place: u32| if size.is_multiple_of(2) { size - 1 - place } else { (place + size - 1) % size };
    let back = |place: u32| if size.is_multiple_of(2) { size - 1 - place } else { (place + 1) % size };
    let Place { parent, children } = alternating(there(place), size);
    Place { parent: parent.map(back), children: children.into_iter().map(back).collect() }
}

/// Returns how many steps a place is away from the root.
fn depth(second: bool, place: u32, size: u32) -> u32 {
    let up = |place: &u32| double(second, *place, size).parent;
    std::iter::successors(Some(place), up).count() as u32 - 1
}

/// A lane up and down, and the rank's distance from the root.
struct Tree {
    lane: Lane,
    depth: u32,
}

impl Tree {
    fn segments(&self) -> u32 {
        self.lane.segments.count()
    }

    /// Returns how much later than what goes up a segment is expected from above, which is when it can come at the
    /// earliest.
    fn lag(&self) -> u32 {
        2 * self.depth
    }
}

impl Channels<'_> {
    /// Combines data up both trees of each channel, and passes the results down behind.
    pub fn allreduce_by_tree(&self, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
        let element = bytes / count.max(1);
        let share = |number: u32| {
            let all = self.share(count, number / 2);
            let half = if number.is_multiple_of(2) { all.div_ceil(2) } else { all / 2 };
            (half > 0 || number == 0).then(|| self.tree(number / 2, number % 2 == 1, half * element))
        };
        up_and_down(&(0..2 * self.channels).filter_map(share).collect::<Vec<_>>(), operations);
    }

    fn tree(&self, channel: u32, second: bool, bytes: u64) -> Tree {
        let (group, groups) = (self.groups.of(self.rank), self.groups.count());
        let within = self.place(self.rank, channel) - self.groups.before(group);
        let head = |group: u32| self.at(self.groups.before(group), channel);
        let next = (within + 1 < self.groups.ranks(group).len() as u32)
            .then(|| self.at(self.groups.before(group) + within + 1, channel));
        let nodes = double(second, group, groups);
        let place = if within == 0 {
            Place {
                parent: nodes.parent.map(head),
                children: nodes.children.into_iter().map(head).chain(next).collect(),
            }
        } else {
            let parent = Some(self.at(self.groups.before(group) + within - 1, channel));
            Place { parent, children: next.into_iter().collect() }
        };
        let lane = Lane { place, segments: Segments::new(bytes, self.chunk) };
        Tree { lane, depth: depth(second, group, groups) + within }
    }
}

/// In each step, a segment goes up each tree, and the one that has had the time to come back goes down. What comes from
/// above is expected from the step on in which the same segment goes up, so that it never waits for a rank that waits.
fn up_and_down(trees: &[Tree], operations: &mut Vec<Operation>) {
    let steps = trees.iter().map(|tree| tree.segments() + tree.lag()).max().unwrap_or(0);
    let request = |number: u32, index: u32, tree: &Tree| name(number, index % (tree.lag() + 1));
    for step in 0..steps {
        let up = || (0..).zip(trees).filter(|(_, tree)| step < tree.segments());
        for (number, tree) in up() {
            receive_up(&tree.lane, number, step, operations);
            operations.extend(
                tree.lane
                    .place
                    .parent
                    .map(|from| Operation::irecv(from, tag(number, step), request(number, step, tree))),
            );
        }
        up().for_each(|(number, tree)| send_up(&tree.lane, number, step, operations));
        up().for_each(|(number, tree)| wait_up(&tree.lane, number, operations));
        let behind = |tree: &Tree| step.checked_sub(tree.lag()).filter(|&index| index < tree.segments());
        let down = || (0..).zip(trees).filter_map(|(number, tree)| Some((number, tree, behind(tree)?)));
        for (number, tree, index) in down() {
            if tree.lane.place.parent.is_some() {
                operations.push(Operation::Wait { request: request(number, index, tree) });
            }
            send_down(&tree.lane, number, index, operations);
        }
        down().for_each(|(number, tree, _)| wait_down(&tree.lane, number, operations));
    }
}
