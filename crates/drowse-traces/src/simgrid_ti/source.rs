//! Translates the actions of a trace to the simulation's operations, one block of text at a time.
//!
//! - A `wait` completes the oldest request of the rank with the same sender, receiver and tag. A `wait` for a request
//!   that is not pending has no effect.
//! - A `waitall` waits for all pending requests, because the trace does not tell which ones are meant. LULESH waits for
//!   its sends so, and for its receives one by one after that: these waits find nothing to do.
//! - Traces omit the tags of `sendRecv`, so both its messages have tag 0.
//! - A receive's count is that of the buffer; the message's size is the sender's.
//! - Polls have no effect. The trace states what a program did between polls, but not how often it would poll on
//!   another network.
//! - SMPI writes the time spent polling as computations of whole megaflops. Where the user says so, the last of these
//!   before a receive becomes a probe of the message that is received: the program went on when that was there.
//! - Every collective is one of all ranks: a TI trace does not name communicators.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::ALL;
use drowse_core::workload::operation::{Operation, OperationSource, SendMode, SourceError};

use super::action::{Action, RequestKey};
use super::collective::collective;
use super::context::LineContext;
use super::datatype::Datatype;
use super::odd_waits::OddWaits;
use super::parse::{Parsed, parse_line};
use super::requests::{Requests, Waited};
use super::unfinished::Unfinished;
use crate::compute::{ComputeModel, Computed};
use crate::error::{Place, TraceError};
use crate::files::{LineBlock, LineCursor, TraceFiles};
use crate::line_error::LineError;
use crate::reader::refill;

/// The size of blocks of text, about a hundred lines.
const BLOCK_BYTES: usize = 16 << 10;

/// The operations of a `SimGrid` TI trace.
pub(crate) struct TiSource {
    files: Arc<TraceFiles>,
    compute: ComputeModel,
    states: Vec<RankState>,
    block: LineBlock,
    left_out: LeftOut,
}

/// The progress of a rank.
struct RankState {
    cursor: LineCursor,
    default: Datatype,
    requests: Requests,
    /// What it computes after its last polls, until it communicates.
    after_polls: Option<Vec<Operation>>,
    /// The sum of its computations.
    computed: Computed,
    /// Whether it has called `init` and `finalize`; reset at its end.
    ends: (bool, bool),
}

/// Actions without effect, counted for warnings.
#[derive(Default)]
struct LeftOut {
    polls: u64,
    waits: OddWaits,
    dropped_computes: u64,
    dropped_time: Time,
    polling_computes: u64,
    polling_time: Time,
    unnamed_datatypes: u64,
    unfinished: Unfinished,
}

impl TiSource {
    /// Makes the operations of a trace.
    pub fn new(files: Arc<TraceFiles>, compute: ComputeModel) -> Self {
        let state = || RankState {
            cursor: LineCursor::default(),
            default: Datatype::BYTE,
            requests: Requests::default(),
            after_polls: None,
            computed: Computed::default(),
            ends: (false, false),
        };
        let states = files.texts.iter().map(|_| state()).collect();
        TiSource { files, compute, states, block: LineBlock::default(), left_out: LeftOut::default() }
    }

