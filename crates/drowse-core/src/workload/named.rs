//! A program whose collectives are carried out by named algorithms.

use std::sync::Arc;

use super::algorithms::Algorithms;
use super::communicators::Communicators;
use super::operation::{Operation, OperationSource, Repeats, SourceError};

/// A program, and the algorithms of its collectives.
pub struct WithAlgorithms {
    source: Box<dyn OperationSource>,
    algorithms: Algorithms,
}

impl WithAlgorithms {
    /// Names the algorithms of a program's collectives.
    pub fn new(source: Box<dyn OperationSource>, algorithms: Algorithms) -> Self {
        WithAlgorithms { source, algorithms }
    }
}

impl OperationSource for WithAlgorithms {
    fn ranks(&self) -> u32 {
        self.source.ranks()
    }

    fn communicators(&self) -> Arc<Communicators> {
        self.source.communicators()
    }

    fn algorithms(&self) -> Algorithms {
        self.algorithms
    }

    fn repetitions(&self) -> Option<u64> {
        self.source.repetitions()
    }

    fn repeats(&self) -> Option<Repeats> {
        self.source.repeats()
    }

    fn leave_out(&mut self, iterations: u64) {
        self.source.leave_out(iterations);
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        self.source.refill(rank, operations)
    }

    fn warnings(&self) -> Vec<String> {
        self.source.warnings()
    }

    fn warns_of_what_is_read(&self) -> bool {
        self.source.warns_of_what_is_read()
    }
}
