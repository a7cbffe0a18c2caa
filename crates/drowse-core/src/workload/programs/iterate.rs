//! The operations of an application that is run several times, in blocks.

use std::sync::Arc;

use super::application::Application;
use super::program::Steps;
use super::writer::Writer;
use crate::workload::communicators::Communicators;
use crate::workload::operation::{Operation, OperationSource, Repeats, SourceError};

/// A block ends with the first step that fills it so far. Ranks that have begun an iteration of
/// several blocks remember only the number of their next step.
const BLOCK: usize = 32;

/// The operations of an application that is run several times.
pub struct Iterate {
    application: Arc<Application>,
    /// The number of runs.
    times: u32,
    /// That of the iterations of all runs.
    iterations: u64,
    /// How far each rank has come.
    ranks: Vec<Progress>,
}

/// How far a rank has come.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// Iterations that it has ended.
    ended: u64,
    /// Steps of the current one that it has taken.
    taken: u64,
}

impl Iterate {
    /// Runs an application `times` times.
    pub fn new(application: Arc<Application>, times: u32) -> Self {
        let iterations = application.iterations().saturating_mul(times.into());
        let ranks = vec![Progress::default(); application.ranks() as usize];
        Iterate { application, times, iterations, ranks }
    }
}

impl OperationSource for Iterate {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        self.application.communicators()
    }

    fn repetitions(&self) -> Option<u64> {
        Some(self.times.into())
    }

    /// The iterations of one phase repeat, and so do whole runs of several phases.
    fn repeats(&self) -> Option<Repeats> {
        let first = self.ranks.iter().map(|rank| rank.ended).min()?;
        let begun = self.ranks.iter().map(|rank| rank.ended + u64::from(rank.taken > 0)).max()?;
        let of_run = self.application.iterations();
        if self.application.marks() < of_run {
            return None;
        }
        if self.application.phases().len() > 1 && self.times > 1 {
            let left = self.iterations.saturating_sub(begun);
            return Some(Repeats { every: u32::try_from(of_run).ok()?, left });
        }
        let end =
            if self.application.phases().len() > 1 { self.application.end_of_phase(first) } else { self.iterations };
        Some(Repeats { every: 1, left: end.saturating_sub(begun) })
    }

    fn leave_out(&mut self, iterations: u64) {
        self.ranks.iter_mut().for_each(|rank| rank.ended += iterations);
    }

    /// Appends some steps.
    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let progress = &mut self.ranks[rank as usize];
        let end = operations.len() + BLOCK;
        while operations.len() < end && progress.ended < self.iterations {
            let Some((phase, prepared)) = self.application.phase(progress.ended % self.application.iterations()) else {
                break;
            };
            let compute = phase.compute.of(rank, progress.ended);
            if progress.taken == 0 && prepared.is_marked {
                operations.push(Operation::Iteration);
            }
            let mut writer = Writer::new(operations, phase.mode, compute, prepared.first);
            progress.take(prepared.steps.as_ref(), rank, end, &mut writer);
            // One such iteration makes a block, for it may be long, and what ranks have at hand stays small.
            if prepared.is_at_once {
                break;
            }
        }
        Ok(())
    }
}

impl Progress {
    /// Writes steps of a rank until the block is full or the iteration ended.
    fn take(&mut self, steps: &dyn Steps, rank: u32, end: usize, writer: &mut Writer<'_>) {
        let all = steps.count(rank);
        // At least one, so that an iteration whose mark has filled the block is not begun again.
        while self.taken < all {
            steps.take(rank, self.taken, writer);
            self.taken += 1;
            if writer.written() >= end {
                break;
            }
        }
        if self.taken == all {
            *self = Progress { ended: self.ended + 1, taken: 0 };
        }
    }
}
