//! Writes a program as a VEF trace.
//!
//! A record begins a time after the last event of its task: a send, the end of a receive, or the end of a collective.
//! Only one event can be named, so of several receives between two records the last one is. Records are written in an
//! order in which the tasks can run without delay, so that what a record depends on stands above it.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Collective, Operation, OperationSource, RequestId, SendMode, SourceError};
use rustc_hash::FxHashMap;

use crate::write::{At, ELEMENTS, MARKS, MODES, Program, Untold};
use crate::write_error::WriteError;

/// Events that no record names.
const EVENTS: &str =
    "receives or collectives are followed by another before the next record, which names only the last";
/// Times that no record has, between two events.
const LOST: &str = "computations end with a receive or collective and no record, so that they take no time";
/// Times that no record has, at the end.
const ENDS: &str = "ranks compute after their last message or collective, which no record tells";
/// Waits for sends.
const SENDS: &str = "waits for sends are left out: no task of a VEF trace waits for a send";

/// Writes a program.
pub(crate) fn write(program: &Program, out: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    let mut untold = Untold::default();
    let counts = Counts::of(program, &mut untold)?;
    let source = (program.open)();
    let communicators = source.communicators();
    let (ranks, groups) = (source.ranks(), communicators.count());
    let Counts { messages, collectives, parts, .. } = counts;
    writeln!(out, "VEF3 {ranks} {messages} {groups} {collectives} {parts} FALSE")?;
    for comm in 0..groups {
        write!(out, "C{comm}")?;
        for rank in (0..communicators.size(comm).unwrap_or(0)).filter_map(|rank| communicators.rank(comm, rank)) {
            write!(out, " {rank}")?;
        }
        writeln!(out)?;
    }
    Writer::new(source, communicators).run(&mut untold, out)?;
    Ok(untold.notes())
}

/// The numbers of the header.
#[derive(Default)]
struct Counts {
    messages: u64,
    collectives: u64,
    parts: u64,
    calls: FxHashMap<(CommId, u32), u64>,
    most: FxHashMap<CommId, u64>,
}

impl Counts {
    /// Counts a program; refuses what VEF cannot say.
    fn of(program: &Program, untold: &mut Untold) -> Result<Self, WriteError> {
        let mut counts = Counts::default();
        program.each_of_all(|at| {
            match at.operation {
                Operation::Iteration => untold.add(MARKS, 1),
                Operation::Send { mode, .. } | Operation::Isend { mode, .. } => {
                    untold.add(MODES, u64::from(*mode != SendMode::Standard));
                    counts.messages += 1;
                }
                Operation::Recv { from, tag, .. } | Operation::Irecv { from, tag, .. }
                    if from.is_none() || tag.is_none() =>
                {
                    return at.refuse(
                        "a record names the message that it follows, which is not known for any sender or tag",
                    );
                }
                Operation::WaitAny(_) | Operation::WaitSome(_) | Operation::Probe { .. } => {
                    return at.refuse("VEF has no record for it");
                }
                Operation::Collective { comm, collective } => counts.call(at, *comm, collective, untold)?,
                Operation::Icollective { comm, collective, .. } => {
                    if collective.compute().is_some_and(|time| time > Time::ZERO) {
                        return at.refuse("a VEF record does not tell how long a collective combines data");
                    }
                    counts.call(at, *comm, collective, untold)?;
                }
                _ => {}
            }
            Ok(())
        })?;
        counts.collectives = counts.most.values().sum();
        Ok(counts)
    }

