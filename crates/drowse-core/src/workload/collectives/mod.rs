//! Collective operations as point-to-point messages, by the algorithms that Open MPI's `tuned` component chose by its fixed
//! rules from version 1.4 to 4.0 (the traces of Andújar et al. 2019 precede the re-tuning of 4.1).
//!
//! An expansion appends one rank's part as plain [`Operation`]s: peers are ranks of the job, tags number the messages
//! between a pair, requests are the expansion's own. Combining data costs no time inside; the time that the program
//! states for it is spent after the communication.
//!
//! What a rank has for itself is copied without a message. Empty messages are sent, as versions 1.4 and 4.0 do (those in
//! between left them out of pairwise exchanges), except where a file here says that the algorithm skips them.

mod allgather;
mod allgatherv;
mod allreduce;
mod alltoall;
mod alltoallv;
mod barrier;
mod bcast;
mod gather;
mod gatherv;
mod pipeline;
mod reduce;
mod reduce_scatter;
mod scan;
mod scatter;
mod scatterv;
mod trees;

use super::operation::{Collective, Operation};
use crate::model::units::Time;

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
    fn others(self, one: u32) -> impl Iterator<Item = u32> {
        (0..self.size).filter(move |&rank| rank != one)
    }
}

/// Appends what `member` does in a collective operation, whose list of sizes, if it has one, is as long as the job has ranks.
pub fn expand(collective: &Collective, member: Member, operations: &mut Vec<Operation>) {
    match *collective {
        Collective::Barrier => barrier::expand(member, operations),
        Collective::Bcast { root, bytes, count } => bcast::expand(member, root, bytes, count, operations),
        Collective::Reduce { root, bytes, count, .. } => reduce::expand(member, root, bytes, count, operations),
        Collective::Allreduce { bytes, count, .. } => allreduce::expand(member, bytes, count, operations),
        Collective::Gather { root, bytes } => gather::expand(member, root, bytes, operations),
        Collective::Gatherv { root, ref bytes } => gatherv::expand(member, root, bytes, operations),
        Collective::Scatter { root, bytes } => scatter::expand(member, root, bytes, operations),
        Collective::Scatterv { root, ref bytes } => scatterv::expand(member, root, bytes, operations),
        Collective::Allgather { bytes } => allgather::expand(member, bytes, operations),
        Collective::Allgatherv { ref bytes } => allgatherv::expand(member, bytes, operations),
        Collective::Alltoall { bytes } => alltoall::expand(member, bytes, operations),
        Collective::Alltoallv { ref bytes } => alltoallv::expand(member, bytes, operations),
        Collective::ReduceScatter { ref bytes, .. } => reduce_scatter::expand(member, bytes, operations),
        Collective::Scan { bytes, .. } | Collective::Exscan { bytes, .. } => scan::expand(member, bytes, operations),
    }
    operations.extend(compute(collective).map(Operation::Compute));
}

/// Returns the time that a reduction's combining takes.
fn compute(collective: &Collective) -> Option<Time> {
    match *collective {
        Collective::Reduce { compute, .. }
        | Collective::Allreduce { compute, .. }
        | Collective::ReduceScatter { compute, .. }
        | Collective::Scan { compute, .. }
        | Collective::Exscan { compute, .. } => Some(compute),
        _ => None,
    }
}

/// Sends to one rank while receiving from another, and waits for both.
fn exchange(to: u32, from: u32, tag: u32, bytes: u64, operations: &mut Vec<Operation>) {
    operations.extend([
        Operation::Irecv { from: Some(from), tag: Some(tag), request: 0 },
        Operation::Send { to, tag, bytes },
        Operation::Wait { request: 0 },
    ]);
}

/// Returns the largest power of two up to `n`, which is at least 1.
fn power_of_two_below(n: u32) -> u32 {
    1 << n.ilog2()
}

#[cfg(test)]
mod tests;
