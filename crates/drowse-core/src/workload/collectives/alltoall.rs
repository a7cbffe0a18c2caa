//! Alltoall of equal blocks: Bruck's algorithm for the smallest blocks among many ranks, all at once for small blocks,
//! pairwise for large ones.

use super::exchange::exchange;
use crate::workload::member::Member;
use crate::workload::operation::Operation;

/// Chooses the algorithm by Open MPI's fixed rules. Two ranks exchange once.
pub(super) fn expand(member: Member, bytes: u64, operations: &mut Vec<Operation>) {
    if bytes < 200 && member.size > 12 {
        bruck(member, bytes, operations);
    } else if bytes < 3_000 && member.size != 2 {
        linear(member, bytes, operations);
    } else {
        pairwise(member, |_| bytes, operations);
    }
}

/// Blocks travel by the binary digits of their distance (Bruck et al., IEEE TPDS 8(11), 1997). There is one round per
/// digit, in which a rank sends, in one message, all blocks whose distance has that digit set.
pub(super) fn bruck(member: Member, bytes: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let mut distance = 1;
    while distance < size {
        let (to, from) = ((rank + distance) % size, (rank + size - distance) % size);
        let blocks = (1..size).filter(|block| block & distance != 0).count() as u64;
        exchange(to, from, distance, blocks.saturating_mul(bytes), operations);
        distance *= 2;
    }
}

/// Posts all receives in ascending order from the rank itself, then starts all sends in descending order, so that
/// messages arrive in the expected order. Then waits for all.
pub(super) fn linear(member: Member, bytes: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    operations.extend((1..size).map(|step| {
        let from = (rank + step) % size;
        Operation::irecv(from, 0, from)
    }));
    operations.extend((1..size).map(|step| {
        let to = (rank + size - step) % size;
        Operation::isend(to, 0, bytes, size + to)
    }));
    let others = (1..size).map(|step| (rank + step) % size);
    operations.extend(others.flat_map(|other| [other, size + other]).map(|request| Operation::Wait { request }));
}

/// In step s, every rank sends to the rank s above it and receives from the rank s below it.
pub(super) fn pairwise(member: Member, bytes: impl Fn(u32) -> u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    for step in 1..size {
        let (to, from) = ((rank + step) % size, (rank + size - step) % size);
        exchange(to, from, step, bytes(to), operations);
    }
}
