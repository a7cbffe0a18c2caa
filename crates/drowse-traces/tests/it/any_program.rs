//! What must hold of any program that is written in a format: it is read again as what was written.
//!
//! The tests draw programs, and `fuzz` makes them of bytes. In all of them every message has its receive, and every rank
//! of a communicator calls its collectives.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use drowse_core::model::units::{FlopRate, Time};
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::collectives::expand_in;
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::listed::Listed;
use drowse_core::workload::operation::{Collective, Operation, OperationSource, SendMode};
use drowse_traces::{ComputeModel, Format, Trace};

pub type Program = Vec<Vec<Operation>>;

pub const RANKS: u32 = 4;
pub const SPEED: FlopRate = FlopRate(10_000_000_000);
pub const COMPUTE: ComputeModel = ComputeModel::TEN_GIGAFLOPS;

/// Ranks that are in all communicators.
pub const EVERYWHERE: [u32; 3] = [0, 1, 3];

/// All modes of sends.
pub const MODES: [SendMode; 4] = [SendMode::Standard, SendMode::Synchronous, SendMode::Buffered, SendMode::Ready];

/// A format that is written, and what it can say.
pub struct Written {
    pub format: &'static str,
    /// How many of the communicators messages and collectives may have.
    pub comms: u32,
    /// How many kinds of collectives there are.
    pub kinds: usize,
    /// Whether collectives may be started and waited for.
    pub starts: bool,
    /// Compares what is read again with what was written.
    same: fn(&Program, &Program),
}

pub const WRITTEN: [Written; 5] = [
    Written { format: "drowse", comms: 3, kinds: 15, starts: true, same: same_operations },
    Written { format: "simgrid-ti", comms: 1, kinds: 15, starts: false, same: same_simgrid },
    Written { format: "dimemas", comms: 3, kinds: 14, starts: true, same: same_dimemas },
    Written { format: "goal", comms: 3, kinds: 15, starts: false, same: same_messages },
    Written { format: "vef", comms: 2, kinds: 12, starts: true, same: same_calls },
];

/// Writes a program in a format, reads it again in a folder, and compares.
pub fn comes_back(folder: &Path, written: &Written, events: &[Event]) {
    let program = program(events);
    match write(&program, written.format) {
        Ok((text, _)) => {
            let again = read(folder, &text, written.format).unwrap_or_else(|error| panic!("{error}\n{text}"));
            (written.same)(&again, &program);
            let (needed, end) = (eager_before(folder, &program), ideal_end(&folder.join("before")));
            if keeps_times(written.format, &program) {
                assert_eq!(ideal_end(&folder.join("written")), end, "{text}");
            }
            assert!(eager(&folder.join("written")) <= needed, "ranks wait for each other that did not before\n{text}");
        }
        Err(error) => assert!(is_ordered(&error) && matches!(written.format, "simgrid-ti" | "dimemas"), "{error}"),
    }
}

/// Makes a program of bytes, of which the first names the format.
pub fn of_bytes(folder: &Path, bytes: &[u8]) {
    let Some((&format, rest)) = bytes.split_first() else { return };
    let written = &WRITTEN[usize::from(format) % WRITTEN.len()];
    let mut draw = Draw(rest);
    let mut events = Vec::new();
    while !draw.0.is_empty() && events.len() < MOST_EVENTS {
        events.push(draw.event(written));
    }
    comes_back(folder, written, &events);
}

/// The most events of a program that is made of bytes.
const MOST_EVENTS: usize = 100;

/// Bytes of which numbers are made.
struct Draw<'a>(&'a [u8]);

impl Draw<'_> {
    /// Returns a number below another, of one byte; 0 at the end.
    fn below(&mut self, most: u64) -> u64 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        u64::from(byte) % most
    }

    fn rank(&mut self) -> u32 {
        EVERYWHERE[self.below(3) as usize]
    }

    fn event(&mut self, written: &Written) -> Event {
        let comm = |draw: &mut Self| draw.below(written.comms.into()) as u32;
        match self.below(12) {
            0..=2 => Event::Compute(self.below(RANKS.into()) as u32, self.below(256)),
            3 => Event::WaitAll(self.below(RANKS.into()) as u32),
            4 | 5 => {
                let started = written.starts && self.below(2) == 1;
                Event::Collective {
                    kind: self.below(written.kinds as u64) as usize,
                    root: self.below(3) as u32,
                    bytes: 1 + self.below(256) * 250,
                    comm: comm(self),
                    started,
                    compute: if started { 0 } else { self.below(50) },
                }
            }
            _ => {
                let how = self.below(32) as usize;
                Event::Message {
                    from: self.rank(),
                    to: self.rank(),
                    tag: self.below(3) as u32,
                    comm: comm(self),
                    bytes: self.below(256) * 300,
                    immediate: how & 1 != 0,
                    posted: how & 2 != 0,
                    waits_at_end: how & 4 != 0,
                    mode: MODES[how >> 3],
                }
            }
        }
    }
}

