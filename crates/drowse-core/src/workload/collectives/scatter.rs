//! Scatter of equal blocks: down a binomial tree for small blocks among many ranks, else linear.

use super::trees::{in_order_binomial, subtree};
use crate::workload::member::Member;
use crate::workload::operation::Operation;

/// Chooses the algorithm by Open MPI's fixed rules.
pub(super) fn expand(member: Member, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
    if member.size > 10 && bytes < 300 {
        binomial(member, root, bytes, operations);
    } else {
        linear(member, root, bytes, operations);
    }
}

/// The root sends to one rank after the other.
pub(super) fn linear(member: Member, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
    if member.rank == root {
        operations.extend(member.others(root).map(|to| Operation::send(to, 0, bytes)));
    } else {
        operations.push(Operation::recv(root, 0));
    }
}

/// The root starts to send to all ranks, and waits.
pub(super) fn linear_nonblocking(member: Member, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
    if member.rank == root {
        operations.extend(member.others(root).map(|to| Operation::isend(to, 0, bytes, to)));
        operations.extend(member.others(root).map(|request| Operation::Wait { request }));
    } else {
        operations.push(Operation::recv(root, 0));
    }
}

/// Every rank sends each child the blocks of the child's subtree, the smallest subtree first (the largest first from
/// version 4.0 on).
pub(super) fn binomial(member: Member, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
    let order = std::convert::identity;
    down_tree(order, member, root, bytes, operations);
}

/// The same, with the largest subtree first.
pub(super) fn binomial_largest_first(member: Member, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
    let order = |mut children: Vec<u32>| {
        children.reverse();
        children
    };
    down_tree(order, member, root, bytes, operations);
}

/// Sends blocks down a binomial tree; `order` is that of children.
fn down_tree(order: fn(Vec<u32>) -> Vec<u32>, member: Member, root: u32, bytes: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let from_root = |rank: u32| (rank + size - root) % size;
    let place = in_order_binomial(from_root(rank), size).rooted_at(root, size);
    operations.extend(place.parent.map(|parent| Operation::recv(parent, 0)));
    let send = |&to: &u32| {
        let blocks = u64::from(subtree(from_root(to), size));
        Operation::send(to, 0, blocks.saturating_mul(bytes))
    };
    operations.extend(order(place.children).iter().map(send));
}
