//! The programs as the simulation's operations.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{ALL, Communicators};
use drowse_core::workload::operation::{Collective, Operation, OperationSource, RequestId, SendMode, SourceError};

use super::graph::Does;
use super::order::Step;
use crate::compute::ComputeModel;
use crate::info::TraceInfo;
use crate::line_error::LineError;
use crate::progress::Progress;

/// What a trace holds.
pub(super) struct Program {
    pub info: TraceInfo,
    pub fingerprint: u64,
    /// The steps of each rank.
    pub ranks: Vec<Vec<Step>>,
    pub collectives: Vec<Collective>,
    pub communicators: Arc<Communicators>,
    /// Whether computations are operations, not picoseconds.
    pub in_operations: bool,
}

/// The operations of a Chakra trace.
pub(super) struct ChakraSource {
    program: Arc<Program>,
    compute: ComputeModel,
    ranks: Vec<Progress>,
}

impl ChakraSource {
    /// Makes the operations of a trace.
    pub fn new(program: Arc<Program>, compute: ComputeModel) -> Self {
        let ranks = vec![Progress::default(); program.ranks.len()];
        ChakraSource { program, compute, ranks }
    }

    /// Returns how long a computation takes, after the others of the rank.
    fn time(&mut self, rank: u32, amount: u64) -> Result<Time, LineError> {
        let compute = &self.compute;
        let time = if self.program.in_operations { compute.time(amount) } else { compute.scaled(Time(amount)) };
        let time = time.ok_or(LineError::TooLarge { what: "a computation" })?;
        self.ranks[rank as usize].computed.add(rank, time)?;
        Ok(time)
    }
}

impl Program {
    /// Returns the operation that starts a communication, and completes it where there is no request.
    fn communicate(&self, does: Does, request: Option<RequestId>) -> Option<Operation> {
        // A sender does not wait for its receiver: the message leaves when it is sent.
        let (mode, comm) = (SendMode::Ready, ALL);
        Some(match (does, request) {
            (Does::Send { to, tag, bytes }, None) => Operation::Send { to, tag, comm, mode, bytes },
            (Does::Send { to, tag, bytes }, request) => Operation::Isend { to, tag, comm, mode, bytes, request },
            (Does::Receive { from, tag }, None) => Operation::recv(from, tag),
            (Does::Receive { from, tag }, Some(request)) => Operation::irecv(from, tag, request),
            (Does::Collective { comm, which }, None) => {
                Operation::Collective { comm, collective: self.collectives[which as usize].clone() }
            }
            (Does::Collective { comm, which }, Some(request)) => {
                Operation::Icollective { comm, request, collective: Box::new(self.collectives[which as usize].clone()) }
            }
            (Does::Nothing | Does::Compute(..), _) => return None,
        })
    }
}

impl OperationSource for ChakraSource {
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
            match step {
                Step::Compute(amount) => {
                    let refuse = |problem: LineError| SourceError(format!("rank {rank}: {problem}"));
                    operations.push(Operation::Compute(self.time(rank, amount).map_err(refuse)?));
                }
                Step::Start(does, request) => operations.extend(program.communicate(does, Some(request))),
                Step::Do(does) => operations.extend(program.communicate(does, None)),
                Step::Wait(request) => operations.push(Operation::Wait { request }),
                Step::WaitAll => operations.push(Operation::WaitAll),
            }
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.program.info.warnings.clone()
    }
}
