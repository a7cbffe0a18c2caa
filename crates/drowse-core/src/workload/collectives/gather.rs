//! Gather of equal blocks: linear with a handshake for large blocks, along a binomial tree for small blocks among many
//! ranks, else linear.

use super::trees::{in_order_binomial, subtree};
use crate::workload::member::Member;
use crate::workload::operation::Operation;

/// An algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    /// Every rank sends to the root, which receives from one after the other.
    Linear,
    /// The root requests a first segment of this many bytes from each rank before it asks the next.
    LinearSync(u64),
    /// Blocks are collected up a tree.
    Binomial,
}

/// Chooses the algorithm by Open MPI's fixed rules.
fn decide(size: u32, bytes: u64) -> Algorithm {
    if bytes > 92_160 {
        Algorithm::LinearSync(32 << 10)
    } else if bytes > 6_000 {
        Algorithm::LinearSync(1 << 10)
    } else if size > 60 || (size > 10 && bytes < 1_024) {
        Algorithm::Binomial
    } else {
        Algorithm::Linear
    }
}

pub(super) fn expand(member: Member, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
    by(decide(member.size, bytes), member, root, bytes, operations);
}

/// Appends a rank's share of an algorithm.
pub(super) fn by(algorithm: Algorithm, member: Member, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
    match algorithm {
        Algorithm::Linear if member.rank == root => {
            let receive = |other| Operation::recv(other, 0);
            operations.extend(member.others(root).map(receive));
        }
        Algorithm::Linear => operations.push(Operation::send(root, 0, bytes)),
        Algorithm::LinearSync(_) if member.rank == root => receive_with_handshakes(member, operations),
        Algorithm::LinearSync(first) => {
            let first = bytes.min(first);
            operations.extend([
                Operation::recv(root, 0),
                Operation::send(root, 0, first),
                Operation::send(root, 1, bytes - first),
            ]);
        }
        Algorithm::Binomial => binomial(member, root, bytes, operations),
    }
}

/// Appends the root's share of the handshake. The root asks the next rank when the first segment of the one before has
/// arrived; the rest may arrive later.
///
/// Open MPI rounds the first segment to whole elements; here it is cut at the byte.
fn receive_with_handshakes(member: Member, operations: &mut Vec<Operation>) {
    let Member { rank: root, size } = member;
    for other in member.others(root) {
        operations.extend([
            Operation::irecv(other, 0, size),
            Operation::send(other, 0, 0),
            Operation::irecv(other, 1, other),
            Operation::Wait { request: size },
        ]);
    }
    operations.extend(member.others(root).map(|request| Operation::Wait { request }));
}

/// Every rank receives its children's blocks, the smallest subtree first, and sends all its blocks to its parent.
fn binomial(member: Member, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let from_root = (rank + size - root) % size;
    let place = in_order_binomial(from_root, size).rooted_at(root, size);
    let receive = |&child: &u32| Operation::recv(child, 0);
    operations.extend(place.children.iter().map(receive));
    if let Some(parent) = place.parent {
        let blocks = u64::from(subtree(from_root, size));
        operations.push(Operation::send(parent, 0, blocks.saturating_mul(bytes)));
    }
}
