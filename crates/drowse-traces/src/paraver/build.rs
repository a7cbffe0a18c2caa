//! Makes the programs of ranks of their calls and messages.

use std::collections::BTreeMap;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::Operation;
use rustc_hash::FxHashMap;

use super::call::{Call, Message};
use super::calls::{self, COLLECTIVE};
use super::ends;
use crate::dimemas::{Called, Collectives, Comms, Kind};
use crate::error::Place;
use crate::info::{Computing, Coverage, Messages, NotSimulated, Noted, TraceInfo};
use crate::line_error::LineError;

/// The programs of all ranks, and what is said of them.
pub(crate) struct Program {
    pub ranks: Vec<Vec<Operation>>,
    pub communicators: Arc<Communicators>,
    /// The file, for messages.
    pub label: String,
    pub info: TraceInfo,
    pub fingerprint: u64,
    /// How long each rank ran.
    pub recorded: Vec<Time>,
}

/// The records of a file in numbers.
pub(super) struct Records {
    /// By kind.
    pub counts: BTreeMap<&'static str, u64>,
    /// Those of other applications.
    pub others: u64,
    /// The first line of a thread that calls MPI and is not the first of its task, and the number of these records.
    pub threads: Option<(u64, u64)>,
    /// Events of one-sided communication, and of files.
    pub one_sided: u64,
    pub files: u64,
}

/// What was read so far.
pub(super) struct Build {
    pub communicators: Comms,
    calls: Vec<Vec<Call>>,
    lives: Vec<Life>,
    pub messages: Vec<Message>,
}

/// What is known of a rank beside its calls.
#[derive(Clone, Copy, Default)]
struct Life {
    /// Where it ends, if an event says so.
    end: Option<u64>,
    /// Where its last event is, or its last state in which it runs ends.
    last: u64,
    /// How long it is in the state in which it runs.
    running: u64,
}

impl Life {
    /// Returns until when the rank computes; if it calls nothing, how long.
    fn computes(self, calls: bool) -> u64 {
        if calls || self.running == 0 { self.end.unwrap_or(self.last) } else { self.running }
    }
}

/// A step of a rank, at its time; those of one time come in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// Ends a receive of a message that was posted.
    Complete(u32),
    EndCall,
    End,
    BeginCall,
    Receive(u32),
    Send(u32),
    /// Calls a collective, by the place of the call.
    Collective(u32),
}

/// A problem and its line.
type Located = (u64, LineError);

impl Build {
    pub fn new(tasks: u32) -> Self {
        let (calls, lives) = ((0..tasks).map(|_| Vec::new()).collect(), vec![Life::default(); tasks as usize]);
        Build { communicators: Comms::new(tasks), calls, lives, messages: Vec::new() }
    }

    /// Begins a call of a rank.
    pub fn begin_call(&mut self, rank: u32, call: Call) -> Result<(), LineError> {
        let calls = &mut self.calls[rank as usize];
        if calls.last().is_some_and(|last| last.begin > call.begin) {
            return Err(LineError::Record(
                "begins a call before the one above it: a trace is in order of time; sort it".into(),
            ));
        }
        // The end of a call may be missing where a trace is cut.
        if let Some(last) = calls.last_mut() {
            last.end = last.end.min(call.begin);
        }
        calls.push(call);
        Ok(())
    }

    /// Ends the call of a rank. The begin may be missing where a trace is cut.
    pub fn end_call(&mut self, rank: u32, time: u64) -> Result<(), LineError> {
        if let Some(last) = self.calls[rank as usize].last_mut()
            && last.end == u64::MAX
        {
            if time < last.begin {
                return Err(LineError::Record("ends a call before it begins; copy the file again".into()));
            }
            last.end = time;
        }
        Ok(())
    }

    /// Notes where a rank ends.
    pub fn end_rank(&mut self, rank: u32, time: u64) {
        self.lives[rank as usize].end = Some(time);
    }