    fn call(&mut self, at: At, comm: CommId, collective: &Collective, untold: &mut Untold) -> Result<(), WriteError> {
        if let Collective::Alltoallv { bytes } = collective {
            let (all, ranks) = (bytes.iter().sum::<u64>(), bytes.len() as u64);
            if (0..).zip(bytes).any(|(place, &size)| size != all / ranks + u64::from(place < all % ranks)) {
                return at.refuse(
                    "VEF only tells how much a task sends to all others together, and this one sends unequal shares",
                );
            }
        }
        if let Collective::ReduceScatter { .. } | Collective::Scan { .. } | Collective::Exscan { .. } = collective {
            return at.refuse("VEF has no such collective");
        }
        if let Collective::Bcast { bytes, count, .. }
        | Collective::Reduce { bytes, count, .. }
        | Collective::Allreduce { bytes, count, .. } = collective
        {
            untold.add(ELEMENTS, u64::from(bytes != count));
        }
        self.parts += 1;
        let calls = self.calls.entry((comm, at.rank)).or_default();
        *calls += 1;
        let most = self.most.entry(comm).or_default();
        *most = (*calls).max(*most);
        Ok(())
    }
}

/// What a record depends on.
#[derive(Clone, Copy)]
enum Event {
    Start,
    Sent(u64),
    Received(u64),
    Collective(u64),
}

/// A kind of messages: communicator, sender, receiver, tag.
type Kind = (CommId, u32, u32, u32);

/// A request of a task.
#[derive(Clone, Copy)]
enum Request {
    Send,
    /// The message of a kind by its number among these.
    Receive(Kind, u64),
    Collective(u64),
}

/// A task that is being written.
struct Task {
    block: VecDeque<Operation>,
    ended: bool,
    last: Event,
    /// Whether a record names the last event, or it needs no name.
    named: bool,
    /// Picoseconds since the last event.
    since: u64,
    requests: FxHashMap<RequestId, Request>,
    /// Waits that are left of a wait for all.
    waits: VecDeque<Request>,
    calls: FxHashMap<CommId, u64>,
}

/// All tasks, which run as far as the messages that were written let them.
struct Writer {
    source: Box<dyn OperationSource>,
    communicators: Arc<Communicators>,
    tasks: Vec<Task>,
    /// The messages of each kind that no receive has taken: the number of the first, and their ids.
    sent: FxHashMap<Kind, (u64, VecDeque<u64>)>,
    /// Receives of each kind that were posted.
    posted: FxHashMap<Kind, u64>,
    calls: FxHashMap<(CommId, u64), u64>,
    messages: u64,
    /// Tasks that can go on, and those that wait for a message of a kind.
    ready: VecDeque<u32>,
    waiting: FxHashMap<Kind, u32>,
}

impl Writer {
    fn new(source: Box<dyn OperationSource>, communicators: Arc<Communicators>) -> Self {
        let task = |_| Task {
            block: VecDeque::new(),
            ended: false,
            last: Event::Start,
            named: true,
            since: 0,
            requests: FxHashMap::default(),
            waits: VecDeque::new(),
            calls: FxHashMap::default(),
        };
        let tasks = (0..source.ranks()).map(task).collect();
        let ready = (0..source.ranks()).collect();
        Writer {
            source,
            communicators,
            tasks,
            sent: FxHashMap::default(),
            posted: FxHashMap::default(),
            calls: FxHashMap::default(),
            messages: 0,
            ready,
            waiting: FxHashMap::default(),
        }
    }

    /// Runs all tasks to their ends.
    fn run(mut self, untold: &mut Untold, out: &mut dyn Write) -> Result<(), WriteError> {
        while let Some(rank) = self.ready.pop_front() {
            self.advance(rank, untold, out)?;
        }
        if let Some((&(_, from, rank, tag), _)) = self.waiting.iter().min_by_key(|(kind, _)| **kind) {
            let why = format!(
                "rank {rank} waits for a message of rank {from} with tag {tag} that does not come; `drowse trace check` \
                 says more"
            );
            return Err(SourceError(why).into());
        }
        let computing = self.tasks.iter().filter(|task| task.since > 0).count() as u64;
        untold.add(ENDS, computing);
        Ok(())
    }

