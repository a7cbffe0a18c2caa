//! What a rank does: the operations to which every trace format and synthetic application is translated.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::algorithms::Algorithms;
use super::communicators::{ALL, CommId, Communicators};
use crate::model::units::Time;

/// Names a pending request of one rank. The source of the operations chooses names that are unique among the rank's
/// pending requests.
pub type RequestId = u32;

/// The most bytes that a rank sends at once, or gives to a collective: what one call of MPI can name, 2^31 elements of
/// 16 bytes.
pub const MOST_BYTES: u64 = 1 << 35;

/// How a send completes (MPI 4.1, section 3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SendMode {
    /// At once below `node.eager_limit`; a larger message asks first, and its send is complete when it has left.
    #[default]
    Standard,
    /// When the message has left, which asks first.
    Synchronous,
    /// At once.
    Buffered,
    /// At once below `node.eager_limit`, else when the message has left; it never asks.
    Ready,
}

/// One step of a rank's program. Peers are ranks of the job, whatever the communicator; within a [`Collective`], roots
/// and sizes are by rank of the communicator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Marks the beginning of an iteration; takes no time and sends nothing.
    Iteration,
    /// Computes for a time.
    Compute(Time),
    /// Sends, and blocks until the buffer may be reused.
    Send {
        /// The receiving rank.
        to: u32,
        /// The message's tag.
        tag: u32,
        /// The communicator in which it is matched.
        comm: CommId,
        /// How it completes.
        mode: SendMode,
        /// The message's size.
        bytes: u64,
    },
    /// Starts a send.
    Isend {
        /// The receiving rank.
        to: u32,
        /// The message's tag.
        tag: u32,
        /// The communicator in which it is matched.
        comm: CommId,
        /// How it completes.
        mode: SendMode,
        /// The message's size.
        bytes: u64,
        /// The request that a later wait names; `None` if nothing waits for it.
        request: Option<RequestId>,
    },
    /// Receives, and blocks until the message has arrived.
    Recv {
        /// The sending rank; `None` takes any.
        from: Option<u32>,
        /// The tag; `None` takes any.
        tag: Option<u32>,
        /// The communicator in which it is matched.
        comm: CommId,
    },
    /// Posts a receive.
    Irecv {
        /// The sending rank; `None` takes any.
        from: Option<u32>,
        /// The tag; `None` takes any.
        tag: Option<u32>,
        /// The communicator in which it is matched.
        comm: CommId,
        /// The request that a later wait names.
        request: RequestId,
    },
    /// Blocks until a message has arrived that a receive would take, and leaves it there.
    Probe {
        /// The sending rank; `None` takes any.
        from: Option<u32>,
        /// The tag; `None` takes any.
        tag: Option<u32>,
        /// The communicator in which it is matched.
        comm: CommId,
    },
    /// Waits for one request; returns at once if it is not pending.
    Wait {
        /// The request.
        request: RequestId,
    },
    /// Waits until one of these requests is complete, and forgets the first in the list that is. Those that are not
    /// pending do not count; without any, it returns at once.
    WaitAny(Box<[RequestId]>),
    /// As [`Operation::WaitAny`], but forgets all that are complete.
    WaitSome(Box<[RequestId]>),
    /// Waits for all pending requests of the rank.
    WaitAll,
    /// A collective operation over all ranks of a communicator.
    Collective {
        /// The communicator.
        comm: CommId,
        /// What its ranks do.
        collective: Collective,
    },
    /// Starts a collective operation, which goes on beside the program.
    Icollective {
        /// The communicator.
        comm: CommId,
        /// The request that a later wait names.
        request: RequestId,
        /// What its ranks do.
        collective: Box<Collective>,
    },
}

