//! Writes a program as a GOAL text.
//!
//! A statement requires all that its rank has waited for since something else was required: a computation, a blocking
//! operation or a wait. Of a buffered or ready send it requires the start only: the end would wait for its receive.
//! Statements that are ready at the same time run in the order of the text, as in the program.
//!
//! Collectives are written as the messages of Drowse's algorithms, with tags behind those of the program.

use std::io::Write;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::collectives::expand_in;
use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, RequestId, SendMode, SourceError};
use rustc_hash::FxHashMap;

use crate::write::{At, MARKS, Program, SYNCHRONOUS, Sizes, Tags, UNWAITED, Untold, waits_for_receive};
use crate::write_error::WriteError;

/// The most statements that one requires; more are joined by an empty computation.
const MOST_REQUIRED: usize = 4;

/// Writes a program.
pub(crate) fn write(program: &Program, out: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    let mut untold = Untold::default();
    let mut sizes = Sizes::of(program)?;
    program.each_of_all(|at| refuse(at, &mut sizes, &mut untold))?;
    let communicators = (program.open)().communicators();
    // Collectives are messages of communicators of their own.
    let open = || -> Box<dyn OperationSource> { Box::new(Expanded::new((program.open)(), &communicators)) };
    let expanded = Program { open: &open, speed: program.speed };
    let (tags, mut sizes) = (Tags::of(&expanded, |_| true)?, Sizes::of(&expanded)?);
    let mut source = open();
    writeln!(out, "num_ranks {}", source.ranks())?;
    for rank in 0..source.ranks() {
        writeln!(out, "rank {rank} {{")?;
        let mut writer = Rank {
            rank,
            tags: &tags,
            sizes: &mut sizes,
            requests: FxHashMap::default(),
            frontier: Vec::new(),
            labels: 0,
            rest: 0,
        };
        Program::each(source.as_mut(), rank, |at| writer.operation(at, out))?;
        writeln!(out, "}}")?;
    }
    Ok(untold.notes())
}

/// Refuses what GOAL cannot say, and counts what it does not tell.
fn refuse(at: At, sizes: &mut Sizes, untold: &mut Untold) -> Result<(), WriteError> {
    match at.operation {
        &(Operation::Recv { from: Some(from), tag: Some(tag), comm }
        | Operation::Irecv { from: Some(from), tag: Some(tag), comm, .. })
            if sizes.next((comm, from, at.rank, tag)).is_none() =>
        {
            return at.refuse("no message comes for it, so that its size is not known; `drowse trace check` says more");
        }
        Operation::Iteration => untold.add(MARKS, 1),
        Operation::Send { mode, .. } | Operation::Isend { mode, .. } if *mode != SendMode::Standard => {
            untold.add(if waits_for_receive(*mode) { SYNCHRONOUS } else { UNWAITED }, 1);
        }
        Operation::Recv { from, tag, .. } | Operation::Irecv { from, tag, .. } if from.is_none() || tag.is_none() => {
            return at.refuse(
                "a receive of a GOAL text names the size of its message, which is not known for any sender or tag",
            );
        }
        Operation::WaitAny(_) | Operation::WaitSome(_) | Operation::Probe { .. } => {
            return at.refuse("GOAL has no statement for it");
        }
        Operation::Icollective { .. } => {
            return at.refuse("collectives that go on beside the program are not written as messages");
        }
        _ => {}
    }
    Ok(())
}

/// A program with its collectives as messages.
struct Expanded {
    source: Box<dyn OperationSource>,
    communicators: Arc<Communicators>,
    block: Vec<Operation>,
}

impl Expanded {
    fn new(source: Box<dyn OperationSource>, communicators: &Arc<Communicators>) -> Self {
        Expanded { source, communicators: Arc::clone(communicators), block: Vec::new() }
    }
}

/// The requests of collectives, which end before the next operation, count down.
const LAST_REQUEST: RequestId = RequestId::MAX;

impl OperationSource for Expanded {
    fn ranks(&self) -> u32 {
        self.source.ranks()
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let before = operations.len();
        // A block may hold nothing that sends.
        while operations.len() == before {
            self.source.refill(rank, &mut self.block)?;
            if self.block.is_empty() {
                break;
            }
            for operation in self.block.drain(..) {
                match &operation {
                    Operation::Collective { comm, collective } => {
                        let begin = operations.len();
                        let (communicators, rules) = (&self.communicators, Algorithms::default());
                        expand_in(communicators, &rules, None, *comm, rank, collective, operations);
                        set_apart(operations, begin, self.communicators.count() + comm);
                    }
                    _ => operations.push(operation),
                }
            }
        }
        Ok(())
    }
}