/// The communicators of random programs: all ranks, some of them, and all in their order again.
pub fn communicators() -> Arc<Communicators> {
    let mut communicators = Communicators::of(RANKS);
    communicators.add(vec![3, 0, 1]).unwrap();
    communicators.add((0..RANKS).collect()).unwrap();
    Arc::new(communicators)
}

/// Returns all operations of each rank.
pub fn operations(source: &mut dyn OperationSource) -> Result<Vec<Vec<Operation>>, String> {
    let ranks = source.ranks();
    let read = |rank| {
        let mut operations = Vec::new();
        loop {
            let before = operations.len();
            source.refill(rank, &mut operations).map_err(|error| error.to_string())?;
            if operations.len() == before {
                return Ok(operations);
            }
        }
    };
    (0..ranks).map(read).collect()
}

/// Writes a program, and returns the text and what it does not tell.
pub fn write(program: &Program, format: &str) -> Result<(String, Vec<String>), String> {
    let memory = || Listed::among(communicators(), program.clone());
    let mut text = Vec::new();
    let format = Format::named(format).unwrap();
    let notes = format.write(&|| Box::new(memory()), SPEED, &mut text).map_err(|error| error.to_string())?;
    Ok((String::from_utf8(text).unwrap(), notes))
}

/// Reads a text again in a folder; it must be of a format.
pub fn read(folder: &Path, text: &str, format: &str) -> Result<Program, String> {
    let path = folder.join("written");
    fs::write(&path, text).unwrap();
    let trace = Trace::open(&path).map_err(|error| error.to_string())?;
    let info = trace.info().map_err(|error| error.to_string())?;
    assert_eq!(info.format, format);
    let findings = trace.check(1_000).unwrap().first;
    // Sends for which nothing waits have requests in some formats.
    let lacking: Vec<_> = findings.iter().filter(|finding| !finding.what.starts_with("nothing waits")).collect();
    assert!(lacking.is_empty(), "the ranks do not fit together any more: {lacking:?}");
    operations(&mut *trace.operations(COMPUTE))
}

/// Returns the size of the largest message that must be eager, or ranks of a trace wait for each other in a circle.
/// There are no other circles.
pub fn eager(trace: &Path) -> Option<u64> {
    let findings = Trace::open(trace).unwrap().check(9).unwrap();
    let circles: Vec<_> = findings.first.iter().filter(|finding| finding.what.contains("no message ends")).collect();
    assert!(circles.is_empty(), "{circles:?}");
    findings.eager
}

/// Returns when the last rank of a trace ends where communication costs no time.
fn ideal_end(trace: &Path) -> Option<Time> {
    Trace::open(trace).unwrap().ideal_run(COMPUTE).unwrap().map(|run| run.end)
}

/// Returns whether a format tells all that times depend on where communication costs none: in Dimemas, combining comes
/// after its collective, in a GOAL text collectives are messages, and a VEF record follows one event.
fn keeps_times(format: &str, program: &Program) -> bool {
    let all = |fits: fn(&Collective) -> bool| program.iter().flatten().filter_map(Operation::called).all(fits);
    match format {
        "dimemas" => all(|collective| collective.compute().is_none_or(|time| time == Time::ZERO)),
        "goal" => all(|_| false),
        "vef" => false,
        _ => true,
    }
}

/// Returns the eager limit of a program before it is written, for which a folder has room.
pub fn eager_before(folder: &Path, program: &Program) -> Option<u64> {
    let path = folder.join("before");
    fs::write(&path, write(program, "drowse").unwrap().0).unwrap();
    eager(&path)
}

/// A wait that joins a request with an earlier one of its kind is refused; if every request is waited for at once, none
/// is.
fn is_ordered(error: &str) -> bool {
    error.contains("for a later one")
}

/// What happens in a random program.
#[derive(Clone, Debug)]
pub enum Event {
    Compute(u32, u64),
    Message {
        from: u32,
        to: u32,
        tag: u32,
        comm: u32,
        bytes: u64,
        immediate: bool,
        posted: bool,
        waits_at_end: bool,
        mode: SendMode,
    },
    Collective {
        kind: usize,
        root: u32,
        bytes: u64,
        comm: u32,
        started: bool,
        compute: u64,
    },
    WaitAll(u32),
}

