//! One rank: its program, its requests, and why it waits.

use rustc_hash::FxHashMap;

use crate::model::units::Time;
use crate::workload::collectives::{self, Member};
use crate::workload::matching::Matcher;
use crate::workload::operation::{Collective, Operation, RequestId, SourceError};

use crate::engine::endpoint::job::RunningJob;

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
    /// A send that waits for its receiver.
    Send {
        /// The receiver.
        to: u32,
        /// The tag.
        tag: u32,
        /// The size.
        bytes: u64,
    },
}

/// A pending request.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The program's name for it; `None` for blocking operations, which nobody else waits for.
    id: Option<RequestId>,
    /// The collective that it is part of; 0 for the program's own.
    pub context: u32,
    /// What it is for.
    pub purpose: Purpose,
    /// It is complete.
    done: bool,
    /// The slot is in use.
    live: bool,
}

/// Why a rank does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// It computes, has not started, or its event lies in the queue.
    Busy,
    /// It waits for one of its requests.
    Request(u32),
    /// It waits for all requests of the program.
    AllRequests,
    /// It has ended.
    Finished,
}

/// A send that waits for its receiver.
#[derive(Clone, Copy, Debug)]
pub struct LargeSend {
    /// The receiving rank, in the whole simulation.
    pub to_rank: u32,
    /// The size.
    pub bytes: u64,
    /// The sender's request.
    pub request: u32,
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
    /// Why it does not go on.
    pub blocked: Blocked,
    /// Time spent computing.
    pub running: u64,
    /// Until when it is busy with the last receive.
    pub busy_until: u64,
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
    /// The collective that it is in; 0 outside.
    pub context: u32,
    program: Vec<Operation>,
    next: usize,
    /// Operations of the program before those that `program` holds.
    before: u64,
    inner: Vec<Operation>,
    inner_next: usize,
    collectives: u32,
    requests: Vec<Request>,
    free_requests: Vec<u32>,
    /// Requests of the program that are not complete.
    pending: u32,
    large_sends: Vec<LargeSend>,
    free_sends: Vec<u32>,
    /// Messages sent to each rank so far.
    orders: FxHashMap<u32, u32>,
}

impl Rank {
    /// Creates a rank that has not started.
    pub fn new(job: u32, first_rank: u32, member: Member, node: u32) -> Self {
        Rank {
            job,
            first_rank,
            member,
            node,
            blocked: Blocked::Busy,
            running: 0,
            busy_until: 0,
            finish: 0,
            iterations: 0,
            messages: 0,
            bytes: 0,
            matcher: Matcher::new(),
            context: 0,
            program: Vec::new(),
            next: 0,
            before: 0,
            inner: Vec::new(),
            inner_next: 0,
            collectives: 0,
            requests: Vec::new(),
            free_requests: Vec::new(),
            pending: 0,
            large_sends: Vec::new(),
            free_sends: Vec::new(),
            orders: FxHashMap::default(),
        }
    }

    /// Returns the next operation: of the collective that the rank is in, else of its program.
    pub fn next_operation(&mut self, job: &RunningJob) -> Result<Option<Operation>, SourceError> {
        if let Some(operation) = self.inner.get(self.inner_next) {
            self.inner_next += 1;
            return Ok(Some(operation.clone()));
        }
        self.context = 0;
        if self.next == self.program.len() {
            self.before += self.program.len() as u64;
            self.program.clear();
            self.next = 0;
            job.refill(self.member.rank, &mut self.program)?;
        }
        let operation = self.program.get(self.next).cloned();
        self.next += 1;
        Ok(operation)
    }

    /// Enters a collective: its operations come next.
    pub fn enter(&mut self, collective: &Collective) {
        self.collectives += 1;
        self.context = self.collectives;
        self.inner.clear();
        self.inner_next = 0;
        collectives::expand(collective, self.member, &mut self.inner);
    }

    /// Begins an iteration, and returns its number.
    pub fn begin_iteration(&mut self) -> u32 {
        self.iterations = self.iterations.saturating_add(1);
        self.iterations - 1
    }

    /// Computes for a time.
    pub fn compute(&mut self, time: Time) {
        self.running = self.running.saturating_add(time.0);
        self.blocked = Blocked::Busy;
    }

