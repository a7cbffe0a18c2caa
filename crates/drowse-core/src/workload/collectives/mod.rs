//! Collective operations as point-to-point messages, by the algorithms that Open MPI's `tuned` component chose by its fixed
//! rules from version 1.4 to 4.0 (the traces of paper 000 precede the re-tuning of 4.1).
//!
//! An expansion appends one rank's part as plain [`Operation`]s: peers are ranks of the job, tags number the messages
//! between a pair, requests are the expansion's own. Combining data costs no time inside; the time that the program
//! states for it is spent after the communication.

mod allreduce;
mod barrier;
mod bcast;
mod pipeline;
mod reduce;
mod trees;

use super::operation::{Collective, Operation};

/// One rank's view of a communicator.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The rank.
    pub rank: u32,
    /// The number of ranks.
    pub size: u32,
}

/// Appends what `member` does in a collective operation.
pub fn expand(collective: Collective, member: Member, operations: &mut Vec<Operation>) {
    let compute = match collective {
        Collective::Barrier => {
            barrier::expand(member, operations);
            None
        }
        Collective::Bcast { root, bytes, count } => {
            bcast::expand(member, root, bytes, count, operations);
            None
        }
        Collective::Reduce { root, bytes, count, compute } => {
            reduce::expand(member, root, bytes, count, operations);
            Some(compute)
        }
        Collective::Allreduce { bytes, count, compute } => {
            allreduce::expand(member, bytes, count, operations);
            Some(compute)
        }
    };
    operations.extend(compute.map(Operation::Compute));
}

/// Sends to one rank while receiving from another, and waits for both.
fn exchange(to: u32, from: u32, tag: u32, bytes: u64, operations: &mut Vec<Operation>) {
    operations.extend([
        Operation::Irecv { from: Some(from), tag: Some(tag), request: 0 },
        Operation::Send { to, tag, bytes },
        Operation::Wait { request: 0 },
    ]);
}

/// Gives the largest power of two up to `n`, which is at least 1.
fn power_of_two_below(n: u32) -> u32 {
    1 << n.ilog2()
}

#[cfg(test)]
mod tests;
