//! The calls of MPI by the values of their events, as Extrae writes them.

use drowse_core::workload::operation::SendMode;

use crate::dimemas::Kind;

/// The type of events of point-to-point calls, of collectives, and of other calls.
pub(super) const POINT_TO_POINT: u64 = 50_000_001;
pub(super) const COLLECTIVE: u64 = 50_000_002;
pub(super) const OTHER: u64 = 50_000_003;
/// The types of events of one-sided communication, and of files.
pub(super) const ONE_SIDED: u64 = 50_000_004;
pub(super) const FILES: u64 = 50_000_005;
/// The type of the events at the begin and the end of a rank.
pub(super) const APPLICATION: u64 = 40_000_001;
/// The state in which a rank runs.
pub(super) const RUNNING: u64 = 1;
/// The types of what is told of a collective: the bytes sent and received, whether the rank is the root, the
/// communicator.
pub(super) const SENT: u64 = 50_100_001;
pub(super) const RECEIVED: u64 = 50_100_002;
pub(super) const ROOT: u64 = 50_100_003;
pub(super) const COMMUNICATOR: u64 = 50_100_004;

/// `MPI_Start` and `MPI_Startall`, which send or receive.
const START: [u64; 2] = [123, 124];

/// Returns whether a call sends messages, by the type of its events and their value.
pub(super) fn sends(kind: u64, value: u64) -> bool {
    kind == POINT_TO_POINT && matches!(value, 1 | 3 | 33..=38 | 41 | 42) || starts(kind, value)
}

/// Returns whether a call receives messages.
pub(super) fn receives(kind: u64, value: u64) -> bool {
    kind == POINT_TO_POINT && matches!(value, 2 | 4 | 41 | 42) || starts(kind, value)
}

/// Returns whether a call starts persistent requests.
pub(super) fn starts(kind: u64, value: u64) -> bool {
    (kind == POINT_TO_POINT || kind == OTHER) && START.contains(&value)
}

/// Returns whether a call posts a receive: it begins at the end of the call.
pub(super) fn is_posted(value: u64) -> bool {
    value == 4 || START.contains(&value)
}

/// Returns the name of a call that sends or receives.
pub(super) const fn name(value: u64) -> &'static str {
    match value {
        1 => "MPI_Send",
        2 => "MPI_Recv",
        3 => "MPI_Isend",
        4 => "MPI_Irecv",
        33 => "MPI_Bsend",
        34 => "MPI_Ssend",
        35 => "MPI_Rsend",
        36 => "MPI_Ibsend",
        37 => "MPI_Issend",
        38 => "MPI_Irsend",
        41 => "MPI_Sendrecv",
        42 => "MPI_Sendrecv_replace",
        _ => "MPI_Start or MPI_Startall",
    }
}

/// Returns the mode of a call that sends and blocks.
pub(super) const fn blocking_send(value: u64) -> Option<SendMode> {
    match value {
        // MPI_Send, MPI_Sendrecv and MPI_Sendrecv_replace.
        1 | 41 | 42 => Some(SendMode::Standard),
        33 => Some(SendMode::Buffered),
        34 => Some(SendMode::Synchronous),
        35 => Some(SendMode::Ready),
        _ => None,
    }
}

/// Returns the mode of a call that sends and does not block.
pub(super) const fn immediate_send(value: u64) -> SendMode {
    match value {
        36 => SendMode::Buffered,
        37 => SendMode::Synchronous,
        38 => SendMode::Ready,
        _ => SendMode::Standard,
    }
}

/// Returns whether a call is `MPI_Recv`.
pub(super) const fn is_receive(value: u64) -> bool {
    value == 2
}

/// Returns the collective of a value.
pub(super) const fn collective(value: u64) -> Option<Kind> {
    Some(match value {
        7 => Kind::Bcast,
        8 => Kind::Barrier,
        9 => Kind::Reduce,
        10 => Kind::Allreduce,
        11 => Kind::Alltoall,
        12 => Kind::Alltoallv,
        13 => Kind::Gather,
        14 => Kind::Gatherv,
        15 => Kind::Scatter,
        16 => Kind::Scatterv,
        17 => Kind::Allgather,
        18 => Kind::Allgatherv,
        30 => Kind::Scan,
        80 => Kind::ReduceScatter,
        _ => return None,
    })
}
