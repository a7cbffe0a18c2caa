//! The algorithms of NCCL, as used to train neural networks on many GPUs: rings and double binary trees, over channels
//! that share the data, in chunks.
//!
//! Rings visit one node after the other, and its ranks in turn. Each channel begins a node at another of its ranks, so
//! that the ranks share the traffic between nodes. A rank serves its channels in turn, and all of them at once in each
//! step. Left out: protocols (`LL`, `LL128`), GPUs' own links, and NCCL's search for rings and its choice of
//! algorithms.

pub(super) mod ring;
pub(super) mod tree;

use super::pipeline::Segments;
use super::trees::Place;
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
    /// The bytes of a chunk; all at once if there is none.
    pub chunk: Option<u64>,
}

impl Channels<'_> {
    /// Returns a channel's share of a number of elements; the first channels have one more where they do not divide
    /// evenly.
    fn share(&self, elements: u64, channel: u32) -> u64 {
        let channels = u64::from(self.channels);
        elements / channels + u64::from(u64::from(channel) < elements % channels)
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

/// Data that goes along one tree or chain, beside others.
pub(super) struct Lane {
    place: Place,
    segments: Segments,
}

/// Receives every segment from the parent and forwards it to all children, on all lanes at once.
fn downwards(lanes: &[Lane], operations: &mut Vec<Operation>) {
    let receive = |index: u32, operations: &mut Vec<Operation>| {
        for (number, lane) in (0..).zip(lanes).filter(|(_, lane)| index < lane.segments.count()) {
            let parent = lane.place.parent;
            operations.extend(parent.map(|from| Operation::irecv(from, tag(number, index), name(number, index % 2))));
        }
    };
    let most = lanes.iter().map(|lane| lane.segments.count()).max().unwrap_or(0);
    receive(0, operations);
    for index in 0..most {
        receive(index + 1, operations);
        for (number, lane) in (0..).zip(lanes).filter(|(_, lane)| index < lane.segments.count()) {
            if lane.place.parent.is_some() {
                operations.push(Operation::Wait { request: name(number, index % 2) });
            }
            send_down(lane, number, index, operations);
        }
        for (number, lane) in (0..).zip(lanes).filter(|(_, lane)| index < lane.segments.count()) {
            wait_down(lane, number, operations);
        }
    }
}

/// Receives every segment from all children and sends the combination to the parent, on all lanes at once.
fn upwards(lanes: &[Lane], operations: &mut Vec<Operation>) {
    let most = lanes.iter().map(|lane| lane.segments.count()).max().unwrap_or(0);
    for index in 0..most {
        let here = || (0..).zip(lanes).filter(|(_, lane)| index < lane.segments.count());
        here().for_each(|(number, lane)| receive_up(lane, number, index, operations));
        here().for_each(|(number, lane)| send_up(lane, number, index, operations));
        here().for_each(|(number, lane)| wait_up(lane, number, operations));
    }
}

/// The first request of children.
const CHILDREN: u32 = 1 << 19;
/// The request of what goes to the parent.
const PARENT: u32 = 1 << 18;

/// Names a request of a lane.
const fn name(lane: u32, request: u32) -> u32 {
    (lane << 20) + request
}

/// Numbers the message with a segment. Lanes between the same two ranks must not mix.
const fn tag(lane: u32, index: u32) -> u32 {
    (lane << 24) ^ index
}

fn receive_up(lane: &Lane, number: u32, index: u32, operations: &mut Vec<Operation>) {
    let children = (0..).zip(&lane.place.children);
    operations.extend(
        children.map(|(child, &from)| Operation::irecv(from, tag(number, index), name(number, CHILDREN + child))),
    );
}

fn send_up(lane: &Lane, number: u32, index: u32, operations: &mut Vec<Operation>) {
    wait_down(lane, number, operations);
    operations.extend(
        lane.place
            .parent
            .map(|to| Operation::isend(to, tag(number, index), lane.segments.size(index), name(number, PARENT))),
    );
}

fn wait_up(lane: &Lane, number: u32, operations: &mut Vec<Operation>) {
    operations.extend(lane.place.parent.map(|_| Operation::Wait { request: name(number, PARENT) }));
}

fn send_down(lane: &Lane, number: u32, index: u32, operations: &mut Vec<Operation>) {
    let children = (0..).zip(&lane.place.children);
    operations.extend(children.map(|(child, &to)| {
        Operation::isend(to, tag(number, index), lane.segments.size(index), name(number, CHILDREN + child))
    }));
}

/// Waits for what was received from the children, or sent to them.
fn wait_down(lane: &Lane, number: u32, operations: &mut Vec<Operation>) {
    let children = 0..lane.place.children.len() as u32;
    operations.extend(children.map(|child| Operation::Wait { request: name(number, CHILDREN + child) }));
}
