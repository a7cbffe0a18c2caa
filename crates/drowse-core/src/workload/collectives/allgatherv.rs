//! Allgather of blocks of different sizes: Bruck's algorithm for small totals, else neighbour exchange for even numbers
//! of ranks and a ring for odd ones.

use super::allgather::{LARGE, among_neighbours, bruck};
use crate::workload::member::Member;
use crate::workload::operation::Operation;

/// Chooses the algorithm by Open MPI's fixed rules.
pub(super) fn expand(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    let block = |rank: u32| bytes[rank as usize];
    if bytes.iter().copied().fold(0, u64::saturating_add) < LARGE {
        bruck(member, &block, operations);
    } else {
        among_neighbours(member, &block, operations);
    }
}
