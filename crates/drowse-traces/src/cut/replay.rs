//! A program that runs where communication costs no time: the clock of a rank moves on only while it computes, and where
//! it waits for a rank whose clock is ahead.
//!
//! A receive is never before its send, and a collective ends for all ranks of its communicator when the last has called
//! it. All ranks run up to a time; what they have done then is the same in whatever order they take turns, unless
//! receives of any sender or tag, whose earliest message is taken, have a choice.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, RequestId, SourceError};
use rustc_hash::FxHashMap;

use super::walk::Walk;

/// When the messages to one receiver were sent, by sender and tag.
type Sent = BTreeMap<(u32, u32), VecDeque<u64>>;

/// A program that runs, up to some time.
pub(crate) struct Replay {
    walk: Walk,
    communicators: Arc<Communicators>,
    ranks: Vec<Rank>,
    /// When messages were sent that were not received: by communicator and receiver, by sender and tag.
    sent: FxHashMap<(CommId, u32), Sent>,
    /// By communicator and number of the call.
    collectives: FxHashMap<(CommId, u64), Called>,
    /// When the first message was sent or the first collective called, and when the last was received or left.
    span: Option<[Time; 2]>,
}

/// A whole program where communication costs no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdealRun {
    /// When its last rank ends.
    pub end: Time,
    /// When its ranks send the first message or call the first collective, and when the last is received or over; `None`
    /// where they do neither.
    pub communicates: Option<[Time; 2]>,
}

/// Where a rank is.
#[derive(Default)]
struct Rank {
    clock: u64,
    /// What it has done of the computing that comes next.
    done: u64,
    pending: BTreeMap<RequestId, Pending>,
    /// By communicator, the collectives that it has called.
    calls: FxHashMap<CommId, u64>,
    /// It waits in the collective that comes next.
    is_in_collective: bool,
}

/// What a request waits for.
#[derive(Clone, Copy)]
enum Pending {
    Message { from: Option<u32>, tag: Option<u32>, comm: CommId },
    Collective { comm: CommId, call: u64 },
}

/// A collective that ranks call.
#[derive(Default)]
struct Called {
    called: u32,
    /// When the last rank so far has.
    at: u64,
}

impl Replay {
    /// Begins a program.
    pub fn new(source: Box<dyn OperationSource>) -> Self {
        let communicators = source.communicators();
        let ranks = (0..source.ranks()).map(|_| Rank::default()).collect();
        Replay {
            walk: Walk::new(source),
            communicators,
            ranks,
            sent: FxHashMap::default(),
            collectives: FxHashMap::default(),
            span: None,
        }
    }

    /// Runs all ranks up to a time: what happens at that time has not happened. `tell` learns of each operation.
    pub fn run(&mut self, until: Time, tell: &mut dyn FnMut(u32, &Operation)) -> Result<(), SourceError> {
        let mut ready: VecDeque<u32> = (0..self.walk.ranks()).collect();
        while let Some(rank) = ready.pop_front() {
            self.run_rank(rank, until.0, &mut ready, tell)?;
        }
        Ok(())
    }

    fn run_rank(
        &mut self,
        rank: u32,
        until: u64,
        ready: &mut VecDeque<u32>,
        tell: &mut dyn FnMut(u32, &Operation),
    ) -> Result<(), SourceError> {
        while let Some(operation) = self.walk.peek(rank)?.cloned() {
            let at = &mut self.ranks[rank as usize];
            if let Operation::Compute(time) = operation {
                let left = time.0 - at.done;
                if left > until.saturating_sub(at.clock) {
                    at.done += until.saturating_sub(at.clock);
                    at.clock = at.clock.max(until);
                    break;
                }
                (at.clock, at.done) = (at.clock.saturating_add(left), 0);
            } else if at.clock >= until || !self.does(rank, &operation, ready) {
                break;
            }
            self.walk.skip(rank);
            tell(rank, &operation);
        }
        Ok(())
    }

