//! The algorithms of NCCL, as used to train neural networks on many GPUs: rings and double binary trees, over channels
//! that share the data, in chunks.
//!
//! Rings visit one node after the other, and its ranks in turn. Each channel begins a node at another of its ranks, so
//! that the ranks share the traffic between nodes. A rank serves its channels in turn, and all of them at once in each
//! step. Left out: protocols (`LL`, `LL128`), GPUs' own links, and NCCL's search for rings and its choice of
//! algorithms.

mod colours;
pub(super) mod ring;
mod slots;
pub(super) mod tree;

use super::pipeline::Segments;
use crate::workload::algorithms::Algorithms;
use crate::workload::by_node::Groups;
use crate::workload::operation::Operation;

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

/// Receives every segment and passes it on, combined or not, on all lanes at once. The next receive is posted before a
/// segment is sent, so that both directions of a link are busy.
fn relay(lanes: &[Lane], operations: &mut Vec<Operation>) {
    let at = |index: u32| (0..).zip(lanes).filter(move |(_, lane)| index < lane.segments.count());
    let receive = |index: u32, operations: &mut Vec<Operation>| {
        let posted = |(number, lane): (u32, &Lane)| {
            lane.from.map(|from| Operation::irecv(from, tag(number, index), name(number, index % 2)))
        };
        operations.extend(at(index).filter_map(posted));
    };
    let most = lanes.iter().map(|lane| lane.segments.count()).max().unwrap_or(0);
    receive(0, operations);
    for index in 0..most {
        receive(index + 1, operations);
        for (number, lane) in at(index) {
            operations.extend(lane.from.map(|_| Operation::Wait { request: name(number, index % 2) }));
            let bytes = lane.segments.size(index);
            operations.extend(lane.to.map(|to| Operation::isend(to, tag(number, index), bytes, name(number, SENT))));
        }
        let sent = |(number, lane): (u32, &Lane)| lane.to.map(|_| Operation::Wait { request: name(number, SENT) });
        operations.extend(at(index).filter_map(sent));
    }
}

/// The request of what is passed on. Requests 0 and 1 belong to the receives.
const SENT: u32 = 2;

/// Names a request of a lane.
const fn name(lane: u32, request: u32) -> u32 {
    (lane << 2) + request
}

/// Numbers the message with a segment. Lanes between the same two ranks must not mix.
const fn tag(lane: u32, index: u32) -> u32 {
    (lane << 24) ^ index
}
