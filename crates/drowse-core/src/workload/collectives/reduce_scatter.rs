//! Reduce-scatter: recursive halving for small totals, powers of two and many ranks, else a ring.
//!
//! Operations are assumed to be commutative. For others Open MPI reduces to rank 0 and scatters.

use crate::workload::member::{Member, power_of_two_below};
use crate::workload::operation::Operation;

/// Chooses the algorithm by Open MPI's fixed rules.
pub(super) fn expand(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    let total = bytes.iter().copied().fold(0, u64::saturating_add);
    let small = total <= 12 << 10 || (total <= 256 << 10 && member.size.is_power_of_two());
    if small || f64::from(member.size) >= 0.0012 * total as f64 + 8.0 {
        recursive_halving(member, bytes, operations);
    } else {
        ring(member, bytes, operations);
    }
}

/// Ranks beyond the power of two fold into a neighbour. Then partners at halving distances send each other the half
/// that the other keeps. At the end the folded ranks receive their blocks. Empty messages are left out.
pub(super) fn recursive_halving(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let total = bytes.iter().copied().fold(0, u64::saturating_add);
    if total == 0 {
        return;
    }
    let adjusted = power_of_two_below(size);
    let extra = size - adjusted;
    let folded = rank < 2 * extra;
    let (first_tag, last_tag) = (0, u32::MAX);
    let size_of = |rank: u32| bytes[rank as usize];
    if folded && rank.is_multiple_of(2) {
        operations.push(Operation::send(rank + 1, first_tag, total));
        if size_of(rank) > 0 {
            operations.push(Operation::recv(rank + 1, last_tag));
        }
        return;
    }
    if folded {
        operations.push(Operation::recv(rank - 1, first_tag));
    }
    let mine = if folded { rank / 2 } else { rank - extra };
    let real = |adjusted: u32| if adjusted < extra { 2 * adjusted + 1 } else { adjusted + extra };
    // The blocks of a folded pair count as one.
    let block = |adjusted: u32| {
        let paired = if adjusted < extra { size_of(2 * adjusted) } else { 0 };
        size_of(real(adjusted)).saturating_add(paired)
    };
    let half = |first: u32, count: u32| (first..first + count).map(block).fold(0, u64::saturating_add);
    let mut distance = adjusted / 2;
    while distance > 0 {
        // A rank's half begins at a multiple of its length; the partner's is the other half of the same range.
        let partner = mine ^ distance;
        let kept = half(mine & !(distance - 1), distance);
        let given = half(partner & !(distance - 1), distance);
        let other = real(partner);
        if kept > 0 {
            operations.push(Operation::irecv(other, distance, 0));
        }
        if given > 0 {
            operations.push(Operation::send(other, distance, given));
        }
        if kept > 0 {
            operations.push(Operation::Wait { request: 0 });
        }
        distance /= 2;
    }
    if folded && size_of(rank - 1) > 0 {
        operations.push(Operation::send(rank - 1, last_tag, size_of(rank - 1)));
    }
}

/// Blocks travel around the ring and are combined on the way; each ends at its rank. A rank receives the next block
/// while it forwards the last one.
pub(super) fn ring(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    if size < 2 {
        return;
    }
    let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
    for step in 1..size {
        let request = step % 2;
        operations.push(Operation::irecv(from, step, request));
        if step > 1 {
            operations.push(Operation::Wait { request: 1 - request });
        }
        let sent = (rank + size - step) % size;
        operations.push(Operation::send(to, step, bytes[sent as usize]));
    }
    operations.push(Operation::Wait { request: (size - 1) % 2 });
}
