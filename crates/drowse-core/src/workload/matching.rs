//! MPI matching at one rank: pairs posted receives with the envelopes of arrived messages, in the order that MPI
//! prescribes.
//!
//! An envelope holds the sender, the tag and the context of a message (MPI 4.1, section 3.2.3). Messages from one
//! sender match in the order in which they were sent, even if the network reorders them. A receive takes the first
//! envelope that fits, and an envelope the first receive that fits. Each collective has a context of its own, so its
//! messages never match receives of the program.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::communicators::{ALL, CommId};

/// Within which messages are matched: a communicator, and for each of its collectives one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Context {
    /// The communicator.
    pub comm: CommId,
    /// Which of its collectives, from 1; 0 for the messages of the program.
    pub collective: u32,
}

impl Context {
    /// That of the program's messages in the communicator of all ranks.
    pub const PROGRAM: Self = Self::of(ALL);

    /// Returns that of the program's messages in a communicator.
    pub const fn of(comm: CommId) -> Self {
        Context { comm, collective: 0 }
    }
}

/// A posted receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The sender; `None` takes any.
    pub from: Option<u32>,
    /// The tag; `None` takes any.
    pub tag: Option<u32>,
    /// The context.
    pub context: Context,
    /// The request that it completes.
    pub request: u32,
}

/// The envelope of an arrived message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope<T> {
    /// The sender.
    pub from: u32,
    /// The tag.
    pub tag: u32,
    /// The context.
    pub context: Context,
    /// What the owner of the matcher needs to know about the message.
    pub payload: T,
}

/// The matching state of one rank.
#[derive(Debug)]
pub struct Matcher<T> {
    posted: Vec<Posted>,
    unexpected: Vec<Envelope<T>>,
    senders: FxHashMap<u32, Sender<T>>,
}

/// The envelopes of one sender.
#[derive(Debug)]
struct Sender<T> {
    /// The next sequence number to match.
    next: u32,
    /// Envelopes that arrived out of order, with their sequence numbers.
    early: Vec<(u32, Envelope<T>)>,
}

impl<T: Copy> Matcher<T> {
    /// Makes a state without receives and messages.
    pub fn new() -> Self {
        Matcher { posted: Vec::new(), unexpected: Vec::new(), senders: FxHashMap::default() }
    }

    /// Posts a receive. Returns the envelope that it matches, if one has arrived.
    pub fn post(&mut self, receive: Posted) -> Option<Envelope<T>> {
        let found = self.unexpected.iter().position(|envelope| fits(&receive, envelope));
        if found.is_none() {
            self.posted.push(receive);
        }
        found.map(|position| self.unexpected.remove(position))
    }

    /// Returns whether a message has arrived that a receive would take.
    pub fn has(&self, receive: &Posted) -> bool {
        self.unexpected.iter().any(|envelope| fits(receive, envelope))
    }

    /// Accepts an envelope. `sequence` counts the messages of its sender to this rank, from 0. Calls `matched` with
    /// request and payload of each message that is now in order and matches a receive.
    pub fn arrive(&mut self, sequence: u32, envelope: Envelope<T>, mut matched: impl FnMut(u32, T)) {
        let sender = self.senders.entry(envelope.from).or_insert_with(|| Sender { next: 0, early: Vec::new() });
        if sequence != sender.next {
            sender.early.push((sequence, envelope));
            return;
        }
        let mut in_order = Some(envelope);
        while let Some(envelope) = in_order {
            match self.posted.iter().position(|receive| fits(receive, &envelope)) {
                Some(position) => matched(self.posted.remove(position).request, envelope.payload),
                None => self.unexpected.push(envelope),
            }
            sender.next = sender.next.wrapping_add(1);
            let position = sender.early.iter().position(|(sequence, _)| *sequence == sender.next);
            in_order = position.map(|p| sender.early.swap_remove(p).1);
        }
    }

    /// Returns the number of receives that no message has matched.
    pub fn unmatched(&self) -> usize {
        self.posted.len()
    }

    /// Returns the first unmatched envelope of a sender in a context.
    pub fn first_unreceived(&self, from: u32, context: Context) -> Option<&Envelope<T>> {
        self.unexpected.iter().find(|envelope| envelope.from == from && envelope.context == context)
    }

    /// Returns the number of messages that no receive has matched.
    pub fn unreceived(&self) -> usize {
        self.unexpected.len() + self.senders.values().map(|sender| sender.early.len()).sum::<usize>()
    }
}

impl<T: Copy> Default for Matcher<T> {
    fn default() -> Self {
        Self::new()
    }
}

fn fits<T>(receive: &Posted, envelope: &Envelope<T>) -> bool {
    receive.context == envelope.context
        && receive.from.is_none_or(|from| from == envelope.from)
        && receive.tag.is_none_or(|tag| tag == envelope.tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(from: u32, tag: u32, payload: char) -> Envelope<char> {
        Envelope { from, tag, context: Context::PROGRAM, payload }
    }

    fn receive(from: Option<u32>, tag: Option<u32>, request: u32) -> Posted {
        Posted { from, tag, context: Context::PROGRAM, request }
    }

    #[test]
    fn messages_of_one_sender_keep_their_order() {
        let mut matcher = Matcher::new();
        let mut matched = Vec::new();
        assert_eq!(matcher.post(receive(Some(1), Some(5), 10)), None);
        assert_eq!(matcher.post(receive(Some(1), Some(5), 11)), None);
        // The second overtakes the first in the network.
        matcher.arrive(1, envelope(1, 5, 'b'), |request, payload| matched.push((request, payload)));
        assert_eq!(matched, []);
        matcher.arrive(0, envelope(1, 5, 'a'), |request, payload| matched.push((request, payload)));
        assert_eq!(matched, [(10, 'a'), (11, 'b')]);
    }

    #[test]
    fn wildcards_take_the_first_that_fits() {
        let mut matcher = Matcher::new();
        matcher.arrive(0, envelope(3, 7, 'x'), |_, _| panic!("nothing is posted"));
        matcher.arrive(0, envelope(2, 8, 'y'), |_, _| panic!("nothing is posted"));
        assert_eq!(matcher.post(receive(None, Some(8), 1)).map(|m| m.payload), Some('y'));
        assert_eq!(matcher.unreceived(), 1);
        assert_eq!(matcher.post(receive(None, None, 2)).map(|m| m.payload), Some('x'));
    }

    #[test]
    fn contexts_never_meet() {
        let mut matcher = Matcher::new();
        assert_eq!(
            matcher.post(Posted { from: None, tag: None, context: Context { comm: 4, collective: 0 }, request: 0 }),
            None
        );
        matcher.arrive(0, envelope(1, 1, 'p'), |_, _| panic!("another context"));
        assert_eq!((matcher.unreceived(), matcher.unmatched()), (1, 1));
    }
}
