//! What a NIC has to send: answers first, then one packet of each connection in turn.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::engine::switch::header::Header;

use super::sender::NextPacket;

/// A packet without data.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The node that it goes to, as numbered in the whole network.
    pub to: u32,
    /// What it says; when it is sent is filled in then.
    pub header: Header,
}

/// The packet that a NIC sends next.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// One without data.
    Answer(Answer),
    /// The next one of a connection, by its number.
    Data(u32, NextPacket),
}

/// What a NIC has to send.
#[derive(Debug, Default)]
pub struct Queue {
    /// Packets without data.
    pub answers: VecDeque<Answer>,
    /// Connections that may send, whose turn comes first first.
    pub ready: VecDeque<u32>,
    /// Connections that may send later, and when.
    pub paced: BinaryHeap<Reverse<(u64, u32)>>,
    /// Connections that look for packets of which nothing has come, and when.
    pub timers: BinaryHeap<Reverse<(u64, u32)>>,
    /// Receivers that grant credit in turn.
    pub granting: VecDeque<u32>,
    /// When the next credit may be granted.
    pub grant_at: u64,
}

/// How long a NIC waits that has nothing that may be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Until something comes.
    Idle,
    /// Until a time.
    Until(u64),
}

impl Queue {
    /// Returns the packets that may be sent at once, with one of each connection.
    pub fn frames(&self) -> u32 {
        u32::try_from(self.answers.len() + self.ready.len()).unwrap_or(u32::MAX)
    }

    /// Returns until when there is nothing to do, where nothing may be sent now.
    pub fn waiting(&self) -> Waiting {
        let paced = self.paced.peek().map(|&Reverse((at, _))| at);
        let grant = (!self.granting.is_empty()).then_some(self.grant_at);
        let timer = self.timers.peek().map(|&Reverse((at, _))| at);
        paced.into_iter().chain(grant).chain(timer).min().map_or(Waiting::Idle, Waiting::Until)
    }
}
