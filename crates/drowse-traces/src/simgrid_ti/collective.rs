//! Collective actions as the simulation's collectives.
//!
//! Each rank's line states what this rank needs. If the lines of two ranks disagree about the size of a message, the
//! sender's size is used, as in MPI: a receive states the size of its buffer.

use drowse_core::workload::operation::Collective;

use super::action::{Action, Data};
use super::datatype::Datatype;
use crate::compute::ComputeModel;
use crate::line_error::LineError;

/// Returns the collective of an action of one rank; `None` for other actions.
pub(super) fn collective(action: &Action, rank: u32, model: &ComputeModel) -> Result<Option<Collective>, LineError> {
    let time = |flops| model.time(flops).ok_or(LineError::TooLarge { what: "the time that the operations take" });
    Ok(Some(match *action {
        Action::Barrier => Collective::Barrier,
        Action::Bcast { data, root } => Collective::Bcast { root, bytes: data.bytes, count: data.count },
        Action::Reduce { data: Data { bytes, count, .. }, flops, root } => {
            Collective::Reduce { root, bytes, count, compute: time(flops)? }
        }
        Action::Allreduce { data: Data { bytes, count, .. }, flops } => {
            Collective::Allreduce { bytes, count, compute: time(flops)? }
        }
        Action::Scan { data, flops } => Collective::Scan { bytes: data.bytes, compute: time(flops)? },
        Action::Exscan { data, flops } => Collective::Exscan { bytes: data.bytes, compute: time(flops)? },
        Action::Alltoall { send, .. } => Collective::Alltoall { bytes: send.bytes },
        Action::Alltoallv { ref send_counts, send_datatype, .. } => {
            Collective::Alltoallv { bytes: sizes(send_counts, send_datatype)? }
        }
        // At the root only the receive count matters, elsewhere only the send count.
        Action::Gather { send, receive, root } => {
            Collective::Gather { root, bytes: if rank == root { receive.bytes } else { send.bytes } }
        }
        Action::Scatter { send, receive, root } => {
            Collective::Scatter { root, bytes: if rank == root { send.bytes } else { receive.bytes } }
        }
        Action::Gatherv { send, ref receive_counts, receive_datatype, root } => {
            let bytes = sizes(receive_counts, receive_datatype)?;
            Collective::Gatherv { root, bytes: with_own(bytes, rank, root, send) }
        }
        Action::Scatterv { ref send_counts, send_datatype, receive, root } => {
            let bytes = sizes(send_counts, send_datatype)?;
            Collective::Scatterv { root, bytes: with_own(bytes, rank, root, receive) }
        }
        Action::Allgather { send, .. } => Collective::Allgather { bytes: send.bytes },
        Action::Allgatherv { ref receive_counts, receive_datatype, .. } => {
            Collective::Allgatherv { bytes: sizes(receive_counts, receive_datatype)? }
        }
        Action::ReduceScatter { ref counts, datatype, flops } => {
            Collective::ReduceScatter { bytes: sizes(counts, datatype)?, compute: time(flops)? }
        }
        _ => return Ok(None),
    }))
}

/// Converts counts to bytes.
fn sizes(counts: &[u64], datatype: Datatype) -> Result<Box<[u64]>, LineError> {
    counts.iter().map(|&count| datatype.size_of(count)).collect()
}

/// Enters a rank's own size into the list, which is valid only at the root.
fn with_own(mut bytes: Box<[u64]>, rank: u32, root: u32, own: Data) -> Box<[u64]> {
    if rank != root
        && let Some(size) = bytes.get_mut(rank as usize)
    {
        *size = own.bytes;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use drowse_core::model::units::{FlopRate, Time};

    use super::super::{LineContext, parse_action};
    use super::*;

    /// One operation takes a nanosecond.
    const MODEL: ComputeModel = ComputeModel {
        flops_per_second: FlopRate(1_000_000_000),
        scale: 1.0,
        drop_multiples: None,
        wait_multiples: None,
    };

    /// Reads a line of a rank among three; datatype 1 has 4 bytes, 6 has one.
    fn of(rank: u32, text: &str) -> Collective {
        let context = LineContext { rank, ranks: 3, default: Datatype::DOUBLE };
        let (_, action) = parse_action(text.as_bytes(), context).unwrap();
        collective(&action, rank, &MODEL).unwrap().unwrap()
    }

    #[test]
    fn sizes_are_those_of_the_sender() {
        assert_eq!(of(0, "alltoall 4 5 6 1"), Collective::Alltoall { bytes: 4 });
        assert_eq!(of(0, "allgather 4 5 6 1"), Collective::Allgather { bytes: 4 });
        assert_eq!(of(2, "alltoallv 9 1 2 3 18 5 6 7 1 6"), Collective::Alltoallv { bytes: [4, 8, 12].into() });
        assert_eq!(of(2, "scan 2 7 6"), Collective::Scan { bytes: 2, compute: Time(7_000) });
        assert_eq!(of(2, "exscan 2 7"), Collective::Exscan { bytes: 16, compute: Time(7_000) });
    }

    #[test]
    fn roots_and_others_know_their_own_part() {
        assert_eq!(of(0, "gather 4 5 2 6 1"), Collective::Gather { root: 2, bytes: 4 });
        assert_eq!(of(2, "gather 4 5 2 6 1"), Collective::Gather { root: 2, bytes: 20 });
        assert_eq!(of(0, "scatter 4 5 2 6 1"), Collective::Scatter { root: 2, bytes: 20 });
        assert_eq!(of(2, "scatter 4 5 2 6 1"), Collective::Scatter { root: 2, bytes: 4 });
        assert_eq!(of(0, "gatherv 4 5 6 7 2 6 1"), Collective::Gatherv { root: 2, bytes: [4, 24, 28].into() });
        assert_eq!(of(2, "gatherv 4 5 6 7 2 6 1"), Collective::Gatherv { root: 2, bytes: [20, 24, 28].into() });
        assert_eq!(of(0, "scatterv 5 6 7 4 2 1 6"), Collective::Scatterv { root: 2, bytes: [4, 24, 28].into() });
        assert_eq!(of(2, "scatterv 5 6 7 4 2 1 6"), Collective::Scatterv { root: 2, bytes: [20, 24, 28].into() });
    }

    #[test]
    fn lists_are_in_bytes() {
        assert_eq!(of(1, "allgatherv 6 5 6 7 1 1"), Collective::Allgatherv { bytes: [20, 24, 28].into() });
        let compute = Time(9_000);
        assert_eq!(of(1, "reducescatter 5 6 7 9 1"), Collective::ReduceScatter { bytes: [20, 24, 28].into(), compute });
    }
}
