//! One rank: its program, its requests, and why it waits.

use rustc_hash::FxHashMap;

use crate::measure::rank_waits::RankWaits;
use crate::measure::timeline::RankState;
use crate::measure::{CriticalPath, RankTimes};
use crate::model::units::Time;
use crate::workload::collectives::{self, Member};
use crate::workload::communicators::CommId;
use crate::workload::matching::{Context, Matcher, Posted};
use crate::workload::operation::{Collective, Operation, RequestId, SourceError};

use crate::engine::endpoint::chain::Sent;
use crate::engine::endpoint::job::RunningJob;
use crate::engine::endpoint::large_send::LargeSend;
use crate::engine::endpoint::load::Load;
use crate::engine::endpoint::log::RankLog;
use crate::engine::endpoint::operations::OperationLog;
use crate::engine::endpoint::processor::Processor;
use crate::engine::event::outstanding::Group;
use crate::engine::slab::Slab;

/// What a message whose envelope has arrived is to its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// Its data comes or has come: the message's number.
    Eager(u32),
    /// Its sender waits for the receiver: which of the sender's large sends, by which rank of the simulation.
    Large {
        /// The sending rank in the whole simulation.
        from_rank: u32,
        /// Which of its large sends.
        send: u32,
    },
}

/// What a request is for; shown to the user when a run cannot proceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A receive.
    Receive {
        /// The sender; `None` is any.
        from: Option<u32>,
        /// The tag; `None` is any.
        tag: Option<u32>,
    },
    /// A probe.
    Probe {
        /// The sender; `None` is any.
        from: Option<u32>,
        /// The tag; `None` is any.
        tag: Option<u32>,
    },
    /// A send that waits for its receiver.
    Send {
        /// The receiver.
        to: u32,
        /// The tag.
        tag: u32,
        /// The size.
        bytes: u64,
    },
    /// A collective that goes on beside the program: the activity that runs it.
    Collective(u32),
}

/// Who waits for a request, if anyone does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiter {
    /// An operation that blocks.
    Operation,
    /// A later operation, by this name.
    Named(RequestId),
    /// Nobody.
    Nobody,
}

/// The name of a request: the activity that opened it, whether that was within a collective, and its number there.
type Name = (u32, bool, RequestId);

/// A pending request.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Who waits for it.
    waiter: Waiter,
    /// The activity whose operation opened it.
    activity: u32,
    /// Where its messages are matched.
    pub context: Context,
    /// What it is for.
    pub purpose: Purpose,
    /// It is complete.
    done: bool,
}

/// Why an activity does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// It computes, has not started, or its event lies in the queue.
    Busy,
    /// It waits for one of its requests.
    Request(u32),
    /// It waits for one of several requests: those of [`Rank::any`].
    AnyRequest,
    /// It waits for all requests of the program.
    AllRequests,
    /// It has ended.
    Finished,
}

/// The activity that runs the program, and the collectives that block it.
pub const PROGRAM: u32 = 0;

/// A thread of execution of a rank: its program, or a collective that goes on beside it. Holds the operations that are
/// left of a collective.
#[derive(Debug)]
pub(super) struct Activity {
    /// Where the messages of the collective are matched; that of the program outside of a collective.
    pub(super) context: Context,
    operations: Vec<Operation>,
    next: usize,
    blocked: Blocked,
    /// What led to the time at which it is, while it does not wait.
    pub(super) path: CriticalPath,
    /// What ended its last wait.
    pub(super) ended_by: Sent,
    /// Since when it has not waited.
    pub(super) working_since: u64,
    /// By how much it is later than it would be if no link had to wake.
    pub(super) wake_delay: u64,
    /// The request of the program that is complete at the end.
    completes: Option<u32>,
    /// Its next operation, a send, has kept the processor busy and may be handed over.
    pub(super) prepared: bool,
}

impl Activity {
    /// Returns whether nothing is left of it.
    pub(super) fn has_ended(&self) -> bool {
        self.blocked == Blocked::Finished
    }

