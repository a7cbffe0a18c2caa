//! Broadcast: along a binomial tree, a split binary tree or a chain.

use super::exchange::exchange;
use super::pipeline::{Segments, downwards, send_to_all};
use super::rooted::Rooted;
use super::trees::{Place, binary, binomial, chain};
use crate::workload::member::Member;
use crate::workload::operation::Operation;

/// An algorithm with its segment size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    Binomial,
    SplitBinary(u64),
    Pipeline(u64),
}

/// Chooses the algorithm by Open MPI's fixed rules.
fn decide(size: u32, bytes: u64, count: u64) -> Algorithm {
    let (p, n) = (f64::from(size), bytes as f64);
    if bytes < 2_048 || count <= 1 {
        Algorithm::Binomial
    } else if bytes < 370_728 {
        Algorithm::SplitBinary(1 << 10)
    } else if p < 1.6134e-6 * n + 2.1102 {
        Algorithm::Pipeline(128 << 10)
    } else if size < 13 {
        Algorithm::SplitBinary(8 << 10)
    } else if p < 2.3679e-6 * n + 1.1787 {
        Algorithm::Pipeline(64 << 10)
    } else if p < 3.2118e-6 * n + 8.7936 {
        Algorithm::Pipeline(16 << 10)
    } else {
        Algorithm::Pipeline(8 << 10)
    }
}

pub(super) fn expand(member: Member, root: u32, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    if member.size < 2 {
        return;
    }
    match decide(member.size, bytes, count) {
        Algorithm::Binomial => along(binomial, member, root, Segments::new(bytes, None), operations),
        Algorithm::Pipeline(segment) => along(chain, member, root, Segments::new(bytes, Some(segment)), operations),
        Algorithm::SplitBinary(segment) => {
            split_binary(member, Rooted { root, bytes, count }, Some(segment), operations);
        }
    }
}

/// Passes all segments down a tree.
pub(super) fn along(
    tree: fn(u32, u32) -> Place,
    member: Member,
    root: u32,
    segments: Segments,
    operations: &mut Vec<Operation>,
) {
    let from_root = (member.rank + member.size - root) % member.size;
    let place = tree(from_root, member.size).rooted_at(root, member.size);
    downwards(&place, segments, operations);
}

/// Sends one half of the data down the odd half of a binary tree and the other half down the even half. Then mirror
/// nodes exchange their halves. If a half is empty or smaller than a segment, all data goes down a chain instead.
pub(super) fn split_binary(member: Member, data: Rooted, segment: Option<u64>, operations: &mut Vec<Operation>) {
    let (Member { rank, size }, Rooted { root, bytes, count }) = (member, data);
    let element = (bytes / count.max(1)).max(1);
    let left = count.div_ceil(2) * element;
    let halves = [left, bytes.saturating_sub(left)];
    if halves.iter().any(|&half| half < segment.unwrap_or(1)) {
        return along(chain, member, root, Segments::new(bytes, segment), operations);
    }
    let from_root = (rank + size - root) % size;
    let place = binary(from_root, size).rooted_at(root, size);
    let segments = halves.map(|half| Segments::new(half, segment));
    let most = segments[0].count().max(segments[1].count());
    if from_root == 0 {
        for index in 0..most {
            for (segments, child) in segments.iter().zip(&place.children) {
                if index < segments.count() {
                    send_to_all(&[*child], *segments, index, operations);
                }
            }
        }
    } else {
        downwards(&place, segments[usize::from(from_root.is_multiple_of(2))], operations);
    }
    exchange_halves(member, root, halves, most, operations);
}

/// Pairs of neighbouring ranks, one of each half, exchange their halves. With an even number of ranks, the last rank
/// has no partner and receives the second half from the root.
fn exchange_halves(member: Member, root: u32, halves: [u64; 2], tag: u32, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let from_root = (rank + size - root) % size;
    let last = (root + size - 1) % size;
    let even = size.is_multiple_of(2);
    if even && from_root == 0 {
        operations.push(Operation::send(last, tag, halves[1]));
    } else if even && rank == last {
        operations.push(Operation::recv(root, tag));
    } else if from_root != 0 {
        let odd = from_root % 2 == 1;
        let pair = if odd { (rank + 1) % size } else { (rank + size - 1) % size };
        exchange(pair, pair, tag, halves[usize::from(!odd)], operations);
    }
}
