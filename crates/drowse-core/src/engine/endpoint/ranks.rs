//! Jobs of ranks on the network: programs become messages, arrivals let programs go on.
//!
//! Eager messages carry their data at once. A large one sends a request to send first; its data follows when the
//! receiver has matched it, and the send completes when its last bit has left the NIC. Matching and answers cost no
//! time at the ranks. Ranks of one node talk through memory, whose transfers do not disturb each other.

use std::ops::Range;
use std::sync::Arc;

use crate::measure::RankRecord;
use crate::model::config::NodeModel;
use crate::model::units::Time;
use crate::power::Policy;
use crate::power::runtime::Rules;
use crate::workload::collectives::Member;
use crate::workload::matching::{Envelope, Posted};
use crate::workload::operation::{MOST_BYTES, Operation, RequestId, SourceError};

use crate::engine::endpoint::job::RunningJob;
use crate::engine::endpoint::message::{Message, Purpose};
use crate::engine::endpoint::nic::Nics;
use crate::engine::endpoint::rank::{Blocked, Incoming, LargeSend, Purpose as Wait, Rank};
use crate::engine::endpoint::reporter::Reporter;
use crate::engine::event::NONE;
use crate::engine::event::node::{NodeEvent, Phase, later};
use crate::engine::switch::switches::Switches;

/// The ranks on the nodes of a partition.
pub struct Ranks {
    /// All jobs of the simulation.
    jobs: Arc<[RunningJob]>,
    ranks: Vec<Rank>,
    /// The numbers of these ranks in the whole simulation, ascending.
    numbers: Vec<u32>,
    /// The position in `ranks` of every rank of the simulation that is here.
    positions: Vec<u32>,
    /// The node of every rank of the simulation.
    nodes: Arc<[u32]>,
    node: NodeModel,
    /// Reports them to the runtime system, if there is one.
    pub reporter: Option<Box<Reporter>>,
}

/// The envelope of a message, and what it is for.
#[derive(Clone, Copy)]
struct Transfer {
    from_rank: u32,
    to_rank: u32,
    order: u32,
    tag: u32,
    context: u32,
    bytes: u64,
    purpose: Purpose,
}

impl Ranks {
    /// Prepares those ranks of all jobs that are on these nodes; with rules of a runtime system, they report to it.
    pub fn new(jobs: Arc<[RunningJob]>, here: &Range<u32>, node: NodeModel, rules: Option<Rules>) -> Self {
        let nodes: Arc<[u32]> = jobs.iter().flat_map(|job| job.placement.iter().map(|node| node.0)).collect();
        let (mut ranks, mut numbers, mut first_rank) = (Vec::new(), Vec::new(), 0);
        for (number, job) in jobs.iter().enumerate() {
            let size = job.placement.len() as u32;
            for (rank, node) in (0..size).zip(&job.placement).filter(|(_, node)| here.contains(&node.0)) {
                numbers.push(first_rank + rank);
                ranks.push(Rank::new(number as u32, first_rank, Member { rank, size }, node.0));
            }
            first_rank += size;
        }
        let mut positions = vec![NONE; nodes.len()];
        (0..).zip(&numbers).for_each(|(position, &number)| positions[number as usize] = position);
        let reporter = rules.map(|rules| Box::new(Reporter::new(rules, jobs.len())));
        Ranks { jobs, ranks, numbers, positions, nodes, node, reporter }
    }

    /// Puts the start of every rank into the queue.
    pub fn start<P: Policy>(&self, switches: &mut Switches<P>) {
        for (number, rank) in self.numbers.iter().zip(&self.ranks) {
            let start = self.jobs[rank.job as usize].start;
            switches.events.put_node(NodeEvent::new(later(start.0, Time::ZERO), Phase::Resume, *number));
        }
    }

    /// Returns the rank of this number in the whole simulation; it is on one of the nodes here.
    fn rank(&mut self, number: u32) -> &mut Rank {
        let position = self.positions[number as usize] as usize;
        &mut self.ranks[position]
    }

