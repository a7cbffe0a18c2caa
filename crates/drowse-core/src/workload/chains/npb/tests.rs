//! Programs against the closed forms of their parts, and against the graphs of their iterations.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::model::units::Time;
use crate::workload::application::{Application, Iterate, Phase, Work};
use crate::workload::chains::Chain;
use crate::workload::graph::{Class, Flow, Graph, GraphError, Solver, sent};
use crate::workload::operation::{Operation, OperationSource, SendMode};

const PARTS: [Part; 4] = [Part::SetUp, Part::Iteration, Part::Last, Part::End];

/// Returns programs of small classes with the graphs of their iterations, by numbers of ranks that these have.
fn programs() -> Vec<(Benchmark, Option<Graph>)> {
    let mut all: Vec<(Benchmark, Option<Graph>)> = Vec::new();
    for class in [Class::S, Class::W] {
        for exponent in 0..7 {
            let ranks = 1 << exponent;
            let cg = Cg::new(ranks, class).map(|cg| (Benchmark::Cg(cg), Some(Graph::Cg(cg))));
            let mg = Mg::new(ranks, class).map(|mg| (Benchmark::Mg(mg), Some(Graph::Mg(mg))));
            let lu = Lu::new(ranks, class).map(|lu| (Benchmark::Lu(lu), Some(Graph::Lu(lu))));
            let others = [Ft::new(ranks, class).map(Benchmark::Ft), Is::new(ranks, class).map(Benchmark::Is)];
            all.extend([cg, mg, lu].into_iter().flatten());
            all.extend(others.into_iter().chain([Benchmark::ep(ranks)]).flatten().map(|program| (program, None)));
        }
        for side in 1..5 {
            for solver in [Solver::BlockTridiagonal, Solver::ScalarPentadiagonal] {
                let program = Multipartition::new(solver, side * side, class);
                all.extend(program.map(|it| (Benchmark::Multipartition(it), Some(Graph::Multipartition(it)))));
            }
        }
    }
    all
}

/// Returns the operations of each rank in a part, and what the application says of their number.
fn operations(benchmark: Benchmark, part: Part) -> (Vec<Vec<Operation>>, u64) {
    let work = Work::Chain(Chain::from(Npb::new(benchmark, part)));
    let phase = Phase { work, iterations: 1, compute: Time(1_000_000).into(), mode: SendMode::Standard };
    let application = Arc::new(Application::new(vec![phase]).unwrap());
    let mut source = Iterate::new(Arc::clone(&application), 1);
    let ranks = source.ranks();
    let all = |rank| {
        let mut operations = Vec::new();
        while {
            let before = operations.len();
            source.refill(rank, &mut operations).unwrap();
            assert!(operations.len() - before < 150, "blocks are short");
            operations.len() > before
        } {}
        operations
    };
    ((0..ranks).map(all).collect(), application.operations())
}

/// Messages and bytes by sender and receiver.
fn pairs(ranks: &[Vec<Operation>]) -> BTreeMap<(u32, u32), (u64, u64)> {
    let mut pairs = BTreeMap::new();
    for (from, operations) in (0..).zip(ranks) {
        for Flow { to, bytes, .. } in operations.iter().filter_map(sent) {
            let (messages, sum): &mut (u64, u64) = pairs.entry((from, to)).or_default();
            (*messages, *sum) = (*messages + 1, *sum + bytes);
        }
    }
    pairs
}

/// What a part sends, receives, waits for and calls is as many as its closed forms say. Only iterations are marked, and all
/// ranks compute as long in them. Nothing is larger than is said.
#[test]
fn parts_have_their_volumes() {
    for (benchmark, _) in programs() {
        for part in PARTS {
            let program = Npb::new(benchmark, part);
            let (ranks, counted) = operations(benchmark, part);
            let pairs = pairs(&ranks);
            let sums = pairs.values().fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
            assert_eq!(sums, (program.messages(), program.bytes()), "{program:?}");
            assert_eq!(ranks.iter().map(Vec::len).sum::<usize>() as u64, counted, "{program:?}");
            for operations in &ranks {
                let is = |operation: &&Operation| **operation == Operation::Iteration;
                assert_eq!(operations.iter().filter(is).count(), usize::from(program.is_marked()));
                let computed = operations.iter().filter_map(|operation| match operation {
                    Operation::Compute(time) => Some(time.0),
                    _ => None,
                });
                assert_eq!(
                    computed.sum::<u64>(),
                    if program.computations() > 0 { 1_000_000 } else { 0 },
                    "{program:?}"
                );
                assert!(
                    operations.iter().all(|operation| operation.largest() <= program.largest().max(88)),
                    "{program:?}"
                );
            }
        }
    }
}

/// An iteration sends what its graph says, to the byte, between every pair of ranks.
#[test]
fn iterations_are_their_graphs() {
    for (benchmark, graph) in programs() {
        let Some(graph) = graph else { continue };
        let mut expected = BTreeMap::new();
        for from in 0..graph.ranks() {
            graph.flows(from, &mut |Flow { to, messages, bytes }| {
                let (count, sum): &mut (u64, u64) = expected.entry((from, to)).or_default();
                (*count, *sum) = (*count + messages, *sum + messages * bytes);
            });
        }
        if graph.ranks() > 1 {
            for part in [Part::Iteration, Part::Last] {
                assert_eq!(pairs(&operations(benchmark, part).0), expected, "{benchmark:?}");
            }
        }
    }
}

/// With more ranks than planes, FT exchanges within rows of consecutive ranks and within columns.
#[test]
fn rows_and_columns_of_ft() -> Result<(), GraphError> {
    // Class S has 64 planes: 64 rows of four.
    let ft = Benchmark::Ft(Ft::new(256, Class::S)?);
    let phase = |part| Phase {
        work: Work::Chain(Chain::from(Npb::new(ft, part))),
        iterations: 1,
        compute: Time::ZERO.into(),
        mode: SendMode::Standard,
    };
    let application = Application::new([Part::SetUp, Part::Iteration].map(phase).into()).unwrap();
    let communicators = application.communicators();
    assert_eq!(communicators.count(), 1 + 64 + 4);
    let mut source = Iterate::new(Arc::new(application), 1);
    let mut operations = Vec::new();
    source.refill(9, &mut operations).unwrap();
    let exchanges: Vec<(u32, u64)> = operations
        .iter()
        .filter_map(|operation| match operation {
            Operation::Collective { comm, collective: Collective::Alltoall { bytes } } => Some((*comm, *bytes)),
            _ => None,
        })
        .collect();
    // Rank 9 is in row 2, the third communicator, and in column 1 behind all rows. A rank has 2^18 / 256 numbers.
    let [row, column] = [(3, 16 * 1_024 / 4), (66, 16 * 1_024 / 64)];
    assert_eq!(exchanges[..6], [column, row, column, row, row, column]);
    assert_eq!(communicators.member(3, 9).map(|member| (member.rank, member.size)), Some((1, 4)));
    assert_eq!(communicators.member(66, 9).map(|member| (member.rank, member.size)), Some((2, 64)));
    Ok(())
}
