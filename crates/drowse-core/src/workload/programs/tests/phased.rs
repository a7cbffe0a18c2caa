//! Programs in phases: what is sent is received, phases follow each other, and too much is refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::super::phased::{Sender, Senders};
use super::super::*;
use crate::model::units::Time;
use crate::workload::operation::{MOST_BYTES, Operation, OperationSource, SendMode};

fn phased(program: impl Communication + Clone + 'static) -> Work {
    Phased(program).into()
}

/// Draws a small program in phases.
fn graphs() -> impl Strategy<Value = Work> {
    let class = || prop::sample::select(vec![Class::S, Class::W]);
    let power = || (0u32..6).prop_map(|exponent| 1 << exponent);
    let solver = || prop::sample::select(vec![Solver::BlockTridiagonal, Solver::ScalarPentadiagonal]);
    let dims = |least, most| prop::collection::vec(1u32..5, least..most);
    prop_oneof![
        (dims(1, 4), any::<bool>()).prop_map(|(dims, wraps)| Stencil::new(dims, wraps, 7).map(phased)),
        (dims(4, 5), 0u32..3).prop_map(|(dims, sums)| Milc::new(dims, [4, 6, 8, 4], sums).map(phased)),
        (power(), class()).prop_map(|(ranks, class)| Cg::new(ranks, class).map(phased)),
        (power(), class()).prop_map(|(ranks, class)| Mg::new(ranks, class).map(phased)),
        (power(), class()).prop_map(|(ranks, class)| Lu::new(ranks, class).map(phased)),
        (power(), class()).prop_map(|(ranks, class)| Ft::new(ranks, class).map(phased)),
        (power(), class()).prop_map(|(ranks, class)| Is::new(ranks, class).map(phased)),
        (solver(), 1u32..5, class())
            .prop_map(|(solver, side, class)| { Multipartition::new(solver, side * side, class).map(phased) }),
        (1u32..20).prop_map(|ranks| AllToAll::new(ranks, 3).map(phased)),
        (2u32..20, 1u32..9, any::<u64>())
            .prop_map(|(ranks, degree, seed)| Random::new(ranks, degree, None, 5, seed).map(phased)),
        (1u32..20, 1u32..4, any::<u64>()).prop_map(|(ranks, messages, seed)| {
            Permutation::new(ranks, Rule::Bisection, messages, 5, seed).map(phased)
        }),
    ]
    .prop_filter_map("a program refuses some numbers of ranks", Result::ok)
}

/// Returns a phase of a program.
fn phase_of(work: Work, iterations: u32, compute: Time) -> Phase {
    Phase { work, iterations, compute: compute.into(), mode: SendMode::Standard }
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
        let phase = phase_of(graph.clone(), iterations, Time(5));
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
        let graph = graph.at_once().unwrap();
        let senders = Senders::of(graph);
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
        let graph = phased(Stencil::new(dims, false, 8).unwrap());
        phase_of(graph, iterations, Time(compute))
    };
    let phases = vec![phase(vec![2, 1], 2, 0), phase(vec![1, 2], 1, 9), phase(vec![2], 1, 0)];
    let application = Arc::new(Application::new(phases).unwrap());
    assert_eq!((application.ranks(), application.iterations()), (2, 4));
    let iterations = application.phases().iter().map(|phase| phase.iterations);
    assert_eq!(iterations.collect::<Vec<_>>(), [2, 1, 1]);
    let operations = operations(&mut Iterate::new(application, 3), 0);
    let lengths: Vec<_> = operations.split(|operation| *operation == Operation::Iteration).map(<[_]>::len).collect();
    assert_eq!(lengths, [0, 3, 3, 4, 3, 3, 3, 4, 3, 3, 3, 4, 3]);
}

#[test]
fn too_many_messages() {
    let phases = |ranks| {
        let phase = |ranks| {
            let graph = phased(AllToAll::new(ranks, 1).unwrap());
            phase_of(graph, 1, Time::ZERO)
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
        let graph = phased(Ft::new(ranks, Class::E).unwrap());
        vec![phase_of(graph, 1, Time::ZERO)]
    };
    let error = Application::new(phases(2)).unwrap_err();
    assert_eq!(error, TooMuch { phase: 0, excess: Excess::Bytes(1 << 37) });
    assert!(Application::new(phases(4)).is_ok());
    let bytes = |bytes| {
        let graph = phased(AllToAll::new(2, bytes).unwrap());
        Application::new(vec![phase_of(graph, 1, Time::ZERO)])
    };
    assert!(bytes(MOST_BYTES).is_ok());
    assert_eq!(bytes(MOST_BYTES + 1).unwrap_err().excess, Excess::Bytes(MOST_BYTES + 1));
}