    /// Runs a rank from time `t` until it must wait.
    pub fn resume<P: Policy>(
        &mut self,
        switches: &mut Switches<P>,
        nics: &mut Nics,
        number: u32,
        t: u64,
    ) -> Result<(), SourceError> {
        loop {
            let rank = &mut self.ranks[self.positions[number as usize] as usize];
            let Some(operation) = rank.next_operation(&self.jobs[rank.job as usize])? else {
                rank.blocked = Blocked::Finished;
                rank.finish = t.max(rank.busy_until);
                if let Some(reporter) = &mut self.reporter {
                    reporter.finished(number, t);
                }
                return Ok(());
            };
            check(&operation, rank)?;
            let goes_on = match operation {
                Operation::Iteration => {
                    let (iteration, job) = (rank.begin_iteration(), rank.job);
                    let reporter = self.reporter.as_mut();
                    let busy = reporter.map_or(Time::ZERO, |told| told.iteration(job, number, iteration, t));
                    rank.compute_from(switches, number, busy, t)
                }
                Operation::Compute(time) => rank.compute_from(switches, number, time, t),
                Operation::Send { to, tag, bytes } => {
                    match self.send(switches, nics, number, (to, tag, bytes), None, t) {
                        Some(request) => self.rank(number).wait(request),
                        None => true,
                    }
                }
                Operation::Isend { to, tag, bytes, request } => {
                    self.send(switches, nics, number, (to, tag, bytes), Some(request), t);
                    true
                }
                Operation::Recv { from, tag } => {
                    let request = self.receive(switches, nics, number, from, tag, None, t);
                    self.rank(number).wait(request)
                }
                Operation::Irecv { from, tag, request } => {
                    self.receive(switches, nics, number, from, tag, Some(request), t);
                    true
                }
                Operation::Wait { request } => rank.find(request).is_none_or(|slot| rank.wait(slot)),
                Operation::WaitAll => rank.wait_all(),
                Operation::Collective(collective) => {
                    rank.enter(&collective);
                    true
                }
            };
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Starts a send; returns the request to wait for, unless the send is complete.
    fn send<P: Policy>(
        &mut self,
        switches: &mut Switches<P>,
        nics: &mut Nics,
        number: u32,
        (to, tag, bytes): (u32, u32, u64),
        id: Option<RequestId>,
        t: u64,
    ) -> Option<u32> {
        let eager_limit = self.node.eager_limit.0;
        let rank = self.rank(number);
        rank.messages += 1;
        rank.bytes = rank.bytes.saturating_add(bytes);
        let (to_rank, order, context) = (rank.first_rank + to, rank.next_order(to), rank.context);
        let transfer = Transfer { from_rank: number, to_rank, order, tag, context, bytes, purpose: Purpose::Eager };
        if bytes < eager_limit {
            self.post(switches, nics, transfer, t);
            return None;
        }
        let request = rank.open(id, Wait::Send { to, tag, bytes });
        let send = rank.hold(LargeSend { to_rank, bytes, request });
        let purpose = Purpose::ReadyToSend { send, bytes };
        self.post(switches, nics, Transfer { bytes: 0, purpose, ..transfer }, t);
        Some(request)
    }

    /// Posts a receive and returns its request.
    #[expect(clippy::too_many_arguments, reason = "a receive and the parts of the machine that it touches")]
    fn receive<P: Policy>(
        &mut self,
        switches: &mut Switches<P>,
        nics: &mut Nics,
        number: u32,
        from: Option<u32>,
        tag: Option<u32>,
        id: Option<RequestId>,
        t: u64,
    ) -> u32 {
        let rank = self.rank(number);
        let request = rank.open(id, Wait::Receive { from, tag });
        let context = rank.context;
        if let Some(message) = rank.matcher.post(Posted { from, tag, context, request }) {
            self.matched(switches, nics, number, request, message.payload, t);
        }
        request
    }

    /// Joins a receive with its message.
    fn matched<P: Policy>(
        &mut self,
        switches: &mut Switches<P>,
        nics: &mut Nics,
        number: u32,
        request: u32,
        what: Incoming,
        t: u64,
    ) {
        match what {
            Incoming::Eager(id) => {
                let message = &mut nics.messages[id];
                if message.packets_left == 0 && message.done_at <= t {
                    nics.messages.remove(id);
                    self.complete(switches, number, request, t);
                } else {
                    message.receive = request;
                }
            }
            Incoming::Large { from_rank, send } => {
                let purpose = Purpose::ClearToSend { send, receive: request };
                let transfer =
                    Transfer { from_rank: number, to_rank: from_rank, order: 0, tag: 0, context: 0, bytes: 0, purpose };
                self.post(switches, nics, transfer, t);
            }
        }
    }

    /// Sends a message through the network or through memory.
    fn post<P: Policy>(&mut self, switches: &mut Switches<P>, nics: &mut Nics, transfer: Transfer, t: u64) {
        let (from_node, to_node) = (self.nodes[transfer.from_rank as usize], self.nodes[transfer.to_rank as usize]);
        let sequence = nics.next_sequence(from_node);
        let mut message = Message {
            created: t,
            bytes: transfer.bytes,
            to_node,
            from_rank: transfer.from_rank,
            to_rank: transfer.to_rank,
            order: transfer.order,
            tag: transfer.tag,
            context: transfer.context,
            measured: matches!(transfer.purpose, Purpose::Eager | Purpose::Data { .. }),
            ..Message::new(from_node, sequence, transfer.purpose)
        };
        if from_node != to_node {
            if let Some(reporter) = &mut self.reporter {
                let sender = &self.ranks[self.positions[transfer.from_rank as usize] as usize];
                reporter.message(sender.job, sender.iterations, (from_node, to_node), t);
            }
            let id = nics.messages.insert(message);
            return nics.send(switches, id, t);
        }
        let transfer = self.node.memory_bandwidth.transfer_time(message.bytes);
        message.done_at = later(t, self.node.memory_latency.saturating_add(transfer));
        let id = nics.messages.insert(message);
        switches.events.put_node(message.event(Phase::Delivered, id));
    }

    /// Matches the transfer of a message at its receiver.
    pub fn arrived<P: Policy>(&mut self, switches: &mut Switches<P>, nics: &mut Nics, id: u32, t: u64) {
        let message = &mut nics.messages[id];
        if std::mem::replace(&mut message.arrived, true) {
            return;
        }
        let message = *message;
        let what = match message.purpose {
            Purpose::ReadyToSend { send, .. } => Incoming::Large { from_rank: message.from_rank, send },
            _ => Incoming::Eager(id),
        };
        let receiver = self.rank(message.to_rank);
        let from = message.from_rank - receiver.first_rank;
        let arrived = Envelope { from, tag: message.tag, context: message.context, payload: what };
        let mut matches = Vec::new();
        receiver.matcher.arrive(message.order, arrived, |request, what| matches.push((request, what)));
        for (request, what) in matches {
            self.matched(switches, nics, message.to_rank, request, what, t);
        }
    }

    /// Acts on a message that has arrived whole.
    pub fn delivered<P: Policy>(&mut self, switches: &mut Switches<P>, nics: &mut Nics, id: u32, t: u64) {
        let message = nics.messages[id];
        match message.purpose {
            Purpose::Load => {}
            Purpose::Eager => {
                if !message.arrived {
                    return self.arrived(switches, nics, id, t);
                }
                // A message that no receive has taken stays until one does.
                if message.receive != NONE {
                    nics.messages.remove(id);
                    self.complete(switches, message.to_rank, message.receive, t);
                }
            }
            Purpose::ReadyToSend { .. } => {
                self.arrived(switches, nics, id, t);
                nics.messages.remove(id);
            }
            Purpose::ClearToSend { send, receive } => {
                nics.messages.remove(id);
                let held = self.rank(message.to_rank).held(send);
                let purpose = Purpose::Data { send, receive };
                let transfer = Transfer {
                    from_rank: message.to_rank,
                    to_rank: held.to_rank,
                    order: 0,
                    tag: 0,
                    context: 0,
                    bytes: held.bytes,
                    purpose,
                };
                self.post(switches, nics, transfer, t);
            }
            Purpose::Data { send, receive } => {
                nics.messages.remove(id);
                if message.from_node == message.to_node {
                    self.sent(switches, message.from_rank, send, t);
                }
                self.complete(switches, message.to_rank, receive, t);
            }
        }
    }

    /// Completes a large send whose last bit has left.
    pub fn sent<P: Policy>(&mut self, switches: &mut Switches<P>, number: u32, send: u32, t: u64) {
        let request = self.rank(number).release(send);
        self.complete(switches, number, request, t);
    }

    fn complete<P: Policy>(&mut self, switches: &mut Switches<P>, number: u32, request: u32, t: u64) {
        let overhead = self.node.receive_overhead;
        let rank = self.rank(number);
        if rank.complete(request, t, overhead) {
            rank.blocked = Blocked::Busy;
            switches.events.put_node(NodeEvent::new(t, Phase::Resume, number));
        }
    }

    /// Returns the ranks here, each with its number in the whole simulation, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Rank)> {
        self.numbers.iter().copied().zip(&self.ranks)
    }

    /// Returns the number of messages that nobody received.
    pub fn unreceived(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.matcher.unreceived() as u64).sum()
    }

