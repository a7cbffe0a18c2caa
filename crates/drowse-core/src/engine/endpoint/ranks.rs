//! Jobs of ranks on the network: programs become messages, arrivals let programs go on.
//!
//! Eager messages carry their data at once. A large one sends a request to send first; its data follows when the
//! receiver has matched it, and the send completes when its last bit has left the NIC. Matching and answers cost no
//! time at the ranks. Ranks of one node talk through memory, whose transfers do not disturb each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::measure::Carried;
use crate::measure::series::Series;
use crate::measure::timeline::Excerpt;
use crate::measure::wakes::CauseLog;
use crate::model::config::{NodeModel, Overheads};
use crate::model::ids::NodeId;
use crate::model::units::Time;
use crate::power::runtime::Rules;
use crate::workload::check::check;
use crate::workload::collectives::Member;
use crate::workload::communicators::CommId;
use crate::workload::matching::{Context, Envelope, Posted};
use crate::workload::operation::{Operation, SendMode, SourceError};
use crate::workload::scheduler::Start;

use crate::engine::endpoint::chain::DependencyChain;
use crate::engine::endpoint::fabric::Fabric;
use crate::engine::endpoint::ids::{ActivityOf, RequestOf, SendOf};
use crate::engine::endpoint::job::RunningJob;
use crate::engine::endpoint::large_send::LargeSend;
use crate::engine::endpoint::marks::Marks;
use crate::engine::endpoint::message::{Message, Purpose};
use crate::engine::endpoint::processor::Gap;
use crate::engine::endpoint::rank::{Blocked, Incoming, PROGRAM, Purpose as Wait, Rank, Waiter};
use crate::engine::endpoint::rank_end::RankEnd;
use crate::engine::endpoint::reporter::{NodePair, Reporter};
use crate::engine::endpoint::wake_delay_reports::WakeDelayReports;
use crate::engine::event::node::{NodeEvent, Phase, later};
use crate::engine::event::outstanding::Group;
use crate::engine::event::{Events, NONE};
use crate::engine::partition::Spans;

/// The ranks on the nodes of a partition.
pub struct Ranks {
    /// All jobs of the simulation.
    pub(super) jobs: Arc<[RunningJob]>,
    pub(super) ranks: Vec<Rank>,
    /// The numbers of these ranks in the whole simulation.
    pub(super) numbers: Vec<u32>,
    /// The position in `ranks` of every rank of the simulation that is here.
    pub(super) positions: Vec<u32>,
    /// The node of every rank of the simulation, once it is known.
    pub(super) nodes: Vec<u32>,
    /// By job, the number of its first rank.
    pub(super) first_ranks: Vec<u32>,
    /// The nodes here.
    pub(super) here: Spans,
    pub(super) node: NodeModel,
    /// Messages cost processors or NICs something.
    has_overheads: bool,
    /// When the NIC of each node here may begin its next message; none where there are no overheads.
    pub(super) gaps: Vec<Gap>,
    /// The ranks here that have ended since these were last taken, where somebody asks.
    pub(super) ends: Option<Vec<RankEnd>>,
    /// By job, with which others what happens to its ranks is counted.
    pub(super) groups: Vec<Group>,
    /// Which ranks are recorded, where a timeline is wanted.
    pub(super) recorded: Option<Arc<Excerpt>>,
    /// Their time is counted by kind of operation.
    pub(super) counts_operations: bool,
    /// For whom they wait is recorded.
    pub(super) records_waits: bool,
    /// What led to moments of these ranks, where a probe wants that.
    pub(super) causes: Option<Box<CauseLog>>,
    /// What they do over time, where a probe wants it.
    pub(super) load: Option<Box<Series>>,
    /// Reports them to the runtime system, if there is one.
    pub reporter: Option<Box<Reporter>>,
    /// What they report to a governor, if there is one.
    pub wake_delay_reports: Option<Box<WakeDelayReports>>,
    /// Marks of iterations, where some may be extrapolated.
    pub marks: Option<Box<Marks>>,
    /// The jobs of which ranks here were stopped.
    pub stopped: BTreeSet<u32>,
}

