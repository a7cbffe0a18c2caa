//! A tiny message-passing machine that runs expansions in order, with or without buffers for sent messages.

use std::collections::{BTreeMap, VecDeque};

use super::{Member, Operation};

/// A model of the data that messages carry, which expansions do not state.
pub trait Data {
    type Payload: Clone;
    /// Takes the payload of a message of `bytes` bytes from its sender.
    fn pack(&mut self, from: u32, to: u32, bytes: u64) -> Self::Payload;
    /// Delivers a payload to the receiver, once that has waited for it.
    fn unpack(&mut self, from: u32, to: u32, payload: Self::Payload);
}

/// Expands an operation for all ranks.
pub fn programs(size: u32, expand: impl Fn(Member, &mut Vec<Operation>)) -> Vec<Vec<Operation>> {
    let program = |rank| {
        let mut operations = Vec::new();
        expand(Member { rank, size }, &mut operations);
        operations
    };
    (0..size).map(program).collect()
}

/// Runs programs with and without buffers, each on its own copy of the data. Returns the data of the run without.
pub fn run<D: Data + Clone>(programs: &[Vec<Operation>], data: &D) -> D {
    Machine::new(programs, data.clone(), false).run();
    Machine::new(programs, data.clone(), true).run()
}

/// Sender, receiver and tag: messages of one channel match in order.
type Channel = (u32, u32, u32);

/// A started send or receive, by its number.
#[derive(Clone, Copy)]
enum Started {
    Send(usize),
    Receive(usize, u32),
}

/// A send that no receive has matched, with its payload.
type Sent<D> = (usize, <D as Data>::Payload);

struct Machine<D: Data> {
    programs: Vec<VecDeque<Operation>>,
    data: D,
    /// Without buffers, a send is complete when its receive has been posted.
    rendezvous: bool,
    /// Per send, whether it has been matched.
    matched: Vec<bool>,
    /// Per receive, its payload.
    received: Vec<Option<D::Payload>>,
    sends: BTreeMap<Channel, VecDeque<Sent<D>>>,
    receives: BTreeMap<Channel, VecDeque<usize>>,
    requests: Vec<BTreeMap<u32, Started>>,
    blocked: Vec<Option<Started>>,
}

impl<D: Data> Machine<D> {
    fn new(programs: &[Vec<Operation>], data: D, rendezvous: bool) -> Self {
        Machine {
            programs: programs.iter().map(|program| program.iter().cloned().collect()).collect(),
            data,
            rendezvous,
            matched: Vec::new(),
            received: Vec::new(),
            sends: BTreeMap::new(),
            receives: BTreeMap::new(),
            requests: vec![BTreeMap::new(); programs.len()],
            blocked: vec![None; programs.len()],
        }
    }

    /// Runs all programs to their end. Checks that every send has its receive and every request its wait.
    fn run(mut self) -> D {
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for rank in 0..self.programs.len() as u32 {
                moved |= self.advance(rank);
            }
        }
        let rendezvous = self.rendezvous;
        assert!(self.blocked.iter().all(Option::is_none), "does not end (rendezvous: {rendezvous})");
        assert!(self.programs.iter().all(VecDeque::is_empty));
        assert!(self.sends.values().all(VecDeque::is_empty), "leaves messages behind");
        assert!(self.receives.values().all(VecDeque::is_empty), "leaves receives behind");
        assert!(self.requests.iter().all(BTreeMap::is_empty), "leaves requests behind");
        self.data
    }

    /// Runs one rank until it must wait. Returns whether it did anything.
    fn advance(&mut self, rank: u32) -> bool {
        let me = rank as usize;
        let mut moved = false;
        loop {
            if let Some(started) = self.blocked[me] {
                if !self.finish(started, rank) {
                    return moved;
                }
                self.blocked[me] = None;
            }
            let Some(operation) = self.programs[me].pop_front() else { return moved };
            moved = true;
            match operation {
                Operation::Send { to, tag, bytes, .. } => self.blocked[me] = Some(self.send(rank, to, tag, bytes)),
                Operation::Recv { from: Some(from), tag: Some(tag), .. } => {
                    self.blocked[me] = Some(self.receive(from, rank, tag));
                }
                Operation::Isend { to, tag, bytes, request: Some(request), .. } => {
                    let started = self.send(rank, to, tag, bytes);
                    assert!(self.requests[me].insert(request, started).is_none(), "request {request} used twice");
                }
                Operation::Irecv { from: Some(from), tag: Some(tag), request, .. } => {
                    let started = self.receive(from, rank, tag);
                    assert!(self.requests[me].insert(request, started).is_none(), "request {request} used twice");
                }
                Operation::Wait { request } => self.blocked[me] = Some(self.requests[me].remove(&request).unwrap()),
                Operation::Compute(_) => {}
                other => panic!("{other:?} in a collective"),
            }
        }
    }

    fn send(&mut self, from: u32, to: u32, tag: u32, bytes: u64) -> Started {
        assert_ne!(from, to, "a message to itself");
        let payload = self.data.pack(from, to, bytes);
        let send = self.matched.len();
        let posted = self.receives.get_mut(&(from, to, tag)).and_then(VecDeque::pop_front);
        self.matched.push(posted.is_some());
        match posted {
            Some(receive) => self.received[receive] = Some(payload),
            None => self.sends.entry((from, to, tag)).or_default().push_back((send, payload)),
        }
        Started::Send(send)
    }

    fn receive(&mut self, from: u32, to: u32, tag: u32) -> Started {
        let receive = self.received.len();
        self.received.push(None);
        match self.sends.get_mut(&(from, to, tag)).and_then(VecDeque::pop_front) {
            Some((send, payload)) => {
                self.matched[send] = true;
                self.received[receive] = Some(payload);
            }
            None => self.receives.entry((from, to, tag)).or_default().push_back(receive),
        }
        Started::Receive(receive, from)
    }

    /// Ends a wait if its send or receive is complete.
    fn finish(&mut self, started: Started, rank: u32) -> bool {
        match started {
            Started::Send(send) => !self.rendezvous || self.matched[send],
            Started::Receive(receive, from) => match self.received[receive].take() {
                Some(payload) => {
                    self.data.unpack(from, rank, payload);
                    true
                }
                None => false,
            },
        }
    }
}
