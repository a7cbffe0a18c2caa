//! Collective operations with the bytes of their counts and datatypes.
//!
//! Where a buffer may be given "in place", the other buffer's count is used: a trace does not mark it.

use drowse_core::model::units::Time;
use drowse_core::workload::collectives::Member;
use drowse_core::workload::operation::Collective;

use super::functions::{id, name};
use super::problem::Problem;
use super::record::Record;
use super::sizes::Sizes;

/// Returns the collective operation of a call, if it is one.
pub(crate) fn collective(record: &Record, sizes: &Sizes, member: Member) -> Result<Option<Collective>, Problem> {
    let number = |place| record.number(place);
    let bytes = |count, datatype| sizes.bytes(record.function, number(count), record.handle(datatype));
    let list = |list, datatype| sizes.list(record, record.list(list), record.handle(datatype), member.size);
    let count = |place| u64::try_from(number(place)).unwrap_or(0);
    let compute = Time::ZERO;
    let is_root = |root: usize| number(root) == i64::from(member.rank);
    let own = |bytes: u64| {
        let mut all = vec![0; member.size as usize];
        if let Some(own) = all.get_mut(member.rank as usize) {
            *own = bytes;
        }
        all.into_boxed_slice()
    };
    let root = |place| root(record, number(place), member.size);
    Ok(Some(match record.function {
        id::BARRIER => Collective::Barrier,
        id::BCAST => Collective::Bcast { root: root(2)?, bytes: bytes(0, 1)?, count: count(0) },
        // Own rank, count, datatype, root, communicator, and at the root what it receives of each.
        id::GATHER => {
            let bytes = if is_root(3) { bytes(5, 6)? } else { bytes(1, 2)? };
            Collective::Gather { root: root(3)?, bytes }
        }
        // Own rank, ranks, count, datatype, root, communicator, datatype at the root; lists: counts, places.
        id::GATHERV => {
            let bytes = if is_root(4) { list(0, 6)? } else { own(bytes(2, 3)?) };
            Collective::Gatherv { root: root(4)?, bytes }
        }
        id::SCATTER => {
            let bytes = if is_root(3) { bytes(5, 6)? } else { bytes(1, 2)? };
            Collective::Scatter { root: root(3)?, bytes }
        }
        // Own rank, ranks, datatype at the root, count, datatype, root, communicator; lists: counts, places.
        id::SCATTERV => {
            let bytes = if is_root(5) { list(0, 2)? } else { own(bytes(3, 4)?) };
            Collective::Scatterv { root: root(5)?, bytes }
        }
        id::ALLGATHER => Collective::Allgather { bytes: bytes(2, 3)? },
        // Ranks, count, datatype, received datatype, communicator; lists: counts, places.
        id::ALLGATHERV => Collective::Allgatherv { bytes: list(0, 3)? },
        id::ALLTOALL => Collective::Alltoall { bytes: bytes(2, 3)? },
        // Ranks, datatype, received datatype, communicator; lists: counts and places, received counts and places.
        id::ALLTOALLV if record.list(0).len() == member.size as usize => Collective::Alltoallv { bytes: list(0, 1)? },
        id::ALLTOALLV => Collective::Alltoallv { bytes: list(2, 2)? },
        // Lists: counts, places, datatypes; the same received.
        id::ALLTOALLW => {
            let sent = record.list(0).len() == member.size as usize;
            let (counts, datatypes) = if sent { (0, 2) } else { (3, 5) };
            let bytes = sizes.pairs(record, record.list(counts), record.list(datatypes), member.size)?;
            Collective::Alltoallv { bytes }
        }
        // Count, datatype, operation, root, communicator.
        id::REDUCE => Collective::Reduce { root: root(3)?, bytes: bytes(0, 1)?, count: count(0), compute },
        id::ALLREDUCE => Collective::Allreduce { bytes: bytes(0, 1)?, count: count(0), compute },
        // Ranks, datatype, operation, communicator.
        id::REDUCE_SCATTER => Collective::ReduceScatter { bytes: list(0, 1)?, compute },
        id::SCAN => Collective::Scan { bytes: bytes(0, 1)?, compute },
        id::EXSCAN => Collective::Exscan { bytes: bytes(0, 1)?, compute },
        _ => return Ok(None),
    }))
}

/// Returns the root, which must be in the communicator.
fn root(record: &Record, rank: i64, size: u32) -> Result<u32, Problem> {
    let known = u32::try_from(rank).ok().filter(|&rank| rank < size);
    known.ok_or(Problem::NoSuchRank { function: name(record.function), rank, size })
}