    fn new(start: u64) -> Self {
        Activity {
            context: Context::PROGRAM,
            operations: Vec::new(),
            next: 0,
            blocked: Blocked::Busy,
            path: CriticalPath::NOTHING,
            ended_by: Sent::default(),
            working_since: start,
            wake_delay: 0,
            completes: None,
            prepared: false,
        }
    }
}

/// The state of one rank.
#[derive(Debug)]
pub struct Rank {
    /// Its job.
    pub job: u32,
    /// The number of the job's first rank in the whole simulation.
    pub first_rank: u32,
    /// Its number in the job, and the job's size.
    pub member: Member,
    /// Its node.
    pub node: u32,
    /// With which others what happens to it is counted.
    pub group: Group,
    /// How it spent its time so far.
    pub times: RankTimes,
    /// Until when these count.
    pub(super) counted: u64,
    /// How it spends, or is to spend, the time until then, and since when.
    pub(super) last_spent: (u64, RankState),
    /// What it waited for last.
    pub(super) waited_for: Purpose,
    /// Until when it is busy with the last receive.
    pub busy_until: u64,
    /// Its processor, where messages keep that busy.
    pub processor: Processor,
    /// What is recorded of it, where a timeline is wanted.
    pub(super) log: Option<Box<RankLog>>,
    /// How it spends its time by kind of operation, where somebody wants to know.
    pub(super) operations: Option<Box<OperationLog>>,
    /// What it did of late, where the load over time is wanted.
    pub(super) load: Option<Box<Load>>,
    /// For whom it has waited, where somebody wants to know.
    pub(super) waits: Option<Box<RankWaits>>,
    /// When it finished.
    pub finish: u64,
    /// Iterations begun.
    pub iterations: u32,
    /// Messages sent.
    pub messages: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// Receives and arrived messages.
    pub matcher: Matcher<Incoming>,
    program: Vec<Operation>,
    /// How many of these it has begun; one more at the end of the program, where there are none.
    pub(super) next: usize,
    /// Operations of the program before those that `program` holds.
    before: u64,
    /// What the rank executes: its program, then collectives that go on beside it.
    pub(super) activities: Vec<Activity>,
    free_activities: Vec<u32>,
    /// Collectives called in each communicator.
    collectives: FxHashMap<CommId, u32>,
    requests: Slab<Request>,
    /// Requests that later operations name.
    names: FxHashMap<Name, u32>,
    /// Requests of the program that are not complete.
    pending: u32,
    /// Those of which the program waits for one.
    any: Vec<u32>,
    /// The request of a probe, and what it looks for.
    probe: Option<(u32, Posted)>,
    large_sends: Slab<LargeSend>,
    /// Messages sent to each rank so far.
    orders: FxHashMap<u32, u32>,
}

impl Rank {
    /// Creates a rank that has not started.
    pub fn new(job: u32, first_rank: u32, member: Member, node: u32, start: Time, has_overheads: bool) -> Self {
        Rank {
            job,
            first_rank,
            member,
            node,
            group: Group::ENDING,
            times: RankTimes::default(),
            counted: start.0,
            last_spent: (start.0, RankState::Overhead),
            waited_for: Purpose::Collective(PROGRAM),
            busy_until: 0,
            processor: Processor::new(has_overheads),
            log: None,
            operations: None,
            load: None,
            waits: None,
            finish: 0,
            iterations: 0,
            messages: 0,
            bytes: 0,
            matcher: Matcher::new(),
            program: Vec::new(),
            next: 0,
            before: 0,
            activities: vec![Activity::new(start.0)],
            free_activities: Vec::new(),
            collectives: FxHashMap::default(),
            requests: Slab::default(),
            names: FxHashMap::default(),
            pending: 0,
            any: Vec::new(),
            probe: None,
            large_sends: Slab::default(),
            orders: FxHashMap::default(),
        }
    }

    /// Returns whether its program has ended.
    pub fn is_finished(&self) -> bool {
        self.activities[PROGRAM as usize].has_ended()
    }

