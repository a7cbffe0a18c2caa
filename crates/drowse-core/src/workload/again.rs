//! A program that starts again whenever all its ranks have ended, for as long as somebody starts it.
//!
//! A refill after the last operation of a rank returns none, once: that is the end of a repetition. The refill after
//! that begins the next one. Requests that are pending at the end of a repetition stay pending, but their names are
//! free. Each repetition is marked as an iteration, unless the program marks its own.

use std::sync::Arc;

use super::algorithms::Algorithms;
use super::communicators::Communicators;
use super::operation::{Operation, OperationSource, SourceError};

/// The operations of a program that starts again.
pub struct Again<M> {
    make: M,
    /// The present repetition.
    source: Box<dyn OperationSource>,
    /// Its number.
    number: u64,
    /// Whether repetitions are marked.
    marks: bool,
    ranks: Vec<Progress>,
}

/// The progress of a rank.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// Repetitions that it has ended.
    ended: u64,
    /// It has begun the one after them.
    begun: bool,
}

impl<M: Fn() -> Box<dyn OperationSource> + Send> Again<M> {
    /// Starts a program again that `make` returns afresh for each repetition.
    pub fn new(make: M) -> Self {
        let source = make();
        let ranks = vec![Progress::default(); source.ranks() as usize];
        Again { make, source, number: 0, marks: true, ranks }
    }

    /// Leaves the marks of iterations to the program.
    #[must_use]
    pub fn unmarked(mut self) -> Self {
        self.marks = false;
        self
    }

    /// Reads a repetition to its end for its warnings; those of the present one, where it cannot be read.
    fn warnings_of_all(&self) -> Option<Vec<String>> {
        let mut source = (self.make)();
        let mut read = Vec::new();
        for rank in 0..source.ranks() {
            source.refill(rank, &mut read).ok()?;
            while !read.is_empty() {
                read.clear();
                source.refill(rank, &mut read).ok()?;
            }
        }
        Some(source.warnings())
    }
}

impl<M: Fn() -> Box<dyn OperationSource> + Send> OperationSource for Again<M> {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        self.source.communicators()
    }

    fn algorithms(&self) -> Algorithms {
        self.source.algorithms()
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let progress = &mut self.ranks[rank as usize];
        if progress.ended > self.number {
            // All ranks have ended the repetition before.
            (self.source, self.number) = ((self.make)(), progress.ended);
        }
        let before = operations.len();
        self.source.refill(rank, operations)?;
        if operations.len() == before {
            *progress = Progress { ended: progress.ended + 1, begun: false };
        } else if !std::mem::replace(&mut progress.begun, true) && self.marks {
            operations.insert(before, Operation::Iteration);
        }
        Ok(())
    }

    fn repetitions(&self) -> Option<u64> {
        None
    }

    /// Returns those of a whole repetition: how far the last one was read depends on when the run ended.
    fn warnings(&self) -> Vec<String> {
        let whole = if self.source.warns_of_what_is_read() { self.warnings_of_all() } else { None };
        let warnings = whole.unwrap_or_else(|| self.source.warnings());
        warnings.into_iter().map(|warning| format!("{warning} (in each repetition)")).collect()
    }
}
