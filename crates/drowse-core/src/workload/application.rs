//! Communication graphs as programs: iterations of computing and communication (Totoni et al. 2014, sections 5 and 6).
//!
//! In each iteration a rank computes, posts all receives, starts all sends, and waits for all of them. So computing and
//! communication alternate. Iterations are marked. There is no barrier: only the receives order the ranks. Messages of
//! a rank to itself are left out, and so is the order of messages within an iteration.

use std::sync::Arc;

use super::graph::{Flow, Graph};
use super::operation::{MOST_BYTES, Operation, OperationSource, RequestId, SourceError};
use crate::model::units::Time;

/// The largest number of messages in an iteration, all of which may be in the network at once.
const MOST_MESSAGES: u64 = 1 << 25;

/// Several iterations of one communication graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What the ranks send in each iteration.
    pub graph: Graph,
    /// The number of iterations.
    pub iterations: u32,
    /// The time that each rank computes in each iteration.
    pub compute: Time,
}

/// Consecutive phases, prepared to be run.
#[derive(Debug)]
pub struct Application {
    phases: Vec<Phase>,
    /// The senders to each rank, by phase.
    senders: Vec<Senders>,
}

/// Why an application cannot be run: the position of the phase, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{excess}")]
pub struct TooMuch {
    /// The position of the phase.
    pub phase: usize,
    /// What it has too much of.
    pub excess: Excess,
}

/// What an iteration has too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// Too many messages.
    #[error("{0} messages in one iteration are too many to be simulated: the most is {MOST_MESSAGES}")]
    Messages(u64),
    /// A message that is too long.
    #[error("a message has {0} B, and the most is {MOST_BYTES} B (32 GiB)")]
    Bytes(u64),
}

impl Application {
    /// Prepares phases that all have the same number of ranks.
    pub fn new(phases: Vec<Phase>) -> Result<Self, TooMuch> {
        for (phase, graph) in phases.iter().map(|phase| &phase.graph).enumerate() {
            let (messages, largest) = volume(graph);
            if messages > MOST_MESSAGES {
                return Err(TooMuch { phase, excess: Excess::Messages(messages) });
            }
            if largest > MOST_BYTES {
                return Err(TooMuch { phase, excess: Excess::Bytes(largest) });
            }
        }
        let senders = phases.iter().map(|phase| Senders::of(&phase.graph)).collect();
        Ok(Application { phases, senders })
    }

