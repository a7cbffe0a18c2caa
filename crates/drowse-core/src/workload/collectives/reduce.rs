//! Reduce, along a tree or linear. Operations are assumed to be commutative.

use super::pipeline::{Segments, upwards};
use super::trees::{Place, binary, chain, in_order_binary, in_order_binomial};
use crate::workload::member::Member;
use crate::workload::operation::Operation;

/// A tree: the place of a rank among a number of ranks.
pub(super) type Tree = fn(u32, u32) -> Place;

/// Chooses the tree and the segment size by Open MPI's fixed rules; `None` is the linear algorithm.
fn decide(size: u32, bytes: u64, count: u64) -> Option<(Tree, Option<u64>)> {
    let (p, kib) = (f64::from(size), bytes as f64 / 1_024.0);
    if size < 8 && bytes < 512 {
        None
    } else if (size < 8 && bytes < 20_480) || bytes < 2_048 || count <= 1 {
        Some((in_order_binomial, None))
    } else if p > 0.6016 * kib + 1.3496 {
        Some((in_order_binomial, Some(1 << 10)))
    } else if p > 0.0410 * kib + 9.7128 {
        Some((chain, Some(1 << 10)))
    } else if p > 0.0422 * kib + 1.1614 {
        Some((binary, Some(32 << 10)))
    } else if p > 0.0033 * kib + 1.6761 {
        Some((chain, Some(32 << 10)))
    } else {
        Some((chain, Some(64 << 10)))
    }
}

pub(super) fn expand(member: Member, root: u32, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    let tree = decide(member.size, bytes, count).map(|(tree, segment)| (tree, Segments::new(bytes, segment)));
    along(tree, member, root, bytes, operations);
}

/// Combines all data along a tree, in segments; without a tree, linearly.
pub(super) fn along(
    tree: Option<(Tree, Segments)>,
    member: Member,
    root: u32,
    bytes: u64,
    operations: &mut Vec<Operation>,
) {
    let Member { rank, size } = member;
    if size < 2 {
        return;
    }
    match tree {
        Some((tree, segments)) => {
            let from_root = (rank + size - root) % size;
            let place = tree(from_root, size).rooted_at(root, size);
            upwards(&place, segments, operations);
        }
        None if rank == root => {
            let others = (0..size).rev().filter(|&other| other != root);
            operations.extend(others.map(|other| Operation::recv(other, 0)));
        }
        None => operations.push(Operation::send(root, 0, bytes)),
    }
}

/// Combines all data along the binary tree that keeps the order of ranks. Its root, the last rank, sends the result to
/// `root`.
pub(super) fn in_order(member: Member, root: u32, segments: Segments, bytes: u64, operations: &mut Vec<Operation>) {
    const RESULT: u32 = u32::MAX;
    let Member { rank, size } = member;
    if size < 2 {
        return;
    }
    let last = size - 1;
    upwards(&in_order_binary(rank, size), segments, operations);
    if rank == last && root != last {
        operations.push(Operation::send(root, RESULT, bytes));
    } else if rank == root && root != last {
        operations.push(Operation::recv(last, RESULT));
    }
}
