//! Kinds of operations: what a program calls, without the sizes and peers.

use super::operation::{Collective, Operation, SendMode};

/// A kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants of `Operation`")]
pub enum OperationKind {
    Iteration,
    Compute,
    Send(SendMode),
    Isend(SendMode),
    Recv,
    Irecv,
    Probe,
    Wait,
    WaitAny,
    WaitSome,
    WaitAll,
    Collective(CollectiveKind),
    Icollective(CollectiveKind),
}

/// A kind of collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants of `Collective`")]
pub enum CollectiveKind {
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    ReduceScatter,
    Scan,
    Exscan,
}

impl OperationKind {
    /// Returns the kind of an operation.
    pub fn of(operation: &Operation) -> Self {
        match operation {
            Operation::Iteration => OperationKind::Iteration,
            Operation::Compute(_) => OperationKind::Compute,
            Operation::Send { mode, .. } => OperationKind::Send(*mode),
            Operation::Isend { mode, .. } => OperationKind::Isend(*mode),
            Operation::Recv { .. } => OperationKind::Recv,
            Operation::Irecv { .. } => OperationKind::Irecv,
            Operation::Probe { .. } => OperationKind::Probe,
            Operation::Wait { .. } => OperationKind::Wait,
            Operation::WaitAny(_) => OperationKind::WaitAny,
            Operation::WaitSome(_) => OperationKind::WaitSome,
            Operation::WaitAll => OperationKind::WaitAll,
            Operation::Collective { collective, .. } => OperationKind::Collective(CollectiveKind::of(collective)),
            Operation::Icollective { collective, .. } => OperationKind::Icollective(CollectiveKind::of(collective)),
        }
    }
}

impl CollectiveKind {
    /// Returns the kind of a collective operation.
    pub const fn of(collective: &Collective) -> Self {
        match collective {
            Collective::Barrier => CollectiveKind::Barrier,
            Collective::Bcast { .. } => CollectiveKind::Bcast,
            Collective::Reduce { .. } => CollectiveKind::Reduce,
            Collective::Allreduce { .. } => CollectiveKind::Allreduce,
            Collective::Gather { .. } => CollectiveKind::Gather,
            Collective::Gatherv { .. } => CollectiveKind::Gatherv,
            Collective::Scatter { .. } => CollectiveKind::Scatter,
            Collective::Scatterv { .. } => CollectiveKind::Scatterv,
            Collective::Allgather { .. } => CollectiveKind::Allgather,
            Collective::Allgatherv { .. } => CollectiveKind::Allgatherv,
            Collective::Alltoall { .. } => CollectiveKind::Alltoall,
            Collective::Alltoallv { .. } => CollectiveKind::Alltoallv,
            Collective::ReduceScatter { .. } => CollectiveKind::ReduceScatter,
            Collective::Scan { .. } => CollectiveKind::Scan,
            Collective::Exscan { .. } => CollectiveKind::Exscan,
        }
    }
}
