//! The actions of a trace as values.
//!
//! `[ ]` marks optional fields. Counts are numbers of elements. A number may be written as a float (`6e3`), which is
//! truncated.
//!
//! ```text
//! init [1] | finalize | comm_size n | comm_split | comm_dup | location file line
//! compute flops | sleep seconds
//! send|Ssend|isend|Issend to tag count [datatype] | recv|irecv from tag count [datatype]
//! send|isend to count | recv|irecv from count                  SimGrid 3.19 and older; the tag is 0
//! sendRecv sendcount to recvcount from [sendtype [recvtype]]
//! wait from to tag | wait (3.19: the newest request) | waitall | test from to tag | testall | testany | iprobe
//! barrier | bcast count [root [datatype]] | reduce count flops [root [datatype]] | allreduce count flops [datatype]
//! scan|exscan count flops [datatype] | alltoall sendcount recvcount [sendtype recvtype]
//! alltoallv sendsize sendcounts.. recvsize recvcounts.. [sendtype recvtype]
//! gather|scatter sendcount recvcount [root [sendtype recvtype]] | allgather sendcount recvcount [sendtype recvtype]
//! gatherv sendcount recvcounts.. [root [sendtype recvtype]] | scatterv sendcounts.. recvcount [root [..]]
//! allgatherv sendcount recvcounts.. [sendtype recvtype | [datatype] displacements..]
//! reducescatter recvcounts.. flops [datatype]
//! ```
//!
//! The old `send to count datatype` has as many arguments as `send to tag count`, so the two cannot be distinguished.
//! Three arguments are always read as `to tag count`.

use drowse_core::model::units::Time;

use super::datatype::Datatype;

/// An amount of data: elements of a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// Number of elements.
    pub count: u64,
    /// The elements' datatype.
    pub datatype: Datatype,
    /// Size of all elements.
    pub bytes: u64,
}

