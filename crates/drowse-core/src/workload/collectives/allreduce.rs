//! Allreduce. Operations are assumed to be commutative.
//!
//! Small messages use recursive doubling. Large ones travel around a ring, or are reduced to rank 0 and broadcast if
//! there are fewer elements than ranks.

use super::exchange::exchange;
use super::{bcast, reduce};
use crate::workload::member::{Member, power_of_two_below};
use crate::workload::operation::Operation;

/// Segment size of the largest messages on the ring.
const SEGMENT: u64 = 1 << 20;

pub(super) fn expand(member: Member, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    let size = u64::from(member.size);
    if size < 2 {
        return;
    }
    if bytes < 10_000 {
        recursive_doubling(member, bytes, operations);
    } else if count > size {
        // Above a mebibyte per rank, blocks travel in segments of that size.
        let phases = bytes.div_ceil(size * SEGMENT);
        ring(member, bytes, count, phases, operations);
    } else {
        reduce_bcast(member, bytes, count, operations);
    }
}

/// Reduces to rank 0 and broadcasts from there, both by the fixed rules.
fn reduce_bcast(member: Member, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    reduce::expand(member, 0, bytes, count, operations);
    // Both halves use the same tags. They do not mix, because every rank completes the first half before the second.
    bcast::expand(member, 0, bytes, count, operations);
}

/// A rank among those that are left, a power of two, when the ranks beyond it have folded into their neighbours.
#[derive(Clone, Copy)]
struct Folded {
    /// Its number among these.
    mine: u32,
    /// How many they are.
    adjusted: u32,
    /// How many of them stand for a neighbour, too.
    extra: u32,
}

impl Folded {
    /// Before the first exchange, and after the last.
    const TAGS: [u32; 2] = [0, u32::MAX];

    /// Folds; returns `None` for a rank that has handed its data to its neighbour, and gets the result in the end.
    fn begin(member: Member, bytes: u64, operations: &mut Vec<Operation>) -> Option<Self> {
        let Member { rank, size } = member;
        let [first, last] = Self::TAGS;
        let adjusted = power_of_two_below(size);
        let extra = size - adjusted;
        if rank >= 2 * extra {
            return Some(Folded { mine: rank - extra, adjusted, extra });
        }
        if rank.is_multiple_of(2) {
            operations.push(Operation::send(rank + 1, first, bytes));
            operations.push(Operation::recv(rank + 1, last));
            return None;
        }
        operations.push(Operation::recv(rank - 1, first));
        Some(Folded { mine: rank / 2, adjusted, extra })
    }

    /// Returns the rank of one of those that are left.
    fn partner(self, other: u32) -> u32 {
        if other < self.extra { 2 * other + 1 } else { other + self.extra }
    }

    /// Hands the result to the neighbour that has folded into this rank, if one has.
    fn end(self, member: Member, bytes: u64, operations: &mut Vec<Operation>) {
        if self.mine < self.extra {
            operations.push(Operation::send(member.rank - 1, Self::TAGS[1], bytes));
        }
    }
}

/// Partners at halving distances exchange the halves that the other keeps, until each rank has one block, and then
/// exchange blocks at doubling distances (Rabenseifner 2004). Ranks beyond the power of two first fold into a
/// neighbour.
pub(super) fn rabenseifner(member: Member, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    let Some(folded) = Folded::begin(member, bytes, operations) else { return };
    let Folded { mine, adjusted, .. } = folded;
    // The first blocks are larger where elements do not divide evenly.
    let element = bytes / count;
    let up_to = |index: u32| {
        let (blocks, index) = (u64::from(adjusted), u64::from(index));
        (count / blocks * index + index.min(count % blocks)) * element
    };
    let range = |of: u32, distance: u32| {
        let first = of & !(distance - 1);
        up_to(first + distance) - up_to(first)
    };
    let distances = || std::iter::successors(Some(1), |distance| Some(distance * 2)).take_while(|&by| by < adjusted);
    for distance in distances().collect::<Vec<u32>>().into_iter().rev() {
        let other = folded.partner(mine ^ distance);
        exchange(other, other, distance, range(mine ^ distance, distance), operations);
    }
    for distance in distances() {
        let other = folded.partner(mine ^ distance);
        exchange(other, other, adjusted + distance, range(mine, distance), operations);
    }
    folded.end(member, bytes, operations);
}

/// Partners at doubling distances exchange all data. Ranks beyond the power of two first fold into a neighbour.
pub(super) fn recursive_doubling(member: Member, bytes: u64, operations: &mut Vec<Operation>) {
    let Some(folded) = Folded::begin(member, bytes, operations) else { return };
    let Folded { mine, adjusted, .. } = folded;
    let mut distance = 1;
    while distance < adjusted {
        let other = folded.partner(mine ^ distance);
        exchange(other, other, distance, bytes, operations);
        distance *= 2;
    }
    folded.end(member, bytes, operations);
}

/// Blocks travel around the ring and are combined on the way, then travel around again to all ranks.
pub(super) fn ring(member: Member, bytes: u64, count: u64, phases: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let element = bytes / count;
    let block = |index: u32| {
        let (base, larger) = (count / u64::from(size), count % u64::from(size));
        (base + u64::from(u64::from(index) < larger)) * element
    };
    // A block's share in one phase. The first shares are larger where the block does not divide evenly.
    let share = |index: u32, phase: u64| {
        let elements = block(index) / element.max(1);
        (elements / phases + u64::from(phase < elements % phases)) * element
    };
    let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
    let mut tag = 0;
    for phase in 0..phases {
        for step in 0..size - 1 {
            let sent = (rank + size - step) % size;
            exchange(to, from, tag, share(sent, phase), operations);
            tag += 1;
        }
    }
    for step in 0..size - 1 {
        let sent = (rank + 1 + size - step) % size;
        exchange(to, from, tag, block(sent), operations);
        tag += 1;
    }
}