    /// Numbers the next message to a rank of the same job.
    pub fn next_order(&mut self, to: u32) -> u32 {
        let order = self.orders.entry(to).or_insert(0);
        *order = order.wrapping_add(1);
        order.wrapping_sub(1)
    }

    /// Opens a request; `id` is the program's name for it, if it has one.
    pub fn open(&mut self, id: Option<RequestId>, purpose: Purpose) -> u32 {
        if let Some(id) = id {
            // A request that is complete but was never waited for no longer needs its name.
            let context = self.context;
            let named = |r: &Request| r.live && r.done && r.id == Some(id) && r.context == context;
            if let Some(old) = self.requests.iter().position(named) {
                self.close(old as u32);
            }
            self.pending += u32::from(context == 0);
        }
        let request = Request { id, context: self.context, purpose, done: false, live: true };
        if let Some(slot) = self.free_requests.pop() {
            self.requests[slot as usize] = request;
            return slot;
        }
        self.requests.push(request);
        self.requests.len() as u32 - 1
    }

    /// Marks a request as complete at time `t`; returns whether the rank may go on.
    pub fn complete(&mut self, slot: u32, t: u64, receive_overhead: Time) -> bool {
        let request = &mut self.requests[slot as usize];
        request.done = true;
        if matches!(request.purpose, Purpose::Receive { .. }) {
            self.busy_until = self.busy_until.max(t + receive_overhead.0);
        }
        if request.id.is_some() && request.context == 0 {
            self.pending -= 1;
        }
        match self.blocked {
            Blocked::Request(waited) if waited == slot => {
                self.close(slot);
                true
            }
            Blocked::AllRequests if self.pending == 0 => {
                self.close_all();
                true
            }
            _ => false,
        }
    }

    /// Waits for a request; returns whether it is complete already.
    pub fn wait(&mut self, slot: u32) -> bool {
        if self.requests[slot as usize].done {
            self.close(slot);
            return true;
        }
        self.blocked = Blocked::Request(slot);
        false
    }

    /// Waits for all requests of the program; returns whether they are complete already.
    pub fn wait_all(&mut self) -> bool {
        if self.pending == 0 {
            self.close_all();
            return true;
        }
        self.blocked = Blocked::AllRequests;
        false
    }

    /// Finds an open request by the name that the program, or the collective that the rank is in, gave it.
    pub fn find(&self, id: RequestId) -> Option<u32> {
        let named = |r: &Request| r.live && r.id == Some(id) && r.context == self.context;
        self.requests.iter().position(named).map(|slot| slot as u32)
    }

    /// Keeps a send that waits for its receiver.
    pub fn hold(&mut self, send: LargeSend) -> u32 {
        if let Some(slot) = self.free_sends.pop() {
            self.large_sends[slot as usize] = send;
            return slot;
        }
        self.large_sends.push(send);
        self.large_sends.len() as u32 - 1
    }

    /// Returns a held send.
    pub fn held(&self, send: u32) -> LargeSend {
        self.large_sends[send as usize]
    }

    /// Forgets a held send, whose data has left, and returns its request.
    pub fn release(&mut self, send: u32) -> u32 {
        self.free_sends.push(send);
        self.large_sends[send as usize].request
    }

    /// Returns the number of operations of the program that it has begun; those within collectives do not count.
    pub fn operations_begun(&self) -> u64 {
        self.before + self.next.min(self.program.len()) as u64
    }

    /// Returns the operation of the program that it has begun last.
    pub fn operation(&self) -> Option<&Operation> {
        self.program.get(self.next.checked_sub(1)?)
    }

    /// Returns the requests of which the rank waits for every one.
    pub fn waits(&self) -> impl Iterator<Item = &Request> {
        self.requests.iter().enumerate().filter_map(|(slot, request)| {
            let waited = match self.blocked {
                Blocked::Busy | Blocked::Finished => false,
                Blocked::Request(waited) => slot == waited as usize,
                Blocked::AllRequests => request.live && !request.done && request.context == 0,
            };
            waited.then_some(request)
        })
    }

    fn close(&mut self, slot: u32) {
        self.requests[slot as usize].live = false;
        self.free_requests.push(slot);
    }

    fn close_all(&mut self) {
        for slot in 0..self.requests.len() as u32 {
            let request = self.requests[slot as usize];
            if request.live && request.done && request.id.is_some() && request.context == 0 {
                self.close(slot);
            }
        }
    }
}
