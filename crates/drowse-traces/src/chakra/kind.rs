//! The kinds of nodes, and of collectives, by their numbers in the schema.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::Collective;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Metadata,
    Compute,
    Send,
    Receive,
    Collective,
    /// Loads or stores remote memory, or files.
    Storage,
    /// Does nothing that is known.
    Other,
}

impl Kind {
    pub const fn of(number: i32) -> Self {
        match number {
            1 => Kind::Metadata,
            2 | 3 | 8 | 10 => Kind::Storage,
            4 => Kind::Compute,
            5 => Kind::Send,
            6 => Kind::Receive,
            7 => Kind::Collective,
            _ => Kind::Other,
        }
    }
}

/// Returns the name of a kind of nodes.
pub(super) const fn name(number: i32) -> &'static str {
    match number {
        0 => "INVALID_NODE",
        1 => "METADATA_NODE",
        2 => "MEM_LOAD_NODE",
        3 => "MEM_STORE_NODE",
        4 => "COMP_NODE",
        5 => "COMM_SEND_NODE",
        6 => "COMM_RECV_NODE",
        7 => "COMM_COLL_NODE",
        8 => "STORAGE_NODE",
        9 => "BATCH_NODE",
        10 => "CHECKPOINT_NODE",
        _ => "unknown",
    }
}

/// The collectives by their numbers, and whether they have a root.
pub(super) const COLLECTIVES: [(&str, bool); 10] = [
    ("ALL_REDUCE", false),
    ("REDUCE", true),
    ("ALL_GATHER", false),
    ("GATHER", true),
    ("SCATTER", true),
    ("BROADCAST", true),
    ("ALL_TO_ALL", false),
    ("REDUCE_SCATTER", false),
    ("REDUCE_SCATTER_BLOCK", false),
    ("BARRIER", false),
];

/// Returns the collective of a number over so many ranks, to which each gives so many bytes. The root is the first
/// rank.
pub(super) fn collective(number: usize, bytes: u64, ranks: u32) -> Collective {
    let (root, count, compute) = (0, bytes, Time::ZERO);
    match number {
        0 => Collective::Allreduce { bytes, count, compute },
        1 => Collective::Reduce { root, bytes, count, compute },
        2 => Collective::Allgather { bytes },
        3 => Collective::Gather { root, bytes },
        4 => Collective::Scatterv { root, bytes: shares(bytes, ranks) },
        5 => Collective::Bcast { root, bytes, count },
        6 if bytes.is_multiple_of(u64::from(ranks)) => Collective::Alltoall { bytes: bytes / u64::from(ranks) },
        6 => Collective::Alltoallv { bytes: shares(bytes, ranks) },
        7 | 8 => Collective::ReduceScatter { bytes: shares(bytes, ranks), compute },
        _ => Collective::Barrier,
    }
}

/// Splits bytes over ranks: the first get one more where they do not divide.
fn shares(bytes: u64, ranks: u32) -> Box<[u64]> {
    let (each, more) = (bytes / u64::from(ranks), bytes % u64::from(ranks));
    (0..u64::from(ranks)).map(|rank| each + u64::from(rank < more)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_the_whole() {
        assert_eq!(*shares(10, 4), [3, 3, 2, 2]);
        assert_eq!(*shares(0, 2), [0, 0]);
        assert_eq!(collective(6, 12, 4), Collective::Alltoall { bytes: 3 });
    }
}
