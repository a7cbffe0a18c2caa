//! Kinds of operations: what a program calls, without the sizes and peers.

use serde::{Deserialize, Serialize};

use super::operation::{Collective, Operation, SendMode};

/// A kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

    /// Returns its name, which begins its line.
    pub const fn name(self) -> &'static str {
        match self {
            OperationKind::Iteration => "iteration",
            OperationKind::Compute => "compute",
            OperationKind::Send(SendMode::Standard) => "send",
            OperationKind::Send(SendMode::Synchronous) => "ssend",
            OperationKind::Send(SendMode::Buffered) => "bsend",
            OperationKind::Send(SendMode::Ready) => "rsend",
            OperationKind::Isend(SendMode::Standard) => "isend",
            OperationKind::Isend(SendMode::Synchronous) => "issend",
            OperationKind::Isend(SendMode::Buffered) => "ibsend",
            OperationKind::Isend(SendMode::Ready) => "irsend",
            OperationKind::Recv => "recv",
            OperationKind::Irecv => "irecv",
            OperationKind::Probe => "probe",
            OperationKind::Wait => "wait",
            OperationKind::WaitAny => "waitany",
            OperationKind::WaitSome => "waitsome",
            OperationKind::WaitAll => "waitall",
            OperationKind::Collective(kind) => kind.names().0,
            OperationKind::Icollective(kind) => kind.names().1,
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
    /// Returns the names of those that block and of those that do not.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            CollectiveKind::Barrier => ("barrier", "ibarrier"),
            CollectiveKind::Bcast => ("bcast", "ibcast"),
            CollectiveKind::Reduce => ("reduce", "ireduce"),
            CollectiveKind::Allreduce => ("allreduce", "iallreduce"),
            CollectiveKind::Gather => ("gather", "igather"),
            CollectiveKind::Gatherv => ("gatherv", "igatherv"),
            CollectiveKind::Scatter => ("scatter", "iscatter"),
            CollectiveKind::Scatterv => ("scatterv", "iscatterv"),
            CollectiveKind::Allgather => ("allgather", "iallgather"),
            CollectiveKind::Allgatherv => ("allgatherv", "iallgatherv"),
            CollectiveKind::Alltoall => ("alltoall", "ialltoall"),
            CollectiveKind::Alltoallv => ("alltoallv", "ialltoallv"),
            CollectiveKind::ReduceScatter => ("reduce-scatter", "ireduce-scatter"),
            CollectiveKind::Scan => ("scan", "iscan"),
            CollectiveKind::Exscan => ("exscan", "iexscan"),
        }
    }
}