    /// Takes the next step of a rank, whatever it waits for; returns its last operation.
    pub fn force(&mut self, rank: u32) -> Result<Option<Operation>, SourceError> {
        let before = std::mem::take(&mut self.ranks[rank as usize].done);
        let (computed, operation) = self.walk.take_computed(rank)?;
        let at = &mut self.ranks[rank as usize];
        at.clock = at.clock.saturating_add(computed.0.saturating_sub(before));
        if let Some(operation) = &operation
            && !self.does(rank, operation, &mut VecDeque::new())
        {
            self.gives_up(rank, operation);
        }
        Ok(operation)
    }

    /// Ends the wait of an operation that something forces a rank to pass.
    fn gives_up(&mut self, rank: u32, operation: &Operation) {
        let at = &mut self.ranks[rank as usize];
        at.is_in_collective = false;
        match operation {
            Operation::Wait { request } => at.pending.retain(|pending, _| pending != request),
            Operation::WaitAny(requests) | Operation::WaitSome(requests) => {
                at.pending.retain(|request, _| !requests.contains(request));
            }
            Operation::WaitAll => at.pending.clear(),
            Operation::Collective { comm, .. } => *at.calls.entry(*comm).or_default() += 1,
            _ => {}
        }
    }

    /// Returns how many operations of each rank are done, and how much of the computing that comes next.
    pub fn places(&self) -> Vec<(u64, Time)> {
        (0..).zip(&self.ranks).map(|(rank, at)| (self.walk.taken(rank), Time(at.done))).collect()
    }

    /// Returns the latest clock.
    pub fn clock(&self) -> Time {
        Time(self.ranks.iter().map(|rank| rank.clock).max().unwrap_or(0))
    }

    /// Returns what is known of a program that has ended.
    pub fn ideal_run(&self) -> IdealRun {
        IdealRun { end: self.clock(), communicates: self.span }
    }

