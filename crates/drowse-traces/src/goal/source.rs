//! The programs as the simulation's operations.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, SendMode, SourceError};

use super::collectives::is_of_collective;
use super::counts::Counts;
use super::graph::Does;
use super::order::Step;
use crate::compute::ComputeModel;
use crate::files::Stored;
use crate::info::TraceInfo;
use crate::line_error::LineError;
use crate::progress::Progress;

/// What a file holds.
pub(super) struct Program {
    /// The file, for messages.
    pub label: String,
    /// The text; `None` for the binary form.
    pub text: Option<Stored>,
    pub info: TraceInfo,
    pub fingerprint: u64,
    /// That of all ranks, and one more if messages of collectives are kept apart.
    communicators: Arc<Communicators>,
    /// The steps of each rank.
    pub ranks: Vec<Vec<Step>>,
}

impl Program {
    /// Makes the program of a file with a label, perhaps a text.
    pub fn new(
        (label, text): (String, Option<Stored>),
        counts: &Counts,
        fingerprint: u64,
        ranks: Vec<Vec<Step>>,
    ) -> Self {
        let count = ranks.len() as u32;
        let mut communicators = Communicators::of(count);
        if counts.collectives.kept_apart() > 0 {
            // All ranks, each once, are a group.
            let _ = communicators.add((0..count).collect());
        }
        Program { label, text, info: counts.info(count), fingerprint, communicators: Arc::new(communicators), ranks }
    }

    /// Returns the communicator of messages with a tag.
    fn comm(&self, tag: u32) -> CommId {
        if is_of_collective(tag) { self.communicators.count() - 1 } else { ALL }
    }
}

/// The operations of a GOAL text.
pub(super) struct GoalSource {
    program: Arc<Program>,
    compute: ComputeModel,
    ranks: Vec<Progress>,
}

impl GoalSource {
    /// Makes the operations of a text.
    pub fn new(program: Arc<Program>, compute: ComputeModel) -> Self {
        let ranks = vec![Progress::default(); program.ranks.len()];
        GoalSource { program, compute, ranks }
    }

    /// Returns the operation of a step of a rank.
    fn operation(&mut self, rank: u32, step: Step) -> Result<Operation, LineError> {
        Ok(match step {
            Step::Start(Does::Send { to, tag, bytes }, place) => {
                let (comm, mode, request) = (self.program.comm(tag), SendMode::Standard, Some(place));
                Operation::Isend { to, tag, comm, mode, bytes, request }
            }
            Step::Start(Does::Receive { from, tag }, place) => {
                let comm = tag.map_or(ALL, |tag| self.program.comm(tag));
                Operation::Irecv { from, tag, comm, request: place }
            }
            Step::Start(Does::Calculate(nanoseconds), _) => {
                let what = "a calculation";
                // Too long where it is more picoseconds than a number holds.
                let time = nanoseconds.checked_mul(1_000).map(Time).and_then(|time| self.compute.scaled(time));
                let time = time.ok_or(LineError::TooLarge { what })?;
                self.ranks[rank as usize].computed.add(rank, time)?;
                Operation::Compute(time)
            }
            Step::Wait(place) => Operation::Wait { request: place },
            Step::WaitAll => Operation::WaitAll,
        })
    }
}

impl OperationSource for GoalSource {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.program.communicators)
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let program = Arc::clone(&self.program);
        let Some(progress) = self.ranks.get_mut(rank as usize) else { return Ok(()) };
        for &step in progress.take(&program.ranks[rank as usize]) {
            let refuse = |problem: LineError| SourceError(format!("{}: {problem}", program.label));
            operations.push(self.operation(rank, step).map_err(refuse)?);
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.program.info.warnings.clone()
    }
}
