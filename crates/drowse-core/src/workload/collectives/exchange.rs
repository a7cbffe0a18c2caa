//! A step that several algorithms share.

use crate::workload::operation::Operation;

/// Sends to one rank while receiving from another, and waits for both.
pub(super) fn exchange(to: u32, from: u32, tag: u32, bytes: u64, operations: &mut Vec<Operation>) {
    operations.extend([
        Operation::irecv(from, tag, 0),
        Operation::send(to, tag, bytes),
        Operation::Wait { request: 0 },
    ]);
}
