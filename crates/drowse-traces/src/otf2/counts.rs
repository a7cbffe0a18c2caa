//! What an archive holds: its events by their names, and a hash of them.

use std::collections::BTreeMap;

use super::events::Event;
use crate::files::{FNV_OFFSET, fnv1a};

/// What is counted on the way.
pub(super) struct Counts {
    /// By [`index`].
    events: [u64; NAMES.len()],
    pub hash: u64,
    /// Events of threads that are no ranks.
    pub threads: u64,
    /// Calls, by name; those whose data is split evenly, and exclusive scans.
    pub collectives: BTreeMap<&'static str, u64>,
    pub split: u64,
    pub exclusive: u64,
}

/// The names of events, by [`index`].
const NAMES: [&str; 14] = [
    "enter",
    "leave",
    "send",
    "isend",
    "isend complete",
    "irecv request",
    "recv",
    "irecv",
    "request cancelled",
    "collective begin",
    "collective end",
    "icollective request",
    "icollective complete",
    "other",
];

/// Returns the place of an event's name.
const fn index(event: &Event) -> usize {
    match event {
        Event::Enter(_) => 0,
        Event::Leave(_) => 1,
        Event::Send(_) => 2,
        Event::Isend(..) => 3,
        Event::IsendComplete(_) => 4,
        Event::IrecvRequest(_) => 5,
        Event::Recv(_) => 6,
        Event::Irecv(..) => 7,
        Event::Cancelled(_) => 8,
        Event::CollectiveBegin => 9,
        Event::CollectiveEnd(_) => 10,
        Event::IcollectiveRequest(_) => 11,
        Event::IcollectiveComplete(..) => 12,
        Event::Other => 13,
    }
}

impl Counts {
    /// Begins to count.
    pub fn new() -> Self {
        let (events, collectives) = ([0; NAMES.len()], BTreeMap::new());
        Counts { events, hash: FNV_OFFSET, threads: 0, collectives, split: 0, exclusive: 0 }
    }

    /// Counts an event.
    pub fn add(&mut self, ticks: u64, event: &Event) {
        self.events[index(event)] += 1;
        let (first, second) = match *event {
            Event::Enter(region) | Event::Leave(region) => (region.into(), 0),
            Event::Send(message) | Event::Recv(message) => (message.peer.into(), message.bytes),
            Event::Isend(message, id) | Event::Irecv(message, id) => (message.bytes, id),
            Event::CollectiveEnd(of) | Event::IcollectiveComplete(of, _) => (of.sent, of.received),
            Event::IsendComplete(id)
            | Event::IrecvRequest(id)
            | Event::Cancelled(id)
            | Event::IcollectiveRequest(id) => (id, 0),
            Event::CollectiveBegin => (0, 0),
            Event::Other => return,
        };
        let bytes = [ticks, first, second].map(u64::to_le_bytes);
        let hash = bytes.as_flattened().iter().fold(self.hash, |hash, &byte| fnv1a(hash, byte));
        self.hash = NAMES[index(event)].bytes().fold(hash, fnv1a);
    }

    /// Returns the numbers of events, by name.
    pub fn events(&self) -> impl Iterator<Item = (&'static str, u64)> {
        NAMES.into_iter().zip(self.events).filter(|&(_, count)| count > 0)
    }
}
