//! Collective operations as point-to-point messages, one file per operation.
//!
//! The algorithms, and the fixed rules that choose among them, are those of Open MPI's `tuned` component in versions
//! 1.4 to 4.0. The traces of Andújar et al. 2019 precede the re-tuning of 4.1, whose rules are in `open_mpi_4_1`.
//!
//! An expansion appends one rank's share as plain [`Operation`]s. Peers are ranks of the communicator, tags number the
//! messages between a pair, and requests are the expansion's own. Combining data takes no time during the
//! communication; the time that the program states for it follows the communication.
//!
//! A rank copies its own block without a message. Empty messages are sent, as versions 1.4 and 4.0 do (the versions in
//! between left them out of pairwise exchanges), unless the file of an algorithm says that it skips them.
//!
//! To add a collective: its file, a variant of [`Collective`], and a line in [`expand`]. To name an algorithm: a
//! variant in `workload/algorithms.rs`, and a line in `named.rs`.

mod allgather;
mod allgatherv;
mod allreduce;
mod alltoall;
mod alltoallv;
mod barrier;
mod bcast;
mod butterfly;
mod exchange;
mod gather;
mod gatherv;
mod hierarchical;
mod named;
mod nccl;
mod open_mpi_4_1;
mod own;
mod pipeline;
mod rabenseifner;
mod reduce;
mod reduce_scatter;
mod rooted;
mod scan;
mod scatter;
mod scatter_allgather;
mod scatterv;
mod trees;

pub use super::member::Member;

use super::algorithms::{Algorithms, Rules};
use super::by_node::{ByNode, Groups};
use super::communicators::{ALL, CommId, Communicators};
use super::operation::{Collective, Operation};

/// Appends what a rank of the job, one of a communicator, does in a collective operation there. Peers are ranks of the
/// job. Without `nodes`, every rank has one of its own.
pub fn expand_in(
    communicators: &Communicators,
    algorithms: &Algorithms,
    nodes: Option<&ByNode>,
    comm: CommId,
    rank: u32,
    collective: &Collective,
    operations: &mut Vec<Operation>,
) {
    let Some(member) = communicators.member(comm, rank) else { return };
    let before = operations.len();
    expand_among(algorithms, nodes.and_then(|nodes| nodes.of(comm)), collective, member, operations);
    if comm != ALL {
        let in_job = |peer: &mut u32| *peer = communicators.rank(comm, *peer).unwrap_or(*peer);
        operations[before..].iter_mut().filter_map(Operation::peer_mut).for_each(in_job);
    }
}

/// Appends what `member` does in a collective operation, by the fixed rules. A list of sizes must have one entry per
/// rank of the communicator.
///
/// ```
/// use drowse_core::workload::collectives::{Member, expand};
/// use drowse_core::workload::operation::{Collective, Operation};
///
/// let broadcast = Collective::Bcast { root: 0, bytes: 8, count: 1 };
/// let sends = |rank| {
///     let mut operations = Vec::new();
///     expand(&broadcast, Member { rank, size: 8 }, &mut operations);
///     operations.iter().filter(|it| matches!(it, Operation::Send { .. } | Operation::Isend { .. })).count()
/// };
/// // A binomial tree of eight ranks: the root sends to three, and all but the root receive once.
/// assert_eq!(sends(0), 3);
/// assert_eq!((0..8).map(sends).sum::<usize>(), 7);
/// ```
pub fn expand(collective: &Collective, member: Member, operations: &mut Vec<Operation>) {
    expand_among(&Algorithms::default(), None, collective, member, operations);
}

/// The same, by the algorithms that are named.
fn expand_among(
    algorithms: &Algorithms,
    groups: Option<&Groups>,
    collective: &Collective,
    member: Member,
    operations: &mut Vec<Operation>,
) {
    messages(algorithms, collective, member, groups, operations);
    operations.extend(collective.compute().map(Operation::Compute));
}

/// Appends the messages of a collective operation, by the algorithms that are named, else by the rules.
fn messages(
    algorithms: &Algorithms,
    collective: &Collective,
    member: Member,
    groups: Option<&Groups>,
    operations: &mut Vec<Operation>,
) {
    if own::expand(&algorithms.own, collective, member, operations) {
        return;
    }
    let chosen = match algorithms.rules {
        Rules::Classic => *algorithms,
        Rules::OpenMpi41 => open_mpi_4_1::complete(algorithms, collective, member.size),
    };
    if !named::expand(&chosen, collective, member, groups, operations) {
        by_rules(collective, member, operations);
    }
}

/// Appends the messages of a collective operation by the classic rules.
fn by_rules(collective: &Collective, member: Member, operations: &mut Vec<Operation>) {
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
}

#[cfg(test)]
mod tests;