    /// Returns whether all ranks have ended.
    pub fn has_ended(&mut self) -> Result<bool, SourceError> {
        for rank in 0..self.walk.ranks() {
            if self.walk.peek(rank)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does an operation of a rank that is no computing, if it need not wait. Ranks that may go on by that become ready.
    fn does(&mut self, rank: u32, operation: &Operation, ready: &mut VecDeque<u32>) -> bool {
        let clock = self.ranks[rank as usize].clock;
        match *operation {
            Operation::Send { to, tag, comm, .. } | Operation::Isend { to, tag, comm, .. } => {
                self.sent.entry((comm, to)).or_default().entry((rank, tag)).or_default().push_back(clock);
                self.note(clock);
                ready.push_back(to);
                true
            }
            Operation::Recv { from, tag, comm } => self.complete(rank, Pending::Message { from, tag, comm }),
            Operation::Probe { from, tag, comm } => self.find(rank, from, tag, comm).is_some(),
            Operation::Irecv { from, tag, comm, request } => {
                self.ranks[rank as usize].pending.insert(request, Pending::Message { from, tag, comm });
                true
            }
            Operation::Collective { comm, .. } => self.collective(rank, comm, ready),
            Operation::Icollective { comm, request, .. } => {
                let call = self.call(rank, comm, ready);
                *self.ranks[rank as usize].calls.entry(comm).or_default() += 1;
                self.ranks[rank as usize].pending.insert(request, Pending::Collective { comm, call });
                true
            }
            Operation::Wait { request } => {
                !self.ranks[rank as usize].pending.contains_key(&request) || self.complete_some(rank, &[request]) > 0
            }
            Operation::WaitAny(ref requests) => self.waits_for_any(rank, requests, 1),
            Operation::WaitSome(ref requests) => self.waits_for_any(rank, requests, usize::MAX),
            Operation::WaitAll => {
                let all: Vec<RequestId> = self.ranks[rank as usize].pending.keys().copied().collect();
                self.complete_some(rank, &all) == all.len()
            }
            Operation::Iteration | Operation::Compute(_) => true,
        }
    }

    /// Completes at most so many of some requests; returns whether the rank goes on.
    fn waits_for_any(&mut self, rank: u32, requests: &[RequestId], most: usize) -> bool {
        let pending = |request: &&RequestId| self.ranks[rank as usize].pending.contains_key(request);
        let open: Vec<RequestId> = requests.iter().filter(pending).copied().collect();
        if open.is_empty() {
            return true;
        }
        let mut completed = 0;
        for request in open {
            if completed < most {
                completed += self.complete_some(rank, &[request]);
            }
        }
        completed > 0
    }

    /// Completes those of some requests that can be; returns how many.
    fn complete_some(&mut self, rank: u32, requests: &[RequestId]) -> usize {
        let mut completed = 0;
        for request in requests {
            let Some(&pending) = self.ranks[rank as usize].pending.get(request) else { continue };
            if self.complete(rank, pending) {
                self.ranks[rank as usize].pending.remove(request);
                completed += 1;
            }
        }
        completed
    }

    /// Completes a wait, if that is over; the rank's clock is no earlier than what it waited for.
    fn complete(&mut self, rank: u32, pending: Pending) -> bool {
        let at = match pending {
            Pending::Message { from, tag, comm } => {
                let Some(key) = self.find(rank, from, tag, comm) else { return false };
                let queues = self.sent.get_mut(&(comm, rank));
                queues.and_then(|queues| queues.get_mut(&key)).and_then(VecDeque::pop_front)
            }
            Pending::Collective { comm, call } => self.left(comm, call),
        };
        let Some(at) = at else { return false };
        let clock = &mut self.ranks[rank as usize].clock;
        *clock = at.max(*clock);
        let clock = *clock;
        self.note(clock);
        true
    }

    /// Finds the sender and the tag of the message that a receive takes: of several, the earliest.
    fn find(&self, rank: u32, from: Option<u32>, tag: Option<u32>, comm: CommId) -> Option<(u32, u32)> {
        let queues = self.sent.get(&(comm, rank))?;
        if let (Some(from), Some(tag)) = (from, tag) {
            return queues.get(&(from, tag)).filter(|queue| !queue.is_empty()).map(|_| (from, tag));
        }
        let fits = |key: &(u32, u32)| from.is_none_or(|from| from == key.0) && tag.is_none_or(|tag| tag == key.1);
        let first = queues.iter().filter(|(key, _)| fits(key)).filter_map(|(key, queue)| Some((*queue.front()?, *key)));
        first.min().map(|(_, key)| key)
    }

    /// Calls a collective that blocks; returns whether all have called it.
    fn collective(&mut self, rank: u32, comm: CommId, ready: &mut VecDeque<u32>) -> bool {
        let at = &self.ranks[rank as usize];
        let call =
            if at.is_in_collective { at.calls.get(&comm).copied().unwrap_or(0) } else { self.call(rank, comm, ready) };
        let ends = self.complete(rank, Pending::Collective { comm, call });
        let at = &mut self.ranks[rank as usize];
        at.is_in_collective = !ends;
        *at.calls.entry(comm).or_default() += u64::from(ends);
        ends
    }

    /// Counts the call of a collective; returns its number in the communicator.
    fn call(&mut self, rank: u32, comm: CommId, ready: &mut VecDeque<u32>) -> u64 {
        let at = &self.ranks[rank as usize];
        let (call, clock) = (at.calls.get(&comm).copied().unwrap_or(0), at.clock);
        let collective = self.collectives.entry((comm, call)).or_default();
        (collective.called, collective.at) = (collective.called + 1, collective.at.max(clock));
        self.note(clock);
        if self.left(comm, call).is_some() {
            let size = self.communicators.size(comm).unwrap_or(0);
            ready.extend(
                (0..size).filter_map(|place| self.communicators.rank(comm, place)).filter(|&other| other != rank),
            );
        }
        call
    }

    /// Returns when all ranks have called a collective.
    fn left(&self, comm: CommId, call: u64) -> Option<u64> {
        let collective = self.collectives.get(&(comm, call))?;
        (collective.called >= self.communicators.size(comm).unwrap_or(0)).then_some(collective.at)
    }

    fn note(&mut self, clock: u64) {
        let [first, last] = self.span.unwrap_or([Time(clock); 2]);
        self.span = Some([first.min(Time(clock)), last.max(Time(clock))]);
    }
}
