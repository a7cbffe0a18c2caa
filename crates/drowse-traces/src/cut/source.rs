//! The operations of a part of a program.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::{Cut, Part};

/// The operations of a part, read from the whole.
pub(super) struct CutSource {
    source: Box<dyn OperationSource>,
    /// What is kept of each rank.
    ranks: Vec<Part>,
    /// The number of operations of each rank that were read.
    read: Vec<u64>,
    communicators: Arc<Communicators>,
    numbers: Vec<Option<CommId>>,
    notes: Vec<String>,
    block: Vec<Operation>,
}

impl CutSource {
    /// Makes the operations of a part of a program.
    pub fn new(source: Box<dyn OperationSource>, cut: &Cut) -> Self {
        CutSource {
            source,
            ranks: cut.parts.clone(),
            read: vec![0; cut.parts.len()],
            communicators: Arc::clone(&cut.communicators),
            numbers: cut.numbers.clone(),
            notes: cut.notes.clone(),
            block: Vec::new(),
        }
    }

    /// Replaces the communicator of an operation by its number in the part.
    fn renumber(&self, operation: &mut Operation) {
        if let Some(comm) = operation.comm_mut() {
            *comm = self.numbers.get(*comm as usize).copied().flatten().unwrap_or(ALL);
        }
    }
}

impl Part {
    /// Returns the number of the first operation behind it.
    fn end(&self) -> u64 {
        self.operations.end.saturating_add(u64::from(self.keeps > Time::ZERO))
    }

    /// Returns what is kept of an operation with a number.
    fn keep(&self, number: u64, operation: Operation) -> Option<Operation> {
        if number < self.operations.start || number >= self.end() {
            return None;
        }
        let Operation::Compute(time) = operation else { return Some(operation) };
        let to = if number == self.operations.end { self.keeps } else { time };
        let from = if number == self.operations.start { self.skips } else { Time::ZERO };
        Some(Operation::Compute(to.saturating_sub(from)))
    }
}

impl OperationSource for CutSource {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.communicators)
    }

    fn algorithms(&self) -> Algorithms {
        self.source.algorithms()
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let Some(part) = self.ranks.get(rank as usize).cloned() else { return Ok(()) };
        let before = operations.len();
        while operations.len() == before && self.read[rank as usize] < part.end() {
            self.source.refill(rank, &mut self.block)?;
            if self.block.is_empty() {
                break;
            }
            let first = self.read[rank as usize];
            self.read[rank as usize] += self.block.len() as u64;
            let mut block = std::mem::take(&mut self.block);
            let numbered =
                (first..).zip(block.drain(..)).filter_map(|(number, operation)| part.keep(number, operation));
            operations.extend(numbered.map(|mut operation| {
                self.renumber(&mut operation);
                operation
            }));
            self.block = block;
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.notes.clone()
    }
}
