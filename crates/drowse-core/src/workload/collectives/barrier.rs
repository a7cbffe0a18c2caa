//! Barrier: recursive doubling for powers of two (one exchange for two ranks), else Bruck's dissemination.

use super::exchange::exchange;
use super::trees::{Place, in_order_binomial};
use crate::workload::member::{Member, power_of_two_below};
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

/// Partners at doubling distances exchange messages among a power of two of ranks. Each rank beyond reports to one of
/// them first, and hears from it in the end.
pub(super) fn folded_doubling(member: Member, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let adjusted = power_of_two_below(size);
    if rank >= adjusted {
        exchange(rank - adjusted, rank - adjusted, 0, 0, operations);
        return;
    }
    let folded = (rank + adjusted < size).then_some(rank + adjusted);
    operations.extend(folded.map(|other| Operation::recv(other, 0)));
    recursive_doubling(Member { rank, size: adjusted }, operations);
    operations.extend(folded.map(|other| Operation::send(other, 0, 0)));
}

/// All ranks report to rank 0, which answers them one after the other.
pub(super) fn linear(member: Member, operations: &mut Vec<Operation>) {
    if member.rank > 0 {
        operations.extend([Operation::send(0, 0, 0), Operation::recv(0, 1)]);
        return;
    }
    operations.extend(member.others(0).map(|from| Operation::irecv(from, 0, from)));
    operations.extend(member.others(0).map(|request| Operation::Wait { request }));
    operations.extend(member.others(0).map(|to| Operation::send(to, 1, 0)));
}

/// Every rank waits for its children, reports to its parent, waits for its answer and passes it on.
pub(super) fn tree(member: Member, operations: &mut Vec<Operation>) {
    let Place { parent, children } = in_order_binomial(member.rank, member.size);
    operations.extend(children.iter().map(|&child| Operation::recv(child, 0)));
    if let Some(parent) = parent {
        operations.extend([Operation::send(parent, 0, 0), Operation::recv(parent, 1)]);
    }
    operations.extend(children.iter().rev().map(|&child| Operation::send(child, 1, 0)));
}
