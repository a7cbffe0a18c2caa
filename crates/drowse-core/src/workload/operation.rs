//! What a rank does: the operations that every trace format and synthetic application is turned into.

use crate::units::Time;

/// Names a pending request of one rank; the source of the operations chooses it, unique among that rank's pending ones.
pub type RequestId = u32;

/// One step of a rank's program. Peers are ranks of the same job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Gives the number of ranks.
    fn ranks(&self) -> u32;

    /// Appends the next operations of `rank`, at least one, in program order; appends nothing when it has ended.
    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError>;

    /// Gives what the simulation's user must know of the program once it has run, such as operations left out.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}