    /// Runs a task until it waits for a message that is not written, or ends.
    fn advance(&mut self, rank: u32, untold: &mut Untold, out: &mut dyn Write) -> Result<(), WriteError> {
        loop {
            while let Some(&request) = self.tasks[rank as usize].waits.front() {
                if !self.complete(rank, request, untold) {
                    return Ok(());
                }
                self.tasks[rank as usize].waits.pop_front();
            }
            let Some(operation) = self.next(rank)? else { return Ok(()) };
            self.operation(rank, operation, untold, out)?;
        }
    }

    /// Returns the next operation of a task.
    fn next(&mut self, rank: u32) -> Result<Option<Operation>, SourceError> {
        let task = &mut self.tasks[rank as usize];
        if task.block.is_empty() && !task.ended {
            let mut block = Vec::new();
            self.source.refill(rank, &mut block)?;
            task.ended = block.is_empty();
            task.block = block.into();
        }
        Ok(task.block.pop_front())
    }

    fn operation(
        &mut self,
        rank: u32,
        operation: Operation,
        untold: &mut Untold,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        let task = &mut self.tasks[rank as usize];
        match operation {
            Operation::Compute(Time(picoseconds)) => task.since = task.since.saturating_add(picoseconds),
            Operation::Send { to, tag, comm, bytes, .. } => self.send((comm, rank, to, tag), bytes, out)?,
            Operation::Isend { to, tag, comm, bytes, request, .. } => {
                task.requests.extend(request.map(|request| (request, Request::Send)));
                self.send((comm, rank, to, tag), bytes, out)?;
            }
            Operation::Recv { from: Some(from), tag: Some(tag), comm } => {
                let receive = self.post((comm, from, rank, tag));
                self.tasks[rank as usize].waits.push_back(receive);
            }
            Operation::Irecv { from: Some(from), tag: Some(tag), comm, request } => {
                let receive = self.post((comm, from, rank, tag));
                self.tasks[rank as usize].requests.insert(request, receive);
            }
            Operation::Wait { request } => task.waits.extend(task.requests.remove(&request)),
            Operation::WaitAll => {
                let mut requests: Vec<_> = task.requests.drain().collect();
                requests.sort_unstable_by_key(|(request, _)| *request);
                task.waits.extend(requests.into_iter().map(|(_, request)| request));
            }
            Operation::Collective { comm, collective } => {
                let id = self.part(rank, comm, &collective, out)?;
                self.event(rank, Event::Collective(id), untold);
                let Time(time) = collective.compute().unwrap_or_default();
                self.tasks[rank as usize].since += time;
            }
            Operation::Icollective { comm, request, collective } => {
                let id = self.part(rank, comm, &collective, out)?;
                self.tasks[rank as usize].requests.insert(request, Request::Collective(id));
            }
            _ => {}
        }
        Ok(())
    }

    /// Posts a receive: it takes the message of its kind with its number.
    fn post(&mut self, kind: Kind) -> Request {
        let posted = self.posted.entry(kind).or_default();
        *posted += 1;
        Request::Receive(kind, *posted - 1)
    }

    /// Completes a request, if its message is written.
    fn complete(&mut self, rank: u32, request: Request, untold: &mut Untold) -> bool {
        match request {
            Request::Send => untold.add(SENDS, 1),
            Request::Collective(id) => self.event(rank, Event::Collective(id), untold),
            Request::Receive(kind, number) => {
                let id = self.sent.get(&kind).and_then(|(first, ids)| {
                    let place = usize::try_from(number.checked_sub(*first)?).ok()?;
                    ids.get(place).copied()
                });
                let Some(id) = id else {
                    self.waiting.insert(kind, rank);
                    return false;
                };
                self.take(kind, number);
                self.event(rank, Event::Received(id), untold);
            }
        }
        true
    }

    /// Forgets messages up to the one that was taken, where it is the first.
    fn take(&mut self, kind: Kind, number: u64) {
        if let Some((first, ids)) = self.sent.get_mut(&kind)
            && *first == number
        {
            *first += 1;
            ids.pop_front();
        }
    }

