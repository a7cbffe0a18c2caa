//! Random programs of a few steps, for tests of what programs do to each other. Random machines with random programs are
//! those of `drowse-machines`.

use drowse_core::model::ids::NodeId;
use drowse_core::model::units::Time;
use drowse_core::topology::Network;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_core::workload::{Job, Workload};
use proptest::prelude::*;

use crate::common::{collective, compute};

/// A step of a program, common to all ranks.
#[derive(Clone, Debug)]
pub struct Step {
    /// Sender, receiver, tag, bytes, blocking.
    pub messages: Vec<(u32, u32, u32, u64, bool)>,
    /// How each rank names the messages that it receives.
    pub wildcards: Vec<u8>,
    pub compute: Vec<u64>,
    pub collective: (u8, u32, u64),
}

/// A program of a few steps.
#[derive(Clone, Debug)]
pub struct Program {
    /// The node of each rank, modulo the number of nodes.
    pub placement: Vec<u32>,
    pub steps: Vec<Step>,
    pub eager_limit: u64,
}

pub fn program() -> impl Strategy<Value = Program> {
    let size = prop_oneof![Just(0u64), 0u64..40, 0u64..3_000, 0u64..12_000];
    let message = (0u32..12, 0u32..12, 0u32..3, size.clone(), any::<bool>());
    let step = (
        prop::collection::vec(message, 0..16),
        prop::collection::vec(0u8..4, 12),
        prop::collection::vec(prop_oneof![Just(0u64), 0u64..400_000], 12),
        (0u8..17, 0u32..12, size),
    )
        .prop_map(|(messages, wildcards, compute, collective)| Step { messages, wildcards, compute, collective });
    (
        prop::collection::vec(any::<u32>(), 1..=12),
        prop::collection::vec(step, 1..=3),
        prop_oneof![Just(0u64), 0u64..2_000, Just(65_536)],
    )
        .prop_map(|(placement, steps, eager_limit)| Program { placement, steps, eager_limit })
}

/// All ranks, the last first, and those with even numbers.
const REVERSED: CommId = 1;
const EVEN: CommId = 2;

/// Returns the communicators of drawn programs.
pub fn communicators(ranks: u32) -> Communicators {
    let mut communicators = Communicators::of(ranks);
    communicators.add((0..ranks).rev().collect()).unwrap();
    communicators.add((0..ranks).step_by(2).collect()).unwrap();
    communicators
}

impl Step {
    /// Posts all receives, then starts all sends, then waits, which is free of deadlock for any order of events.
    ///
    /// Each step has its own tags. A receive that names neither sender nor tag could match a message of the next step,
    /// so a barrier follows such a step.
    ///
    /// Messages are matched in one of two communicators of all ranks, in all modes of sends; one receive is probed or
    /// waited for alone. The collective is one of all ranks or of those with even numbers, and blocks or does not.
    pub fn operations(&self, number: u32, rank: u32, ranks: u32) -> Vec<Operation> {
        let comm = [ALL, REVERSED][number as usize % 2];
        let mine = |wanted: u32| wanted % ranks == rank;
        let mut operations = Vec::new();
        for (i, &(from, to, tag, _, _)) in self.messages.iter().enumerate() {
            if mine(to) {
                let (from, tag) = match self.wildcards[rank as usize] {
                    0 => (Some(from % ranks), Some(number * 4 + tag)),
                    1 => (None, Some(number * 4 + tag)),
                    2 => (Some(from % ranks), None),
                    _ => (None, None),
                };
                operations.push(Operation::Irecv { from, tag, comm, request: i as u32 });
            }
        }
        for (i, &(from, to, tag, bytes, blocking)) in self.messages.iter().enumerate() {
            let mode = Step::mode(number, i);
            let (to, tag, request) = (to % ranks, number * 4 + tag, 100 + i as u32);
            if mine(from) && blocking {
                operations.push(Operation::Send { to, tag, comm, mode, bytes });
            } else if mine(from) {
                let request = (i % 5 != 4).then_some(request);
                operations.push(Operation::Isend { to, tag, comm, mode, bytes, request });
            }
        }
        operations.push(compute(Time(self.compute[rank as usize])));
        let received = (0u32..).zip(&self.messages).filter(|(_, message)| mine(message.1)).map(|(i, _)| i);
        match number % 4 {
            1 => operations.push(Operation::WaitAny(received.collect())),
            2 => operations.push(Operation::WaitSome(received.collect())),
            _ => {}
        }
        operations.push(Operation::WaitAll);
        if self.wildcards[..ranks as usize].contains(&3) {
            operations.push(Operation::collective(Collective::Barrier));
        }
        let comm = if number.is_multiple_of(3) { EVEN } else { ALL };
        let member = communicators(ranks).member(comm, rank);
        let collective = member.and_then(|member| self.collective(member.rank, member.size));
        if let Some(collective) = collective.clone().filter(|_| number % 2 == 1) {
            let (collective, after) = (Box::new(collective), Time(self.compute[rank as usize] / 2));
            let wait = Operation::Wait { request: 99 };
            operations.extend([Operation::Icollective { comm, request: 99, collective }, compute(after), wait]);
        } else {
            operations.extend(collective.map(|collective| Operation::Collective { comm, collective }));
        }
        operations
    }

    /// Returns how a message of a step is sent.
    fn mode(number: u32, message: usize) -> SendMode {
        match (number as usize + message) % 6 {
            1 => SendMode::Synchronous,
            2 => SendMode::Buffered,
            3 => SendMode::Ready,
            _ => SendMode::Standard,
        }
    }

    /// Returns one rank's share of the collective, if the step has one.
    fn collective(&self, rank: u32, ranks: u32) -> Option<Collective> {
        let (kind, root, bytes) = self.collective;
        let (kind, bytes) = (u32::from(kind), bytes / 8 * 8);
        // Only what a rank sends to each in an alltoallv is its own.
        let factor = if kind == 11 { rank } else { 0 };
        let list = (0..ranks).map(|other| bytes * u64::from((other + factor) % 3)).collect();
        (kind < 15).then(|| collective(kind, root % ranks, bytes, list, Time(1_000)))
    }
}

impl Program {
    pub fn ranks(&self) -> Vec<Vec<Operation>> {
        let ranks = self.placement.len() as u32;
        let of_rank = |rank| {
            (0u32..).zip(&self.steps).flat_map(move |(number, step)| step.operations(number, rank, ranks)).collect()
        };
        (0..ranks).map(of_rank).collect()
    }

    pub fn source(&self) -> crate::common::Program {
        crate::common::Program::within(self.ranks(), &communicators(self.placement.len() as u32))
    }

    pub fn nodes(&self, network: &Network) -> Vec<u32> {
        self.placement.iter().map(|place| place % network.nodes).collect()
    }

    pub fn workload(&self, network: &Network, start: Time) -> Workload {
        self.placed(network, start, self.ranks())
    }

    fn placed(&self, network: &Network, start: Time, ranks: Vec<Vec<Operation>>) -> Workload {
        let placement = self.nodes(network).into_iter().map(NodeId).collect();
        let communicators = communicators(ranks.len() as u32);
        let source = Box::new(crate::common::Program::within(ranks, &communicators));
        Workload::Jobs(vec![Job { name: "random".into(), source, placement, start }])
    }
}