    /// Notes that a rank lives at a time.
    pub fn lives(&mut self, rank: u32, time: u64) {
        let life = &mut self.lives[rank as usize];
        life.last = life.last.max(time);
    }

    /// Notes that a rank runs, by its state.
    pub fn runs(&mut self, rank: u32, begin: u64, end: u64) {
        self.lives(rank, end);
        let life = &mut self.lives[rank as usize];
        life.running = life.running.saturating_add(end.saturating_sub(begin));
    }

    /// Makes the programs.
    pub fn finish(mut self, label: &str, fingerprint: u64, records: Records) -> Result<Program, Located> {
        let ranks = self.calls.len() as u32;
        let mut collectives = Collectives::default();
        let mut counted = Counted::default();
        self.agree(&mut collectives, label, &mut counted)?;
        ends::assign(&mut self.calls, &mut self.messages);
        self.count_calls(&mut counted);
        let mut steps: Vec<Vec<(u64, Step)>> = (0..ranks).map(|_| Vec::new()).collect();
        for (place, message) in (0..).zip(&self.messages) {
            counted.uncalled += u64::from(message.send_call == 0) + u64::from(message.receive_call == 0);
            steps[message.from as usize].push((message.sent, Step::Send(place)));
            let receiver = &mut steps[message.to as usize];
            receiver.push((message.posted, Step::Receive(place)));
            if !calls::is_receive(message.receive_call) {
                receiver.push((message.received, Step::Complete(place)));
            }
        }
        for ((calls, life), steps) in self.calls.iter().zip(&self.lives).zip(&mut steps) {
            for (place, call) in (0..).zip(calls) {
                steps.push((call.begin, Step::BeginCall));
                if call.kind == COLLECTIVE {
                    steps.push((call.begin, Step::Collective(place)));
                }
                if call.end < u64::MAX {
                    steps.push((call.end, Step::EndCall));
                }
            }
            let last = steps.iter().map(|&(time, _)| time).max();
            let computes = life.computes(last.is_some());
            counted.without_mpi += u64::from(last.is_none() && computes > 0);
            counted.absent += u64::from(last.is_none() && computes == 0);
            // The rank computes until its end, as until a call.
            if life.end.is_some() || last.is_none_or(|last| computes > last) {
                steps.push((computes, Step::End));
            }
            steps.sort_unstable();
        }
        let recorded = steps.iter().map(|steps| Time(steps.last().map_or(0, |&(time, _)| time))).collect();
        let mut programs = Vec::with_capacity(steps.len());
        for (rank, steps) in (0..).zip(&mut steps) {
            let steps = std::mem::take(steps);
            programs.push(self.program(rank, &steps, &collectives, &mut counted)?);
        }
        self.messages.shrink_to_fit();
        let info = self.info(label, &programs, records, counted);
        let communicators = Arc::clone(self.communicators.table());
        Ok(Program { ranks: programs, communicators, label: label.to_owned(), info, fingerprint, recorded })
    }

    /// Counts the calls whose messages the trace does not hold.
    fn count_calls(&self, counted: &mut Counted) {
        for &Call { kind, value, has_send, has_receive, .. } in self.calls.iter().flatten() {
            let (sends, receives) = (calls::sends(kind, value), calls::receives(kind, value));
            let missing = if calls::starts(kind, value) {
                u64::from(!has_send && !has_receive)
            } else {
                u64::from(sends && !has_send) + u64::from(receives && !has_receive)
            };
            if missing > 0 {
                *counted.without_message.entry(value).or_default() += missing;
            }
        }
    }

