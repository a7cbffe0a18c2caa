//! The records as the simulation's operations, one block of text at a time.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, SendMode, SourceError};

use super::pending::{Key, Pending};
use super::record::{Called, How, Line, Record};
use super::scan::Scanned;
use crate::compute::{ComputeModel, Computed};
use crate::error::{Place, TraceError};
use crate::files::{LineBlock, LineCursor};
use crate::line_error::LineError;
use crate::reader::refill;

/// The size of blocks of text, several hundred lines.
const BLOCK_BYTES: usize = 16 << 10;

/// The operations of a Dimemas trace.
pub(super) struct DimemasSource {
    trace: Arc<Scanned>,
    compute: ComputeModel,
    states: Vec<State>,
    block: LineBlock,
}

/// The progress of a task.
struct State {
    cursor: LineCursor,
    pending: Pending,
    calls: FxHashMap<CommId, u32>,
    computed: Computed,
}

impl DimemasSource {
    /// Makes the operations of a trace.
    pub fn new(trace: Arc<Scanned>, compute: ComputeModel) -> Self {
        let state = |(_, lines): &(_, u64)| State {
            cursor: LineCursor::after_lines(*lines),
            pending: Pending::default(),
            calls: FxHashMap::default(),
            computed: Computed::default(),
        };
        let states = trace.tasks.iter().map(state).collect();
        DimemasSource { trace, compute, states, block: LineBlock::default() }
    }

    /// Appends the operations of the next block of a task's text; false at its end. Calls `seen` with each line and the
    /// number of its operations.
    pub(super) fn read_block(
        &mut self,
        task: u32,
        operations: &mut Vec<Operation>,
        seen: &mut impl FnMut(u64, usize),
    ) -> Result<bool, TraceError> {
        let trace = Arc::clone(&self.trace);
        let Some((text, _)) = trace.tasks.get(task as usize) else { return Ok(false) };
        let Some(state) = self.states.get_mut(task as usize) else { return Ok(false) };
        if !text.next_lines(trace.spool.as_ref(), &mut state.cursor, &mut self.block, BLOCK_BYTES)? {
            return Ok(false);
        }
        for (number, line) in self.block.lines() {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let before = operations.len();
            let mut translator = Translator { trace: &trace, task, state: &mut *state, compute: &self.compute };
            translator.translate(line, operations).map_err(|problem| TraceError::Line {
                place: Place { file: text.label.clone(), line: number },
                problem,
            })?;
            seen(number, operations.len() - before);
        }
        Ok(true)
    }
}

impl OperationSource for DimemasSource {
    fn ranks(&self) -> u32 {
        self.states.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(self.trace.comms.table())
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        refill(operations, |operations| self.read_block(rank, operations, &mut |_, _| {}))
    }

    fn warnings(&self) -> Vec<String> {
        self.trace.info.warnings.clone()
    }
}

/// Translates the records of one task.
struct Translator<'a> {
    trace: &'a Scanned,
    task: u32,
    state: &'a mut State,
    compute: &'a ComputeModel,
}

impl Translator<'_> {
    /// Appends the operations of a line.
    fn translate(&mut self, line: &[u8], operations: &mut Vec<Operation>) -> Result<(), LineError> {
        let line = Line::parse(line, self.trace.info.ranks, self.trace.old)?;
        if line.thread > 0 {
            return Ok(());
        }
        match line.record {
            Record::Noop | Record::Event | Record::Other => {}
            Record::Burst(time) | Record::GpuBurst(time) => operations.extend(self.burst(time)?),
            Record::Send { to, bytes, tag, comm, synchronous, immediate } => {
                let (comm, tag) = self.trace.comms.message(comm, Some(tag), self.task, Some(to))?;
                let tag = tag.unwrap_or_default();
                let mode = if synchronous { SendMode::Synchronous } else { SendMode::Standard };
                operations.push(if immediate {
                    Operation::Isend { to, tag, comm, mode, bytes, request: None }
                } else {
                    Operation::Send { to, tag, comm, mode, bytes }
                });
            }
            Record::Receive { key, how } => {
                let from = key.from;
                let (comm, tag) = self.trace.comms.message(key.comm, key.tag, self.task, from)?;
                match how {
                    How::Block => operations.push(Operation::Recv { from, tag, comm }),
                    How::Post => {
                        let request = self.state.pending.start(Key::Receive(key));
                        operations.push(Operation::Irecv { from, tag, comm, request });
                    }
                    How::Wait => operations.extend(self.wait(Key::Receive(key))),
                }
            }
            Record::Collective(called) => operations.push(self.collective(&called)?),
            Record::WaitCollective { kind, comm } => operations.extend(self.wait(Key::Collective(kind, comm))),
        }
        Ok(())
    }

    /// Returns the computation of a burst, which may be none.
    fn burst(&mut self, time: Time) -> Result<Option<Operation>, LineError> {
        let time = self.compute.scaled(time).ok_or(LineError::TooLarge { what: "the time of the burst" })?;
        self.state.computed.add(self.task, time)?;
        Ok((time > Time::ZERO).then_some(Operation::Compute(time)))
    }

    /// Returns the operation of a wait, if there is something to wait for.
    fn wait(&mut self, key: Key) -> Option<Operation> {
        self.state.pending.end(key).map(|request| Operation::Wait { request })
    }

    /// Returns the operation of a call.
    fn collective(&mut self, called: &Called) -> Result<Operation, LineError> {
        let (comm, member) = self.trace.comms.collective(called.comm, self.task)?;
        let number = self.state.calls.entry(comm).or_insert(0);
        *number += 1;
        let collective = self.trace.collectives.collective(comm, *number - 1, member, called);
        // The file was read to its end before.
        let changed = || LineError::Record("is a collective that was not there before; do not change the file".into());
        let collective = collective.ok_or_else(changed)?;
        Ok(if called.immediate {
            let request = self.state.pending.start(Key::Collective(called.kind, called.comm));
            Operation::Icollective { comm, request, collective: Box::new(collective) }
        } else {
            Operation::Collective { comm, collective }
        })
    }
}