/// Makes the program of events. Requests are waited for at once, or by a wait for all at the end.
pub fn program(events: &[Event]) -> Program {
    let comms = communicators();
    let mut program = vec![Vec::new(); RANKS as usize];
    for (event, request) in events.iter().zip((0..).step_by(2)) {
        match *event {
            Event::Compute(rank, time) => program[rank as usize].push(Operation::Compute(Time::from_ns(time))),
            Event::WaitAll(rank) => program[rank as usize].push(Operation::WaitAll),
            Event::Message { from, to, tag, comm, bytes, immediate, posted, waits_at_end, mode } => {
                // A blocking message of a rank to itself would wait for itself.
                let immediate = immediate || from == to;
                let sender = &mut program[from as usize];
                if immediate {
                    sender.push(Operation::Isend { to, tag, comm, mode, bytes, request: Some(request) });
                } else {
                    sender.push(Operation::Send { to, tag, comm, mode, bytes });
                }
                let (from_rank, tag) = (Some(from), Some(tag));
                let receiver = &mut program[to as usize];
                if posted {
                    receiver.push(Operation::Irecv { from: from_rank, tag, comm, request: request + 1 });
                } else {
                    receiver.push(Operation::Recv { from: from_rank, tag, comm });
                }
                if !waits_at_end && posted {
                    receiver.push(Operation::Wait { request: request + 1 });
                }
                if !waits_at_end && immediate {
                    program[from as usize].push(Operation::Wait { request });
                }
            }
            Event::Collective { kind, root, bytes, comm, started, compute } => {
                let size = comms.size(comm).unwrap();
                let call = collective(kind, root, bytes, size.into(), Time::from_ns(compute));
                for rank in (0..size).map(|place| comms.rank(comm, place).unwrap() as usize) {
                    if started {
                        program[rank].push(Operation::Icollective {
                            comm,
                            request,
                            collective: Box::new(call.clone()),
                        });
                    } else {
                        program[rank].push(Operation::Collective { comm, collective: call.clone() });
                    }
                }
            }
        }
    }
    program.iter_mut().for_each(|operations| operations.push(Operation::WaitAll));
    program
}

fn collective(kind: usize, root: u32, bytes: u64, ranks: u64, compute: Time) -> Collective {
    let sizes: Box<[u64]> = (1..=ranks).map(|rank| rank * bytes).collect();
    match kind {
        0 => Collective::Barrier,
        1 => Collective::Bcast { root, bytes, count: bytes },
        2 => Collective::Reduce { root, bytes, count: bytes, compute },
        3 => Collective::Allreduce { bytes, count: bytes, compute },
        4 => Collective::Gather { root, bytes },
        5 => Collective::Gatherv { root, bytes: sizes },
        6 => Collective::Scatter { root, bytes },
        7 => Collective::Scatterv { root, bytes: sizes },
        8 => Collective::Allgather { bytes },
        9 => Collective::Allgatherv { bytes: sizes },
        10 => Collective::Alltoall { bytes },
        11 => Collective::Alltoallv {
            bytes: (0..ranks).map(|to| bytes / ranks + u64::from(to < bytes % ranks)).collect(),
        },
        12 => Collective::ReduceScatter { bytes: sizes, compute },
        13 => Collective::Scan { bytes, compute },
        _ => Collective::Exscan { bytes, compute },
    }
}

/// Numbers requests by their starts, and leaves out what has no effect: empty computations, marks, and waits for what is
/// not pending.
pub fn plain(program: &Program) -> Program {
    let of_rank = |operations: &Vec<Operation>| {
        let (mut pending, mut next, mut plain) = (BTreeMap::new(), 0, Vec::new());
        for operation in operations {
            let mut operation = operation.clone();
            match &mut operation {
                Operation::Isend { request: Some(request), .. }
                | Operation::Irecv { request, .. }
                | Operation::Icollective { request, .. } => {
                    pending.insert(*request, next);
                    *request = next;
                    next += 1;
                }
                Operation::Wait { request } => match pending.remove(request) {
                    Some(number) => *request = number,
                    None => continue,
                },
                Operation::WaitAll => pending.clear(),
                Operation::Compute(Time::ZERO) | Operation::Iteration => continue,
                _ => {}
            }
            plain.push(operation);
        }
        plain
    };
    program.iter().map(of_rank).collect()
}