    /// Returns whether the program, or a collective beside it, waits for requests.
    pub fn waits_for_another(&self) -> bool {
        self.activities.iter().any(|each| !matches!(each.blocked, Blocked::Busy | Blocked::Finished))
    }

    /// Notes why an activity does not go on.
    pub fn block(&mut self, activity: u32, why: Blocked) {
        self.activities[activity as usize].blocked = why;
    }

    /// Ends all that it does; `path` led to that.
    pub(super) fn end_all(&mut self, path: CriticalPath) {
        self.activities.iter_mut().for_each(|each| (each.blocked, each.path) = (Blocked::Finished, path));
    }

    /// Returns where messages are matched, for an operation of an activity in a communicator.
    pub fn context(&self, activity: u32, comm: CommId) -> Context {
        match self.activities[activity as usize].context {
            Context { collective: 0, .. } => Context::of(comm),
            of_collective => of_collective,
        }
    }

    /// Returns whether an activity's operations are the program's, not a collective's.
    pub fn is_in_program(&self, activity: u32) -> bool {
        self.activities[activity as usize].context.collective == 0
    }

    /// Goes on to the next operation of an activity. The program ends the collective that it is in before it goes on.
    /// Returns whether there is a next operation.
    pub fn advance(&mut self, activity: u32, job: &RunningJob) -> Result<bool, SourceError> {
        let of_collective = &mut self.activities[activity as usize];
        if of_collective.next < of_collective.operations.len() {
            of_collective.next += 1;
            return Ok(true);
        }
        if activity != PROGRAM {
            return Ok(false);
        }
        of_collective.context = Context::PROGRAM;
        if self.next == self.program.len() {
            self.before += self.program.len() as u64;
            self.program.clear();
            self.next = 0;
            job.refill(self.member.rank, &mut self.program)?;
        }
        self.next += 1;
        Ok(self.next <= self.program.len())
    }

    /// Returns the operation to which an activity has gone on last. There is one.
    pub fn current(&self, activity: u32) -> &Operation {
        if self.is_in_program(activity) {
            return &self.program[self.next - 1];
        }
        let of_collective = &self.activities[activity as usize];
        &of_collective.operations[of_collective.next - 1]
    }

    /// Takes back the operation to which an activity has gone on last: it comes next again.
    pub fn take_back(&mut self, activity: u32) {
        if self.is_in_program(activity) {
            self.next -= 1;
            self.has_not_begun();
        } else {
            self.activities[activity as usize].next -= 1;
        }
    }

    /// Enters a collective: its operations come next.
    pub fn enter(&mut self, comm: CommId, collective: &Collective, job: &RunningJob) {
        self.expand(PROGRAM, comm, collective, job);
    }

    /// Starts a collective that goes on beside the program; returns its activity.
    pub fn start(&mut self, comm: CommId, collective: &Collective, name: RequestId, job: &RunningJob) -> u32 {
        let activity = self.free_activities.pop().unwrap_or_else(|| {
            let all = &mut self.activities;
            all.push(Activity::new(0));
            all.len() as u32 - 1
        });
        let request = self.open(PROGRAM, Context::of(comm), Waiter::Named(name), Purpose::Collective(activity));
        self.expand(activity, comm, collective, job);
        let started = &mut self.activities[activity as usize];
        (started.blocked, started.completes) = (Blocked::Busy, Some(request));
        activity
    }

    /// Ends the activity of a collective; returns the program's request that completes with it.
    pub fn end(&mut self, activity: u32) -> Option<u32> {
        let ended = &mut self.activities[activity as usize];
        ended.blocked = Blocked::Finished;
        self.free_activities.push(activity);
        ended.completes.take()
    }