    /// Sets the last event of a task.
    fn event(&mut self, rank: u32, event: Event, untold: &mut Untold) {
        let task = &mut self.tasks[rank as usize];
        untold.add(EVENTS, u64::from(!task.named));
        untold.add(LOST, u64::from(task.since >= 1_000));
        (task.last, task.named, task.since) = (event, false, 0);
    }

    /// Writes a message.
    fn send(&mut self, kind: Kind, bytes: u64, out: &mut dyn Write) -> io::Result<()> {
        let (_, rank, to, _) = kind;
        let id = self.messages;
        self.messages += 1;
        write!(out, "{id} {rank} {to} {bytes} ")?;
        self.depend(rank, out)?;
        let task = &mut self.tasks[rank as usize];
        // Times are rounded down; what is left is added to the next.
        (task.last, task.since) = (Event::Sent(id), task.since % 1_000);
        let entry = self.sent.entry(kind).or_default();
        entry.1.push_back(id);
        if let Some(rank) = self.waiting.remove(&kind) {
            self.ready.push_back(rank);
        }
        Ok(())
    }

    /// Writes a task's part of a collective; returns the id of the collective.
    fn part(&mut self, rank: u32, comm: CommId, collective: &Collective, out: &mut dyn Write) -> io::Result<u64> {
        let call = self.tasks[rank as usize].calls.entry(comm).or_default();
        let number = *call;
        *call += 1;
        let next = self.calls.len() as u64;
        let id = *self.calls.entry((comm, number)).or_insert(next);
        let member = self.communicators.member(comm, rank);
        let (place, ranks) = member.map_or((0, 1), |member| (member.rank, u64::from(member.size)));
        let (operation, sends, receives) = sizes(collective, place, ranks);
        write!(out, "G{id} {comm} {operation} {rank} {sends} {receives} ")?;
        self.depend(rank, out)?;
        Ok(id)
    }

    /// Writes the dependency of a task's next record.
    fn depend(&mut self, rank: u32, out: &mut dyn Write) -> io::Result<()> {
        let task = &mut self.tasks[rank as usize];
        let nanoseconds = task.since / 1_000;
        task.named = true;
        match task.last {
            Event::Start => writeln!(out, "0 {nanoseconds} -1"),
            Event::Sent(id) => writeln!(out, "1 {nanoseconds} {id}"),
            Event::Received(id) => writeln!(out, "2 {nanoseconds} {id}"),
            Event::Collective(id) => writeln!(out, "3 {nanoseconds} G{id}"),
        }
    }
}

/// Returns the operation of a collective, and the sizes of a rank's part.
fn sizes(collective: &Collective, place: u32, ranks: u64) -> (u8, u64, u64) {
    let is_root = collective.root() == Some(place);
    let at_root = |bytes: u64| if is_root { bytes } else { 0 };
    let sum = |sizes: &[u64]| sizes.iter().sum::<u64>();
    let own = |sizes: &[u64]| sizes.get(place as usize).copied().unwrap_or(0);
    match collective {
        Collective::Bcast { bytes, .. } => (0, at_root(*bytes), bytes - at_root(*bytes)),
        Collective::Reduce { bytes, .. } => (1, bytes - at_root(*bytes), at_root(*bytes)),
        Collective::Allreduce { bytes, .. } => (2, *bytes, *bytes),
        Collective::Gather { bytes, .. } => (3, *bytes, at_root(bytes * ranks)),
        Collective::Gatherv { bytes, .. } => (3, own(bytes), at_root(sum(bytes))),
        Collective::Scatter { bytes, .. } => (4, at_root(bytes * ranks), *bytes),
        Collective::Scatterv { bytes, .. } => (4, at_root(sum(bytes)), own(bytes)),
        Collective::Allgather { bytes } => (5, *bytes, bytes * ranks),
        Collective::Allgatherv { bytes } => (5, own(bytes), sum(bytes)),
        Collective::Alltoall { bytes } => (7, *bytes, 0),
        Collective::Alltoallv { bytes } => (7, sum(bytes), 1),
        _ => (6, 0, 0),
    }
}
