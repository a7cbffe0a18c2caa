//! Gather of blocks of different sizes: linear, without messages for empty blocks.

use crate::workload::member::Member;
use crate::workload::operation::Operation;

pub(super) fn expand(member: Member, root: u32, bytes: &[u64], operations: &mut Vec<Operation>) {
    let Member { rank, .. } = member;
    let size_of = |rank: u32| bytes[rank as usize];
    if rank == root {
        let senders = member.others(root).filter(|&other| size_of(other) > 0);
        operations.extend(senders.map(|other| Operation::recv(other, 0)));
    } else if size_of(rank) > 0 {
        operations.push(Operation::send(root, 0, size_of(rank)));
    }
}
