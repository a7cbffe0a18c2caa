//! Finds the iterations of programs that do not mark them, in the calls of their ranks (Totoni et al. 2014, section
//! 4.1).
//!
//! A call starts a send or a receive, or is a collective operation. Calls are distinguished by kind and peer. Waits and
//! polls are left out, because their number depends on timing. So are sizes, which change with the data (particles,
//! keys). Each rank's calls are searched for a period ([`super::periods`]). The periods are the rank's iterations if
//! they cover at least half of its calls, and if at least a tenth of all ranks' computing lies within. So a few sums at
//! the end of a program do not count as iterations.
//!
//! All ranks must have the same number of iterations, except ranks without calls. That ranks mean the same iterations
//! is not checked; if all ranks run the same code, their iterations begin at the same place.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::mem::discriminant;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::communicators::Communicators;
use super::operation::{Operation, OperationSource, SourceError};
use super::periods::{self, Periodic};

/// Where the iterations of a program are known from.
#[derive(Clone, Debug)]
pub enum Known {
    /// The program marks them itself.
    Marks,
    /// The calls of each rank repeat.
    Period(Arc<Iterations>),
    /// They are not known.
    Nothing,
}

/// Where each rank's iterations begin.
#[derive(Debug)]
pub struct Iterations {
    count: usize,
    /// The period of each rank; `None` for ranks without calls.
    ranks: Vec<Option<Periodic>>,
}

/// The calls of a rank's program.
#[derive(Default)]
struct Calls {
    kinds: Vec<u64>,
    /// The time computed between each call and the one before.
    computed: Vec<u64>,
    /// The time computed since the last call.
    since: u64,
}

impl Known {
    /// Finds the iterations of a program. Reads the whole program, rank by rank, or as far as its first mark.
    pub fn find(source: &mut dyn OperationSource) -> Result<Self, SourceError> {
        Ok(match Self::with_shares(source)? {
            (Known::Period(_), [computed, within]) if 10 * within < computed => Known::Nothing,
            (known, _) => known,
        })
    }

    /// Finds the iterations of a program, and what is computed in all and within its periods.
    fn with_shares(source: &mut dyn OperationSource) -> Result<(Self, [u128; 2]), SourceError> {
        let mut found = Iterations { count: 0, ranks: Vec::new() };
        let (mut computed, mut within) = (0, 0);
        for rank in 0..source.ranks() {
            let Some(calls) = Calls::read(source, rank)? else { return Ok((Known::Marks, [0, 0])) };
            computed += sum(&calls.computed) + u128::from(calls.since);
            if calls.kinds.is_empty() {
                found.ranks.push(None);
                continue;
            }
            let periodic = periods::find(&calls.kinds).filter(|periodic| calls.are_mostly_within(periodic));
            let Some(periodic) = periodic.filter(|periodic| [0, periodic.times()].contains(&found.count)) else {
                return Ok((Known::Nothing, [0, 0]));
            };
            within += calls.computed_within(&periodic);
            found.count = periodic.times();
            found.ranks.push(Some(periodic));
        }
        let known = if found.count > 0 { Known::Period(Arc::new(found)) } else { Known::Nothing };
        Ok((known, [computed, within]))
    }
}

impl Iterations {
    /// Finds the iterations of a program by its calls, however little is computed in them; `None` if it has none, or marks
    /// them itself.
    pub fn of_calls(source: &mut dyn OperationSource) -> Result<Option<Arc<Self>>, SourceError> {
        Ok(match Known::with_shares(source)?.0 {
            Known::Period(iterations) => Some(iterations),
            Known::Marks | Known::Nothing => None,
        })
    }

    /// Returns the number of iterations, which is the same for each rank with calls.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns which calls of a rank an iteration holds, both counted from 0; `None` for ranks without calls, and
    /// beyond the last iteration.
    pub fn calls(&self, rank: u32, iteration: usize) -> Option<Range<usize>> {
        self.ranks.get(rank as usize)?.as_ref()?.occurrence(iteration)
    }
}

impl Calls {
    /// Reads those of a rank; `None` at a mark.
    fn read(source: &mut dyn OperationSource, rank: u32) -> Result<Option<Self>, SourceError> {
        let mut calls = Calls::default();
        let mut operations = Vec::new();
        loop {
            source.refill(rank, &mut operations)?;
            if operations.is_empty() {
                return Ok(Some(calls));
            }
            if operations.contains(&Operation::Iteration) {
                return Ok(None);
            }
            operations.drain(..).for_each(|operation| calls.add(&operation));
        }
    }

    fn add(&mut self, operation: &Operation) {
        if let Operation::Compute(time) = operation {
            self.since = self.since.saturating_add(time.0);
        } else if let Some(kind) = call(operation) {
            self.kinds.push(kind);
            self.computed.push(std::mem::take(&mut self.since));
        }
    }