    /// Gathers what ranks say of their collectives.
    fn agree(&self, collectives: &mut Collectives, label: &str, counted: &mut Counted) -> Result<(), Located> {
        for (rank, calls) in (0..).zip(&self.calls) {
            let mut numbers: FxHashMap<CommId, u32> = FxHashMap::default();
            for call in calls.iter().filter(|call| call.kind == COLLECTIVE) {
                let Some(kind) = calls::collective(call.value) else {
                    counted.unknown(call, label);
                    continue;
                };
                let at = |problem| (call.line, problem);
                let (comm, member) = self.communicators.collective(call.communicator, rank).map_err(|_| {
                    at(LineError::Record(format!(
                        "names communicator {0}, which no line `c:1:{0}:...` gives to its task; correct the id, or copy \
                         the file again",
                        call.communicator
                    )))
                })?;
                let number = numbers.entry(comm).or_default();
                collectives.add(comm, *number, member, &called(call, kind), (call.line, rank)).map_err(at)?;
                *number += 1;
            }
        }
        let table = self.communicators.table();
        // A trace that is cut at a time has a collective of only some ranks; a simulation would not end.
        let cut = collectives.check(|comm| table.size(comm).unwrap_or_default());
        counted.cut = cut.err().map(|(line, problem)| format!("{label}:{line}: {problem}"));
        Ok(())
    }

    /// Makes the program of a rank of its steps, in order of time.
    fn program(
        &self,
        rank: u32,
        steps: &[(u64, Step)],
        collectives: &Collectives,
        counted: &mut Counted,
    ) -> Result<Vec<Operation>, Located> {
        let (mut operations, mut requests) = (Vec::new(), FxHashMap::default());
        let mut numbers: FxHashMap<CommId, u32> = FxHashMap::default();
        let (mut outside, mut inside, mut computed) = (0, false, 0_u64);
        for &(time, step) in steps {
            // Steps may stand outside of calls where a trace is cut.
            if !inside && time > outside {
                operations.push(Operation::Compute(Time(time - outside)));
                computed = computed.saturating_add(time - outside);
                outside = time;
            }
            match step {
                Step::BeginCall | Step::End => inside = true,
                Step::EndCall => (inside, outside) = (false, time),
                Step::Send(place) => {
                    let Message { to, tag, bytes, send_call, .. } = self.messages[place as usize];
                    let mode = calls::immediate_send(send_call);
                    let immediate = Operation::Isend { to, tag, comm: ALL, mode, bytes, request: None };
                    let blocking = |mode| Operation::Send { to, tag, comm: ALL, mode, bytes };
                    operations.push(calls::blocking_send(send_call).map_or(immediate, blocking));
                }
                Step::Receive(place) => {
                    let Message { from, tag, receive_call, .. } = self.messages[place as usize];
                    if calls::is_receive(receive_call) {
                        operations.push(Operation::recv(from, tag));
                    } else {
                        let request = requests.len() as u32;
                        requests.insert(place, request);
                        operations.push(Operation::irecv(from, tag, request));
                    }
                }
                Step::Complete(place) => {
                    // Where a message is received at the time at which it is posted, the wait comes after that.
                    let request = requests.get(&place).copied();
                    operations.extend(request.map(|request| Operation::Wait { request }));
                }
                Step::Collective(place) => {
                    let call = &self.calls[rank as usize][place as usize];
                    let Some(kind) = calls::collective(call.value) else { continue };
                    let at = |problem| (call.line, problem);
                    let (comm, member) = self.communicators.collective(call.communicator, rank).map_err(at)?;
                    let number = numbers.entry(comm).or_default();
                    let collective = collectives.collective(comm, *number, member, &called(call, kind));
                    *number += 1;
                    counted.collective(kind);
                    operations.extend(collective.map(|collective| Operation::Collective { comm, collective }));
                }
            }
        }
        counted.computed += u128::from(computed);
        if Time(computed) > Time::LONGEST {
            return Err((1, LineError::ComputesTooLong { rank, time: Time(computed), most: Time::LONGEST }));
        }
        operations.shrink_to_fit();
        Ok(operations)
    }

