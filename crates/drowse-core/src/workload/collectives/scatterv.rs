//! Scatter of blocks of different sizes: linear, without messages for empty blocks.

use crate::workload::member::Member;
use crate::workload::operation::Operation;

pub(super) fn expand(member: Member, root: u32, bytes: &[u64], operations: &mut Vec<Operation>) {
    let Member { rank, .. } = member;
    let size_of = |rank: u32| bytes[rank as usize];
    if rank == root {
        let receivers = member.others(root).filter(|&other| size_of(other) > 0);
        operations.extend(receivers.map(|to| Operation::send(to, 0, size_of(to))));
    } else if size_of(rank) > 0 {
        operations.push(Operation::recv(root, 0));
    }
}
