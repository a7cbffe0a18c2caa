//! The two ends of a connection: what a node has sent to another and knows to have come, and what has come from another.
//!
//! Nothing is forgotten: all packets that have ever been sent are in a list, and what is on its way is counted anew
//! whenever somebody asks.

use std::collections::{BTreeSet, VecDeque};

use drowse_core::model::transport::{Control, Retransmit, Transport};

use crate::header::{Header, Kind};

/// Nobody waits longer than so many doublings of the timeout.
const MOST_DOUBLINGS: u32 = 10;

/// What a sender knows of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is on its way.
    Out,
    /// It has come.
    Come,
    /// It is to be sent again.
    Missing,
}

/// A packet that has been sent.
#[derive(Clone, Copy, Debug)]
struct Sent {
    message: usize,
    flits: u64,
    at: u64,
    state: State,
}

/// The next packet of a connection.
#[derive(Clone, Copy, Debug)]
pub struct NextPacket {
    pub number: u64,
    pub message: usize,
    pub flits: u64,
    /// It has been sent before.
    pub again: bool,
}

/// A node's connection to another.
#[derive(Clone, Debug)]
pub struct Connection {
    pub to: usize,
    /// Messages that are not wholly sent, and their flits that are left.
    pub messages: VecDeque<(usize, u64)>,
    sent: Vec<Sent>,
    /// Where nothing is lost: bytes that are acknowledged.
    acked: u64,
    /// How often in a row nothing had come in time.
    doublings: u32,
    /// When it looks for packets of which nothing has come.
    pub timer: Option<u64>,
}

impl Connection {
    /// Makes one over which nothing has gone.
    pub fn new(to: usize) -> Self {
        let (messages, sent) = (VecDeque::new(), Vec::new());
        Connection { to, messages, sent, acked: 0, doublings: 0, timer: None }
    }

    /// Returns the next packet: what is to be sent again comes first.
    pub fn next(&self, full: u64) -> Option<NextPacket> {
        let missing = self.sent.iter().position(|sent| sent.state == State::Missing);
        if let Some(number) = missing {
            let Sent { message, flits, .. } = self.sent[number];
            return Some(NextPacket { number: number as u64, message, flits, again: true });
        }
        let &(message, left) = self.messages.front()?;
        Some(NextPacket { number: self.sent.len() as u64, message, flits: left.min(full), again: false })
    }

    /// Returns whether the next packet may be sent, if there is one.
    pub fn may_send(&self, rules: &Transport, flit: u64, full: u64) -> bool {
        let Some(next) = self.next(full) else { return false };
        let Control::Window(window) = rules.control else { return true };
        let on_its_way = self.on_its_way(rules, flit);
        on_its_way == 0 || on_its_way + next.flits * flit <= window.0
    }

    /// Returns the bytes that are on their way, as far as the node knows.
    fn on_its_way(&self, rules: &Transport, flit: u64) -> u64 {
        let lossy = rules.recovery.is_some();
        let counts = |sent: &&Sent| !lossy || sent.state == State::Out;
        let bytes = self.sent.iter().filter(counts).map(|sent| sent.flits * flit).sum::<u64>();
        if lossy { bytes } else { bytes - self.acked }
    }

    /// Returns whether packets have been lost, or may have been, that have not come.
    pub fn waits_for_some(&self) -> bool {
        self.timer.is_some() && self.sent.iter().any(|sent| sent.state != State::Come)
    }

    /// Lets a packet leave at time `t`.
    pub fn leave(&mut self, packet: &NextPacket, t: u64) {
        let NextPacket { number, message, flits, again } = *packet;
        let sent = Sent { message, flits, at: t, state: State::Out };
        if again {
            self.sent[number as usize] = sent;
            return;
        }
        self.sent.push(sent);
        let Some(front) = self.messages.front_mut() else { return };
        front.1 -= flits;
        if front.1 == 0 {
            self.messages.pop_front();
        }
    }

    /// Returns how long it waits for a packet.
    pub fn waits(&self, rules: &Transport) -> u64 {
        rules.recovery.map_or(0, |recovery| recovery.timeout.0 << self.doublings)
    }

    /// Takes in an acknowledgement.
    pub fn acknowledged(&mut self, header: &Header, rules: &Transport) {
        if rules.recovery.is_none() {
            self.acked = self.acked.max(header.bytes);
            return;
        }
        let (first, bits) = header.map;
        for (number, sent) in (0..).zip(&mut self.sent) {
            let told = number >= first && number < first + 64 && bits >> (number - first) & 1 == 1;
            if (number < header.number || told) && sent.state != State::Come {
                sent.state = State::Come;
                self.doublings = 0;
            }
        }
    }

