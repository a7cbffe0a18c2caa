//! Messages and receives of a program without time, matched as MPI matches them (4.1, section 3.5): messages of one
//! sender, tag and communicator in the order in which they are sent, receives in the order in which they are posted.

use std::collections::{BTreeMap, VecDeque};

use drowse_core::workload::communicators::CommId;
use rustc_hash::FxHashMap;

use super::rank::Party;

/// Sender and tag.
type Key = (u32, u32);

/// All messages without a receive and receives without a message.
#[derive(Default)]
pub(super) struct Matching {
    receivers: FxHashMap<(CommId, u32), Queues>,
    /// The number of the next receive or message.
    next: u64,
}

/// Those of a receiver in a communicator, each with its number.
#[derive(Default)]
struct Queues {
    messages: BTreeMap<Key, VecDeque<(u64, Party)>>,
    /// Receives of a sender and a tag.
    receives: FxHashMap<Key, VecDeque<(u64, Party)>>,
    /// Receives of any sender or tag.
    any: VecDeque<(u64, Option<u32>, Option<u32>, Party)>,
}

impl Matching {
    /// Adds a message; returns the receive that takes it, if one is posted.
    pub fn send(&mut self, comm: CommId, (from, to): (u32, u32), tag: u32, sender: Party) -> Option<Party> {
        self.next += 1;
        let queues = self.receivers.entry((comm, to)).or_default();
        let fits = |wanted: Option<u32>, found: u32| wanted.is_none_or(|wanted| wanted == found);
        let any = queues.any.iter().position(|&(_, sender, wanted, _)| fits(sender, from) && fits(wanted, tag));
        let exact = queues.receives.get(&(from, tag)).and_then(|queue| queue.front());
        let any_first = any.filter(|&place| exact.is_none_or(|&(number, _)| queues.any[place].0 < number));
        if let Some(place) = any_first {
            return queues.any.remove(place).map(|(_, _, _, party)| party);
        }
        if let Some(party) = take(queues.receives.get_mut(&(from, tag))) {
            return Some(party);
        }
        queues.messages.entry((from, tag)).or_default().push_back((self.next, sender));
        None
    }

    /// Adds a receive; returns the message that it takes, if one was sent.
    pub fn receive(
        &mut self,
        comm: CommId,
        to: u32,
        (from, tag): (Option<u32>, Option<u32>),
        receiver: Party,
    ) -> Option<Party> {
        self.next += 1;
        let found = self.find(comm, to, from, tag);
        let queues = self.receivers.entry((comm, to)).or_default();
        if let Some(key) = found {
            let message = take(queues.messages.get_mut(&key));
            if queues.messages.get(&key).is_some_and(VecDeque::is_empty) {
                queues.messages.remove(&key);
            }
            return message;
        }
        match (from, tag) {
            (Some(from), Some(tag)) => {
                queues.receives.entry((from, tag)).or_default().push_back((self.next, receiver));
            }
            _ => queues.any.push_back((self.next, from, tag, receiver)),
        }
        None
    }

    /// Finds the sender and the tag of the first message that a receive would take.
    pub fn find(&self, comm: CommId, to: u32, from: Option<u32>, tag: Option<u32>) -> Option<Key> {
        let messages = &self.receivers.get(&(comm, to))?.messages;
        if let (Some(from), Some(tag)) = (from, tag) {
            return messages.contains_key(&(from, tag)).then_some((from, tag));
        }
        let fits = |key: &Key| from.is_none_or(|from| from == key.0) && tag.is_none_or(|tag| tag == key.1);
        let first = messages.iter().filter(|(key, _)| fits(key)).filter_map(|(key, queue)| {
            let (number, _) = queue.front()?;
            Some((*number, *key))
        });
        first.min().map(|(_, key)| key)
    }
}

fn take(queue: Option<&mut VecDeque<(u64, Party)>>) -> Option<Party> {
    queue?.pop_front().map(|(_, party)| party)
}
