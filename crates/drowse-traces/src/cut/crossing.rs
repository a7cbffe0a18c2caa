//! Moves a cut to where nothing crosses it.
//!
//! At a cut, each rank has done some of its steps. A message that is sent before it and received after it, a request
//! that is started before it and waited for after it, and a collective that only some ranks have called before it force
//! ranks to go on. Each step is forced, so the cut where nothing is left is the first one possible, and the same
//! whatever the order of steps.

use std::collections::BTreeMap;
use std::sync::Arc;

use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Operation, RequestId};
use drowse_core::workload::operation_line::shown;
use rustc_hash::{FxHashMap, FxHashSet};

/// The sender, the receiver, the tag and the communicator of messages.
type Kind = (CommId, u32, u32, u32);

/// What crosses a cut.
pub(super) struct Crossing {
    communicators: Arc<Communicators>,
    /// Messages that are sent and not received, less receives before their message; those that are even are not kept.
    messages: FxHashMap<Kind, i64>,
    /// Messages that a receiver in a communicator has yet to receive, from all senders and with all tags.
    received: FxHashMap<(CommId, u32), i64>,
    /// Receivers that take messages of any sender or tag.
    any: FxHashSet<(CommId, u32)>,
    ranks: Vec<Rank>,
    /// The most calls of a communicator's collectives that one of its ranks has made.
    most: FxHashMap<CommId, u64>,
}

/// What crosses the cut at a rank.
#[derive(Default)]
struct Rank {
    pending: BTreeMap<RequestId, Operation>,
    /// The last probe, if no receive came after it.
    probe: Option<Operation>,
    calls: FxHashMap<CommId, u64>,
}

impl Crossing {
    pub fn new(ranks: u32, communicators: Arc<Communicators>) -> Self {
        Crossing {
            communicators,
            messages: FxHashMap::default(),
            received: FxHashMap::default(),
            any: FxHashSet::default(),
            ranks: (0..ranks).map(|_| Rank::default()).collect(),
            most: FxHashMap::default(),
        }
    }

    /// Adds an operation that is before the cut.
    pub fn add(&mut self, rank: u32, operation: &Operation) {
        match *operation {
            Operation::Send { to, tag, comm, .. } | Operation::Isend { to, tag, comm, .. } => {
                change(&mut self.messages, (comm, rank, to, tag), 1);
                change(&mut self.received, (comm, to), 1);
            }
            Operation::Recv { from, tag, comm } | Operation::Irecv { from, tag, comm, .. } => {
                change(&mut self.received, (comm, rank), -1);
                match (from, tag) {
                    (Some(from), Some(tag)) => change(&mut self.messages, (comm, from, rank, tag), -1),
                    _ => drop(self.any.insert((comm, rank))),
                }
                self.ranks[rank as usize].probe = None;
            }
            _ => {}
        }
        if let (Some(comm), true) = (operation.comm(), operation.called().is_some()) {
            let calls = self.ranks[rank as usize].calls.entry(comm).or_default();
            *calls += 1;
            let most = self.most.entry(comm).or_default();
            *most = (*most).max(*calls);
        }
        self.ranks[rank as usize].follow(operation);
    }

    /// Returns the ranks that something forces to go on, with the reason.
    pub fn forced(&self) -> BTreeMap<u32, Reason> {
        let mut forced = BTreeMap::new();
        for (rank, crossing) in (0..).zip(&self.ranks) {
            if let Some(operation) = crossing.pending.values().next().or(crossing.probe.as_ref()) {
                forced.insert(rank, Reason::Pending(operation.clone()));
            }
        }
        for (&(comm, from, to, tag), &balance) in &self.messages {
            // What is sent to a receiver of anything is counted for all messages together.
            if balance < 0 {
                forced.entry(from).or_insert(Reason::Message { from, to, tag });
            } else if !self.any.contains(&(comm, to)) {
                forced.entry(to).or_insert(Reason::Message { from, to, tag });
            }
        }
        for (&(comm, to), &balance) in &self.received {
            if balance > 0 && self.any.contains(&(comm, to)) {
                forced.entry(to).or_insert(Reason::Any { to });
            } else if balance < 0 && self.any.contains(&(comm, to)) {
                // Any rank may send it: all others go on.
                for from in (0..self.ranks.len() as u32).filter(|&from| from != to) {
                    forced.entry(from).or_insert(Reason::Any { to });
                }
            }
        }
        for (&comm, &most) in &self.most {
            let size = self.communicators.size(comm).unwrap_or(0);
            for rank in (0..size).filter_map(|place| self.communicators.rank(comm, place)) {
                let calls = self.ranks[rank as usize].calls.get(&comm).copied().unwrap_or(0);
                if calls < most {
                    forced.entry(rank).or_insert(Reason::Collective { rank });
                }
            }
        }
        forced
    }
}

/// Adds to a balance, which is not kept where it is even.
fn change<K: std::hash::Hash + Eq>(balances: &mut FxHashMap<K, i64>, key: K, by: i64) {
    match balances.entry(key) {
        std::collections::hash_map::Entry::Occupied(mut entry) => {
            *entry.get_mut() += by;
            if *entry.get() == 0 {
                entry.remove();
            }
        }
        std::collections::hash_map::Entry::Vacant(entry) => drop(entry.insert(by)),
    }
}

impl Rank {
    /// Follows the requests that are pending.
    fn follow(&mut self, operation: &Operation) {
        match operation {
            Operation::Isend { request: Some(request), .. }
            | Operation::Irecv { request, .. }
            | Operation::Icollective { request, .. } => drop(self.pending.insert(*request, operation.clone())),
            Operation::Wait { request } => drop(self.pending.remove(request)),
            // One of them is complete; which one does not matter, as all are waited for in the end.
            Operation::WaitAny(requests) => {
                let done = requests.iter().find(|request| self.pending.contains_key(request));
                done.and_then(|done| self.pending.remove(done));
            }
            // How many are complete is not known, so the program decides when it goes on.
            Operation::WaitSome(requests) => requests.iter().for_each(|request| drop(self.pending.remove(request))),
            Operation::WaitAll => self.pending.clear(),
            Operation::Probe { .. } => self.probe = Some(operation.clone()),
            _ => {}
        }
    }
}

/// Why a rank goes on.
#[derive(Clone, Debug)]
pub(super) enum Reason {
    /// A request that it has started, or a message that it has probed.
    Pending(Operation),
    /// A message is on one side at its sender and on the other at its receiver.
    Message { from: u32, to: u32, tag: u32 },
    /// The same, of some sender.
    Any { to: u32 },
    /// Others have called a collective.
    Collective { rank: u32 },
}

impl Reason {
    /// Says what crosses the cut at a rank.
    pub fn words(&self, rank: u32) -> String {
        match self {
            Reason::Pending(operation) => {
                format!("rank {rank} completes `{}` outside of its iteration", shown(operation))
            }
            Reason::Message { from, to, tag } => {
                format!("a message of rank {from} with tag {tag} is received outside of its iteration by rank {to}")
            }
            Reason::Any { to } => {
                format!("a message is received outside of its iteration by rank {to}, from any sender")
            }
            Reason::Collective { rank } => {
                format!("rank {rank} calls a collective outside of the iteration in which others call it")
            }
        }
    }
}
