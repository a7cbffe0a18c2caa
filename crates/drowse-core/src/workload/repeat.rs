//! A program run several times in a row, as a job that computes one step after the other does.
//!
//! Nothing joins two runs: each rank begins the next as soon as it has ended one, whatever the others do. Requests that are
//! still pending at the end of a run stay so, under names that the next run does not use.
//!
//! Each run is an iteration of the whole.

use std::collections::VecDeque;

use super::operation::{Operation, OperationSource, RequestId, SourceError};

/// The operations of a program that is run several times.
pub struct Repeat<M> {
    times: u32,
    make: M,
    ranks: Vec<Progress>,
    /// The runs that some rank is in or has yet to begin, up to the last that one has begun.
    runs: VecDeque<Run>,
    /// The number of the first of these.
    first: u32,
    /// Ranks that have something to do in a run.
    working: u32,
    /// What a whole run warns of; all runs warn of the same.
    warnings: Option<Vec<String>>,
}

/// How far a rank is.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// The run that it is in.
    run: u32,
    /// It had operations in this run.
    worked: bool,
    /// What is added to the names of this run's requests.
    offset: RequestId,
    /// One more than the largest name in this run.
    names: RequestId,
}

struct Run {
    source: Box<dyn OperationSource>,
    /// Working ranks that have not ended it.
    left: u32,
}

impl<M: FnMut() -> Box<dyn OperationSource> + Send> Repeat<M> {
    /// Repeats the program that `make` gives anew for each run.
    pub fn new(times: u32, mut make: M) -> Self {
        let source = make();
        let working = source.ranks();
        let runs = VecDeque::from([Run { source, left: working }]);
        Repeat {
            times,
            make,
            ranks: vec![Progress::default(); working as usize],
            runs,
            first: 0,
            working,
            warnings: None,
        }
    }

    /// Appends the next operations of a rank within the run that it is in, if there are any.
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
            operations.insert(before, Operation::Iteration);
        }
        Ok(())
    }

    /// Lets a rank end the run that it is in, and forgets the runs that all have ended.
    fn end_run(&mut self, rank: u32) {
        let progress = &mut self.ranks[rank as usize];
        let position = (progress.run - self.first) as usize;
        if progress.worked {
            self.runs[position].left -= 1;
            *progress = progress.in_next_run();
        } else {
            // What does nothing in one run does nothing in any.
            self.runs.range_mut(position..).for_each(|run| run.left -= 1);
            self.working -= 1;
            progress.run = self.times;
        }
        while let Some(Run { source, .. }) = self.runs.pop_front_if(|run| run.left == 0) {
            self.first += 1;
            self.warnings.get_or_insert_with(|| source.warnings());
        }
    }
}

impl Progress {
    /// Returns a rank's progress at the beginning of its next run.
    fn in_next_run(self) -> Progress {
        Progress { run: self.run + 1, worked: false, offset: self.offset.wrapping_add(self.names), names: 0 }
    }

    /// Returns the request of an operation the name that is its own among those of all runs.
    fn rename(&mut self, operation: &mut Operation) {
        match operation {
            Operation::Isend { request, .. } | Operation::Irecv { request, .. } | Operation::Wait { request } => {
                self.names = self.names.max(request.saturating_add(1));
                *request = request.wrapping_add(self.offset);
            }
            Operation::Iteration
            | Operation::Compute(_)
            | Operation::Send { .. }
            | Operation::Recv { .. }
            | Operation::WaitAll
            | Operation::Collective(_) => {}
        }
    }
}

impl<M: FnMut() -> Box<dyn OperationSource> + Send> OperationSource for Repeat<M> {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
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

    fn warnings(&self) -> Vec<String> {
        let running = || self.runs.front().map(|run| run.source.warnings());
        let of_a_run = self.warnings.clone().or_else(running).unwrap_or_default();
        of_a_run.into_iter().map(|warning| format!("{warning} (in each of {} runs)", self.times)).collect()
    }
}
