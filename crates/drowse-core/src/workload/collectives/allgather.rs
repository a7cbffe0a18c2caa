//! Gathers to all ranks of equal blocks, and the algorithms that those of any sizes share.
//!
//! Small: recursive doubling for powers of two, else Bruck's algorithm (Bruck et al., IEEE TPDS 8(11), 1997). Large:
//! neighbour exchange (Chen et al., HPC Asia 2005) for even numbers of ranks, else a ring. Two ranks exchange once by any.

use super::member::{Member, exchange};
use crate::workload::operation::Operation;

/// Total size from which on blocks go to neighbours only.
pub(super) const LARGE: u64 = 50_000;

/// Returns the size of a rank's block.
pub(super) type Block<'a> = &'a dyn Fn(u32) -> u64;

/// Open MPI's fixed decision.
pub(super) fn expand(member: Member, bytes: u64, operations: &mut Vec<Operation>) {
    let block: Block = &|_| bytes;
    if bytes.saturating_mul(u64::from(member.size)) >= LARGE {
        around(member, block, operations);
    } else if member.size.is_power_of_two() {
        recursive_doubling(member, block, operations);
    } else {
        bruck(member, block, operations);
    }
}

/// Large blocks: neighbour exchange or ring.
pub(super) fn around(member: Member, block: Block, operations: &mut Vec<Operation>) {
    if member.size.is_multiple_of(2) {
        neighbour_exchange(member, block, operations);
    } else {
        ring(member, block, operations);
    }
}

/// Partners at doubling distances exchange all that they have; for powers of two.
pub(super) fn recursive_doubling(member: Member, block: Block, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let mut distance = 1;
    while distance < size {
        // What a rank has is a run of as many blocks as the distance, beginning at a multiple of it.
        let first = rank & !(distance - 1);
        let partner = rank ^ distance;
        exchange(partner, partner, distance, sum(first, distance, size, block), operations);
        distance *= 2;
    }
}

/// Every rank sends all that it has, or what is still lacking, to ranks at doubling distances below it.
pub(super) fn bruck(member: Member, block: Block, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let mut distance = 1;
    while distance < size {
        let (to, from) = ((rank + size - distance) % size, (rank + distance) % size);
        let blocks = distance.min(size - distance);
        exchange(to, from, distance, sum(rank, blocks, size, block), operations);
        distance *= 2;
    }
}

/// Blocks travel round the ring, one in each step.
pub(super) fn ring(member: Member, block: Block, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
    for step in 0..size - 1 {
        exchange(to, from, step, block((rank + size - step) % size), operations);
    }
}

/// Neighbours exchange the pair of blocks that they got last, in turn with the one and the other; for even numbers.
pub(super) fn neighbour_exchange(member: Member, block: Block, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let (up, down) = ((rank + 1) % size, (rank + size - 1) % size);
    let neighbours = if rank.is_multiple_of(2) { [up, down] } else { [down, up] };
    exchange(neighbours[0], neighbours[0], 0, block(rank), operations);
    // Pairs begin at even ranks. The pair got from a neighbour is two further in its direction than that before.
    let own = rank & !1;
    let mut got = [own, own];
    let mut last = own;
    for step in 1..size / 2 {
        let side = (step % 2) as usize;
        let neighbour = neighbours[side];
        exchange(neighbour, neighbour, step, sum(last, 2, size, block), operations);
        got[side] = if neighbour == up { got[side] + 2 } else { got[side] + size - 2 } % size;
        last = got[side];
    }
}

/// Adds up the blocks of a run of ranks.
fn sum(first: u32, count: u32, size: u32, block: Block) -> u64 {
    (0..count).map(|i| block((first + i) % size)).fold(0, u64::saturating_add)
}