    /// Takes in that a packet is missing, and all after it where the receiver takes none out of sequence.
    pub fn is_missing(&mut self, number: u64, back: bool) {
        let from = number as usize;
        let until = if back { self.sent.len() } else { from + 1 };
        self.sent[from..until].iter_mut().filter(|sent| sent.state == State::Out).for_each(|sent| {
            sent.state = State::Missing;
        });
    }

    /// Looks at time `t` for packets of which nothing has come in time; returns how many there are.
    pub fn look(&mut self, rules: &Transport, t: u64) -> u64 {
        let waits = self.waits(rules);
        let mut overdue = 0;
        for sent in self.sent.iter_mut().filter(|sent| sent.state == State::Out && sent.at + waits <= t) {
            sent.state = State::Missing;
            overdue += 1;
        }
        if overdue > 0 {
            self.doublings = (self.doublings + 1).min(MOST_DOUBLINGS);
        }
        let oldest = self.sent.iter().filter(|sent| sent.state == State::Out).map(|sent| sent.at).min();
        self.timer = oldest.map(|at| (at + self.waits(rules)).max(t + 1));
        overdue
    }
}

/// What has come to a node from another.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    come: BTreeSet<u64>,
    bytes: u64,
    since_ack: u64,
    /// The highest number of a packet whose sender waits for an acknowledgement.
    asked_to: u64,
    /// The last number that it has asked for, where it takes packets in sequence only.
    asked_for: Option<u64>,
}

/// What a receiver makes of a packet of data.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// It is new.
    pub is_new: bool,
    /// It is of no use, though it has its data.
    pub superfluous: bool,
    /// What is said in answer, if anything is.
    pub answer: Option<Header>,
}

impl Receiver {
    /// Takes in a packet of so many bytes.
    pub fn take(&mut self, header: &Header, bytes: u64, rules: &Transport) -> Taken {
        if let Some(number) = rules.recovery.and_then(|recovery| self.misses(header, recovery.retransmit)) {
            let answer = Some(Header { kind: Kind::Missing, number, ..Header::default() });
            return Taken { is_new: false, superfluous: !header.trimmed, answer };
        }
        let back = rules.recovery.is_some_and(|recovery| recovery.retransmit == Retransmit::GoBackN);
        let fits = !back || (header.number == self.lowest() && !header.trimmed);
        let is_new = fits && self.come.insert(header.number);
        if is_new {
            self.bytes += bytes;
            self.since_ack += bytes;
        }
        let asks = header.asks || header.number < self.asked_to || !is_new;
        if header.asks {
            self.asked_to = self.asked_to.max(header.number);
        }
        let answers = header.marked || asks || self.since_ack >= rules.ack_every.0;
        Taken { is_new, superfluous: !is_new, answer: answers.then(|| self.acknowledge(header, rules)) }
    }

    /// Returns the number of the packet that its sender must learn to be missing, if there is one.
    fn misses(&mut self, header: &Header, retransmit: Retransmit) -> Option<u64> {
        if self.come.contains(&header.number) {
            return None;
        }
        if retransmit == Retransmit::Selective {
            return header.trimmed.then_some(header.number);
        }
        let lowest = self.lowest();
        let gap = header.trimmed || header.number > lowest;
        (gap && self.asked_for.replace(lowest) != Some(lowest)).then_some(lowest)
    }

    fn acknowledge(&mut self, header: &Header, rules: &Transport) -> Header {
        self.since_ack = 0;
        let number = if rules.recovery.is_some() { self.lowest() } else { 0 };
        let first = (number + 1).max(header.number.saturating_sub(63));
        let bits = (0..64).filter(|bit| self.come.contains(&(first + bit))).fold(0, |bits, bit| bits | 1 << bit);
        let Header { sent_at, .. } = *header;
        Header { kind: Kind::Ack, number, map: (first, bits), bytes: self.bytes, sent_at, ..Header::default() }
    }

    /// Returns the lowest number that has not come.
    fn lowest(&self) -> u64 {
        (0..)
            .zip(&self.come)
            .find(|(place, number)| place != *number)
            .map_or(self.come.len() as u64, |(place, _)| place)
    }
}
