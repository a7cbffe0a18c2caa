//! The programs as the simulation's operations.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::build::Program;
use crate::compute::{ComputeModel, Computed};
use crate::line_error::LineError;

/// The number of operations that are handed out at a time.
const BLOCK: usize = 128;

/// The operations of a Paraver trace.
pub(super) struct ParaverSource {
    program: Arc<Program>,
    compute: ComputeModel,
    /// For each rank, the next operation, and how long it has computed.
    ranks: Vec<(usize, Computed)>,
}

impl ParaverSource {
    /// Makes the operations of a trace.
    pub fn new(program: Arc<Program>, compute: ComputeModel) -> Self {
        let ranks = vec![(0, Computed::default()); program.ranks.len()];
        ParaverSource { program, compute, ranks }
    }
}

impl OperationSource for ParaverSource {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.program.communicators)
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let Some((next, computed)) = self.ranks.get_mut(rank as usize) else { return Ok(()) };
        let before = operations.len();
        let refuse = |problem: LineError| SourceError(format!("{}: {problem}", self.program.label));
        while let Some(operation) = self.program.ranks[rank as usize].get(*next) {
            *next += 1;
            let mut operation = operation.clone();
            if let Operation::Compute(time) = &mut operation {
                let scaled = self.compute.scaled(*time);
                *time = scaled.ok_or_else(|| refuse(LineError::TooLarge { what: "a time between two calls" }))?;
                computed.add(rank, *time).map_err(refuse)?;
                if *time == Time::ZERO {
                    continue;
                }
            }
            operations.push(operation);
            if operations.len() - before == BLOCK {
                break;
            }
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.program.info.warnings.clone()
    }
}
