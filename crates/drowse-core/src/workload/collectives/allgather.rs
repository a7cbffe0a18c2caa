//! Allgather of equal blocks, and the algorithms that it shares with allgatherv.
//!
//! Small totals use recursive doubling for powers of two, else Bruck's algorithm (Bruck et al., IEEE TPDS 8(11), 1997).
//! Large totals use neighbour exchange (Chen et al., HPC Asia 2005) for even numbers of ranks, else a ring. With two
//! ranks, every algorithm is one exchange.

use super::exchange::exchange;
use crate::workload::member::Member;
use crate::workload::operation::Operation;

/// The total size from which blocks go to neighbours only.
pub(super) const LARGE: u64 = 50_000;

/// The size of each rank's block.
pub(super) type Block<'a> = &'a dyn Fn(u32) -> u64;

/// Chooses the algorithm by Open MPI's fixed rules.
pub(super) fn expand(member: Member, bytes: u64, operations: &mut Vec<Operation>) {
    let block: Block = &|_| bytes;
    if bytes.saturating_mul(u64::from(member.size)) >= LARGE {
        among_neighbours(member, block, operations);
    } else if member.size.is_power_of_two() {
        recursive_doubling(member, block, operations);
    } else {
        bruck(member, block, operations);
    }
}

/// Exchanges large blocks by neighbour exchange or a ring.
pub(super) fn among_neighbours(member: Member, block: Block, operations: &mut Vec<Operation>) {
    if member.size.is_multiple_of(2) {
        neighbour_exchange(member, block, operations);
    } else {
        ring(member, block, operations);
    }
}

/// Partners at doubling distances exchange all blocks that they have. Needs a power of two of ranks.
pub(super) fn recursive_doubling(member: Member, block: Block, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let mut distance = 1;
    while distance < size {
        // A rank has `distance` consecutive blocks, the first at a multiple of `distance`.
        let first = rank & !(distance - 1);
        let partner = rank ^ distance;
        exchange(partner, partner, distance, sum(first, distance, size, block), operations);
        distance *= 2;
    }
}

/// Every rank sends its blocks to ranks at doubling distances below it, in the last step only those still missing.
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

/// Blocks travel around the ring, one per step.
pub(super) fn ring(member: Member, block: Block, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
    for step in 0..size - 1 {
        exchange(to, from, step, block((rank + size - step) % size), operations);
    }
}

/// Ranks alternate between their two neighbours and exchange the pair of blocks received last. Needs an even number of
/// ranks.
pub(super) fn neighbour_exchange(member: Member, block: Block, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let (up, down) = ((rank + 1) % size, (rank + size - 1) % size);
    let neighbours = if rank.is_multiple_of(2) { [up, down] } else { [down, up] };
    exchange(neighbours[0], neighbours[0], 0, block(rank), operations);
    // Pairs begin at even ranks. Each pair from a neighbour is two ranks further in its direction than the one before.
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

/// Returns the total size of the blocks of consecutive ranks.
fn sum(first: u32, count: u32, size: u32, block: Block) -> u64 {
    (0..count).map(|i| block((first + i) % size)).fold(0, u64::saturating_add)
}