    /// Lets an activity begin the next collective of a communicator.
    fn expand(&mut self, activity: u32, comm: CommId, collective: &Collective, job: &RunningJob) {
        let called = self.collectives.entry(comm).or_insert(0);
        *called += 1;
        let activity = &mut self.activities[activity as usize];
        activity.context = Context { comm, collective: *called };
        activity.operations.clear();
        activity.next = 0;
        let rank = self.member.rank;
        let (communicators, nodes, operations) = (&job.communicators, job.by_node(), &mut activity.operations);
        collectives::expand_in(communicators, &job.algorithms, nodes, comm, rank, collective, operations);
    }

    /// Begins an iteration, and returns its number.
    pub fn begin_iteration(&mut self) -> u32 {
        self.iterations = self.iterations.saturating_add(1);
        self.iterations - 1
    }

    /// Numbers the next message to a rank of the same job.
    pub fn next_order(&mut self, to: u32) -> u32 {
        let order = self.orders.entry(to).or_insert(0);
        *order = order.wrapping_add(1);
        order.wrapping_sub(1)
    }

    /// Opens a request of an activity.
    pub fn open(&mut self, activity: u32, context: Context, waiter: Waiter, purpose: Purpose) -> u32 {
        let request = Request { waiter, activity, context, purpose, done: false };
        let slot = self.requests.insert(request);
        if let Waiter::Named(name) = waiter {
            let old = self.names.insert((activity, context.collective != 0, name), slot);
            // One that is complete but was never waited for no longer needs its name.
            if let Some(old) = old.filter(|&old| self.requests[old].done) {
                self.requests.remove(old);
            }
            self.pending += u32::from(Self::is_of_program(&request));
        }
        slot
    }

    /// Returns whether a request is one that the program names.
    fn is_of_program(request: &Request) -> bool {
        let named = matches!(request.waiter, Waiter::Named(_));
        let collective = request.context.collective != 0;
        named && request.activity == PROGRAM && !collective
    }

    /// Marks a request as complete at time `t`; returns the activity that may go on.
    pub fn complete(&mut self, slot: u32, t: u64, receive_overhead: Time) -> Option<u32> {
        self.requests[slot].done = true;
        let request = self.requests[slot];
        if matches!(request.purpose, Purpose::Receive { .. }) {
            self.busy_until = self.busy_until.max(t + receive_overhead.0);
        }
        self.pending -= u32::from(Self::is_of_program(&request));
        if request.waiter == Waiter::Nobody {
            self.close(slot);
            return None;
        }
        let goes_on = match self.activities[request.activity as usize].blocked {
            Blocked::Request(waited) if waited == slot => {
                self.close(slot);
                true
            }
            Blocked::AnyRequest if self.any.contains(&slot) => {
                self.close(slot);
                true
            }
            Blocked::AllRequests if self.pending == 0 => {
                self.close_all();
                true
            }
            _ => false,
        };
        if goes_on && request.activity == PROGRAM {
            self.waited_for = request.purpose;
        }
        goes_on.then_some(request.activity)
    }

    /// Waits for a request; returns whether it is complete already.
    pub fn wait(&mut self, activity: u32, slot: u32) -> bool {
        if self.requests[slot].done {
            self.close(slot);
            return true;
        }
        self.block(activity, Blocked::Request(slot));
        false
    }

    /// Waits for one of several requests of the program; returns whether one is complete already. Forgets the first
    /// that is, or all of them.
    pub fn wait_any(&mut self, names: &[RequestId], all: bool) -> bool {
        self.any.clear();
        let mut forgets = false;
        for &name in names {
            // One that is forgotten has no name any more, so that a list may name it twice.
            let Some(&slot) = self.names.get(&(PROGRAM, false, name)) else { continue };
            if !self.requests[slot].done {
                self.any.push(slot);
            } else if all || !forgets {
                self.close(slot);
                forgets = true;
            }
        }
        let goes_on = forgets || self.any.is_empty();
        if !goes_on {
            self.block(PROGRAM, Blocked::AnyRequest);
        }
        goes_on
    }

    /// Waits for all requests of the program; returns whether they are complete already.
    pub fn wait_all(&mut self) -> bool {
        if self.pending == 0 {
            self.close_all();
            return true;
        }
        self.block(PROGRAM, Blocked::AllRequests);
        false
    }

