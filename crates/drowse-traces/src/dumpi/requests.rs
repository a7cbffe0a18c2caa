//! The requests of a rank: which operation a handle means, and what a call completes.
//!
//! Handles are those of the MPI library. They are used again once a request is complete, and libraries may give one
//! handle to several sends that were complete at once.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::functions::id;
use super::record::Record;

/// The handle of no request; smaller ones are none, either.
const NULL: i32 = 1;

/// What a handle stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    /// Its number among all requests of the rank.
    pub number: u32,
    /// Its order among those with a handle, from 0.
    pub order: u32,
    /// Whether it is a send.
    pub is_send: bool,
    /// Whether the simulation knows it. It does not know those without a peer.
    pub is_real: bool,
}

/// One side of a message, as a call gives it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub function: u16,
    pub count: i64,
    pub datatype: u16,
    pub peer: i64,
    pub tag: i64,
    pub comm: u16,
}

impl Side {
    /// Reads that of a call that sends or receives: count, datatype, peer, tag and communicator.
    pub fn of(record: &Record) -> Self {
        Side {
            function: record.function,
            count: record.number(0),
            datatype: record.handle(1),
            peer: record.number(2),
            tag: record.number(3),
            comm: record.comm(),
        }
    }
}

/// The requests of a rank.
#[derive(Default)]
pub(crate) struct Requests {
    next: u32,
    /// How many have been started that have a handle.
    started: u32,
    pending: FxHashMap<i32, Pending>,
    /// How many are pending that the simulation knows.
    real: u32,
    persistent: FxHashMap<i32, Side>,
}

/// The requests of one handle, the oldest first.
struct Pending {
    first: Started,
    others: VecDeque<Started>,
}

impl Requests {
    /// Returns the number of a request that no handle stands for.
    pub fn fresh(&mut self) -> u32 {
        let number = self.next;
        self.next = number.wrapping_add(1);
        number
    }

    /// Starts a request; returns its number.
    pub fn start(&mut self, handle: i32, is_send: bool, is_real: bool) -> u32 {
        let started = Started { number: self.fresh(), order: self.started, is_send, is_real };
        self.started = self.started.wrapping_add(1);
        self.real += u32::from(is_real);
        match self.pending.get_mut(&handle) {
            Some(pending) if is_send && pending.first.is_send => pending.others.push_back(started),
            // It was completed by a call that the trace does not hold.
            Some(pending) => {
                let forgotten = pending.others.iter().chain([&pending.first]).filter(|old| old.is_real).count();
                self.real -= forgotten as u32;
                *pending = Pending { first: started, others: VecDeque::new() };
            }
            None => drop(self.pending.insert(handle, Pending { first: started, others: VecDeque::new() })),
        }
        started.number
    }

    /// Completes the oldest request of a handle. Returns `None` if there is none.
    pub fn complete(&mut self, handle: i32) -> Option<Started> {
        let pending = self.pending.get_mut(&handle)?;
        let started = match pending.others.pop_front() {
            Some(next) => std::mem::replace(&mut pending.first, next),
            None => self.pending.remove(&handle)?.first,
        };
        self.real -= u32::from(started.is_real);
        Some(started)
    }

    /// Returns how many requests with a handle have been started.
    pub fn started(&self) -> u32 {
        self.started
    }

    /// Returns the number of pending requests that the simulation knows.
    pub fn pending(&self) -> u32 {
        self.real
    }

    /// Keeps what a persistent request does.
    pub fn keep(&mut self, handle: i32, side: Side) {
        self.persistent.insert(handle, side);
    }

    /// Returns what a persistent request does.
    pub fn kept(&self, handle: i32) -> Option<Side> {
        self.persistent.get(&handle).copied()
    }

    /// Forgets a persistent request.
    pub fn free(&mut self, handle: i32) {
        self.persistent.remove(&handle);
    }
}

/// Calls `visit` with each request that a call completes, and whether it was cancelled.
pub(crate) fn completed(record: &Record, mut visit: impl FnMut(i32, bool)) {
    let cancelled = |place: usize| record.statuses.get(place).is_some_and(|status| status.cancelled);
    let mut visit = |handle: i32, place: usize| {
        if handle > NULL {
            visit(handle, cancelled(place));
        }
    };
    let requests = record.list(0);
    let chosen = |index: i64| usize::try_from(index).ok().and_then(|index| requests.get(index).copied());
    match record.function {
        id::WAIT => visit(record.number(0) as i32, 0),
        id::TEST if record.number(1) != 0 => visit(record.number(0) as i32, 0),
        // Numbers: count, index and, for a test, flag.
        id::WAITANY => chosen(record.number(1)).into_iter().for_each(|handle| visit(handle, 0)),
        id::TESTANY if record.number(2) != 0 => {
            chosen(record.number(1)).into_iter().for_each(|handle| visit(handle, 0));
        }
        id::WAITALL => requests.iter().zip(0..).for_each(|(&handle, place)| visit(handle, place)),
        id::TESTALL if record.number(1) != 0 => {
            requests.iter().zip(0..).for_each(|(&handle, place)| visit(handle, place));
        }
        id::WAITSOME | id::TESTSOME => {
            for (place, &index) in record.list(1).iter().enumerate() {
                chosen(i64::from(index)).into_iter().for_each(|handle| visit(handle, place));
            }
        }
        _ => {}
    }
}

/// Returns whether a call is a test that completes nothing.
pub(crate) fn is_failed_test(record: &Record) -> bool {
    match record.function {
        id::TEST | id::TESTALL => record.number(1) == 0,
        id::TESTANY => record.number(2) == 0,
        id::TESTSOME => record.list(1).is_empty(),
        // Numbers: source, tag, communicator, flag.
        id::IPROBE => record.number(3) == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_may_stand_for_several_sends() {
        let mut requests = Requests::default();
        let sends = [requests.start(7, true, true), requests.start(7, true, true)];
        let receive = requests.start(9, false, false);
        assert_eq!(requests.pending(), 2);
        assert_eq!(sends.map(|_| requests.complete(7).map(|started| started.number)), sends.map(Some));
        assert_eq!((requests.complete(7), requests.pending()), (None, 0));
        assert_eq!(requests.complete(9), Some(Started { number: receive, order: 2, is_send: false, is_real: false }));
    }

    #[test]
    fn a_receive_takes_over_a_handle() {
        let mut requests = Requests::default();
        requests.start(7, true, true);
        let receive = requests.start(7, false, true);
        assert_eq!(requests.pending(), 1);
        assert_eq!(requests.complete(7).map(|started| started.number), Some(receive));
        assert_eq!(requests.complete(7), None);
    }
}