    /// Says what the trace holds.
    fn info(&self, label: &str, programs: &[Vec<Operation>], records: Records, counted: Counted) -> TraceInfo {
        let bytes = self.messages.iter().fold(0_u64, |sum, message| sum.saturating_add(message.bytes));
        let total: u64 = records.counts.values().sum();
        let split = "calls of alltoallv do not tell what goes to which rank: it is split evenly";
        let cut = "ends of messages are in no call, as where a trace is cut: they are taken as immediate";
        let files = "events of files (MPI_File_read, ...) have no effect: their calls count as computing";
        let approximated =
            [Noted::some(counted.split, split), Noted::some(counted.uncalled, cut), Noted::some(records.files, files)];
        let approximated: Vec<Noted> = approximated.into_iter().flatten().collect();
        let without_message = |(&value, &count): (&u64, &u64)| Noted {
            count,
            what: format!(
                "calls of {} have no message in the trace (not recorded, or with MPI_PROC_NULL): they are left out",
                calls::name(value)
            ),
        };
        let mut ignored: Vec<Noted> = counted.without_message.iter().map(without_message).collect();
        let others = "records of other applications than the first are left out";
        let one_sided = "events of one-sided communication (MPI_Put, MPI_Win_fence, ...) are left out";
        ignored.extend(Noted::some(records.one_sided, one_sided));
        ignored.extend(Noted::some(records.others, others));
        let known = approximated.iter().chain(&ignored).map(|noted| noted.count).sum::<u64>();
        let coverage = Coverage { simulated: total.saturating_sub(known), approximated, ignored };
        let mut not_simulated: Vec<NotSimulated> = counted.unknown.into_iter().collect();
        not_simulated.extend(records.threads.map(|(line, occurrences)| NotSimulated {
            action: "thread".to_owned(),
            obstacle: "threads other than the first of their task call MPI, and only the first is simulated",
            first: Place { file: label.to_owned(), line },
            occurrences,
        }));
        let idle = [
            (counted.without_mpi, "tasks call no MPI: they compute as long as they run"),
            (counted.absent, "tasks have no records: they do nothing"),
        ];
        let idle = idle.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let named = |(name, count): (&'static str, u64)| (name.to_owned(), count);
        TraceInfo {
            format: super::NAME,
            ranks: programs.len() as u32,
            operations: records.counts.into_iter().map(named).collect(),
            messages: Messages { count: self.messages.len() as u64, bytes },
            collectives: counted.collectives.into_iter().map(named).collect(),
            compute: Computing::Picoseconds(counted.computed),
            warnings: coverage.warnings().chain(idle).chain(counted.cut.clone()).collect(),
            coverage,
            not_simulated,
            different_collectives: counted.cut,
        }
    }
}

/// Returns what a rank says of a collective.
const fn called(call: &Call, kind: Kind) -> Called {
    let Call { sends, receives, is_root, communicator, .. } = *call;
    Called { kind, immediate: false, comm: communicator, is_root, sends, receives }
}

/// What is counted on the way.
#[derive(Default)]
struct Counted {
    collectives: BTreeMap<&'static str, u64>,
    computed: u128,
    split: u64,
    uncalled: u64,
    /// Calls without their message, by their values.
    without_message: BTreeMap<u64, u64>,
    /// Ranks that run and call nothing, and those of which there is nothing.
    without_mpi: u64,
    absent: u64,
    unknown: Option<NotSimulated>,
    cut: Option<String>,
}

impl Counted {
    fn collective(&mut self, kind: Kind) {
        *self.collectives.entry(kind.name(false)).or_default() += 1;
        self.split += u64::from(matches!(kind, Kind::Alltoallv | Kind::Alltoallw));
    }

    /// Counts a collective whose number is not known.
    fn unknown(&mut self, call: &Call, label: &str) {
        let new = || NotSimulated {
            action: format!("collective {}", call.value),
            obstacle: "it is not known which collective has this number",
            first: Place { file: label.to_owned(), line: call.line },
            occurrences: 0,
        };
        self.unknown.get_or_insert_with(new).occurrences += 1;
    }
}
