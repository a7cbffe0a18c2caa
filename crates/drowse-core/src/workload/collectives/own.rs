//! Collective operations by an algorithm of another crate.

use super::exchange::exchange;
use crate::workload::member::Member;
use crate::workload::operation::{Collective, Operation};
use crate::workload::own_algorithms::{Call, Called, OwnAlgorithms, Step};

/// Appends what `member` does in a collective operation, by the algorithm of another crate that is named for it; returns
/// false where there is none.
pub(super) fn expand(
    algorithms: &OwnAlgorithms,
    collective: &Collective,
    member: Member,
    operations: &mut Vec<Operation>,
) -> bool {
    let Some(algorithm) = called(collective).and_then(|operation| algorithms.of(operation)) else { return false };
    let call = Call {
        member,
        root: collective.root().unwrap_or(0),
        bytes: if collective.sizes().is_some() { 0 } else { collective.largest() },
        sizes: collective.sizes().unwrap_or(&[]),
    };
    // Messages between two ranks are received in the order in which they are sent, whichever steps these are.
    let tag = 0;
    for Step { send, receive } in (algorithm.steps)(&call) {
        match (send, receive) {
            (Some((to, bytes)), Some(from)) => {
                exchange(to, from, tag, bytes, operations);
            }
            (Some((to, bytes)), None) => operations.push(Operation::send(to, tag, bytes)),
            (None, Some(from)) => operations.push(Operation::recv(from, tag)),
            (None, None) => {}
        }
    }
    true
}

/// Returns the operation of a collective, where algorithms can be added for it.
fn called(collective: &Collective) -> Option<Called> {
    Some(match collective {
        Collective::Barrier => Called::Barrier,
        Collective::Bcast { .. } => Called::Bcast,
        Collective::Reduce { .. } => Called::Reduce,
        Collective::Allreduce { .. } => Called::Allreduce,
        Collective::Gather { .. } => Called::Gather,
        Collective::Scatter { .. } => Called::Scatter,
        Collective::Allgather { .. } => Called::Allgather,
        Collective::Alltoall { .. } => Called::Alltoall,
        Collective::ReduceScatter { .. } => Called::ReduceScatter,
        _ => return None,
    })
}