/// Checks that all operations are the same.
fn same_operations(again: &Program, program: &Program) {
    assert_eq!(plain(again), plain(program));
}

/// Checks that what SimGrid's texts tell is the same.
fn same_simgrid(again: &Program, program: &Program) {
    assert_eq!(plain(again), as_simgrid(program));
}

/// Returns whether a send may wait for its receive.
fn waits_for_receive(mode: SendMode) -> bool {
    matches!(mode, SendMode::Standard | SendMode::Synchronous)
}

/// What a SimGrid TI trace tells of a program: buffered and ready sends are immediate ones of the usual mode, which are
/// waited for at the end; a wait for all leaves them out.
fn as_simgrid(program: &Program) -> Program {
    let of_rank = |operations: &Vec<Operation>| {
        let (mut left, mut dropped, mut pending, mut told) = (BTreeMap::new(), BTreeSet::new(), Vec::new(), Vec::new());
        for (place, operation) in (0..).zip(operations) {
            match *operation {
                Operation::Send { to, tag, comm, mode, bytes }
                | Operation::Isend { to, tag, comm, mode, bytes, .. }
                    if !waits_for_receive(mode) =>
                {
                    if let Operation::Isend { request, .. } = *operation {
                        dropped.extend(request);
                    }
                    let request = 1_000_000 + place;
                    left.entry((to, tag)).or_insert_with(Vec::new).push(request);
                    let (mode, request) = (SendMode::Standard, Some(request));
                    told.push(Operation::Isend { to, tag, comm, mode, bytes, request });
                    continue;
                }
                Operation::Wait { request } if dropped.remove(&request) => continue,
                Operation::Wait { request } => pending.retain(|other| *other != request),
                Operation::Isend { request: Some(request), .. } | Operation::Irecv { request, .. } => {
                    pending.push(request);
                }
                Operation::WaitAll => {
                    dropped.clear();
                    let waits = pending.drain(..).map(|request| Operation::Wait { request });
                    if left.is_empty() {
                        waits.for_each(drop);
                        told.push(Operation::WaitAll);
                    } else {
                        told.extend(waits);
                    }
                    continue;
                }
                _ => {}
            }
            told.push(operation.clone());
        }
        told.extend(left.into_values().flatten().map(|request| Operation::Wait { request }));
        told
    };
    plain(&program.iter().map(of_rank).collect())
}

/// Checks that what Dimemas tells is the same.
fn same_dimemas(again: &Program, program: &Program) {
    assert_eq!(plain(again), as_dimemas(program));
}

/// Checks that messages and computations are the same, and without collectives what they follow, too. Collectives come
/// as the messages that a simulation makes of them, in their order.
fn same_messages(again: &Program, program: &Program) {
    let expanded = expanded(program);
    if expanded == *program {
        return assert_eq!(as_goal(again), as_goal(program));
    }
    let messages = |program: &Program| -> Vec<Vec<String>> {
        as_goal(program).into_iter().map(|rank| rank.into_iter().map(|(what, _)| what).collect()).collect()
    };
    assert_eq!(messages(again), messages(&expanded));
}

/// Returns a program with collectives as messages.
fn expanded(program: &Program) -> Program {
    let comms = communicators();
    let mut expanded = vec![Vec::new(); program.len()];
    for (rank, operations) in (0..).zip(program) {
        let into = &mut expanded[rank as usize];
        for operation in operations {
            match operation {
                Operation::Collective { comm, collective } => {
                    expand_in(&comms, &Algorithms::default(), None, *comm, rank, collective, into);
                }
                other => into.push(other.clone()),
            }
        }
    }
    expanded
}

/// Checks that ranks send and call the same, and receive as often. A VEF trace tells one event before each.
fn same_calls(again: &Program, program: &Program) {
    assert_eq!(sent(again), sent(program));
    let is_receive = |operation: &&Operation| matches!(operation, Operation::Recv { .. } | Operation::Irecv { .. });
    let receives = |program: &Program| -> Vec<usize> {
        program.iter().map(|operations| operations.iter().filter(is_receive).count()).collect()
    };
    assert_eq!(receives(again), receives(program));
}