/// What a program or a collective sends, and who waits for it.
#[derive(Clone, Copy)]
struct Send {
    to: u32,
    tag: u32,
    comm: CommId,
    mode: SendMode,
    bytes: u64,
    waiter: Waiter,
}

/// What a program or a collective receives, and who waits for it.
#[derive(Clone, Copy)]
struct Receive {
    from: Option<u32>,
    tag: Option<u32>,
    comm: CommId,
    waiter: Waiter,
}

/// The envelope of a message, and what it is for.
#[derive(Clone, Copy)]
struct Transfer {
    from_rank: u32,
    to_rank: u32,
    order: u32,
    tag: u32,
    context: Context,
    bytes: u64,
    purpose: Purpose,
    chain: DependencyChain,
}

impl Ranks {
    /// Prepares for those ranks of all jobs that are or will be on these nodes; with rules of a runtime system, they
    /// report to it.
    pub fn new(jobs: Arc<[RunningJob]>, here: Spans, node: NodeModel, rules: Option<Rules>) -> Self {
        let next = |first: &mut u32, job: &RunningJob| Some(std::mem::replace(first, *first + job.ranks));
        let first_ranks: Vec<u32> = jobs.iter().scan(0, next).collect();
        let all = jobs.iter().map(|job| job.ranks as usize).sum();
        let has_overheads = node.overheads != Overheads::NONE;
        Ranks {
            ranks: Vec::new(),
            numbers: Vec::new(),
            positions: vec![NONE; all],
            nodes: vec![NONE; all],
            first_ranks,
            has_overheads,
            gaps: vec![Gap::default(); if has_overheads { here.count() as usize } else { 0 }],
            here,
            node,
            ends: None,
            groups: Group::of_jobs(jobs.iter().map(RunningJob::is_again)),
            recorded: None,
            counts_operations: false,
            records_waits: false,
            causes: None,
            load: None,
            reporter: rules.map(|rules| Box::new(Reporter::new(rules, jobs.len()))),
            wake_delay_reports: None,
            marks: None,
            stopped: BTreeSet::new(),
            jobs,
        }
    }

    /// Prepares for what is to happen to ranks.
    pub fn prepare(&self, events: &mut Events) {
        events.outstanding.prepare(&self.groups);
    }

    /// Starts all jobs on the nodes that they are given.
    pub fn start(&mut self, events: &mut Events) {
        let jobs = Arc::clone(&self.jobs);
        for (number, job) in (0..).zip(&*jobs) {
            self.place(events, number, &job.placement, job.start);
        }
    }

    /// Starts a job that a scheduler starts.
    pub fn start_job(&mut self, events: &mut Events, start: &Start) {
        self.place(events, start.job, &start.nodes, start.at);
    }

    /// Creates the ranks of a job that are here, and puts their start into the queue.
    fn place(&mut self, events: &mut Events, job: u32, placement: &[NodeId], start: Time) {
        self.jobs[job as usize].place(placement);
        let (first_rank, size) = (self.first_ranks[job as usize], placement.len() as u32);
        let group = self.groups[job as usize];
        self.marks_start(job, size, start);
        for (rank, node) in (0..size).zip(placement) {
            let number = first_rank + rank;
            self.nodes[number as usize] = node.0;
            if self.here.contains(node.0) {
                self.positions[number as usize] = self.ranks.len() as u32;
                self.numbers.push(number);
                let member = Member { rank, size };
                let mut placed = Rank::new(job, first_rank, member, node.0, start, self.has_overheads);
                placed.group = group;
                placed.log = self.recorded.as_ref().and_then(|excerpt| self.log(excerpt, &placed));
                placed.operations = self.counts_operations.then(Box::default);
                placed.load = self.load.is_some().then(Box::default);
                placed.waits = self.records_waits.then(|| Box::new(placed.no_waits()));
                self.ranks.push(placed);
                events.put_rank(goes_on(later(start.0, Time::ZERO), number, PROGRAM), group);
                self.limit(events, number, job, start);
            }
        }
    }

