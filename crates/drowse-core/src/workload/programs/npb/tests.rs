//! Programs against the closed forms of their parts, and against the graphs of their iterations.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::benchmark::Benchmark;
use super::*;
use crate::model::units::Time;
use crate::workload::operation::{Collective, Operation, OperationSource, SendMode};
use crate::workload::programs::{Application, Flow, Iterate, Phase, Program, ProgramError, Work, sent};

const PARTS: [Part; 4] = [Part::SetUp, Part::Iteration, Part::Last, Part::End];

/// What is asked of each program.
trait Asked {
    fn program(&mut self, benchmark: impl Benchmark);
}

/// Asks programs of small classes, by numbers of ranks that these have.
fn ask_all(asked: &mut impl Asked) {
    ask_without_collectives(asked);
    for (class, ranks) in [Class::S, Class::W].into_iter().flat_map(|class| (0..7).map(move |bits| (class, 1 << bits)))
    {
        Ft::new(ranks, class).into_iter().for_each(|program| asked.program(program));
        Is::new(ranks, class).into_iter().for_each(|program| asked.program(program));
        Ep::new(ranks).into_iter().for_each(|program| asked.program(program));
    }
}

/// Asks the programs whose iterations send without collectives.
fn ask_without_collectives(asked: &mut impl Asked) {
    for class in [Class::S, Class::W] {
        for ranks in (0..7).map(|exponent| 1 << exponent) {
            Cg::new(ranks, class).into_iter().for_each(|program| asked.program(program));
            Mg::new(ranks, class).into_iter().for_each(|program| asked.program(program));
            Lu::new(ranks, class).into_iter().for_each(|program| asked.program(program));
        }
        for side in 1..5 {
            for solver in [Solver::BlockTridiagonal, Solver::ScalarPentadiagonal] {
                let program = Multipartition::new(solver, side * side, class);
                program.into_iter().for_each(|program| asked.program(program));
            }
        }
    }
}

/// Returns the operations of each rank in a part, and what the application says of their number.
fn operations(benchmark: impl Benchmark, part: Part) -> (Vec<Vec<Operation>>, u64) {
    let work = Work::from(Npb::new(benchmark, part));
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
    struct Volumes;

    impl Asked for Volumes {
        fn program(&mut self, benchmark: impl Benchmark) {
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
                    let expected = if program.computations() > 0 { 1_000_000 } else { 0 };
                    assert_eq!(computed.sum::<u64>(), expected, "{program:?}");
                    let largest = program.largest().max(88);
                    assert!(operations.iter().all(|operation| operation.largest() <= largest), "{program:?}");
                }
            }
        }
    }

    ask_all(&mut Volumes);
}

/// Both orders of an iteration send the same, to the byte, between every pair of ranks.
#[test]
fn iterations_send_the_same_in_both_orders() {
    struct Orders;

    impl Asked for Orders {
        fn program(&mut self, benchmark: impl Benchmark) {
            let mut expected = BTreeMap::new();
            for from in 0..benchmark.ranks() {
                benchmark.flows(from, &mut |Flow { to, messages, bytes }| {
                    let (count, sum): &mut (u64, u64) = expected.entry((from, to)).or_default();
                    (*count, *sum) = (*count + messages, *sum + messages * bytes);
                });
            }
            if benchmark.ranks() > 1 {
                for part in [Part::Iteration, Part::Last] {
                    assert_eq!(pairs(&operations(benchmark, part).0), expected, "{benchmark:?}");
                }
            }
        }
    }

    ask_without_collectives(&mut Orders);
}

/// With more ranks than planes, FT exchanges within rows of consecutive ranks and within columns.
#[test]
fn rows_and_columns_of_ft() -> Result<(), ProgramError> {
    // Class S has 64 planes: 64 rows of four.
    let ft = Ft::new(256, Class::S)?;
    let phase = |part| Phase {
        work: Npb::new(ft, part).into(),
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
