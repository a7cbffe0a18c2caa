//! Exchanges of blocks of any sizes between all ranks: pairwise, whatever the sizes.

use super::member::Member;
use super::alltoall::pairwise;
use crate::workload::operation::Operation;

pub(super) fn expand(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    pairwise(member, |to| bytes[to as usize], operations);
}
