//! A program that is read up to a place in each rank, in steps.
//!
//! A step is an operation with the computing before it. A mark of an iteration is a step by itself.

use std::collections::VecDeque;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

/// How far each rank was read.
pub(crate) struct Walk {
    source: Box<dyn OperationSource>,
    ranks: Vec<Reading>,
}

/// How far a rank was read.
#[derive(Default)]
struct Reading {
    /// Operations that were read and not taken.
    ahead: VecDeque<Operation>,
    block: Vec<Operation>,
    has_ended: bool,
    /// The operations that were taken.
    taken: u64,
}

impl Walk {
    pub fn new(source: Box<dyn OperationSource>) -> Self {
        let ranks = (0..source.ranks()).map(|_| Reading::default()).collect();
        Walk { source, ranks }
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// Returns how many operations of a rank were taken.
    pub fn taken(&self, rank: u32) -> u64 {
        self.ranks[rank as usize].taken
    }

    /// Returns the last operation of the next step of a rank; `None` at its end.
    pub fn next(&mut self, rank: u32) -> Result<Option<&Operation>, SourceError> {
        let length = self.step(rank)?;
        Ok(length.checked_sub(1).and_then(|last| self.ranks[rank as usize].ahead.get(last)))
    }

    /// Takes the next step of a rank, and returns its last operation.
    pub fn take(&mut self, rank: u32) -> Result<Option<Operation>, SourceError> {
        Ok(self.take_computed(rank)?.1)
    }

    /// Takes the next step of a rank; returns what is computed in it, and its last operation.
    pub fn take_computed(&mut self, rank: u32) -> Result<(Time, Option<Operation>), SourceError> {
        let length = self.step(rank)?;
        let reading = &mut self.ranks[rank as usize];
        reading.taken += length as u64;
        let (mut computed, mut last) = (Time::ZERO, None);
        for operation in reading.ahead.drain(..length) {
            if let Operation::Compute(time) = operation {
                computed = computed.saturating_add(time);
            }
            last = Some(operation);
        }
        Ok((computed, last))
    }

    /// Returns the next operation of a rank; `None` at its end.
    pub fn peek(&mut self, rank: u32) -> Result<Option<&Operation>, SourceError> {
        let reading = &mut self.ranks[rank as usize];
        if reading.ahead.is_empty() && !reading.has_ended {
            self.source.refill(rank, &mut reading.block)?;
            reading.has_ended = reading.block.is_empty();
            reading.ahead.extend(reading.block.drain(..));
        }
        Ok(self.ranks[rank as usize].ahead.front())
    }

    /// Takes the next operation of a rank, which was looked at.
    pub fn skip(&mut self, rank: u32) {
        let reading = &mut self.ranks[rank as usize];
        reading.taken += u64::from(reading.ahead.pop_front().is_some());
    }

    /// Returns the number of operations of the next step of a rank, which are read.
    fn step(&mut self, rank: u32) -> Result<usize, SourceError> {
        let reading = &mut self.ranks[rank as usize];
        let mut length = 0;
        loop {
            while let Some(operation) = reading.ahead.get(length) {
                match operation {
                    Operation::Compute(_) => length += 1,
                    Operation::Iteration if length > 0 => return Ok(length),
                    _ => return Ok(length + 1),
                }
            }
            if !reading.has_ended {
                self.source.refill(rank, &mut reading.block)?;
                reading.has_ended = reading.block.is_empty();
                reading.ahead.extend(reading.block.drain(..));
            }
            if reading.has_ended {
                return Ok(length);
            }
        }
    }
}
