//! The order in which a rank sends and receives along double binary trees: in slots, in each of which it sends to one
//! rank and receives from one at most (Sanders, Speck and Träff 2009). Without it, two ranks send to a third at once,
//! and what either has to send to others waits behind.
//!
//! Four slots move a burst up and down both trees: edges of one [colour](super::colours), up, then down, then those of
//! the other. A receiver grants each burst but the first, once it has received all of the slots before, as NCCL's
//! receivers grant buffers. So a sender never begins early and takes the link from another, and what it sends asks for
//! nothing. As all ranks go by the same order of slots, none waits for one that waits.

use super::super::pipeline::Segments;
use super::{grant, tag};
use crate::workload::communicators::ALL;
use crate::workload::operation::{Operation, SendMode};

/// The bytes that one slot moves at most, if a segment has not more: few grants are on their way then.
const BURST: u64 = 512 << 10;
/// Bursts are longer than a segment only where this many are left, so that they fill the tree.
const BURSTS: u32 = 64;

/// A tree's edge from one rank to another: where its data is.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// The other rank.
    pub peer: u32,
    /// The number of the tree, by which messages differ.
    pub tree: u32,
    /// How many steps the lower end is away from the root.
    pub depth: u32,
    /// The colour.
    pub colour: bool,
}

/// A burst along an edge.
#[derive(Clone, Copy)]
pub(super) struct Transfer {
    slot: i64,
    edge: Edge,
    sends: bool,
    burst: u32,
    segments: Segments,
}

/// Appends all bursts that go up and down an edge; this rank is its upper end, or its lower one.
pub(super) fn along(edge: Edge, upper: bool, segments: Segments, transfers: &mut Vec<Transfer>) {
    let bursts = segments.count().div_ceil(segments_of_burst(segments));
    // A single burst goes as soon as it can: nothing waits behind it.
    let colour = edge.colour && bursts > 1;
    let slot = |burst: u32, down: bool| {
        let depth = i64::from(edge.depth);
        let period = i64::from(burst) + if down { depth } else { -depth };
        4 * period + 2 * i64::from(colour) + i64::from(down)
    };
    for burst in 0..bursts {
        for down in [false, true] {
            transfers.push(Transfer { slot: slot(burst, down), edge, sends: down == upper, burst, segments });
        }
    }
}

/// Returns how many segments go in a slot.
fn segments_of_burst(segments: Segments) -> u32 {
    let fitting = (BURST / segments.size(0).max(1)).min(u64::from(u32::MAX)) as u32;
    fitting.min(segments.count() / BURSTS).max(1)
}

/// Appends what a rank does, slot by slot.
pub(super) fn take(mut transfers: Vec<Transfer>, operations: &mut Vec<Operation>) {
    transfers.sort_by_key(|transfer| transfer.slot);
    for together in transfers.chunk_by(|one, other| one.slot == other.slot) {
        let mut requests = 0;
        let mut request = || {
            requests += 1;
            requests - 1
        };
        for transfer in together.iter().filter(|transfer| !transfer.sends) {
            transfer.receive(&mut request, operations);
        }
        for transfer in together.iter().filter(|transfer| transfer.sends) {
            transfer.send(&mut request, operations);
        }
        operations.extend((0..requests).map(|request| Operation::Wait { request }));
    }
}

impl Transfer {
    /// Posts the receives, and grants the burst.
    fn receive(&self, request: &mut impl FnMut() -> u32, operations: &mut Vec<Operation>) {
        let Edge { peer, .. } = self.edge;
        operations.extend(self.range().map(|index| Operation::irecv(peer, tag(self.edge.tree, index), request())));
        if self.is_granted() {
            operations.push(Operation::isend(peer, grant(self.edge.tree, self.burst), 0, request()));
        }
    }

    /// Sends once the burst is granted, so that its receives are posted.
    fn send(&self, request: &mut impl FnMut() -> u32, operations: &mut Vec<Operation>) {
        let Edge { peer: to, .. } = self.edge;
        let mut mode = SendMode::Standard;
        if self.is_granted() {
            operations.push(Operation::recv(to, grant(self.edge.tree, self.burst)));
            mode = SendMode::Ready;
        }
        operations.extend(self.range().map(|index| {
            let (tag, bytes, request) = (tag(self.edge.tree, index), self.segments.size(index), Some(request()));
            Operation::Isend { to, tag, comm: ALL, mode, bytes, request }
        }));
    }

    fn is_granted(&self) -> bool {
        self.burst > 0
    }

    fn range(&self) -> std::ops::Range<u32> {
        let each = segments_of_burst(self.segments);
        let first = self.burst * each;
        first..(first + each).min(self.segments.count())
    }
}
