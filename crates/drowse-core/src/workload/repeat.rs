//! A program run several times in a row, like a job that computes one step after the other.
//!
//! Runs are not synchronised: a rank begins the next run as soon as it has ended one. Requests that are pending at the
//! end of a run stay pending, under names that the next run does not use. Each run is marked as an iteration, unless the
//! program marks its own.

use std::collections::VecDeque;
use std::sync::Arc;

use super::communicators::Communicators;
use super::operation::{Operation, OperationSource, Repeats, RequestId, SourceError};

/// The operations of a repeated program.
pub struct Repeat<M> {
    times: u32,
    make: M,
    /// Whether runs are marked.
    marks: bool,
    /// Those of every run.
    communicators: Arc<Communicators>,
    ranks: Vec<Progress>,
    /// The runs that some rank has begun and some rank has not ended.
    runs: VecDeque<Run>,
    /// The number of the first run in `runs`.
    first: u32,
    /// Ranks with operations.
    working: u32,
    /// The warnings of one complete run, which all runs share.
    warnings: Option<Vec<String>>,
    /// They count what has been read.
    warns_of_what_is_read: bool,
}

/// The progress of a rank.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// Its current run.
    run: u32,
    /// Whether it has had operations in this run.
    worked: bool,
    /// The offset of this run's request names.
    offset: RequestId,
    /// One more than the largest request name in this run.
    names: RequestId,
}

struct Run {
    source: Box<dyn OperationSource>,
    /// Ranks with operations that have not ended this run.
    left: u32,
}

impl<M: FnMut() -> Box<dyn OperationSource> + Send> Repeat<M> {
    /// Repeats a program that `make` returns afresh for each run.
    pub fn new(times: u32, mut make: M) -> Self {
        let source = make();
        let working = source.ranks();
        let communicators = source.communicators();
        let warns_of_what_is_read = source.warns_of_what_is_read();
        let runs = VecDeque::from([Run { source, left: working }]);
        Repeat {
            times,
            make,
            marks: true,
            communicators,
            ranks: vec![Progress::default(); working as usize],
            runs,
            first: 0,
            working,
            warnings: None,
            warns_of_what_is_read,
        }
    }

    /// Leaves the marks of iterations to the program.
    #[must_use]
    pub fn unmarked(mut self) -> Self {
        self.marks = false;
        self
    }

    /// Appends the next operations of a rank in its current run, if there are any.
    fn refill_in_run(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let progress = &mut self.ranks[rank as usize];
        let position = (progress.run - self.first) as usize;
        if position == self.runs.len() {
            self.runs.push_back(Run { source: (self.make)(), left: self.working });
        }
        let before = operations.len();
        self.runs[position].source.refill(rank, operations)?;
        operations[before..].iter_mut().for_each(|operation| progress.rename(operation));
        if !progress.worked && operations.len() > before {
            progress.worked = true;
            if self.marks {
                operations.insert(before, Operation::Iteration);
            }
        }
        Ok(())
    }

    /// Ends a rank's current run, and drops the runs that all ranks have ended.
    fn end_run(&mut self, rank: u32) {
        let progress = &mut self.ranks[rank as usize];
        let position = (progress.run - self.first) as usize;
        if progress.worked {
            self.runs[position].left -= 1;
            *progress = progress.in_next_run();
        } else {
            // A rank without operations in one run has none in any.
            self.runs.range_mut(position..).for_each(|run| run.left -= 1);
            self.working -= 1;
            progress.run = Progress::IDLE;
        }
        while let Some(Run { source, .. }) = self.runs.pop_front_if(|run| run.left == 0) {
            self.first += 1;
            self.warnings.get_or_insert_with(|| source.warnings());
        }
    }
}

impl Progress {
    /// The run of a rank that has no operations in any.
    const IDLE: u32 = u32::MAX;

    /// Returns a rank's progress at the beginning of its next run.
    fn in_next_run(self) -> Progress {
        Progress { run: self.run + 1, worked: false, offset: self.offset.wrapping_add(self.names), names: 0 }
    }

    /// Renames the request of an operation, so that it is unique among all runs.
    fn rename(&mut self, operation: &mut Operation) {
        let requests: &mut [u32] = match operation {
            Operation::Isend { request: Some(request), .. }
            | Operation::Irecv { request, .. }
            | Operation::Icollective { request, .. }
            | Operation::Wait { request } => std::slice::from_mut(request),
            Operation::WaitAny(requests) | Operation::WaitSome(requests) => requests,
            Operation::Iteration
            | Operation::Compute(_)
            | Operation::Send { .. }
            | Operation::Isend { request: None, .. }
            | Operation::Recv { .. }
            | Operation::Probe { .. }
            | Operation::WaitAll
            | Operation::Collective { .. } => &mut [],
        };
        for request in requests {
            self.names = self.names.max(request.saturating_add(1));
            *request = request.wrapping_add(self.offset);
        }
    }
}

impl<M: FnMut() -> Box<dyn OperationSource> + Send> OperationSource for Repeat<M> {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.communicators)
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let before = operations.len();
        while operations.len() == before && self.ranks[rank as usize].run < self.times {
            self.refill_in_run(rank, operations)?;
            if operations.len() == before {
                self.end_run(rank);
            }
        }
        Ok(())
    }

    fn repetitions(&self) -> Option<u64> {
        Some(self.times.into())
    }

    /// Each run repeats the one before, where runs are what is marked.
    fn repeats(&self) -> Option<Repeats> {
        let working = self.ranks.iter().filter(|rank| rank.run != Progress::IDLE);
        let begun = working.map(|rank| rank.run + u32::from(rank.worked)).max().filter(|_| self.marks)?;
        Some(Repeats { every: 1, left: self.times.saturating_sub(begun).into() })
    }

    fn leave_out(&mut self, iterations: u64) {
        let runs = u32::try_from(iterations).unwrap_or(self.times);
        self.first += runs;
        self.ranks.iter_mut().filter(|rank| rank.run != Progress::IDLE).for_each(|rank| rank.run += runs);
    }

    fn warnings(&self) -> Vec<String> {
        let running = || self.runs.front().map(|run| run.source.warnings());
        let of_a_run = self.warnings.clone().or_else(running).unwrap_or_default();
        of_a_run.into_iter().map(|warning| format!("{warning} (in each of {} runs)", self.times)).collect()
    }

    fn warns_of_what_is_read(&self) -> bool {
        self.warns_of_what_is_read
    }
}