    /// Returns whether the stretches cover at least half of the calls.
    fn are_mostly_within(&self, periodic: &Periodic) -> bool {
        let calls: usize = periodic.stretches.iter().map(ExactSizeIterator::len).sum();
        2 * calls >= self.kinds.len()
    }

    /// Returns the time computed within stretches. Computing before the first call of a stretch need not belong to it.
    fn computed_within(&self, periodic: &Periodic) -> u128 {
        periodic.stretches.iter().map(|stretch| sum(&self.computed[stretch.start + 1..stretch.end])).sum()
    }
}

/// Adds up times.
fn sum(computed: &[u64]) -> u128 {
    computed.iter().map(|&time| u128::from(time)).sum()
}

/// Returns whether an operation is a call.
pub fn is_call(operation: &Operation) -> bool {
    call(operation).is_some()
}

/// Returns a number that identifies a call by kind and peer; `None` for other operations.
fn call(operation: &Operation) -> Option<u64> {
    let hash = BuildHasherDefault::<FxHasher>::default();
    match operation {
        Operation::Send { .. } | Operation::Isend { .. } | Operation::Recv { .. } | Operation::Irecv { .. } => {
            Some(hash.hash_one((discriminant(operation), operation.peer(), operation.comm())))
        }
        Operation::Collective { comm, collective } => Some(hash.hash_one((discriminant(collective), comm))),
        Operation::Icollective { comm, collective, .. } => {
            Some(hash.hash_one((discriminant(operation), discriminant(&**collective), comm)))
        }
        Operation::Iteration
        | Operation::Compute(_)
        | Operation::Probe { .. }
        | Operation::Wait { .. }
        | Operation::WaitAny(_)
        | Operation::WaitSome(_)
        | Operation::WaitAll => None,
    }
}

/// A program with marks at the beginning of its iterations, before the computing that precedes their first call.
pub struct Marked {
    source: Box<dyn OperationSource>,
    iterations: Arc<Iterations>,
    ranks: Vec<Progress>,
    /// The block being read.
    block: Vec<Operation>,
}

/// The progress of a rank.
#[derive(Default)]
struct Progress {
    /// The number of calls so far.
    calls: usize,
    /// The computing before the next call.
    held: Vec<Operation>,
}

impl Marked {
    /// Marks the iterations that were found in the same program.
    pub fn new(source: Box<dyn OperationSource>, iterations: Arc<Iterations>) -> Self {
        let ranks = (0..source.ranks()).map(|_| Progress::default()).collect();
        Marked { source, iterations, ranks, block: Vec::new() }
    }
}

impl OperationSource for Marked {
    fn ranks(&self) -> u32 {
        self.source.ranks()
    }