/// A collective operation over all ranks of a communicator.
///
/// Ranks are those of the communicator. Sizes are the same at every rank, unless a list gives one per rank; every list
/// has one entry per rank of the communicator.
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
        /// Number of elements, on which Open MPI's choice of algorithm depends.
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
        /// Time for combining, spent after the communication.
        compute: Time,
    },
    /// All ranks' data is combined at every rank.
    Allreduce {
        /// Size of one rank's data.
        bytes: u64,
        /// Number of elements.
        count: u64,
        /// Time for combining, spent after the communication.
        compute: Time,
    },
    /// All ranks' data goes to the root.
    Gather {
        /// The root's rank.
        root: u32,
        /// Size of one rank's data.
        bytes: u64,
    },
    /// All ranks' data goes to the root; sizes differ by rank.
    Gatherv {
        /// The root's rank.
        root: u32,
        /// Size of each rank's data; ranks other than the root need only their own entry.
        bytes: Box<[u64]>,
    },
    /// The root's data is distributed over all ranks.
    Scatter {
        /// The root's rank.
        root: u32,
        /// Size of what each rank receives.
        bytes: u64,
    },
    /// The root's data is distributed over all ranks; sizes differ by rank.
    Scatterv {
        /// The root's rank.
        root: u32,
        /// Size of what each rank receives; ranks other than the root need only their own entry.
        bytes: Box<[u64]>,
    },
    /// All ranks' data goes to all.
    Allgather {
        /// Size of one rank's data.
        bytes: u64,
    },
    /// All ranks' data goes to all; sizes differ by rank.
    Allgatherv {
        /// Size of each rank's data, the same list at every rank.
        bytes: Box<[u64]>,
    },
    /// Each rank sends data to each.
    Alltoall {
        /// Size of what one rank sends to another.
        bytes: u64,
    },
    /// Each rank sends data to each; sizes differ by pair.
    Alltoallv {
        /// Size of what this rank sends to each.
        bytes: Box<[u64]>,
    },
    /// All ranks' data is combined, and the result distributed over all ranks.
    ReduceScatter {
        /// Size of what each rank receives, the same list at every rank. Each rank contributes data of the total size.
        bytes: Box<[u64]>,
        /// Time for combining, spent after the communication.
        compute: Time,
    },
    /// Combines at each rank its own data and that of all lower ranks.
    Scan {
        /// Size of one rank's data.
        bytes: u64,
        /// Time for combining, spent after the communication.
        compute: Time,
    },
    /// Combines at each rank the data of all lower ranks.
    Exscan {
        /// Size of one rank's data.
        bytes: u64,
        /// Time for combining, spent after the communication.
        compute: Time,
    },
}

impl Collective {
    /// Returns the root, if there is one.
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

    /// Returns the list of sizes, if there is one.
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

    /// Returns the largest size that it names.
    pub fn largest(&self) -> u64 {
        match *self {
            Collective::Barrier => 0,
            Collective::Bcast { bytes, .. }
            | Collective::Reduce { bytes, .. }
            | Collective::Allreduce { bytes, .. }
            | Collective::Gather { bytes, .. }
            | Collective::Scatter { bytes, .. }
            | Collective::Allgather { bytes }
            | Collective::Alltoall { bytes }
            | Collective::Scan { bytes, .. }
            | Collective::Exscan { bytes, .. } => bytes,
            _ => self.sizes().and_then(|sizes| sizes.iter().copied().max()).unwrap_or(0),
        }
    }

    /// Returns the time for combining data, for reductions.
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

impl Operation {
    /// Sends in the communicator of all ranks.
    pub const fn send(to: u32, tag: u32, bytes: u64) -> Self {
        Operation::Send { to, tag, comm: ALL, mode: SendMode::Standard, bytes }
    }

    /// Starts a send in the communicator of all ranks.
    pub const fn isend(to: u32, tag: u32, bytes: u64, request: RequestId) -> Self {
        Operation::Isend { to, tag, comm: ALL, mode: SendMode::Standard, bytes, request: Some(request) }
    }

    /// Receives in the communicator of all ranks; `None` takes any.
    pub fn recv(from: impl Into<Option<u32>>, tag: impl Into<Option<u32>>) -> Self {
        Operation::Recv { from: from.into(), tag: tag.into(), comm: ALL }
    }

    /// Posts a receive in the communicator of all ranks; `None` takes any.
    pub fn irecv(from: impl Into<Option<u32>>, tag: impl Into<Option<u32>>, request: RequestId) -> Self {
        Operation::Irecv { from: from.into(), tag: tag.into(), comm: ALL, request }
    }

    /// A collective operation over all ranks.
    pub const fn collective(collective: Collective) -> Self {
        Operation::Collective { comm: ALL, collective }
    }

    /// Returns the rank that it names as sender or receiver.
    pub fn peer(&self) -> Option<u32> {
        match *self {
            Operation::Send { to, .. } | Operation::Isend { to, .. } => Some(to),
            Operation::Recv { from, .. } | Operation::Irecv { from, .. } | Operation::Probe { from, .. } => from,
            _ => None,
        }
    }

    /// Returns the rank that it names as sender or receiver, to be changed.
    pub fn peer_mut(&mut self) -> Option<&mut u32> {
        match self {
            Operation::Send { to, .. } | Operation::Isend { to, .. } => Some(to),
            Operation::Recv { from, .. } | Operation::Irecv { from, .. } | Operation::Probe { from, .. } => {
                from.as_mut()
            }
            _ => None,
        }
    }

    /// Returns the communicator that it names.
    pub fn comm(&self) -> Option<CommId> {
        match *self {
            Operation::Send { comm, .. }
            | Operation::Isend { comm, .. }
            | Operation::Recv { comm, .. }
            | Operation::Irecv { comm, .. }
            | Operation::Probe { comm, .. }
            | Operation::Collective { comm, .. }
            | Operation::Icollective { comm, .. } => Some(comm),
            _ => None,
        }
    }

