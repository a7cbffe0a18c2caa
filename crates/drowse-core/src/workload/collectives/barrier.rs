//! Barrier: recursive doubling for powers of two (one exchange for two ranks), else Bruck's dissemination.

use super::member::{Member, exchange};
use crate::workload::operation::Operation;

/// Chooses the algorithm by Open MPI's fixed rules.
pub(super) fn expand(member: Member, operations: &mut Vec<Operation>) {
    if member.size.is_power_of_two() {
        recursive_doubling(member, operations);
    } else {
        dissemination(member, operations);
    }
}

/// Partners at doubling distances exchange messages. Needs a power of two of ranks.
pub(super) fn recursive_doubling(member: Member, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let mut distance = 1;
    while distance < size {
        exchange(rank ^ distance, rank ^ distance, distance, 0, operations);
        distance *= 2;
    }
}

/// Every rank sends to ranks at doubling distances above it.
pub(super) fn dissemination(member: Member, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let mut distance = 1;
    while distance < size {
        exchange((rank + distance) % size, (rank + size - distance) % size, distance, 0, operations);
        distance *= 2;
    }
}
