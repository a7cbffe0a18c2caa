//! Whether an operation can be run: refuses what names ranks, communicators or sizes that the job does not have.

use super::communicators::Communicators;
use super::operation::{MOST_BYTES, Operation, SourceError};

/// Refuses an operation of a rank that names ranks or communicators that the job does not have, a communicator without
/// the rank, lists of sizes for other numbers of ranks, and messages that are too long.
pub fn check(operation: &Operation, rank: u32, communicators: &Communicators) -> Result<(), SourceError> {
    let refuse = |why: String| Err(SourceError(format!("rank {rank} {why}")));
    let bytes = operation.largest();
    if bytes > MOST_BYTES {
        return refuse(format!("sends {bytes} B at once; the most is {MOST_BYTES} B (32 GiB): send less"));
    }
    let Some(comm) = operation.comm() else { return Ok(()) };
    let Some(size) = communicators.size(comm) else {
        let count = communicators.count();
        return refuse(format!("names communicator {comm}, but the job has {count}: {operation:?}"));
    };
    if communicators.member(comm, rank).is_none() {
        return refuse(format!("is not in communicator {comm}, which it names: {operation:?}"));
    }
    let of = |comm| if comm == 0 { "the job".to_owned() } else { format!("communicator {comm}") };
    if let Some(collective) = operation.called() {
        if let Some(root) = collective.root().filter(|&root| root >= size) {
            return refuse(format!("names rank {root}, but {} has {size} ranks: {operation:?}", of(comm)));
        }
        if let Some(sizes) = collective.sizes().filter(|sizes| sizes.len() != size as usize) {
            let given = sizes.len();
            return refuse(format!("lists sizes for {given} ranks, but {} has {size}: {operation:?}", of(comm)));
        }
    }
    match operation.peer() {
        Some(peer) if communicators.member(0, peer).is_none() => {
            let ranks = communicators.size(0).unwrap_or_default();
            refuse(format!("names rank {peer}, but the job has {ranks} ranks: {operation:?}"))
        }
        Some(peer) if communicators.member(comm, peer).is_none() => {
            refuse(format!("names rank {peer}, which is not in communicator {comm}: {operation:?}"))
        }
        _ => Ok(()),
    }
}