    /// Returns the rank of this number in the whole simulation; it is on one of the nodes here.
    pub(super) fn rank(&mut self, number: u32) -> &mut Rank {
        let position = self.positions[number as usize] as usize;
        &mut self.ranks[position]
    }

    /// Handles an event of a rank.
    pub fn handle<F: Fabric>(&mut self, fabric: &mut F, event: NodeEvent) -> Result<(), SourceError> {
        let NodeEvent { time, phase, at, data, .. } = event;
        match phase {
            Phase::Arrived if fabric.messages()[data].comes_whole(time) => {}
            Phase::Arrived => self.arrived(fabric, data, time),
            Phase::Sent => self.sent(fabric, SendOf { number: at, send: data }, time),
            Phase::Resume => self.resume(fabric, ActivityOf { number: at, activity: data }, time)?,
            Phase::Receive => self.look(fabric, at, time),
            Phase::Stop => self.stop_at_limit(fabric, at, time),
            phase => debug_assert!(false, "{phase:?} is none of a rank"),
        }
        if self.load.is_some() && matches!(phase, Phase::Resume | Phase::Receive | Phase::Stop) {
            self.add_load(at);
        }
        Ok(())
    }

    /// Runs an activity of a rank from time `t` until it must wait.
    fn resume<F: Fabric>(&mut self, fabric: &mut F, of: ActivityOf, t: u64) -> Result<(), SourceError> {
        let ActivityOf { number, activity } = of;
        let Rank { group, job, .. } = *self.rank(number);
        fabric.events().outstanding.count(group, -1);
        if self.stopped.contains(&job) {
            return Ok(());
        }
        self.rank(number).goes_on(activity, t);
        if self.wake_delay_reports.is_some() {
            self.note_wake_delay(number, t);
        }
        loop {
            if self.has_overheads && !self.is_free(fabric, of, t) {
                return Ok(());
            }
            let rank = &mut self.ranks[self.positions[number as usize] as usize];
            let job = &self.jobs[rank.job as usize];
            if !rank.advance(activity, job)? {
                self.ended(fabric, of, t);
                return Ok(());
            }
            if rank.is_in_program(activity) {
                check(rank.current(activity), rank.member.rank, &job.communicators)?;
                rank.begins();
            }
            if self.has_overheads {
                match *rank.current(activity) {
                    Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => {
                        if !self.may_send(fabric, of, to, bytes, t) {
                            return Ok(());
                        }
                    }
                    _ => rank.processor.began = t,
                }
            }
            let rank = &mut self.ranks[self.positions[number as usize] as usize];
            let job = &self.jobs[rank.job as usize];
            let goes_on = match *rank.current(activity) {
                Operation::Iteration => {
                    if self.marks.is_some() && self.is_held(number, t) {
                        return Ok(());
                    }
                    let rank = &mut self.ranks[self.positions[number as usize] as usize];
                    let (iteration, job) = (rank.begin_iteration(), rank.job);
                    let reporter = self.reporter.as_mut();
                    let busy = reporter.map_or(Time::ZERO, |told| told.iteration(job, number, iteration, t));
                    rank.compute_from(fabric, of, busy, t)
                }
                Operation::Compute(time) => rank.compute_from(fabric, of, time, t),
                Operation::Send { to, tag, comm, mode, bytes } => {
                    let send = Send { to, tag, comm, mode, bytes, waiter: Waiter::Operation };
                    let request = self.send(fabric, of, send, t);
                    request.is_none_or(|request| self.rank(number).wait(activity, request))
                }
                Operation::Isend { to, tag, comm, mode, bytes, request } => {
                    let waiter = request.map_or(Waiter::Nobody, Waiter::Named);
                    self.send(fabric, of, Send { to, tag, comm, mode, bytes, waiter }, t);
                    true
                }
                Operation::Recv { from, tag, comm } => {
                    let receive = Receive { from, tag, comm, waiter: Waiter::Operation };
                    let request = self.receive(fabric, of, receive, t);
                    self.rank(number).wait(activity, request)
                }
                Operation::Irecv { from, tag, comm, request } => {
                    let receive = Receive { from, tag, comm, waiter: Waiter::Named(request) };
                    self.receive(fabric, of, receive, t);
                    true
                }
                Operation::Probe { from, tag, comm } => rank.probe(from, tag, comm),
                Operation::Wait { request } => {
                    rank.find(activity, request).is_none_or(|slot| rank.wait(activity, slot))
                }
                Operation::WaitAny(ref requests) => rank.wait_any(&requests.clone(), false),
                Operation::WaitSome(ref requests) => rank.wait_any(&requests.clone(), true),
                Operation::WaitAll => rank.wait_all(),
                Operation::Collective { comm, ref collective } => {
                    rank.enter(comm, &collective.clone(), job);
                    true
                }
                Operation::Icollective { comm, request, ref collective } => {
                    let started = rank.start(comm, &collective.clone(), request, job);
                    rank.starts_beside(started, t);
                    fabric.events().put_rank(goes_on(t, number, started), rank.group);
                    if self.causes.is_some() {
                        self.note_beside(number, started, t);
                    }
                    true
                }
            };
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Notes that an activity has no operation left: the program, or a collective that went on beside it.
    fn ended<F: Fabric>(&mut self, fabric: &mut F, ActivityOf { number, activity }: ActivityOf, t: u64) {
        let rank = &mut self.ranks[self.positions[number as usize] as usize];
        if activity != PROGRAM {
            let chain = rank.led_to_end(activity);
            if let Some(request) = rank.end(activity) {
                self.complete(fabric, RequestOf { number, request }, chain, t);
            }
            return;
        }
        rank.block(PROGRAM, Blocked::Finished);
        rank.busy_until_free(t);
        rank.finish = t.max(rank.busy_until);
        self.note_end(number, t);
    }

    /// Starts a send; returns the request to wait for, unless the send is complete or nobody waits for it.
    fn send<F: Fabric>(
        &mut self,
        fabric: &mut F,
        ActivityOf { number, activity }: ActivityOf,
        Send { to, tag, comm, mode, bytes, mut waiter }: Send,
        t: u64,
    ) -> Option<u32> {
        let small = bytes < self.node.eager_limit.0;
        let rank = self.rank(number);
        rank.messages += 1;
        rank.bytes = rank.bytes.saturating_add(bytes);
        let (to_rank, order, context) = (rank.first_rank + to, rank.next_order(to), rank.context(activity, comm));
        let (chain, purpose) = (rank.hands_over(activity, t), Purpose::Eager);
        let transfer = Transfer { from_rank: number, to_rank, order, tag, context, bytes, purpose, chain };
        if small && mode != SendMode::Synchronous {
            self.post(fabric, transfer, t);
            return None;
        }
        if mode == SendMode::Buffered {
            waiter = Waiter::Nobody;
        }
        let request = rank.open(activity, context, waiter, Wait::Send { to, tag, bytes });
        let send = rank.hold(LargeSend { to_rank, bytes, request, chain, left: t });
        if mode == SendMode::Ready {
            self.post(fabric, Transfer { purpose: Purpose::Ready { send }, ..transfer }, t);
        } else {
            let purpose = Purpose::ReadyToSend { send, bytes };
            self.post(fabric, Transfer { bytes: 0, purpose, ..transfer }, t);
        }
        (waiter != Waiter::Nobody).then_some(request)
    }

    /// Posts a receive and returns its request.
    fn receive<F: Fabric>(
        &mut self,
        fabric: &mut F,
        ActivityOf { number, activity }: ActivityOf,
        Receive { from, tag, comm, waiter }: Receive,
        t: u64,
    ) -> u32 {
        let rank = self.rank(number);
        let context = rank.context(activity, comm);
        let request = rank.open(activity, context, waiter, Wait::Receive { from, tag });
        let chain = rank.hands_over(activity, t);
        if let Some(message) = rank.matcher.post(Posted { from, tag, context, request }) {
            self.matched(fabric, RequestOf { number, request }, message.payload, chain, t);
        }
        request
    }

    /// Joins a receive of a rank with its message; `chain` led to that.
    fn matched<F: Fabric>(
        &mut self,
        fabric: &mut F,
        RequestOf { number, request }: RequestOf,
        what: Incoming,
        chain: DependencyChain,
        t: u64,
    ) {
        match what {
            Incoming::Eager(id) => {
                let message = &mut fabric.messages()[id];
                if message.packets_left == 0 && message.done_at <= t {
                    fabric.messages().remove(id);
                    self.received(number, id, t);
                    self.complete(fabric, RequestOf { number, request }, chain, t);
                } else {
                    message.receive = request;
                }
            }
            Incoming::Large { from_rank, send } => {
                if self.recorded.is_some() {
                    self.rank(number)
                        .log
                        .iter_mut()
                        .for_each(|log| log.matched(SendOf { number: from_rank, send }, request));
                }
                let purpose = Purpose::ClearToSend { send, receive: request };
                let transfer = Transfer {
                    from_rank: number,
                    to_rank: from_rank,
                    order: 0,
                    tag: 0,
                    context: Context::PROGRAM,
                    bytes: 0,
                    purpose,
                    chain,
                };
                self.post(fabric, transfer, t);
            }
        }
    }

    /// Sends a message through the network or through memory.
    fn post<F: Fabric>(&mut self, fabric: &mut F, transfer: Transfer, t: u64) {
        let group = self.rank(transfer.from_rank).group;
        fabric.events().outstanding.count(group, 1);
        let (from_node, to_node) = (self.nodes[transfer.from_rank as usize], self.nodes[transfer.to_rank as usize]);
        let sequence = fabric.next_sequence(from_node);
        let mut message = Message {
            created: t,
            bytes: transfer.bytes,
            to_node,
            from_rank: transfer.from_rank,
            to_rank: transfer.to_rank,
            order: transfer.order,
            tag: transfer.tag,
            context: transfer.context,
            measured: transfer.purpose.is_eager() || transfer.purpose.completes().is_some(),
            ..Message::new(from_node, sequence, transfer.purpose)
        };
        if from_node != to_node {
            if let Some(reporter) = &mut self.reporter {
                let sender = &self.ranks[self.positions[transfer.from_rank as usize] as usize];
                let nodes = NodePair { from: from_node, to: to_node };
                reporter.message(sender.job, sender.iterations, nodes, t);
            }
            let id = fabric.messages().insert_led(message, transfer.chain);
            return fabric.send(id, t);
        }
        let memory = self.node.memory_bandwidth.transfer_time(message.bytes);
        message.done_at = later(t, self.node.memory_latency.saturating_add(memory));
        let id = fabric.messages().insert_led(message, transfer.chain);
        fabric.events().put_node(message.event(Phase::Delivered, id));
    }

    /// Matches the transfer of a message at its receiver.
    fn arrived<F: Fabric>(&mut self, fabric: &mut F, id: u32, t: u64) {
        let message = &mut fabric.messages()[id];
        if std::mem::replace(&mut message.arrived, true) {
            return;
        }
        let message = *message;
        let what = match message.purpose {
            Purpose::ReadyToSend { send, .. } => Incoming::Large { from_rank: message.from_rank, send },
            _ => Incoming::Eager(id),
        };
        let (receiver, chain) = (self.rank(message.to_rank), fabric.messages().chain_to(id, t));
        if let (Some(log), Incoming::Large { send, .. }) = (&mut receiver.log, what) {
            log.asked(send, &message);
        }
        let from = message.from_rank - receiver.first_rank;
        let arrived = Envelope { from, tag: message.tag, context: message.context, payload: what };
        let mut matches = Vec::new();
        receiver.matcher.arrive(message.order, arrived, |request, what| matches.push((request, what)));
        let probed = receiver.probed();
        for (request, what) in matches {
            self.matched(fabric, RequestOf { number: message.to_rank, request }, what, chain, t);
        }
        if let Some(request) = probed {
            self.complete(fabric, RequestOf { number: message.to_rank, request }, chain, t);
        }
    }

    /// Acts on a message that has arrived whole.
    pub fn delivered<F: Fabric>(&mut self, fabric: &mut F, id: u32, t: u64) {
        let message = fabric.messages()[id];
        let receiver = self.rank(message.to_rank);
        fabric.events().outstanding.count(receiver.group, -1);
        if message.slept > 0 && self.causes.is_some() {
            self.note_delayed(&message, t);
        }
        if self.recorded.is_some() && !message.handled {
            let receiver = self.rank(message.to_rank);
            receiver.log.iter_mut().for_each(|log| log.delivered(id, &message, t));
        }
        if self.has_overheads && message.purpose.has_data() && !message.handled {
            self.left_by_memory(fabric, &message, t);
            return self.await_processor(fabric, id, t);
        }
        match message.purpose {
            Purpose::Load | Purpose::Notification(_) => {}
            Purpose::Eager | Purpose::Ready { .. } => {
                if !message.arrived {
                    self.arrived(fabric, id, t);
                    return self.left_by_memory(fabric, &message, t);
                }
                // A message that no receive has taken stays until one does.
                if message.receive != NONE {
                    let chain = fabric.messages().chain_to(id, t);
                    fabric.messages().remove(id);
                    self.received(message.to_rank, id, t);
                    self.complete(fabric, RequestOf { number: message.to_rank, request: message.receive }, chain, t);
                }
            }
            Purpose::ReadyToSend { .. } => {
                self.arrived(fabric, id, t);
                fabric.messages().remove(id);
            }
            Purpose::ClearToSend { send, receive } => {
                let chain = fabric.messages().chain_to(id, t);
                fabric.messages().remove(id);
                let held = self.rank(message.to_rank).held(send);
                (held.chain, held.left) = (chain, t);
                let held = *held;
                let purpose = Purpose::Data { send, receive };
                let transfer = Transfer {
                    from_rank: message.to_rank,
                    to_rank: held.to_rank,
                    order: 0,
                    tag: 0,
                    context: Context::PROGRAM,
                    bytes: held.bytes,
                    purpose,
                    chain,
                };
                self.post(fabric, transfer, t);
            }
            Purpose::Data { receive, .. } => {
                let chain = fabric.messages().chain_to(id, t);
                fabric.messages().remove(id);
                self.received(message.to_rank, id, t);
                self.left_by_memory(fabric, &message, t);
                self.complete(fabric, RequestOf { number: message.to_rank, request: receive }, chain, t);
            }
        }
    }

    /// Completes the large send of a message that has gone through memory, which leaves as it arrives.
    fn left_by_memory<F: Fabric>(&mut self, fabric: &mut F, message: &Message, t: u64) {
        let leaves = message.from_node == message.to_node && !message.handled;
        if let Some(send) = message.purpose.completes().filter(|_| leaves) {
            self.sent(fabric, SendOf { number: message.from_rank, send }, t);
        }
    }

    /// Completes a large send of a rank whose last bit has left.
    fn sent<F: Fabric>(&mut self, fabric: &mut F, SendOf { number, send }: SendOf, t: u64) {
        let LargeSend { to_rank, request, chain, left, .. } = self.rank(number).release(send);
        let slept = fabric.wake_delay_of_send(number, send);
        let nodes = [number, to_rank].map(|rank| self.nodes[rank as usize]);
        let carried = Carried { within_node: nodes[0] == nodes[1], slept: Time(slept) };
        self.complete(fabric, RequestOf { number, request }, chain.carried(Time(t - left), carried), t);
    }

    /// Completes a request of a rank; `chain` led to that.
    fn complete<F: Fabric>(
        &mut self,
        fabric: &mut F,
        RequestOf { number, request }: RequestOf,
        chain: DependencyChain,
        t: u64,
    ) {
        let overhead = self.node.receive_overhead;
        let rank = self.rank(number);
        if let Some(activity) = rank.complete(request, t, overhead) {
            rank.follow(activity, chain, t);
            rank.block(activity, Blocked::Busy);
            fabric.events().put_rank(goes_on(t, number, activity), rank.group);
            if self.causes.is_some() {
                self.note_cause(number, activity, chain.sent, t);
            }
        }
    }
}

/// Creates the event at which an activity of a rank goes on.
pub(super) const fn goes_on(time: u64, rank: u32, activity: u32) -> NodeEvent {
    NodeEvent { time, phase: Phase::Resume, at: rank, from: 0, sequence: activity, data: activity }
}