    /// Returns the number of receives that no message answered.
    pub fn unanswered(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.matcher.unmatched() as u64).sum()
    }

    /// Returns the results of the ranks here, each with its number in the whole simulation.
    pub fn records(&self) -> impl Iterator<Item = (u32, RankRecord)> {
        self.numbers.iter().zip(&self.ranks).map(|(&number, rank)| {
            let record = RankRecord {
                node: rank.node,
                finish: Time(rank.finish),
                running: Time(rank.running),
                messages: rank.messages,
                bytes: rank.bytes,
            };
            (number, record)
        })
    }
}

/// Refuses messages of the program that are too long, peers and roots that the job does not have, and lists of sizes
/// for other numbers of ranks.
fn check(operation: &Operation, rank: &Rank) -> Result<(), SourceError> {
    // What a collective forwards may be longer.
    if rank.context == 0 && operation.largest() > MOST_BYTES {
        let (me, bytes) = (rank.member.rank, operation.largest());
        let reason = format!("rank {me} sends {bytes} B at once; the most is {MOST_BYTES} B (32 GiB): send less");
        return Err(SourceError(reason));
    }
    check_peers(operation, rank)
}

/// Refuses peers and roots that the job does not have, and lists of sizes for other numbers of ranks.
fn check_peers(operation: &Operation, rank: &Rank) -> Result<(), SourceError> {
    let ranks = rank.member.size;
    let peer = match operation {
        Operation::Send { to, .. } | Operation::Isend { to, .. } => Some(*to),
        Operation::Recv { from, .. } | Operation::Irecv { from, .. } => *from,
        Operation::Collective(collective) => {
            if let Some(sizes) = collective.sizes().filter(|sizes| sizes.len() != ranks as usize) {
                let (me, given) = (rank.member.rank, sizes.len());
                let reason = format!("rank {me} lists sizes for {given} ranks, but the job has {ranks}: {operation:?}");
                return Err(SourceError(reason));
            }
            collective.root()
        }
        _ => None,
    };
    match peer {
        Some(peer) if peer >= ranks => Err(SourceError(format!(
            "rank {} names rank {peer}, but the job has {ranks} ranks: {operation:?}",
            rank.member.rank
        ))),
        _ => Ok(()),
    }
}

impl Rank {
    /// Computes for a time from `t` on; returns whether the rank goes on at once, because the time is zero.
    fn compute_from<P: Policy>(&mut self, switches: &mut Switches<P>, number: u32, time: Time, t: u64) -> bool {
        if time == Time::ZERO {
            return true;
        }
        self.compute(time);
        let start = t.max(self.busy_until);
        switches.events.put_node(NodeEvent::new(later(start, time), Phase::Resume, number));
        false
    }
}
