//! Alltoall of blocks of different sizes: always pairwise.

use super::alltoall::pairwise;
use super::member::Member;
use crate::workload::operation::Operation;

pub(super) fn expand(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    pairwise(member, |to| bytes[to as usize], operations);
}
