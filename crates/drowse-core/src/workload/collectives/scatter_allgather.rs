//! Broadcast in two halves: blocks are scattered down a binomial tree, and each rank collects the others' blocks. Ranks
//! are counted from the root. The last blocks are smaller, or empty, where the data does not divide evenly.

use super::exchange::exchange;
use super::trees::{in_order_binomial, subtree};
use crate::workload::member::Member;
use crate::workload::operation::Operation;

/// The tag of the first exchange.
const EXCHANGES: u32 = 1;

/// One rank, and the blocks.
struct Blocks {
    /// The rank, counted from the root.
    mine: u32,
    size: u32,
    root: u32,
    count: u64,
    /// The elements of a block.
    block: u64,
    /// The bytes of an element.
    element: u64,
}

impl Blocks {
    fn new(member: Member, root: u32, bytes: u64, count: u64) -> Self {
        let Member { rank, size } = member;
        let count = count.max(1);
        let block = count.div_ceil(u64::from(size));
        Blocks { mine: (rank + size - root) % size, size, root, count, block, element: bytes / count }
    }

    /// Returns the bytes of consecutive blocks.
    fn bytes(&self, first: u32, blocks: u32) -> u64 {
        let left = self.count.saturating_sub(u64::from(first) * self.block);
        left.min(u64::from(blocks) * self.block) * self.element
    }

    /// Returns the rank of one that is counted from the root.
    fn real(&self, from_root: u32) -> u32 {
        (from_root + self.root) % self.size
    }

    /// Receives the blocks of the own subtree, and sends each child those of its subtree, the largest first. Nothing is
    /// sent to a subtree without data.
    fn scatter(&self, operations: &mut Vec<Operation>) {
        let place = in_order_binomial(self.mine, self.size);
        let bytes = |from_root: u32| self.bytes(from_root, subtree(from_root, self.size));
        if bytes(self.mine) > 0 {
            operations.extend(place.parent.map(|parent| Operation::recv(self.real(parent), 0)));
        }
        let children = place.children.iter().rev().filter(|&&child| bytes(child) > 0);
        operations.extend(children.map(|&child| Operation::send(self.real(child), 0, bytes(child))));
    }
}

/// Collects the blocks by exchanges at doubling distances. Ranks without a partner get what they lack from one that has
/// had a partner, over halving distances.
pub(super) fn doubling(member: Member, root: u32, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    let blocks = Blocks::new(member, root, bytes, count);
    blocks.scatter(operations);
    let Blocks { mine, size, .. } = blocks;
    let mut distance = 1;
    while distance < size {
        let partner = mine ^ distance;
        let (own, others) = (mine & !(distance - 1), partner & !(distance - 1));
        if partner < size {
            let other = blocks.real(partner);
            exchange(other, other, EXCHANGES, blocks.bytes(own, distance), operations);
        }
        // The others of a range that is cut short are fewer than those of its partner.
        if others > own && others < size && others + distance > size {
            pass_on(&blocks, distance, size - others, blocks.bytes(others, distance), operations);
        }
        distance *= 2;
    }
}

/// Among a range of `distance` ranks, the first `served` have got some data. They pass it on to the rest.
fn pass_on(blocks: &Blocks, distance: u32, served: u32, bytes: u64, operations: &mut Vec<Operation>) {
    let mine = blocks.mine;
    let mut half = distance / 2;
    while half > 0 {
        let partner = mine ^ half;
        let end = (mine & !(2 * half - 1)) + served;
        if partner > mine && mine < end && partner >= end {
            operations.push(Operation::send(blocks.real(partner), EXCHANGES + 1, bytes));
        } else if partner < mine && partner < end && mine >= end {
            operations.push(Operation::recv(blocks.real(partner), EXCHANGES + 1));
        }
        half /= 2;
    }
}

/// Collects the blocks around a ring.
pub(super) fn ring(member: Member, root: u32, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    let blocks = Blocks::new(member, root, bytes, count);
    blocks.scatter(operations);
    let Blocks { mine, size, .. } = blocks;
    let (to, from) = (blocks.real((mine + 1) % size), blocks.real((mine + size - 1) % size));
    for step in 0..size - 1 {
        exchange(to, from, EXCHANGES + step, blocks.bytes((mine + size - step) % size, 1), operations);
    }
}
