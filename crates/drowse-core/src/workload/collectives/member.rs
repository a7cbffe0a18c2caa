//! One rank's view of a communicator, and the steps that several algorithms share.

use crate::workload::operation::Operation;

/// One rank's view of a communicator.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The rank.
    pub rank: u32,
    /// The number of ranks.
    pub size: u32,
}

impl Member {
    /// Returns all ranks but one, ascending.
    pub(super) fn others(self, one: u32) -> impl Iterator<Item = u32> {
        (0..self.size).filter(move |&rank| rank != one)
    }
}

/// Sends to one rank while receiving from another, and waits for both.
pub(super) fn exchange(to: u32, from: u32, tag: u32, bytes: u64, operations: &mut Vec<Operation>) {
    operations.extend([
        Operation::irecv(from, tag, 0),
        Operation::send(to, tag, bytes),
        Operation::Wait { request: 0 },
    ]);
}

/// Returns the largest power of two up to `n`, which is at least 1.
pub(super) fn power_of_two_below(n: u32) -> u32 {
    1 << n.ilog2()
}