    /// Returns the communicator that it names, to be changed.
    pub fn comm_mut(&mut self) -> Option<&mut CommId> {
        match self {
            Operation::Send { comm, .. }
            | Operation::Isend { comm, .. }
            | Operation::Recv { comm, .. }
            | Operation::Irecv { comm, .. }
            | Operation::Probe { comm, .. }
            | Operation::Collective { comm, .. }
            | Operation::Icollective { comm, .. } => Some(comm),
            _ => None,
        }
    }

    /// Returns the collective that it calls or starts.
    pub fn called(&self) -> Option<&Collective> {
        match self {
            Operation::Collective { collective, .. } => Some(collective),
            Operation::Icollective { collective, .. } => Some(collective),
            _ => None,
        }
    }

    /// Returns the largest size that it names; 0 where it sends nothing.
    pub fn largest(&self) -> u64 {
        match self {
            Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => *bytes,
            _ => self.called().map_or(0, Collective::largest),
        }
    }
}

/// How the operations repeat that ranks have not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// After how many marks of iterations the operations of each rank are the same again, but for times that are drawn.
    pub every: u32,
    /// How many iterations each rank has left that repeat so: those of the rank that has fewest.
    pub left: u64,
}

/// Why a rank's operations cannot be read: what, where and what to do, in one line for the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

/// A program of several ranks, read in blocks.
///
/// The simulation asks for the next block when a rank has no operation left, so a trace of any length needs little
/// memory. `Send`, so that a case can run on any thread.
///
/// A program by hand, and how long it takes on an ideal network:
///
/// ```
/// # use std::error::Error;
/// use drowse_core::engine::run;
/// use drowse_core::model::{config::Config, ids::NodeId, units::{BitRate, Time}};
/// use drowse_core::power::StallTimer;
/// use drowse_core::topology::{Ideal, TopologySpec};
/// use drowse_core::workload::operation::{Operation, OperationSource, SourceError};
/// use drowse_core::workload::{Job, Workload};
///
/// /// Rank 0 sends 1,000 bytes to rank 1, which sends them back.
/// struct PingPong([Vec<Operation>; 2]);
///
/// impl OperationSource for PingPong {
///     fn ranks(&self) -> u32 {
///         2
///     }
///
///     fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
///         operations.append(&mut self.0[rank as usize]);
///         Ok(())
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn Error>> {
/// let (ping, pong) = (Operation::send(1, 0, 1_000), Operation::recv(0, 0));
/// let (back, end) = (Operation::send(0, 0, 1_000), Operation::recv(1, 0));
/// let source = Box::new(PingPong([vec![ping, end], vec![pong, back]]));
/// let bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
/// let network = TopologySpec::Ideal(Ideal { nodes: 2, latency: Time::from_us(2), bandwidth }).build()?;
/// let job = Job { name: "ping-pong".into(), source, placement: vec![NodeId(0), NodeId(1)], start: Time::ZERO };
/// let always_on = StallTimer::always_on(network.classes.len());
/// let record = run(&network, &Config::new(&network), &always_on, Workload::Jobs(vec![job]))??;
/// // Two messages, each with a latency of 2 us, and 1 us for its bytes.
/// assert_eq!(record.makespan, Some(Time::from_us(2 * (2 + 1))));
/// # Ok(())
/// # }
/// ```
pub trait OperationSource: Send {
    /// Returns the number of ranks.
    fn ranks(&self) -> u32;

    /// Returns the communicators that the operations name; at least that of all ranks.
    fn communicators(&self) -> Arc<Communicators> {
        Arc::new(Communicators::of(self.ranks()))
    }

    /// Returns the algorithms of collectives that are named.
    fn algorithms(&self) -> Algorithms {
        Algorithms::default()
    }

    /// Appends the next operations of `rank` in program order: at least one, or none once the rank has ended.
    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError>;

    /// Returns how often the ranks run their program. `None`: once all ranks have ended, the next refill begins a new
    /// repetition, and the simulation starts them again until all other programs have ended.
    fn repetitions(&self) -> Option<u64> {
        Some(1)
    }

    /// Returns how the operations that have not been read repeat; `None` where that is not known.
    fn repeats(&self) -> Option<Repeats> {
        None
    }

    /// Leaves out the next iterations of all ranks that have not been read, as many of each: at most those that are
    /// [left](Repeats::left), a multiple of [`Repeats::every`].
    fn leave_out(&mut self, iterations: u64) {
        let _ = iterations;
    }

    /// Returns how long the ranks may run: those that have not ended then are stopped.
    fn limit(&self) -> Option<Time> {
        None
    }

    /// Returns warnings about the program once it has run, such as omitted operations.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether the warnings count what has been read, so that they are whole only where all ranks have read all.
    fn warns_of_what_is_read(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hundreds of operations are buffered per rank.
    #[test]
    fn operations_are_small() {
        assert!(size_of::<Operation>() <= 40, "{} bytes", size_of::<Operation>());
    }
}
