//! The algorithms of NCCL, as used to train neural networks on many GPUs: rings and double binary trees, over channels
//! that share the data, in chunks.
//!
//! Rings visit one node after the other, and its ranks in turn. Each channel begins a node at another of its ranks, so
//! that the ranks share the traffic between nodes. A rank serves its channels in turn, and all of them at once in each
//! step. Left out: protocols (`LL`, `LL128`), GPUs' own links, and NCCL's search for rings and its choice of
//! algorithms.

mod colours;
pub(super) mod double_tree;
pub(super) mod ring;
mod slots;
mod tree;

use super::pipeline::Segments;
use crate::workload::algorithms::Algorithms;
use crate::workload::by_node::Groups;
use crate::workload::communicators::ALL;
use crate::workload::operation::{Operation, SendMode};

/// Data over channels, in chunks.
#[derive(Clone, Copy)]
pub(super) struct Channels<'a> {
    /// The ranks by node.
    pub groups: &'a Groups,
    /// The rank.
    pub rank: u32,
    /// The number of ranks.
    pub size: u32,
    /// The number of channels.
    pub channels: u32,
    /// The bytes of a chunk; by rules of their own if there is none.
    pub chunk: Option<u64>,
}

impl Channels<'_> {
    /// Returns a channel's share of a number of elements; the first channels have one more where they do not divide
    /// evenly.
    fn share(&self, elements: u64, channel: u32) -> u64 {
        let channels = u64::from(self.channels);
        elements / channels + u64::from(u64::from(channel) < elements % channels)
    }

    /// Returns the bytes of a chunk on a ring.
    fn chunk(&self) -> u64 {
        self.chunk.unwrap_or(Algorithms::CHUNK)
    }

    /// Cuts data that goes so many steps along a tree or chain. Without a size, chunks are shortened by NCCL's rule for
    /// trees, so that there are enough to fill all steps.
    fn cut(&self, bytes: u64, steps: u32) -> Segments {
        let mut chunk = self.chunk();
        if self.chunk.is_none() {
            for (times, shortest) in [(8, 128 << 10), (4, 64 << 10), (1, 32 << 10)] {
                while bytes / chunk < times * u64::from(steps) && chunk > shortest {
                    chunk /= 2;
                }
            }
        }
        Segments::new(bytes, Some(chunk))
    }

    /// Returns the rank at a place of a channel's ring.
    fn at(&self, place: u32, channel: u32) -> u32 {
        let group = self.groups.at(place % self.size);
        let ranks = self.groups.ranks(group);
        let within = place % self.size - self.groups.before(group);
        ranks[(within as usize + channel as usize) % ranks.len()]
    }

    /// Returns the place of a rank in a channel's ring.
    fn place(&self, rank: u32, channel: u32) -> u32 {
        let group = self.groups.of(rank);
        let ranks = self.groups.ranks(group);
        let index = ranks.partition_point(|&other| other < rank);
        self.groups.before(group) + ((index + ranks.len() - channel as usize % ranks.len()) % ranks.len()) as u32
    }
}

/// Data that goes along one chain, beside others: from the rank before, where there is one, to the next.
pub(super) struct Lane {
    from: Option<u32>,
    to: Option<u32>,
    segments: Segments,
}

/// Receives every segment and passes it on, combined or not, on all lanes at once. The next receive is posted, and its
/// segment granted, before one is sent, so that both directions of a link are busy, and what is sent asks for nothing.
/// The first segment is not granted, as NCCL's buffers are free at first.
fn relay(lanes: &[Lane], operations: &mut Vec<Operation>) {
    let at = |index: u32| (0..).zip(lanes).filter(move |(_, lane)| index < lane.segments.count());
    let most = lanes.iter().map(|lane| lane.segments.count()).max().unwrap_or(0);
    at(0).for_each(|(number, lane)| lane.receive(number, 0, operations));
    for index in 0..most {
        at(index + 1).for_each(|(number, lane)| lane.receive(number, index + 1, operations));
        at(index).for_each(|(number, lane)| lane.pass_on(number, index, operations));
        at(index).for_each(|(number, lane)| lane.wait_sent(number, operations));
    }
}

impl Lane {
    fn receive(&self, number: u32, index: u32, operations: &mut Vec<Operation>) {
        let Some(from) = self.from else { return };
        operations.push(Operation::irecv(from, tag(number, index), name(number, index % 2)));
        if index > 0 {
            operations.push(Operation::isend(from, grant(number, index), 0, name(number, GRANTED + index % 2)));
        }
    }

    fn pass_on(&self, number: u32, index: u32, operations: &mut Vec<Operation>) {
        if self.from.is_some() {
            operations.push(Operation::Wait { request: name(number, index % 2) });
            operations.extend((index > 0).then_some(Operation::Wait { request: name(number, GRANTED + index % 2) }));
        }
        let Some(to) = self.to else { return };
        operations.extend((index > 0).then(|| Operation::recv(to, grant(number, index))));
        let mode = if index > 0 { SendMode::Ready } else { SendMode::Standard };
        let (tag, bytes, request) = (tag(number, index), self.segments.size(index), Some(name(number, SENT)));
        operations.push(Operation::Isend { to, tag, comm: ALL, mode, bytes, request });
    }

    fn wait_sent(&self, number: u32, operations: &mut Vec<Operation>) {
        operations.extend(self.to.map(|_| Operation::Wait { request: name(number, SENT) }));
    }
}

/// The request of what is passed on. Requests 0 and 1 belong to the receives.
const SENT: u32 = 2;
/// The first request of a grant; grants take turns, as receives do.
const GRANTED: u32 = 3;

/// Names a request of a lane.
const fn name(lane: u32, request: u32) -> u32 {
    (lane << 3) + request
}

/// Numbers the message with a segment. Lanes between the same two ranks must not mix.
const fn tag(lane: u32, index: u32) -> u32 {
    (lane << 24) ^ index
}

/// Numbers the grant of a segment.
const fn grant(lane: u32, index: u32) -> u32 {
    tag(lane, index) ^ (1 << 23)
}
