//! A program that only computes: what is known of a job of which nothing else is known.

use crate::model::units::Time;
use crate::workload::operation::{Operation, OperationSource, SourceError};

/// The operations of ranks that compute for a time and send nothing: one of each.
#[derive(Clone, Debug)]
pub struct Computation {
    time: Time,
    /// Whether each rank has begun.
    begun: Vec<bool>,
}

impl Computation {
    /// Lets so many ranks compute for a time.
    pub fn new(ranks: u32, time: Time) -> Self {
        Computation { time, begun: vec![false; ranks as usize] }
    }
}

impl OperationSource for Computation {
    fn ranks(&self) -> u32 {
        self.begun.len() as u32
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        if let Some(begun) = self.begun.get_mut(rank as usize)
            && !std::mem::replace(begun, true)
        {
            operations.push(Operation::Compute(self.time));
        }
        Ok(())
    }
}