    /// Appends the operations of the next block of a rank's text; false at its end. Calls `seen` with each line and the
    /// number of its operations.
    pub fn read_block(
        &mut self,
        rank: u32,
        operations: &mut Vec<Operation>,
        seen: &mut impl FnMut(u64, usize),
    ) -> Result<bool, TraceError> {
        let Some(state) = self.states.get_mut(rank as usize) else { return Ok(false) };
        let mut cursor = state.cursor;
        if !self.files.next_lines(rank, &mut cursor, &mut self.block, BLOCK_BYTES)? {
            if let Some(computations) = state.after_polls.take().filter(|computations| !computations.is_empty()) {
                operations.extend(computations);
                return Ok(true);
            }
            let (init, finalize) = std::mem::take(&mut state.ends);
            self.left_out.unfinished.add(rank, init, finalize);
            return Ok(false);
        }
        let label = &self.files.texts[rank as usize].label;
        let at = |line, problem| TraceError::Line { place: Place { file: label.clone(), line }, problem };
        for (number, line) in self.block.lines() {
            let context = LineContext { rank, ranks: self.files.texts.len() as u32, default: state.default };
            let parsed = parse_line(number, line, self.files.first_column, context);
            let Some(parsed) = parsed.map_err(|(line, problem)| at(line, problem))? else { continue };
            let (line, before) = (parsed.line, operations.len());
            let mut translator =
                Translator { rank, state, compute: &self.compute, left_out: &mut self.left_out, operations };
            translator.translate(&parsed).map_err(|problem| at(line, problem))?;
            seen(line, operations.len() - before);
        }
        state.cursor = cursor;
        Ok(true)
    }
}

impl OperationSource for TiSource {
    fn ranks(&self) -> u32 {
        self.files.texts.len() as u32
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        refill(operations, |operations| self.read_block(rank, operations, &mut |_, _| {}))
    }

    fn warns_of_what_is_read(&self) -> bool {
        true
    }

    fn warnings(&self) -> Vec<String> {
        let LeftOut { polls, waits, dropped_computes, dropped_time, polling_computes, polling_time, .. } =
            self.left_out;
        let LeftOut { unnamed_datatypes, unfinished, .. } = self.left_out;
        let mut warnings = Vec::new();
        warnings.extend(unfinished.warning());
        if polls > 0 {
            warnings.push(format!("{polls} polls (test, testall, …) were left out: they have no effect here"));
        }
        warnings.extend(waits.warnings());
        if dropped_computes > 0 {
            let multiple = self.compute.drop_multiples.unwrap_or_default();
            let seconds = dropped_time.seconds();
            warnings.push(format!(
                "{dropped_computes} computations of exact multiples of {multiple} flop were left out, \
                    {seconds:.3} s over all ranks, by which they compute less than the trace says"
            ));
        }
        if polling_computes > 0 {
            let multiple = self.compute.wait_multiples.unwrap_or_default();
            let seconds = polling_time.seconds();
            warnings.push(format!(
                "{polling_computes} computations of exact multiples of {multiple} flop, {seconds:.3} s over all ranks, \
                    are polls: ranks wait for the messages that they receive next"
            ));
        }
        if unnamed_datatypes > 0 {
            warnings.push(format!(
                "{unnamed_datatypes} messages or collectives have a derived datatype of unknown size (-1), \
                    which counts as one byte: less is sent than by the program"
            ));
        }
        warnings
    }
}

/// Translates the actions of one rank.
struct Translator<'a> {
    rank: u32,
    state: &'a mut RankState,
    compute: &'a ComputeModel,
    left_out: &'a mut LeftOut,
    operations: &'a mut Vec<Operation>,
}

