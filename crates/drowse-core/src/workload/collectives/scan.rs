//! Scan and exscan: linear, from each rank to the next.
//!
//! They differ in what a rank keeps, not in the messages.

use crate::workload::member::Member;
use crate::workload::operation::Operation;

pub(super) fn expand(member: Member, bytes: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    operations.extend(rank.checked_sub(1).map(|from| Operation::recv(from, 0)));
    if rank + 1 < size {
        operations.push(Operation::send(rank + 1, 0, bytes));
    }
}
