//! What a rank does: the operations that every trace format and synthetic application is turned into.

use crate::model::units::Time;

/// Names a pending request of one rank; the source of the operations chooses it, unique among that rank's pending ones.
pub type RequestId = u32;

/// One step of a rank's program. Peers are ranks of the same job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// An iteration of the program begins here; takes no time and sends nothing.
    Iteration,
    /// Computes for a time.
    Compute(Time),
    /// Sends and blocks until the buffer may be used again.
    Send {
        /// The receiving rank.
        to: u32,
        /// The message's tag.
        tag: u32,
        /// The message's size.
        bytes: u64,
    },
    /// Starts a send.
    Isend {
        /// The receiving rank.
        to: u32,
        /// The message's tag.
        tag: u32,
        /// The message's size.
        bytes: u64,
        /// The request that a later wait names.
        request: RequestId,
    },
    /// Receives and blocks until the message is there.
    Recv {
        /// The sending rank; `None` takes any.
        from: Option<u32>,
        /// The tag; `None` takes any.
        tag: Option<u32>,
    },
    /// Posts a receive.
    Irecv {
        /// The sending rank; `None` takes any.
        from: Option<u32>,
        /// The tag; `None` takes any.
        tag: Option<u32>,
        /// The request that a later wait names.
        request: RequestId,
    },
    /// Waits for one request; a request that is not pending needs no wait.
    Wait {
        /// The request.
        request: RequestId,
    },
    /// Waits for all pending requests of the rank.
    WaitAll,
    /// A collective operation over all ranks of the job.
    Collective(Collective),
}

/// A collective operation over all ranks of the job.
///
/// Sizes are the same at every rank, except where a list has one for each rank; every list is as long as the job has ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Collective {
    /// No rank leaves before all have entered.
    Barrier,
    /// The root's data goes to all.
    Bcast {
        /// The root's rank.
        root: u32,
        /// Size of the data.
        bytes: u64,
        /// Number of elements; Open MPI's decisions depend on it.
        count: u64,
    },
    /// All ranks' data is combined at the root.
    Reduce {
        /// The root's rank.
        root: u32,
        /// Size of one rank's data.
        bytes: u64,
        /// Number of elements.
        count: u64,
        /// Time that combining takes, spent after the communication.
        compute: Time,
    },
    /// All ranks' data is combined at every rank.
    Allreduce {
        /// Size of one rank's data.
        bytes: u64,
        /// Number of elements.
        count: u64,
        /// Time that combining takes, spent after the communication.
        compute: Time,
    },
    /// All ranks' data goes to the root.
    Gather {
        /// The root's rank.
        root: u32,
        /// Size of one rank's data.
        bytes: u64,
    },
    /// All ranks' data goes to the root, in sizes of its own.
    Gatherv {
        /// The root's rank.
        root: u32,
        /// Size of each rank's data; other ranks than the root need know only their own.
        bytes: Box<[u64]>,
    },
    /// The root's data is spread over all ranks.
    Scatter {
        /// The root's rank.
        root: u32,
        /// Size of what one rank gets.
        bytes: u64,
    },
    /// The root's data is spread over all ranks, in sizes of its own.
    Scatterv {
        /// The root's rank.
        root: u32,
        /// Size of what each rank gets; other ranks than the root need know only their own.
        bytes: Box<[u64]>,
    },
    /// All ranks' data goes to all.
    Allgather {
        /// Size of one rank's data.
        bytes: u64,
    },
    /// All ranks' data goes to all, in sizes of its own.
    Allgatherv {
        /// Size of each rank's data, the same list at every rank.
        bytes: Box<[u64]>,
    },
    /// Each rank has data for each.
    Alltoall {
        /// Size of what one rank has for one other.
        bytes: u64,
    },
    /// Each rank has data for each, in sizes of its own.
    Alltoallv {
        /// Size of what this rank has for each.
        bytes: Box<[u64]>,
    },
    /// All ranks' data is combined and spread over all ranks.
    ReduceScatter {
        /// Size of what each rank gets, the same list at every rank; one rank's data is as large as all of it.
        bytes: Box<[u64]>,
        /// Time that combining takes, spent after the communication.
        compute: Time,
    },
    /// The data of all lower ranks and its own is combined at each rank.
    Scan {
        /// Size of one rank's data.
        bytes: u64,
        /// Time that combining takes, spent after the communication.
        compute: Time,
    },
    /// The data of all lower ranks is combined at each rank.
    Exscan {
        /// Size of one rank's data.
        bytes: u64,
        /// Time that combining takes, spent after the communication.
        compute: Time,
    },
}

impl Collective {
    /// Returns the root, for those that have one.
    pub fn root(&self) -> Option<u32> {
        match *self {
            Collective::Bcast { root, .. }
            | Collective::Reduce { root, .. }
            | Collective::Gather { root, .. }
            | Collective::Gatherv { root, .. }
            | Collective::Scatter { root, .. }
            | Collective::Scatterv { root, .. } => Some(root),
            _ => None,
        }
    }

    /// Returns the list of sizes, for those that have one.
    pub fn sizes(&self) -> Option<&[u64]> {
        match self {
            Collective::Gatherv { bytes, .. }
            | Collective::Scatterv { bytes, .. }
            | Collective::Allgatherv { bytes }
            | Collective::Alltoallv { bytes }
            | Collective::ReduceScatter { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    /// Returns the time that combining data takes, for the reductions.
    pub fn compute(&self) -> Option<Time> {
        match *self {
            Collective::Reduce { compute, .. }
            | Collective::Allreduce { compute, .. }
            | Collective::ReduceScatter { compute, .. }
            | Collective::Scan { compute, .. }
            | Collective::Exscan { compute, .. } => Some(compute),
            _ => None,
        }
    }
}

/// Why a rank's operations cannot be had: what, where, and what to do, in one line for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

/// A program of several ranks, handed out in blocks.
///
/// The simulation calls it when a rank has no operation left, so that a trace of any length needs little memory.
/// `Send`, so that a case can run on any thread.
pub trait OperationSource: Send {
    /// Returns the number of ranks.
    fn ranks(&self) -> u32;

    /// Appends the next operations of `rank`, at least one, in program order; appends nothing when it has ended.
    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError>;

    /// Returns what the simulation's user must know of the program once it has run, such as operations left out.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs are kept in blocks of hundreds of operations per rank.
    #[test]
    fn operations_are_small() {
        assert!(size_of::<Operation>() <= 40, "{} bytes", size_of::<Operation>());
    }
}
