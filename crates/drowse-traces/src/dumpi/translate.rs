//! Translates the calls of a rank to the simulation's operations.

use drowse_core::model::units::Time;
use drowse_core::workload::collectives::Member;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Operation, SendMode};
use rustc_hash::FxHashMap;

use super::calls::{Transfer, is_collective, is_persistent, started, starts, transfer};
use super::clock::Clock;
use super::collective::collective;
use super::comm_calls::{NULL, OWN, WORLD, makes};
use super::datatypes::Datatypes;
use super::functions::{id, name};
use super::problem::Problem;
use super::reading::RankFile;
use super::rebuild::Made;
use super::record::Record;
use super::requests::{Requests, Side, completed, is_failed_test};
use super::sizes::Sizes;
use super::survey::{RankSurvey, Survey};
use crate::compute::ComputeModel;
use crate::info::{Messages, Noted};

/// Any sender.
const ANY: i64 = -1;

/// Sender, tag and communicator of a receive; `None` for any sender or tag.
type Envelope = (Option<u32>, Option<u32>, CommId);

/// Calls that are counted for warnings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    pub messages: Messages,
    pub computed: Time,
    pub failed_tests: u64,
    /// Waits for requests that the trace does not start.
    pub unknown_waits: u64,
    pub cancelled: u64,
}

impl Counted {
    /// Adds those of another rank.
    pub fn add(&mut self, other: &Counted) {
        self.messages.count += other.messages.count;
        self.messages.bytes = self.messages.bytes.saturating_add(other.messages.bytes);
        self.computed = self.computed.saturating_add(other.computed);
        self.failed_tests += other.failed_tests;
        self.unknown_waits += other.unknown_waits;
        self.cancelled += other.cancelled;
    }

    /// Returns what is to be said of calls that have no effect.
    pub fn notes(&self) -> impl Iterator<Item = Noted> {
        let tests = "tests and probes that found nothing complete are left out";
        let waits = "waits for requests that no call of the trace starts return at once";
        let cancelled = "receives that the program cancels are left out";
        let notes = [(self.failed_tests, tests), (self.unknown_waits, waits), (self.cancelled, cancelled)];
        notes.into_iter().filter_map(|(count, what)| Noted::some(count, what))
    }
}

/// The state of a rank between its calls.
pub(crate) struct RankState {
    pub counted: Counted,
    datatypes: Datatypes,
    requests: Requests,
    comms: FxHashMap<u16, Made>,
    /// How many communicators it has made.
    made: usize,
    clock: Clock,
    /// When the last call ended.
    ended: Option<u64>,
    /// The time computed since the last operation.
    pause: Time,
}

impl RankState {
    /// Makes that of a rank before its first call.
    pub fn new(file: &RankFile, survey: &RankSurvey) -> Self {
        let own = survey.own.map(|comm| (OWN, Made::Comm(comm)));
        RankState {
            counted: Counted::default(),
            datatypes: Datatypes::new(file.layout.sizes.clone()),
            requests: Requests::default(),
            comms: [(WORLD, Made::Comm(ALL))].into_iter().chain(own).collect(),
            made: 0,
            clock: Clock::default(),
            ended: None,
            pause: Time::ZERO,
        }
    }
}

/// Translates the calls of one rank.
pub(crate) struct Translator<'a> {
    pub rank: u32,
    pub state: &'a mut RankState,
    pub survey: &'a Survey,
    pub compute: &'a ComputeModel,
    pub operations: &'a mut Vec<Operation>,
}

