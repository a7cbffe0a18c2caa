//! Alltoall of blocks of different sizes: pairwise, or all at once from the lowest rank on. A rank does not know what
//! others send, so that empty messages are sent.

use super::alltoall::pairwise;
use crate::workload::member::Member;
use crate::workload::operation::Operation;

/// Exchanges blocks by the fixed rules, which always take the same algorithm.
pub(super) fn expand(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    pairwise(member, |to| bytes[to as usize], operations);
}

/// Posts all receives, then starts all sends, each in the order of ranks. Then waits for all.
pub(super) fn linear(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    operations.extend(member.others(rank).map(|from| Operation::irecv(from, 0, from)));
    operations.extend(member.others(rank).map(|to| Operation::isend(to, 0, bytes[to as usize], size + to)));
    let others = member.others(rank);
    operations.extend(others.flat_map(|other| [other, size + other]).map(|request| Operation::Wait { request }));
}