    /// Returns the phases.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.phases.first().map_or(0, |phase| phase.graph.ranks())
    }

    /// Returns the number of iterations.
    pub fn iterations(&self) -> u64 {
        self.phases.iter().map(|phase| u64::from(phase.iterations)).sum()
    }

    /// Returns the number of operations of all ranks.
    pub fn operations(&self) -> u64 {
        let of = |phase: &Phase| {
            let of_a_rank = if phase.compute > Time::ZERO { 3 } else { 2 };
            let iteration = u64::from(phase.graph.ranks()) * of_a_rank + 2 * volume(&phase.graph).0;
            iteration.saturating_mul(u64::from(phase.iterations))
        };
        self.phases.iter().fold(0, |sum: u64, phase| sum.saturating_add(of(phase)))
    }

    /// Returns the phase of an iteration, counted from 0.
    fn phase(&self, mut iteration: u64) -> Option<(&Phase, &Senders)> {
        self.phases.iter().zip(&self.senders).find(|(phase, _)| {
            let before = iteration;
            iteration = iteration.saturating_sub(phase.iterations.into());
            before < phase.iterations.into()
        })
    }
}

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
fn volume(graph: &Graph) -> (u64, u64) {
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
struct Senders {
    /// The index of each rank's first sender, then the total.
    begins: Vec<u32>,
    /// The senders by receiving rank, each in ascending order. A sender appears once per flow.
    senders: Vec<Sender>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sender {
    from: u32,
    messages: u32,
}

impl Senders {
    /// Inverts a graph in two passes. The graph must not exceed the largest number of messages.
    fn of(graph: &Graph) -> Self {
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

    fn to(&self, rank: u32) -> &[Sender] {
        let rank = rank as usize;
        &self.senders[self.begins[rank] as usize..self.begins[rank + 1] as usize]
    }
}

/// The operations of an application that is run several times.
pub struct Iterate {
    application: Arc<Application>,
    /// The number of iterations of all runs.
    iterations: u64,
    /// The number of iterations that each rank has begun.
    begun: Vec<u64>,
}

impl Iterate {
    /// Runs an application `times` times.
    pub fn new(application: Arc<Application>, times: u32) -> Self {
        let iterations = application.iterations().saturating_mul(times.into());
        let begun = vec![0; application.ranks() as usize];
        Iterate { application, iterations, begun }
    }
}

impl OperationSource for Iterate {
    fn ranks(&self) -> u32 {
        self.begun.len() as u32
    }

    /// Appends one iteration.
    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let begun = &mut self.begun[rank as usize];
        if *begun < self.iterations
            && let Some((phase, senders)) = self.application.phase(*begun % self.application.iterations())
        {
            *begun += 1;
            append(phase, senders, rank, operations);
        }
        Ok(())
    }
}

/// Appends an iteration of a rank.
fn append(phase: &Phase, senders: &Senders, rank: u32, operations: &mut Vec<Operation>) {
    let Phase { graph, compute, .. } = phase;
    operations.push(Operation::Iteration);
    if *compute > Time::ZERO {
        operations.push(Operation::Compute(*compute));
    }
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
        operations.extend((0..messages).map(|_| Operation::isend(to, 0, bytes, request())));
    });
    operations.push(Operation::WaitAll);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::workload::graph::{Cg, Class, Ft, Is, Lu, Mg, Milc, Multipartition, Random, Solver, Stencil};

    /// Draws a small graph of any kind.
    fn graphs() -> impl Strategy<Value = Graph> {
        let class = || prop::sample::select(vec![Class::S, Class::W]);
        let power = || (0u32..6).prop_map(|exponent| 1 << exponent);
        let solver = || prop::sample::select(vec![Solver::BlockTridiagonal, Solver::ScalarPentadiagonal]);
        let dims = |least, most| prop::collection::vec(1u32..5, least..most);
        prop_oneof![
            (dims(1, 4), any::<bool>()).prop_map(|(dims, wraps)| Stencil::new(dims, wraps, 7).map(Graph::Stencil)),
            (dims(4, 5), 0u32..3).prop_map(|(dims, sums)| Milc::new(dims, [4, 6, 8, 4], sums).map(Graph::Milc)),
            (power(), class()).prop_map(|(ranks, class)| Cg::new(ranks, class).map(Graph::Cg)),
            (power(), class()).prop_map(|(ranks, class)| Mg::new(ranks, class).map(Graph::Mg)),
            (power(), class()).prop_map(|(ranks, class)| Lu::new(ranks, class).map(Graph::Lu)),
            (power(), class()).prop_map(|(ranks, class)| Ft::new(ranks, class).map(Graph::Ft)),
            (power(), class()).prop_map(|(ranks, class)| Is::new(ranks, class).map(Graph::Is)),
            (solver(), 1u32..5, class()).prop_map(|(solver, side, class)| {
                Multipartition::new(solver, side * side, class).map(Graph::Multipartition)
            }),
            (1u32..20).prop_map(|ranks| Graph::all_to_all(ranks, 3)),
            (2u32..20, 1u32..9, any::<u64>())
                .prop_map(|(ranks, degree, seed)| Random::new(ranks, degree, 5, seed).map(Graph::Random)),
        ]
        .prop_filter_map("a program refuses some numbers of ranks", Result::ok)
    }

    /// Returns all operations of a rank.
    fn operations(source: &mut Iterate, rank: u32) -> Vec<Operation> {
        let mut operations = Vec::new();
        loop {
            let before = operations.len();
            source.refill(rank, &mut operations).unwrap();
            if operations.len() == before {
                return operations;
            }
        }
    }

    proptest! {
        /// In each iteration, a rank receives from another as often as the other sends to it. Request names are unique.
        #[test]
        fn what_is_sent_is_received(graph in graphs(), iterations in 1u32..3, times in 1u32..3) {
            let ranks = graph.ranks();
            let phase = Phase { graph: graph.clone(), iterations, compute: Time(5) };
            let application = Arc::new(Application::new(vec![phase]).unwrap());
            let mut source = Iterate::new(Arc::clone(&application), times);
            let (mut sent, mut received) = (BTreeMap::new(), BTreeMap::new());
            let mut all = 0;
            for rank in 0..ranks {
                let operations = operations(&mut source, rank);
                all += operations.len();
                let parts: Vec<_> = operations.split_inclusive(|operation| *operation == Operation::WaitAll).collect();
                prop_assert_eq!(parts.len(), (iterations * times) as usize);
                for (number, part) in parts.into_iter().enumerate() {
                    prop_assert_eq!(&part[..2], &[Operation::Iteration, Operation::Compute(Time(5))]);
                    for (name, operation) in (0..).zip(&part[2..part.len() - 1]) {
                        match *operation {
                            Operation::Isend { to, tag: 0, request: Some(request), .. } if request == name => {
                                *sent.entry((number, rank, to)).or_insert(0) += 1;
                            }
                            Operation::Irecv { from: Some(from), tag: Some(0), request, .. } if request == name => {
                                *received.entry((number, from, rank)).or_insert(0) += 1;
                            }
                            _ => prop_assert!(false, "{:?}", operation),
                        }
                    }
                }
            }
            prop_assert!(sent.keys().all(|&(_, from, to)| from != to && to < ranks));
            prop_assert_eq!(&sent, &received);
            prop_assert_eq!(all as u64, application.operations() * u64::from(times));
        }

        /// The senders to a rank are those whose flows name it.
        #[test]
        fn senders_are_those_whose_flows_name_the_rank(graph in graphs()) {
            let senders = Senders::of(&graph);
            for to in 0..graph.ranks() {
                let mut naive = Vec::new();
                for from in (0..graph.ranks()).filter(|&from| from != to) {
                    graph.flows(from, &mut |flow| {
                        if flow.to == to && flow.messages > 0 {
                            naive.push(Sender { from, messages: flow.messages as u32 });
                        }
                    });
                }
                prop_assert_eq!(senders.to(to), naive);
            }
        }
    }

    #[test]
    fn phases_follow_each_other() {
        let phase = |dims, iterations, compute| {
            let graph = Graph::Stencil(Stencil::new(dims, false, 8).unwrap());
            Phase { graph, iterations, compute: Time(compute) }
        };
        let phases = vec![phase(vec![2, 1], 2, 0), phase(vec![1, 2], 1, 9), phase(vec![2], 1, 0)];
        let application = Arc::new(Application::new(phases).unwrap());
        assert_eq!((application.ranks(), application.iterations()), (2, 4));
        let iterations = application.phases().iter().map(|phase| phase.iterations);
        assert_eq!(iterations.collect::<Vec<_>>(), [2, 1, 1]);
        let operations = operations(&mut Iterate::new(application, 3), 0);
        let lengths: Vec<_> =
            operations.split(|operation| *operation == Operation::Iteration).map(<[_]>::len).collect();
        assert_eq!(lengths, [0, 3, 3, 4, 3, 3, 3, 4, 3, 3, 3, 4, 3]);
    }

    #[test]
    fn too_many_messages() {
        let phases = |ranks| {
            let phase = |ranks| {
                let graph = Graph::all_to_all(ranks, 1).unwrap();
                Phase { graph, iterations: 1, compute: Time::ZERO }
            };
            vec![phase(2), phase(ranks)]
        };
        assert!(Application::new(phases(5_793)).is_ok());
        let error = Application::new(phases(5_794)).unwrap_err();
        assert_eq!(error, TooMuch { phase: 1, excess: Excess::Messages(5_794 * 5_793) });
    }

    /// Two ranks send each other a quarter of the 2^35 numbers of 16 B of FT's largest problem.
    #[test]
    fn too_long_messages() {
        let phases = |ranks| {
            let graph = Graph::Ft(Ft::new(ranks, Class::E).unwrap());
            vec![Phase { graph, iterations: 1, compute: Time::ZERO }]
        };
        let error = Application::new(phases(2)).unwrap_err();
        assert_eq!(error, TooMuch { phase: 0, excess: Excess::Bytes(1 << 37) });
        assert!(Application::new(phases(4)).is_ok());
        let bytes = |bytes| {
            let graph = Graph::all_to_all(2, bytes).unwrap();
            Application::new(vec![Phase { graph, iterations: 1, compute: Time::ZERO }])
        };
        assert!(bytes(MOST_BYTES).is_ok());
        assert_eq!(bytes(MOST_BYTES + 1).unwrap_err().excess, Excess::Bytes(MOST_BYTES + 1));
    }
}
