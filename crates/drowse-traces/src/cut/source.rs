//! The operations of a part of a program.

use std::ops::Range;
use std::sync::Arc;

use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::Cut;

/// The operations of a part, read from the whole.
pub(super) struct CutSource {
    source: Box<dyn OperationSource>,
    /// The operations of each rank that are left out before the part, and those of the part, that were not read yet.
    ranks: Vec<Range<u64>>,
    /// The number of operations of each rank that were read.
    read: Vec<u64>,
    communicators: Arc<Communicators>,
    numbers: Vec<Option<CommId>>,
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
            block: Vec::new(),
        }
    }

    /// Gives a communicator its number in the part.
    fn renumber(&self, operation: &mut Operation) {
        if let Some(comm) = operation.comm_mut() {
            *comm = self.numbers.get(*comm as usize).copied().flatten().unwrap_or(ALL);
        }
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
        while operations.len() == before && self.read[rank as usize] < part.end {
            self.source.refill(rank, &mut self.block)?;
            if self.block.is_empty() {
                break;
            }
            let first = self.read[rank as usize];
            self.read[rank as usize] += self.block.len() as u64;
            let mut block = std::mem::take(&mut self.block);
            let numbered = (first..).zip(block.drain(..)).filter(|(number, _)| part.contains(number));
            operations.extend(numbered.map(|(_, mut operation)| {
                self.renumber(&mut operation);
                operation
            }));
            self.block = block;
        }
        Ok(())
    }
}