/// What Dimemas tells of a program: sends are not waited for, waits for all are waits for each, communicators come after
/// that of messages with ids, and combining takes time after its collective.
fn as_dimemas(program: &Program) -> Program {
    let of_rank = |operations: &Vec<Operation>| {
        let (mut sends, mut pending, mut told) = (BTreeSet::new(), Vec::new(), Vec::new());
        // The communicator of all ranks again has its tags as ids of messages.
        let named = |comm: u32| if comm == 1 { 2 } else { u32::from(comm == 2) };
        for operation in operations {
            let mut operation = operation.clone();
            match &mut operation {
                Operation::Isend { request, comm, mode, .. } => {
                    sends.extend(request.take());
                    *comm = named(*comm);
                    if !waits_for_receive(*mode) {
                        *mode = SendMode::Standard;
                    }
                }
                &mut Operation::Send { to, tag, comm, mode, bytes } if !waits_for_receive(mode) => {
                    let (comm, mode, request) = (named(comm), SendMode::Standard, None);
                    operation = Operation::Isend { to, tag, comm, mode, bytes, request };
                }
                Operation::Send { comm, .. } | Operation::Recv { comm, .. } => *comm = named(*comm),
                Operation::Irecv { request, comm, .. } => {
                    pending.push(*request);
                    *comm = named(*comm);
                }
                Operation::Icollective { request, comm, .. } => {
                    pending.push(*request);
                    *comm = if *comm == 1 { 2 } else { 0 };
                }
                Operation::Collective { comm, collective } => {
                    *comm = if *comm == 1 { 2 } else { 0 };
                    let time = collective.compute().unwrap_or_default();
                    clear_compute(collective);
                    told.push(operation);
                    told.push(Operation::Compute(time));
                    continue;
                }
                Operation::Wait { request } if sends.remove(request) => continue,
                Operation::Wait { request } => pending.retain(|other| other != request),
                Operation::WaitAll => {
                    told.extend(pending.drain(..).map(|request| Operation::Wait { request }));
                    continue;
                }
                _ => {}
            }
            told.push(operation);
        }
        told
    };
    plain(&program.iter().map(of_rank).collect())
}

fn clear_compute(collective: &mut Collective) {
    match collective {
        Collective::Reduce { compute, .. }
        | Collective::Allreduce { compute, .. }
        | Collective::ReduceScatter { compute, .. }
        | Collective::Scan { compute, .. }
        | Collective::Exscan { compute, .. } => *compute = Time::ZERO,
        _ => {}
    }
}

/// What a GOAL text tells: each message and computation in order, and which messages have completed since the one before.
fn as_goal(program: &Program) -> Vec<Vec<(String, BTreeSet<usize>)>> {
    let of_rank = |operations: &Vec<Operation>| {
        let (mut done, mut pending) = (BTreeSet::new(), BTreeMap::new());
        let mut told: Vec<(String, BTreeSet<usize>)> = Vec::new();
        for operation in operations {
            let number = told.len();
            let mut start = |what: String| told.push((what, std::mem::take(&mut done)));
            match *operation {
                Operation::Compute(Time::ZERO) => {}
                Operation::Compute(time) => start(format!("compute {time}")),
                Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => {
                    start(format!("send {to} {bytes}"));
                }
                Operation::Recv { from, .. } | Operation::Irecv { from, .. } => start(format!("recv {from:?}")),
                Operation::Wait { ref request } => done.extend(pending.remove(request)),
                Operation::WaitAll => done.extend(std::mem::take(&mut pending).into_values()),
                _ => {}
            }
            match *operation {
                // Nothing waits for their ends.
                Operation::Send { mode, .. } | Operation::Isend { mode, .. } if !waits_for_receive(mode) => {}
                Operation::Send { .. } | Operation::Recv { .. } => drop(done.insert(number)),
                Operation::Isend { request: Some(request), .. } | Operation::Irecv { request, .. } => {
                    pending.insert(request, number);
                }
                _ => {}
            }
        }
        told
    };
    program.iter().map(of_rank).collect()
}

/// What each rank sends, and the collectives that it calls.
fn sent(program: &Program) -> Vec<Vec<Operation>> {
    let told = |operation: &Operation| match *operation {
        Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => Some(Operation::send(to, 0, bytes)),
        Operation::Collective { comm, ref collective } => Some(in_comm(comm, collective.clone())),
        Operation::Icollective { comm, ref collective, .. } => Some(in_comm(comm, (**collective).clone())),
        _ => None,
    };
    program.iter().map(|operations| operations.iter().filter_map(told).collect()).collect()
}

fn in_comm(comm: u32, mut collective: Collective) -> Operation {
    clear_compute(&mut collective);
    if let Collective::Alltoallv { bytes } = &collective
        && bytes.iter().all(|size| *size == bytes[0])
    {
        collective = Collective::Alltoall { bytes: bytes[0] };
    }
    Operation::Collective { comm, collective }
}
