//! Reductions to all ranks; operations are taken to be commutative.

use super::{bcast, reduce};
use super::member::{Member, exchange, power_of_two_below};
use crate::workload::operation::Operation;

/// Ring segments of the largest messages.
const SEGMENT: u64 = 1 << 20;

pub(super) fn expand(member: Member, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    let size = u64::from(member.size);
    if size < 2 {
        return;
    }
    if bytes < 10_000 {
        recursive_doubling(member, bytes, operations);
    } else if count > size {
        // Beyond a mebibyte per rank, blocks travel in segments of that size.
        let phases = if bytes <= size * SEGMENT { 1 } else { bytes.div_ceil(size * SEGMENT) };
        ring(member, bytes, count, phases, operations);
    } else {
        reduce::expand(member, 0, bytes, count, operations);
        // The second half's messages are told from the first's by what is between them: every rank waits for its part.
        bcast::expand(member, 0, bytes, count, operations);
    }
}

/// Partners at doubling distances exchange everything; ranks beyond the power of two fold into a neighbour first.
fn recursive_doubling(member: Member, bytes: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let adjusted = power_of_two_below(size);
    let extra = size - adjusted;
    let folded = rank < 2 * extra;
    let (first_tag, last_tag) = (0, u32::MAX);
    if folded && rank.is_multiple_of(2) {
        operations.push(Operation::Send { to: rank + 1, tag: first_tag, bytes });
        operations.push(Operation::Recv { from: Some(rank + 1), tag: Some(last_tag) });
        return;
    }
    if folded {
        operations.push(Operation::Recv { from: Some(rank - 1), tag: Some(first_tag) });
    }
    let mine = if folded { rank / 2 } else { rank - extra };
    let mut distance = 1;
    while distance < adjusted {
        let other = mine ^ distance;
        let partner = if other < extra { 2 * other + 1 } else { other + extra };
        exchange(partner, partner, distance, bytes, operations);
        distance *= 2;
    }
    if folded {
        operations.push(Operation::Send { to: rank - 1, tag: last_tag, bytes });
    }
}

/// Blocks travel round the ring, combined on the way, then round again to all.
fn ring(member: Member, bytes: u64, count: u64, phases: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let element = bytes / count;
    let block = |index: u32| {
        let (base, larger) = (count / u64::from(size), count % u64::from(size));
        (base + u64::from(u64::from(index) < larger)) * element
    };
    // A block's part in one phase: the first parts are larger where it does not divide.
    let part = |index: u32, phase: u64| {
        let elements = block(index) / element.max(1);
        (elements / phases + u64::from(phase < elements % phases)) * element
    };
    let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
    let mut tag = 0;
    for phase in 0..phases {
        for step in 0..size - 1 {
            let sent = (rank + size - step) % size;
            exchange(to, from, tag, part(sent, phase), operations);
            tag += 1;
        }
    }
    for step in 0..size - 1 {
        let sent = (rank + 1 + size - step) % size;
        exchange(to, from, tag, block(sent), operations);
        tag += 1;
    }
}
