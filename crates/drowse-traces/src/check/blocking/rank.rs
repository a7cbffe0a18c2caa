//! Where a rank of a program without time is.

use std::collections::BTreeMap;

use drowse_core::workload::communicators::CommId;
use drowse_core::workload::operation::{Operation, OperationSource, RequestId, SendMode, SourceError};
use rustc_hash::FxHashMap;

/// Who is told that a message or a collective is complete: a blocking operation of a rank, or a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Party {
    pub rank: u32,
    /// Which of all that the rank has started.
    pub number: u64,
    pub request: Option<RequestId>,
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    /// The receive of a message that was sent.
    Send { to: u32, bytes: u64, mode: SendMode },
    /// A message, perhaps from anyone.
    Receive { from: Option<u32> },
    /// All others, or only the root, of a call of a communicator.
    Call { comm: CommId, call: u64, root: Option<u32> },
}

/// Something that has started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Started {
    pub number: u64,
    pub wants: Wants,
    pub done: bool,
}

/// Where a rank is.
#[derive(Default)]
pub(super) struct Rank {
    block: Vec<Operation>,
    next: usize,
    has_ended: bool,
    /// How many operations are done.
    pub taken: u64,
    started: u64,
    /// The blocking operation that has begun.
    pub blocking: Option<Started>,
    pub pending: BTreeMap<RequestId, Started>,
    /// The pending requests that are not done.
    pub undone: u64,
    /// By communicator, the collectives that it has called.
    pub calls: FxHashMap<CommId, u64>,
}

impl Rank {
    /// Reads the next operation, which stays the next one until it is skipped; false at the end.
    pub fn read(&mut self, rank: u32, source: &mut dyn OperationSource) -> Result<bool, SourceError> {
        if self.next == self.block.len() && !self.has_ended {
            self.block.clear();
            self.next = 0;
            source.refill(rank, &mut self.block)?;
            self.has_ended = self.block.is_empty();
        }
        Ok(!self.has_ended)
    }

    /// Returns the next operation that was read; `None` at the end.
    pub fn current(&self) -> Option<&Operation> {
        self.block.get(self.next)
    }

    pub fn skip(&mut self) {
        (self.next, self.taken) = (self.next + 1, self.taken + 1);
    }

    /// Numbers what starts next.
    pub fn number(&mut self) -> u64 {
        self.started += 1;
        self.started
    }

    /// Notes a request.
    pub fn start(&mut self, request: RequestId, started: Started) {
        self.undone += u64::from(!started.done);
        if self.pending.insert(request, started).is_some_and(|before| !before.done) {
            // A name that is used again: nothing waits for the one before.
            self.undone -= 1;
        }
    }

    /// Forgets a request.
    pub fn forget(&mut self, request: RequestId) {
        if self.pending.remove(&request).is_some_and(|started| !started.done) {
            self.undone -= 1;
        }
    }

    /// Marks what a party has started as done.
    pub fn complete(&mut self, party: Party) {
        let started = match party.request {
            None => self.blocking.as_mut(),
            Some(request) => self.pending.get_mut(&request),
        };
        if let Some(started) = started.filter(|started| started.number == party.number && !started.done) {
            started.done = true;
            self.undone -= u64::from(party.request.is_some());
        }
    }

    /// Returns whether a request is pending and not done.
    pub fn is_undone(&self, request: RequestId) -> bool {
        self.pending.get(&request).is_some_and(|started| !started.done)
    }

    /// Marks sends of the usual mode below a size as done.
    pub fn free(&mut self, eager: u64) {
        let is_free = |started: &Started| {
            !started.done
                && matches!(started.wants, Wants::Send { bytes, mode: SendMode::Standard, .. } if bytes < eager)
        };
        if let Some(started) = self.blocking.as_mut().filter(|started| is_free(started)) {
            started.done = true;
        }
        for started in self.pending.values_mut().filter(|started| is_free(started)) {
            started.done = true;
            self.undone -= 1;
        }
    }
}
