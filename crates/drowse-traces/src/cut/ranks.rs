//! The first ranks of a program, if they talk only to each other.

use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource};
use drowse_core::workload::operation_line::shown;

use super::Part;
use super::error::CutError;
use crate::Trace;
use crate::check::each;

/// Refuses to keep the first ranks if they talk to others in some part of each rank's operations.
pub(super) fn check(
    trace: &Trace,
    source: &mut dyn OperationSource,
    parts: &[Part],
    keeps: u32,
) -> Result<(), CutError> {
    let communicators = source.communicators();
    for (rank, part) in (0..).zip(parts) {
        let mut first = None;
        each(source, rank, |at, operation| {
            if first.is_none()
                && part.operations.contains(&(at.operation - 1))
                && let Some(why) = leaves(rank, operation, &communicators, keeps)
            {
                first = Some((at.operation, shown(operation), why));
            }
        })?;
        if let Some((operation, line, why)) = first {
            let places = trace.reader.places(rank, &[operation])?;
            let place = places.first().map_or_else(String::new, |place| format!("{place}: "));
            return Err(CutError::Leaves { place, rank, operation, line, why, keeps });
        }
    }
    Ok(())
}

/// Says with whom a rank talks beyond those that are kept, or from beyond with one of them.
fn leaves(rank: u32, operation: &Operation, communicators: &Communicators, keeps: u32) -> Option<String> {
    if rank >= keeps {
        let is_send = matches!(operation, Operation::Send { .. } | Operation::Isend { .. });
        return operation.peer().filter(|&peer| is_send && peer < keeps).map(|peer| format!("it sends to rank {peer}"));
    }
    if let Some(peer) = operation.peer().filter(|&peer| peer >= keeps) {
        return Some(format!("it names rank {peer}"));
    }
    let comm = operation.comm().filter(|_| operation.called().is_some())?;
    let mut members = (0..communicators.size(comm)?).filter_map(|place| communicators.rank(comm, place));
    members.find(|&member| member >= keeps).map(|member| format!("rank {member} calls it, too"))
}

/// Returns the communicators of the ranks that are kept, and the number that each has there.
pub(super) fn communicators(all: &Communicators, keeps: u32) -> (Communicators, Vec<Option<CommId>>) {
    let mut kept = Communicators::of(keeps);
    let numbers = (0..all.count()).map(|comm| {
        if comm == 0 {
            return Some(comm);
        }
        let members = (0..all.size(comm)?).filter_map(|place| all.rank(comm, place));
        kept.add(members.filter(|&member| member < keeps).collect()).ok()
    });
    let numbers = numbers.collect();
    (kept, numbers)
}
