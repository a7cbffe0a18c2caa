//! The mailboxes of a run on several threads: the messages of each shard for each other.

use std::mem;
use std::sync::{Mutex, PoisonError};

use drowse_core::engine::{Mailbox, Shard};
use drowse_core::power::Policy;

use super::cache_line::CacheLine;

/// The mailboxes between all shards. Messages of one window are read while those of the next are written, so each pair
/// of shards has two mailboxes.
pub struct Mailboxes {
    shards: usize,
    /// By window (even, odd), sender and receiver. Each lock is taken once in a window, by a thread that never has to
    /// wait.
    boxes: Vec<CacheLine<Mutex<Mailbox>>>,
}

impl Mailboxes {
    /// Makes empty mailboxes between so many shards.
    pub fn new(shards: usize) -> Self {
        Mailboxes { shards, boxes: (0..2 * shards * shards).map(|_| CacheLine::default()).collect() }
    }

    /// Takes the messages of a shard for all others.
    pub fn send<P: Policy>(&self, window: usize, from: usize, shard: &mut Shard<'_, P>) {
        for to in (0..self.shards).filter(|&to| to != from) {
            // The mailbox holds an empty list with the capacity to which it once grew.
            self.with(window, from, to, |messages| mem::swap(messages, shard.outbox(to)));
        }
    }

    /// Delivers the messages of all others to a shard, in the order of the senders.
    pub fn deliver<P: Policy>(&self, window: usize, to: usize, shard: &mut Shard<'_, P>) {
        for from in (0..self.shards).filter(|&from| from != to) {
            self.with(window, from, to, |messages| shard.receive(messages));
        }
    }

    /// Runs `access` on one mailbox.
    fn with(&self, window: usize, from: usize, to: usize, access: impl FnOnce(&mut Mailbox)) {
        let mailbox = &self.boxes[(window * self.shards + from) * self.shards + to].0;
        access(&mut mailbox.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
