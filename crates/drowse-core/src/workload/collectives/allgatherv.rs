//! Gathers to all ranks of blocks of any sizes: Bruck's algorithm for small totals, else neighbour exchange for even numbers
//! of ranks and a ring for odd ones.

use super::member::Member;
use super::allgather::{LARGE, around, bruck};
use crate::workload::operation::Operation;

/// Open MPI's fixed decision.
pub(super) fn expand(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    let block = |rank: u32| bytes[rank as usize];
    if bytes.iter().copied().fold(0, u64::saturating_add) < LARGE {
        bruck(member, &block, operations);
    } else {
        around(member, &block, operations);
    }
}
