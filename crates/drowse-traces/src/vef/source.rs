//! The programs as the simulation's operations.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{ALL, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, SendMode, SourceError};

use super::program::{Does, Program, Step};
use crate::compute::{ComputeModel, Computed};
use crate::line_error::LineError;

/// The number of steps that become operations at a time.
const BLOCK: usize = 128;

/// The operations of a VEF trace.
pub(super) struct VefSource {
    program: Arc<Program>,
    compute: ComputeModel,
    ranks: Vec<Progress>,
}

/// The progress of a rank.
#[derive(Clone, Copy, Default)]
struct Progress {
    step: usize,
    /// Whether it has posted receives for which it waits at its end.
    posted: bool,
    computed: Computed,
}

impl VefSource {
    /// Makes the operations of a trace.
    pub fn new(program: Arc<Program>, compute: ComputeModel) -> Self {
        let ranks = vec![Progress::default(); program.tasks.len()];
        VefSource { program, compute, ranks }
    }

    /// Returns how long a rank computes.
    fn time(&mut self, rank: u32, nanoseconds: u64) -> Result<Time, SourceError> {
        let refuse = |problem: LineError| SourceError(format!("{}: {problem}", self.program.label));
        let time = self.compute.scaled(Time::from_ns(nanoseconds));
        let time = time.ok_or_else(|| refuse(LineError::TooLarge { what: "a time between two records" }))?;
        self.ranks[rank as usize].computed.add(rank, time).map_err(refuse)?;
        Ok(time)
    }

    /// Returns the operation of a step.
    fn operation(&self, does: Does) -> Operation {
        let message = |place: u32| self.program.messages[place as usize];
        // The number of its record names a message; requests of parts follow those of messages.
        let request = |part: u32| (self.program.messages.len() as u32).wrapping_add(part);
        let call = |part: u32| {
            let (call, rank) = self.program.parts[part as usize];
            let call = &self.program.calls[call as usize];
            (call.comm, call.collective(rank, &self.program.communicators))
        };
        match does {
            Does::Send(tag) => {
                let sent = message(tag);
                let (to, bytes) = (sent.to, sent.bytes);
                Operation::Isend { to, tag, comm: ALL, mode: SendMode::Ready, bytes, request: None }
            }
            Does::Receive(tag) => Operation::recv(message(tag).from, tag),
            Does::Post(tag) => Operation::irecv(message(tag).from, tag, tag),
            Does::Call(part) => {
                let (comm, collective) = call(part);
                Operation::Collective { comm, collective }
            }
            Does::Start(part) => {
                let (comm, collective) = call(part);
                Operation::Icollective { comm, request: request(part), collective: Box::new(collective) }
            }
            Does::Await(part) => Operation::Wait { request: request(part) },
        }
    }
}

impl OperationSource for VefSource {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.program.communicators)
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let Some(progress) = self.ranks.get(rank as usize).copied() else { return Ok(()) };
        let program = Arc::clone(&self.program);
        let steps = program.tasks[rank as usize].get(progress.step..).unwrap_or_default();
        for &Step { nanoseconds, does } in steps.iter().take(BLOCK) {
            if nanoseconds > 0 {
                let time = self.time(rank, nanoseconds)?;
                if time > Time::ZERO {
                    operations.push(Operation::Compute(time));
                }
            }
            operations.push(self.operation(does));
        }
        let progress = &mut self.ranks[rank as usize];
        progress.step += steps.len().min(BLOCK);
        progress.posted |= steps.iter().take(BLOCK).any(|step| matches!(step.does, Does::Post(_) | Does::Start(_)));
        if steps.len() <= BLOCK && std::mem::take(&mut progress.posted) {
            operations.push(Operation::WaitAll);
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.program.info.warnings.clone()
    }
}
