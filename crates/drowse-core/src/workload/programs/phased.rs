//! Programs whose ranks send all messages of an iteration at once: they compute, post all receives, start all sends, and
//! wait for all of them (Totoni et al. 2014, sections 5 and 6).
//!
//! Messages of a rank to itself are left out, and so is the order of messages within an iteration.

use super::flow::{Communication, Flow};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::workload::operation::{Operation, RequestId, SendMode};

/// A program in phases: all ranks compute, and then all of its messages are sent at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phased<C>(pub C);

impl<C: Communication + Clone + 'static> Program for Phased<C> {
    fn ranks(&self) -> u32 {
        self.0.ranks()
    }

    fn messages(&self) -> u64 {
        volume(&self.0).messages
    }

    fn bytes(&self) -> u64 {
        volume(&self.0).bytes
    }

    fn largest(&self) -> u64 {
        volume(&self.0).largest
    }

    /// Each rank waits once.
    fn calls(&self) -> u64 {
        self.0.ranks().into()
    }

    fn mode(&self) -> SendMode {
        SendMode::Standard
    }

    fn at_once(&self) -> Option<&dyn Communication> {
        Some(&self.0)
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(Exchange { senders: Senders::of(&self.0), communication: self.0.clone() })
    }
}

/// The messages of an iteration, and who sends to each rank.
#[derive(Debug)]
struct Exchange<C> {
    communication: C,
    senders: Senders,
}

impl<C: Communication> Steps for Exchange<C> {
    fn take(&self, rank: u32, _: u64, writer: &mut Writer<'_>) {
        writer.compute();
        let mut requests: RequestId = 0;
        let mut request = || {
            requests += 1;
            requests - 1
        };
        let mut receive = |from| Operation::irecv(from, 0, request());
        for sender in self.senders.to(rank) {
            writer.extend((0..sender.messages).map(|_| receive(sender.from)));
        }
        if self.communication.to_all().is_some() {
            let ranks = self.communication.ranks();
            writer.extend((0..rank).rev().chain((rank + 1..ranks).rev()).map(receive));
        }
        sends(&self.communication, rank, &mut |Flow { to, messages, bytes }| {
            (0..messages).for_each(|_| writer.start(to, 0, bytes, request()));
        });
        writer.wait_all();
    }
}

/// Calls `visit` with what a rank sends to others in an iteration.
fn sends(communication: &dyn Communication, rank: u32, visit: &mut dyn FnMut(Flow)) {
    communication.flows(rank, &mut |flow| {
        if flow.to != rank {
            visit(flow);
        }
    });
    if let Some(bytes) = communication.to_all() {
        let ranks = communication.ranks();
        // Each rank begins at its successor, so that not all send to the same rank first.
        (rank + 1..ranks).chain(0..rank).for_each(|to| visit(Flow { to, messages: 1, bytes }));
    }
}

/// What all ranks send to others in an iteration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Volume {
    pub messages: u64,
    pub bytes: u64,
    /// The size of the largest message.
    pub largest: u64,
}

/// Returns the volume of an iteration.
pub(super) fn volume(communication: &dyn Communication) -> Volume {
    let ranks = communication.ranks();
    let to_all = |bytes| Flow { to: ranks, messages: u64::from(ranks) * u64::from(ranks - 1), bytes };
    let mut volume = Volume::default();
    let mut add = |flow: Flow| {
        volume.messages = volume.messages.saturating_add(flow.messages);
        volume.bytes = volume.bytes.saturating_add(flow.messages.saturating_mul(flow.bytes));
        volume.largest = volume.largest.max(flow.bytes);
    };
    communication.to_all().map(to_all).into_iter().for_each(&mut add);
    for rank in 0..ranks {
        communication.flows(rank, &mut |flow| {
            if flow.to != rank {
                add(flow);
            }
        });
    }
    volume
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
    /// Inverts what ranks send in two passes. It must not exceed the largest number of messages.
    pub fn of(communication: &dyn Communication) -> Self {
        let ranks = communication.ranks();
        let each = |visit: &mut dyn FnMut(u32, Flow)| {
            for from in 0..ranks {
                communication.flows(from, &mut |flow| {
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