impl Translator<'_> {
    /// Appends the operations of one action.
    fn translate(&mut self, parsed: &Parsed) -> Result<(), LineError> {
        self.left_out.unnamed_datatypes += u64::from(parsed.action.is_unnamed());
        if !matches!(
            parsed.action,
            Action::Compute { .. } | Action::Sleep { .. } | Action::NoEffect | Action::Init { .. } | Action::Poll
        ) {
            self.end_polls(&parsed.action);
        }
        let mode = if parsed.name.is_synchronous_send() { SendMode::Synchronous } else { SendMode::Standard };
        match parsed.action {
            Action::Init { default } => {
                self.state.default = default;
                self.state.ends.0 = true;
            }
            Action::Finalize => self.state.ends.1 = true,
            Action::NoEffect => {}
            Action::Poll => self.left_out.polls += 1,
            Action::Compute { flops } => self.compute(flops)?,
            Action::Sleep { time } => self.pause(time)?,
            Action::Send { to, tag, data } => {
                let bytes = data.bytes;
                self.operations.push(Operation::Send { to, tag, comm: ALL, mode, bytes });
            }
            Action::Isend { to, tag, data } => {
                let bytes = data.bytes;
                let request = self.state.requests.start(RequestKey { from: Some(self.rank), to, tag: Some(tag) });
                let request = Some(request);
                self.operations.push(Operation::Isend { to, tag, comm: ALL, mode, bytes, request });
            }
            Action::Recv { from, tag } => self.operations.push(Operation::recv(from, tag)),
            Action::Irecv { from, tag } => {
                let request = self.state.requests.start(RequestKey { from, to: self.rank, tag });
                self.operations.push(Operation::irecv(from, tag, request));
            }
            Action::SendRecv { to, data, from } => {
                let bytes = data.bytes;
                let (receive, send) = (self.state.requests.fresh(), self.state.requests.fresh());
                self.operations.extend([
                    Operation::irecv(from, 0, receive),
                    Operation::isend(to, 0, bytes, send),
                    Operation::Wait { request: receive },
                    Operation::Wait { request: send },
                ]);
            }
            Action::Wait(key) => {
                let request = self.state.requests.complete(self.rank, key);
                self.wait(request);
            }
            Action::WaitNewest => {
                let request = self.state.requests.complete_newest();
                self.wait(request);
            }
            Action::WaitAll => {
                self.state.requests.complete_all();
                self.operations.push(Operation::WaitAll);
            }
            ref other => {
                let collective = collective(other, self.rank, self.compute)?.ok_or(LineError::NotSimulated {
                    action: parsed.name.text(),
                    obstacle: other.obstacle().unwrap_or("it is unknown"),
                })?;
                self.add(collective.compute().unwrap_or_default())?;
                self.operations.push(Operation::collective(collective));
            }
        }
        Ok(())
    }

    /// Appends a computation.
    fn compute(&mut self, flops: u64) -> Result<(), LineError> {
        let time = self.time(flops)?;
        if self.compute.waits(flops) {
            self.poll(time);
        } else if self.compute.drops(flops) {
            self.left_out.dropped_computes += 1;
            self.left_out.dropped_time = self.left_out.dropped_time.saturating_add(time);
        } else {
            self.pause(time)?;
        }
        Ok(())
    }

    /// Notes that the rank polls; what it computed since it polled before does not wait for a message.
    fn poll(&mut self, time: Time) {
        self.left_out.polling_computes += 1;
        self.left_out.polling_time = self.left_out.polling_time.saturating_add(time);
        self.operations.extend(self.state.after_polls.replace(Vec::new()).unwrap_or_default());
    }

    /// Notes that the rank communicates. If it has polled and waits for a message now, it polled for that one. A receive
    /// that does not block is no end of polls: the message may not come before the rank has gone on.
    fn end_polls(&mut self, action: &Action) {
        let Some(computations) = self.state.after_polls.take() else { return };
        if let Action::Recv { from, tag } = *action {
            self.operations.push(Operation::Probe { from, tag, comm: ALL });
        }
        self.operations.extend(computations);
    }

    /// Adds to what the rank computes in all.
    fn add(&mut self, time: Time) -> Result<(), LineError> {
        self.state.computed.add(self.rank, time)
    }

    /// Appends a time without communication.
    fn pause(&mut self, time: Time) -> Result<(), LineError> {
        if time > Time::ZERO {
            self.add(time)?;
            self.state.after_polls.as_mut().unwrap_or(self.operations).push(Operation::Compute(time));
        }
        Ok(())
    }

    /// Appends a wait, if the trace names a pending request.
    fn wait(&mut self, waited: Waited) {
        match waited {
            Waited::Pending(request) => self.operations.push(Operation::Wait { request }),
            other => self.left_out.waits.count(other),
        }
    }

    /// Returns the time of a number of operations.
    fn time(&self, flops: u64) -> Result<Time, LineError> {
        self.compute.time(flops).ok_or(LineError::TooLarge { what: "the time that the operations take" })
    }
}