    fn communicators(&self) -> Arc<Communicators> {
        self.source.communicators()
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let before = operations.len();
        let (progress, periodic) = (&mut self.ranks[rank as usize], &self.iterations.ranks[rank as usize]);
        while operations.len() == before {
            self.source.refill(rank, &mut self.block)?;
            if self.block.is_empty() {
                operations.append(&mut progress.held);
                break;
            }
            for operation in self.block.drain(..) {
                if let Operation::Compute(_) = operation {
                    progress.held.push(operation);
                    continue;
                }
                if call(&operation).is_some() {
                    let begins = periodic.as_ref().is_some_and(|periodic| periodic.begins_at(progress.calls));
                    operations.extend(begins.then_some(Operation::Iteration));
                    progress.calls += 1;
                }
                operations.append(&mut progress.held);
                operations.push(operation);
            }
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.source.warnings()
    }

    fn warns_of_what_is_read(&self) -> bool {
        self.source.warns_of_what_is_read()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::units::Time;
    use crate::workload::operation::Collective;

    /// A program given rank by rank, read in blocks of a few operations.
    struct Written {
        ranks: Vec<Vec<Operation>>,
        block: usize,
    }

    impl OperationSource for Written {
        fn ranks(&self) -> u32 {
            self.ranks.len() as u32
        }

        fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
            let left = &mut self.ranks[rank as usize];
            operations.extend(left.drain(..self.block.min(left.len())));
            Ok(())
        }

        fn warnings(&self) -> Vec<String> {
            vec![format!("{} ranks", self.ranks.len())]
        }
    }

    const COMPUTE: Operation = Operation::Compute(Time(1_000));
    const SUM: Operation = Operation::collective(Collective::Allreduce { bytes: 8, count: 1, compute: Time::ZERO });
    const BARRIER: Operation = Operation::collective(Collective::Barrier);

    fn find(ranks: &[Vec<Operation>]) -> Option<Arc<Iterations>> {
        match Known::find(&mut Written { ranks: ranks.to_vec(), block: 3 }).unwrap() {
            Known::Period(iterations) => Some(iterations),
            Known::Marks | Known::Nothing => None,
        }
    }

    fn count(ranks: &[Vec<Operation>]) -> Option<usize> {
        find(ranks).map(|iterations| iterations.count())
    }

    /// Returns a rank's program with marks.
    fn marked(ranks: &[Vec<Operation>], rank: u32, block: usize) -> Vec<Operation> {
        let source = Box::new(Written { ranks: ranks.to_vec(), block });
        let mut marked = Marked::new(source, find(ranks).unwrap());
        let mut operations = Vec::new();
        loop {
            let before = operations.len();
            marked.refill(rank, &mut operations).unwrap();
            if operations.len() == before {
                return operations;
            }
        }
    }

    /// Returns an exchange with another rank, with varying size and one or two waits.
    fn exchange(other: u32, round: u32) -> Vec<Operation> {
        let bytes = 1_000 + u64::from(round);
        let mut operations =
            vec![COMPUTE, COMPUTE, Operation::irecv(other, None, 0), Operation::isend(other, round, bytes, 1)];
        operations.extend((0..=round % 2).map(|request| Operation::Wait { request }));
        operations
    }

    #[test]
    fn iterations_are_marked_before_what_they_compute_first() {
        let rank = |other| {
            let iterations = (0..4).flat_map(|round| [exchange(other, round), vec![SUM]].concat());
            [vec![COMPUTE, BARRIER], iterations.collect(), vec![BARRIER, COMPUTE]].concat()
        };
        let ranks = [rank(1), rank(0)];
        for block in [1, 2, 7, 100] {
            let source = Box::new(Written { ranks: ranks.to_vec(), block });
            let source = Marked::new(source, find(&ranks).unwrap());
            assert_eq!((source.ranks(), source.warnings()), (2, vec!["2 ranks".to_owned()]));
            let marked = marked(&ranks, 1, block);
            let without: Vec<_> =
                marked.iter().filter(|&operation| *operation != Operation::Iteration).cloned().collect();
            assert_eq!(without, ranks[1], "nothing else changes");
            let places = (0..marked.len()).filter(|&place| marked[place] == Operation::Iteration);
            let around: Vec<_> = places.map(|place| (&marked[place - 1], &marked[place + 1])).collect();
            let after_a_sum = (&SUM, &COMPUTE);
            assert_eq!(around, [(&BARRIER, &COMPUTE), after_a_sum, after_a_sum, after_a_sum]);
        }
    }

    #[test]
    fn all_ranks_that_call_must_agree() {
        let rank = |times| (0..times).flat_map(|round| exchange(0, round)).collect::<Vec<_>>();
        assert_eq!(count(&[rank(5), rank(5)]), Some(5));
        assert_eq!(count(&[rank(5), rank(6)]), None);
        assert_eq!(count(&[rank(5), vec![BARRIER], rank(5)]), None);
        assert_eq!(count(&[vec![COMPUTE], rank(5), vec![]]), Some(5), "ranks without calls do not count");
        assert_eq!(count(&[vec![COMPUTE], vec![]]), None);
        assert_eq!(count(&[]), None);
    }

    #[test]
    fn marks_of_the_program_come_before_periods() {
        let rank = |mark| [vec![COMPUTE], mark, (0..5).flat_map(|round| exchange(0, round)).collect()].concat();
        let known = |ranks| Known::find(&mut Written { ranks, block: 3 }).unwrap();
        let (without, with) = (rank(vec![]), rank(vec![Operation::Iteration]));
        assert!(matches!(known(vec![without.clone(); 2]), Known::Period(found) if found.count() == 5));
        assert!(matches!(known(vec![without.clone(), with.clone()]), Known::Marks), "of one rank, too");
        assert!(matches!(known(vec![vec![COMPUTE]]), Known::Nothing));
        assert!(Iterations::of_calls(&mut Written { ranks: vec![without, with], block: 3 }).unwrap().is_none());
    }

    #[test]
    fn iterations_are_most_of_a_program() {
        let sums = |computed| [vec![COMPUTE; computed], vec![SUM; 4]].concat();
        assert_eq!(count(&[sums(0)]), Some(4));
        assert_eq!(count(&[sums(1)]), None, "nothing is computed in the iterations");
        let mut program = Written { ranks: vec![sums(1)], block: 3 };
        assert_eq!(Iterations::of_calls(&mut program).unwrap().map(|found| found.count()), Some(4));
        let loops = |computed| [vec![COMPUTE; computed], vec![[SUM, COMPUTE]; 4].concat()].concat();
        assert_eq!(count(&[loops(26)]), Some(4), "three of thirty");
        assert_eq!(count(&[loops(27)]), None);
        assert_eq!(count(&[loops(27), loops(25)]), Some(4), "all ranks together");
        let others = |calls| (1..=calls).map(|tag| Operation::send(tag, tag, 0));
        let mixed = |calls| [others(calls).collect(), vec![SUM; 4]].concat();
        assert_eq!((count(&[mixed(4)]), count(&[mixed(5)])), (Some(4), None));
    }
}