    /// Waits for a message that a receive would take; returns whether one has arrived.
    pub fn probe(&mut self, from: Option<u32>, tag: Option<u32>, comm: CommId) -> bool {
        let context = Context::of(comm);
        let wanted = Posted { from, tag, context, request: 0 };
        if self.matcher.has(&wanted) {
            return true;
        }
        let slot = self.open(PROGRAM, context, Waiter::Operation, Purpose::Probe { from, tag });
        self.probe = Some((slot, wanted));
        self.wait(PROGRAM, slot)
    }

    /// Returns the request of a probe whose message has arrived; once.
    pub fn probed(&mut self) -> Option<u32> {
        let (slot, _) = self.probe.take_if(|(_, wanted)| self.matcher.has(wanted))?;
        Some(slot)
    }

    /// Finds an open request of an activity by its name.
    pub fn find(&self, activity: u32, name: RequestId) -> Option<u32> {
        self.names.get(&(activity, !self.is_in_program(activity), name)).copied()
    }

    /// Keeps a send that waits for its receiver.
    pub fn hold(&mut self, send: LargeSend) -> u32 {
        self.large_sends.insert(send)
    }

    /// Returns a held send.
    pub fn held(&mut self, send: u32) -> &mut LargeSend {
        &mut self.large_sends[send]
    }

    /// Forgets a held send, whose data has left, and returns it.
    pub fn release(&mut self, send: u32) -> LargeSend {
        self.large_sends.remove(send);
        self.large_sends[send]
    }

    /// Returns the number of operations of the program that it has begun; those within collectives do not count.
    pub fn operations_begun(&self) -> u64 {
        self.before + self.next.min(self.program.len()) as u64
    }

    /// Counts operations of the program as begun that are left out.
    pub(super) fn skip_operations(&mut self, operations: u64) {
        self.before += operations;
    }

    /// Returns the operation of the program that it has begun last.
    pub fn operation(&self) -> Option<&Operation> {
        self.program.get(self.next.checked_sub(1)?)
    }

    /// Returns whether the rank waits for any of several requests.
    pub fn waits_for_any(&self) -> bool {
        self.activities[PROGRAM as usize].blocked == Blocked::AnyRequest && self.any.len() > 1
    }

    /// Returns the requests for which the rank waits: for every one of them, or for any.
    pub fn waits(&self) -> impl Iterator<Item = &Request> {
        let of_program = |&slot: &u32| {
            let request = &self.requests[slot];
            !request.done && Self::is_of_program(request)
        };
        let mut slots: Vec<u32> = match self.activities[PROGRAM as usize].blocked {
            Blocked::Busy | Blocked::Finished => Vec::new(),
            Blocked::Request(slot) => vec![slot],
            Blocked::AnyRequest => self.any.clone(),
            Blocked::AllRequests => self.names.values().copied().filter(of_program).collect(),
        };
        slots.sort_unstable();
        slots.into_iter().map(|slot| {
            let request = &self.requests[slot];
            // The program waits for a collective as long as the collective's activity waits.
            match request.purpose {
                Purpose::Collective(activity) => match self.activities[activity as usize].blocked {
                    Blocked::Request(slot) => &self.requests[slot],
                    _ => request,
                },
                _ => request,
            }
        })
    }

    fn close(&mut self, slot: u32) {
        let request = self.requests[slot];
        if let Waiter::Named(name) = request.waiter {
            let name = (request.activity, request.context.collective != 0, name);
            // The name may have been given again.
            if self.names.get(&name) == Some(&slot) {
                self.names.remove(&name);
            }
        }
        self.requests.remove(slot);
    }

    fn close_all(&mut self) {
        let requests = &mut self.requests;
        self.names.retain(|_, &mut slot| {
            let request = requests[slot];
            let closes = request.done && request.activity == PROGRAM && request.context.collective == 0;
            if closes {
                requests.remove(slot);
            }
            !closes
        });
    }
}