impl Translator<'_> {
    /// Appends the operations of a call, and of the computing before it.
    pub fn translate(&mut self, record: &Record) -> Result<(), Problem> {
        self.pass_time(record)?;
        self.state.datatypes.construct(record);
        self.keep_communicators(record)?;
        let function = record.function;
        if let Some(transfer) = transfer(function) {
            let side = Side::of(record);
            return if is_persistent(function) {
                self.state.requests.keep(record.number(5) as i32, side);
                Ok(())
            } else if starts(function) {
                self.start(&side, transfer, record.number(5) as i32)
            } else {
                self.block(&side, transfer)
            };
        }
        match function {
            id::START | id::STARTALL => self.start_persistent(record)?,
            id::SENDRECV | id::SENDRECV_REPLACE => self.exchange(record)?,
            id::PROBE => self.probe(record)?,
            id::IPROBE if record.number(3) != 0 => self.probe(record)?,
            id::REQUEST_FREE => self.state.requests.free(record.number(0) as i32),
            _ if is_collective(function) => self.collective(record)?,
            _ if is_failed_test(record) => self.state.counted.failed_tests += 1,
            _ => self.complete(record),
        }
        Ok(())
    }

    /// Adds the time between the end of the last call and the begin of this one.
    fn pass_time(&mut self, record: &Record) -> Result<(), Problem> {
        let Some(span) = record.wall.or(record.cpu) else { return Ok(()) };
        let state = &mut *self.state;
        let (start, stop) = (state.clock.nanoseconds(span.start), state.clock.nanoseconds(span.stop));
        let gap = state.ended.map_or(0, |ended| start.saturating_sub(ended));
        state.ended = Some(stop.max(state.ended.unwrap_or(0)));
        let time = Time(gap.saturating_mul(1_000));
        let (time, most) = (self.compute.scaled(time).unwrap_or(Time::NEVER), Time::LONGEST);
        state.pause = state.pause.saturating_add(time);
        state.counted.computed = state.counted.computed.saturating_add(time);
        let time = state.counted.computed;
        if time > most { Err(Problem::ComputesTooLong { time, most }) } else { Ok(()) }
    }

    /// Appends an operation, after the time computed before it.
    fn push(&mut self, operation: Operation) {
        self.end();
        self.operations.push(operation);
    }

    /// Appends the time computed since the last operation.
    pub fn end(&mut self) {
        if self.state.pause > Time::ZERO {
            self.operations.push(Operation::Compute(std::mem::take(&mut self.state.pause)));
        }
    }

    /// Follows the numbers that a rank gives to communicators, and compares what it is told of them.
    fn keep_communicators(&mut self, record: &Record) -> Result<(), Problem> {
        match record.function {
            id::COMM_FREE => drop(self.state.comms.remove(&record.comm())),
            id::COMM_SIZE | id::COMM_RANK => return self.compare(record),
            function => {
                let Some(place) = makes(function) else { return Ok(()) };
                let made = self.survey.ranks[self.rank as usize].made.get(self.state.made).cloned();
                self.state.made += 1;
                let new = record.handle(place);
                if let Some(made) = made.filter(|_| new > NULL) {
                    self.state.comms.insert(new, made);
                }
            }
        }
        Ok(())
    }

    /// Compares what a rank is told of a communicator with what was rebuilt.
    fn compare(&self, record: &Record) -> Result<(), Problem> {
        let Some(Made::Comm(comm)) = self.state.comms.get(&record.comm()) else { return Ok(()) };
        let Some(Member { rank, size }) = self.communicators().member(*comm, self.rank) else { return Ok(()) };
        let (found, known) = (record.number(1), if record.function == id::COMM_RANK { rank } else { size });
        if found == i64::from(known) {
            return Ok(());
        }
        Err(Problem::OtherCommunicator { function: name(record.function), comm: record.comm(), found, known })
    }

    fn communicators(&self) -> &Communicators {
        &self.survey.communicators
    }

    /// Returns a communicator by the number that the rank gives it.
    fn comm(&self, function: u16, comm: u16) -> Result<CommId, Problem> {
        let (maker, why) = match self.state.comms.get(&comm) {
            Some(Made::Comm(comm)) => return Ok(*comm),
            Some(Made::Unknown(maker, why)) => (Some(name(*maker)), *why),
            Some(Made::Nothing) => (None, "the rank is not in its communicator"),
            None => (None, "no call of the trace makes its communicator"),
        };
        Err(Problem::UnknownCommunicator { function: name(function), comm, maker, why })
    }

    /// Returns the rank in the job of a peer.
    fn peer(&self, side: &Side, comm: CommId) -> Result<u32, Problem> {
        let peer = u32::try_from(side.peer).ok().and_then(|peer| self.communicators().rank(comm, peer));
        let size = self.communicators().size(comm).unwrap_or(0);
        peer.ok_or(Problem::NoSuchRank { function: name(side.function), rank: side.peer, size })
    }

    /// Returns receiver, tag, communicator and size of a send; `None` if it has no receiver.
    fn sending(&mut self, side: &Side) -> Result<Option<(u32, u32, CommId, u64)>, Problem> {
        if side.peer < 0 {
            return Ok(None);
        }
        let bytes = Sizes(&self.state.datatypes).bytes(side.function, side.count, side.datatype)?;
        self.state.counted.messages.count += 1;
        self.state.counted.messages.bytes = self.state.counted.messages.bytes.saturating_add(bytes);
        let comm = self.comm(side.function, side.comm)?;
        Ok(Some((self.peer(side, comm)?, tag(side.tag).unwrap_or_default(), comm, bytes)))
    }

    /// Returns sender, tag and communicator of a receive; `None` if it has no sender.
    fn receiving(&self, side: &Side) -> Result<Option<Envelope>, Problem> {
        if side.peer < ANY {
            return Ok(None);
        }
        let comm = self.comm(side.function, side.comm)?;
        let from = if side.peer == ANY { None } else { Some(self.peer(side, comm)?) };
        Ok(Some((from, tag(side.tag), comm)))
    }

    /// Appends a blocking send or receive.
    fn block(&mut self, side: &Side, transfer: Transfer) -> Result<(), Problem> {
        match transfer {
            Transfer::Send(mode) => {
                if let Some((to, tag, comm, bytes)) = self.sending(side)? {
                    self.push(Operation::Send { to, tag, comm, mode, bytes });
                }
            }
            Transfer::Receive => {
                if let Some((from, tag, comm)) = self.receiving(side)? {
                    self.push(Operation::Recv { from, tag, comm });
                }
            }
        }
        Ok(())
    }

    /// Appends a send or receive with a request.
    fn start(&mut self, side: &Side, transfer: Transfer, handle: i32) -> Result<(), Problem> {
        match transfer {
            Transfer::Send(mode) => {
                let sending = self.sending(side);
                let request = self.state.requests.start(handle, true, matches!(sending, Ok(Some(_))));
                if let Some((to, tag, comm, bytes)) = sending? {
                    self.push(Operation::Isend { to, tag, comm, mode, bytes, request: Some(request) });
                }
            }
            Transfer::Receive => {
                let order = self.state.requests.started();
                let is_cancelled = self.survey.ranks[self.rank as usize].cancelled.contains(&order);
                self.state.counted.cancelled += u64::from(is_cancelled);
                let receiving = self.receiving(side).map(|receiving| receiving.filter(|_| !is_cancelled));
                let request = self.state.requests.start(handle, false, matches!(receiving, Ok(Some(_))));
                if let Some((from, tag, comm)) = receiving? {
                    self.push(Operation::Irecv { from, tag, comm, request });
                }
            }
        }
        Ok(())
    }

    fn start_persistent(&mut self, record: &Record) -> Result<(), Problem> {
        for handle in started(record) {
            let Some(kept) = self.state.requests.kept(handle) else { continue };
            let Some(transfer) = transfer(kept.function) else { continue };
            self.start(&kept, transfer, handle)?;
        }
        Ok(())
    }

    /// Appends a send and a receive at the same time.
    fn exchange(&mut self, record: &Record) -> Result<(), Problem> {
        let function = record.function;
        let side = |count, datatype, peer, tag| Side {
            function,
            count: record.number(count),
            datatype: record.handle(datatype),
            peer: record.number(peer),
            tag: record.number(tag),
            comm: record.comm(),
        };
        // Numbers: count, datatype, receiver, tag, (count, datatype,) sender, tag, communicator.
        let from = if function == id::SENDRECV { 6 } else { 4 };
        let sending = self.sending(&side(0, 1, 2, 3))?;
        let receiving = self.receiving(&side(0, 1, from, from + 1))?;
        let mut waits = Vec::new();
        if let Some((from, tag, comm)) = receiving {
            let request = self.state.requests.fresh();
            waits.push(request);
            self.push(Operation::Irecv { from, tag, comm, request });
        }
        if let Some((to, tag, comm, bytes)) = sending {
            let request = self.state.requests.fresh();
            waits.push(request);
            let mode = SendMode::Standard;
            self.push(Operation::Isend { to, tag, comm, mode, bytes, request: Some(request) });
        }
        self.operations.extend(waits.into_iter().map(|request| Operation::Wait { request }));
        Ok(())
    }

    /// Appends a probe that finds a message.
    fn probe(&mut self, record: &Record) -> Result<(), Problem> {
        let (peer, tag) = (record.number(0), record.number(1));
        let side = Side { function: record.function, count: 0, datatype: 0, peer, tag, comm: record.comm() };
        if let Some((from, tag, comm)) = self.receiving(&side)? {
            self.push(Operation::Probe { from, tag, comm });
        }
        Ok(())
    }

    fn collective(&mut self, record: &Record) -> Result<(), Problem> {
        let comm = self.comm(record.function, record.comm())?;
        let Some(member) = self.communicators().member(comm, self.rank) else { return Ok(()) };
        if let Some(collective) = collective(record, &Sizes(&self.state.datatypes), member)? {
            self.push(Operation::Collective { comm, collective });
        }
        Ok(())
    }

    /// Appends waits for what a call completes.
    fn complete(&mut self, record: &Record) {
        let pending = self.state.requests.pending();
        let mut waits = Vec::new();
        let state = &mut *self.state;
        completed(record, |handle, _| match state.requests.complete(handle) {
            Some(started) if started.is_real => waits.push(started.number),
            Some(_) => {}
            None if state.requests.kept(handle).is_some() => {}
            None => state.counted.unknown_waits += 1,
        });
        if waits.len() > 1 && waits.len() as u32 == pending {
            self.push(Operation::WaitAll);
        } else {
            waits.into_iter().for_each(|request| self.push(Operation::Wait { request }));
        }
    }
}

/// Returns a tag; `None` for any.
fn tag(tag: i64) -> Option<u32> {
    u32::try_from(tag).ok()
}