/// Puts the messages of a collective, the last operations, into a communicator of its own. Its requests are kept apart
/// from the program's, and it waits for no others.
fn set_apart(operations: &mut Vec<Operation>, begin: usize, apart: CommId) {
    let mut pending = Vec::new();
    for mut operation in operations.split_off(begin) {
        match &mut operation {
            Operation::Send { comm, .. } | Operation::Recv { comm, .. } => *comm = apart,
            Operation::Isend { comm, request, .. } => {
                *comm = apart;
                *request = request.map(|request| LAST_REQUEST - request);
                pending.extend(*request);
            }
            Operation::Irecv { comm, request, .. } => {
                *comm = apart;
                *request = LAST_REQUEST - *request;
                pending.push(*request);
            }
            Operation::Wait { request } => *request = LAST_REQUEST - *request,
            Operation::WaitAll => {
                operations.extend(pending.drain(..).map(|request| Operation::Wait { request }));
                continue;
            }
            _ => {}
        }
        operations.push(operation);
    }
}

/// A rank that is being written.
struct Rank<'a> {
    rank: u32,
    tags: &'a Tags,
    sizes: &'a mut Sizes,
    /// What waits for pending requests require.
    requests: FxHashMap<RequestId, Required>,
    /// What the next statement requires.
    frontier: Vec<Required>,
    labels: u64,
    /// Picoseconds that are not written yet.
    rest: u64,
}

/// A statement that another requires, by its label.
#[derive(Clone, Copy)]
enum Required {
    Start(u64),
    End(u64),
}

impl Required {
    /// Requires of a send what its rank waits for.
    fn of_send(label: u64, mode: SendMode) -> Self {
        if waits_for_receive(mode) { Required::End(label) } else { Required::Start(label) }
    }
}

impl Rank<'_> {
    fn operation(&mut self, at: At, out: &mut dyn Write) -> Result<(), WriteError> {
        match *at.operation {
            Operation::Compute(time) => self.calculate(time, out)?,
            Operation::Send { to, tag, comm, bytes, mode } => {
                let label = self.send(at, (to, bytes), (comm, tag), out)?;
                self.frontier = vec![Required::of_send(label, mode)];
            }
            Operation::Isend { to, tag, comm, bytes, request, mode } => {
                let label = self.send(at, (to, bytes), (comm, tag), out)?;
                if let Some(request) = request {
                    self.requests.insert(request, Required::of_send(label, mode));
                }
            }
            Operation::Recv { from: Some(from), tag: Some(tag), comm } => {
                let label = self.receive(at, from, (comm, tag), out)?;
                self.frontier = vec![Required::End(label)];
            }
            Operation::Irecv { from: Some(from), tag: Some(tag), comm, request } => {
                let label = self.receive(at, from, (comm, tag), out)?;
                self.requests.insert(request, Required::End(label));
            }
            Operation::Wait { request } => self.frontier.extend(self.requests.remove(&request)),
            Operation::WaitAll => {
                let mut required: Vec<Required> = self.requests.drain().map(|(_, required)| required).collect();
                required.sort_unstable_by_key(|required| match *required {
                    Required::Start(label) | Required::End(label) => label,
                });
                self.frontier.extend(required);
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes a computation, in nanoseconds; what is left of one is added to the next.
    fn calculate(&mut self, Time(picoseconds): Time, out: &mut dyn Write) -> Result<(), WriteError> {
        let whole = picoseconds.saturating_add(self.rest);
        self.rest = whole % 1_000;
        if whole >= 1_000 {
            let label = self.statement(&format!("calc {}", whole / 1_000), out)?;
            self.frontier = vec![Required::End(label)];
        }
        Ok(())
    }

    fn send(
        &mut self,
        at: At,
        (to, bytes): (u32, u64),
        (comm, tag): (CommId, u32),
        out: &mut dyn Write,
    ) -> Result<u64, WriteError> {
        let tag = self.tag(at, comm, tag)?;
        self.statement(&format!("send {bytes}b to {to} tag {tag}"), out)
    }

    fn receive(
        &mut self,
        at: At,
        from: u32,
        (comm, tag): (CommId, u32),
        out: &mut dyn Write,
    ) -> Result<u64, WriteError> {
        let bytes = self.sizes.next((comm, from, self.rank, tag)).unwrap_or(0);
        let tag = self.tag(at, comm, tag)?;
        self.statement(&format!("recv {bytes}b from {from} tag {tag}"), out)
    }

    fn tag(&self, at: At, comm: CommId, tag: u32) -> Result<u32, WriteError> {
        Ok(self.tags.tag(at, comm, Some(tag))?.unwrap_or(0))
    }

    /// Writes a statement that requires what the rank has waited for; returns its label.
    fn statement(&mut self, does: &str, out: &mut dyn Write) -> Result<u64, WriteError> {
        // What many statements would require is joined.
        if self.frontier.len() > MOST_REQUIRED {
            let label = self.labelled("calc 0", out)?;
            self.frontier = vec![Required::End(label)];
        }
        self.labelled(does, out)
    }

    fn labelled(&mut self, does: &str, out: &mut dyn Write) -> Result<u64, WriteError> {
        self.labels += 1;
        let label = self.labels;
        writeln!(out, "l{label}: {does}")?;
        for required in &self.frontier {
            match required {
                Required::End(required) => writeln!(out, "l{label} requires l{required}")?,
                Required::Start(required) => writeln!(out, "l{label} irequires l{required}")?,
            }
        }
        Ok(label)
    }
}
