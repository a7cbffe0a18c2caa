//! One iteration of a communication graph: all receives, all sends, and one wait for all of them.
//!
//! Messages of a rank to itself are left out, and so is the order of messages within an iteration.

use crate::workload::communicators::ALL;
use crate::workload::graph::{Flow, Graph};
use crate::workload::operation::{Operation, RequestId, SendMode};

/// Calls `visit` with what a rank sends to others in an iteration.
fn sends(graph: &Graph, rank: u32, visit: &mut dyn FnMut(Flow)) {
    graph.flows(rank, &mut |flow| {
        if flow.to != rank {
            visit(flow);
        }
    });
    if let Some(bytes) = graph.to_all() {
        let ranks = graph.ranks();
        // Each rank begins at its successor, so that not all send to the same rank first.
        (rank + 1..ranks).chain(0..rank).for_each(|to| visit(Flow { to, messages: 1, bytes }));
    }
}

/// Returns the number of messages of an iteration, and the size of the largest.
pub(super) fn volume(graph: &Graph) -> (u64, u64) {
    let (mut messages, mut largest): (u64, u64) = (0, graph.to_all().unwrap_or(0));
    let ranks = u64::from(graph.ranks());
    for rank in 0..graph.ranks() {
        graph.flows(rank, &mut |flow| {
            if flow.to != rank {
                messages = messages.saturating_add(flow.messages);
                largest = largest.max(flow.bytes);
            }
        });
    }
    (messages.saturating_add(graph.to_all().map_or(0, |_| ranks * (ranks - 1))), largest)
}

/// The senders to each rank, without the messages that every rank sends to all.
#[derive(Debug)]
pub(super) struct Senders {
    /// The index of each rank's first sender, then the total.
    begins: Vec<u32>,
    /// The senders by receiving rank, each in ascending order. A sender appears once per flow.
    senders: Vec<Sender>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sender {
    pub from: u32,
    pub messages: u32,
}

impl Senders {
    /// Inverts a graph in two passes. The graph must not exceed the largest number of messages.
    pub fn of(graph: &Graph) -> Self {
        let ranks = graph.ranks();
        let each = |visit: &mut dyn FnMut(u32, Flow)| {
            for from in 0..ranks {
                graph.flows(from, &mut |flow| {
                    if flow.to != from && flow.messages > 0 {
                        visit(from, flow);
                    }
                });
            }
        };
        let mut begins = vec![0u32; ranks as usize + 1];
        each(&mut |_, flow| begins[flow.to as usize + 1] += 1);
        for rank in 0..ranks as usize {
            begins[rank + 1] += begins[rank];
        }
        let mut senders = vec![Sender::default(); begins[ranks as usize] as usize];
        let mut next = begins.clone();
        each(&mut |from, Flow { to, messages, .. }| {
            let place = &mut next[to as usize];
            senders[*place as usize] = Sender { from, messages: messages as u32 };
            *place += 1;
        });
        Senders { begins, senders }
    }

    pub fn to(&self, rank: u32) -> &[Sender] {
        let rank = rank as usize;
        &self.senders[self.begins[rank] as usize..self.begins[rank + 1] as usize]
    }
}

/// Appends the messages of an iteration of a rank.
pub(super) fn append(graph: &Graph, senders: &Senders, mode: SendMode, rank: u32, operations: &mut Vec<Operation>) {
    let mut requests: RequestId = 0;
    let mut request = || {
        requests += 1;
        requests - 1
    };
    let mut receive = |from| Operation::irecv(from, 0, request());
    for sender in senders.to(rank) {
        operations.extend((0..sender.messages).map(|_| receive(sender.from)));
    }
    if graph.to_all().is_some() {
        operations.extend((0..rank).rev().chain((rank + 1..graph.ranks()).rev()).map(receive));
    }
    sends(graph, rank, &mut |Flow { to, messages, bytes }| {
        let send = |request| Operation::Isend { to, tag: 0, comm: ALL, mode, bytes, request: Some(request) };
        operations.extend((0..messages).map(|_| send(request())));
    });
    operations.push(Operation::WaitAll);
}