/// What a `wait` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// The sending rank; `None` for a receive from any.
    pub from: Option<u32>,
    /// The receiving rank.
    pub to: u32,
    /// The tag; `None` for a receive of any.
    pub tag: Option<u32>,
}

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Starts the rank; the datatype is that of later lines without one.
    Init {
        /// The datatype of lines without one.
        default: Datatype,
    },
    /// Ends the rank.
    Finalize,
    /// Has no effect: `comm_size`, `comm_split`, `comm_dup`, `location`.
    NoEffect,
    /// Computes.
    Compute {
        /// Floating-point operations.
        flops: u64,
    },
    /// Pauses for a time.
    Sleep {
        /// The duration.
        time: Time,
    },
    /// Sends and blocks; the name tells a synchronous send (`Ssend`).
    Send {
        /// The receiving rank.
        to: u32,
        /// The tag.
        tag: u32,
        /// What is sent.
        data: Data,
    },
    /// Starts a send.
    Isend {
        /// The receiving rank.
        to: u32,
        /// The tag.
        tag: u32,
        /// What is sent.
        data: Data,
    },
    /// Receives and blocks. The count is that of the buffer and is not stored.
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
    },
    /// Sends and receives at once.
    SendRecv {
        /// The receiving rank.
        to: u32,
        /// What is sent.
        data: Data,
        /// The sending rank; `None` takes any.
        from: Option<u32>,
    },
    /// Waits for the oldest request of this key.
    Wait(RequestKey),
    /// Waits for the newest request.
    WaitNewest,
    /// Waits for all requests of the rank.
    WaitAll,
    /// Tests whether something has completed.
    Poll,
    /// Waits for all ranks.
    Barrier,
    /// The root's data goes to all.
    Bcast {
        /// The data.
        data: Data,
        /// The root.
        root: u32,
    },
    /// All ranks' data is combined at the root.
    Reduce {
        /// One rank's data.
        data: Data,
        /// Operations for combining.
        flops: u64,
        /// The root.
        root: u32,
    },
    /// All ranks' data is combined at all.
    Allreduce {
        /// One rank's data.
        data: Data,
        /// Operations for combining.
        flops: u64,
    },
    /// Combines at each rank its own data and that of all lower ranks.
    Scan {
        /// One rank's data.
        data: Data,
        /// Operations for combining.
        flops: u64,
    },
    /// Combines at each rank the data of all lower ranks.
    Exscan {
        /// One rank's data.
        data: Data,
        /// Operations for combining.
        flops: u64,
    },
    /// Each rank sends to each.
    Alltoall {
        /// What is sent to each rank.
        send: Data,
        /// What is received from each rank.
        receive: Data,
    },
    /// Each rank sends to each; sizes differ by pair.
    Alltoallv {
        /// Elements sent to each rank.
        send_counts: Vec<u64>,
        /// Their datatype.
        send_datatype: Datatype,
        /// Elements received from each rank.
        receive_counts: Vec<u64>,
        /// Their datatype.
        receive_datatype: Datatype,
    },
    /// All ranks' data goes to the root.
    Gather {
        /// What each rank sends.
        send: Data,
        /// What the root receives from each.
        receive: Data,
        /// The root.
        root: u32,
    },
    /// The root's data is distributed over all ranks.
    Scatter {
        /// What the root sends to each.
        send: Data,
        /// What each rank receives.
        receive: Data,
        /// The root.
        root: u32,
    },
    /// All ranks' data goes to all.
    Allgather {
        /// What each rank sends.
        send: Data,
        /// What each rank receives from each.
        receive: Data,
    },
    /// All ranks' data goes to the root; sizes differ by rank.
    Gatherv {
        /// What this rank sends.
        send: Data,
        /// Elements from each rank.
        receive_counts: Vec<u64>,
        /// Their datatype.
        receive_datatype: Datatype,
        /// The root.
        root: u32,
    },
    /// The root's data is distributed over all ranks; sizes differ by rank.
    Scatterv {
        /// Elements to each rank.
        send_counts: Vec<u64>,
        /// Their datatype.
        send_datatype: Datatype,
        /// What this rank receives.
        receive: Data,
        /// The root.
        root: u32,
    },
    /// All ranks' data goes to all; sizes differ by rank.
    Allgatherv {
        /// What this rank sends.
        send: Data,
        /// Elements from each rank.
        receive_counts: Vec<u64>,
        /// Their datatype.
        receive_datatype: Datatype,
    },
    /// All ranks' data is combined, and the result distributed over all ranks.
    ReduceScatter {
        /// Elements that each rank gets.
        counts: Vec<u64>,
        /// Their datatype.
        datatype: Datatype,
        /// Operations for combining.
        flops: u64,
    },
    /// A collective with a list of counts for fewer ranks than the trace has, so of a smaller communicator.
    OtherCommunicator,
    /// An action that SMPI writes without the arguments that a replay needs (`waitany`, `ibcast`, `start`, …).
    NotReplayable,
}

impl Action {
    /// Returns why the action cannot be simulated; `None` if it can.
    pub const fn obstacle(&self) -> Option<&'static str> {
        match self {
            Action::OtherCommunicator => Some(
                "it lists counts for fewer ranks than the trace has, so it is one of a smaller communicator, which the \
                 trace does not name",
            ),
            Action::NotReplayable => Some("SMPI writes it without what a replay needs"),
            _ => None,
        }
    }

    /// Returns the data that the action sends from this rank, if it has one size.
    const fn data(&self) -> Option<Data> {
        match *self {
            Action::Send { data, .. }
            | Action::Isend { data, .. }
            | Action::SendRecv { data, .. }
            | Action::Bcast { data, .. }
            | Action::Reduce { data, .. }
            | Action::Allreduce { data, .. }
            | Action::Scan { data, .. }
            | Action::Exscan { data, .. } => Some(data),
            Action::Alltoall { send, .. }
            | Action::Gather { send, .. }
            | Action::Gatherv { send, .. }
            | Action::Allgather { send, .. }
            | Action::Scatter { send, .. } => Some(send),
            _ => None,
        }
    }

    /// Returns whether the size of the sent data is unknown.
    pub fn is_unnamed(&self) -> bool {
        let datatype = match *self {
            Action::Alltoallv { send_datatype, .. } | Action::Scatterv { send_datatype, .. } => Some(send_datatype),
            Action::Allgatherv { receive_datatype, .. } => Some(receive_datatype),
            Action::ReduceScatter { datatype, .. } => Some(datatype),
            _ => self.data().map(|data| data.datatype),
        };
        datatype == Some(Datatype::Unnamed)
    }
}
