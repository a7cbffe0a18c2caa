//! The sending end of a connection: what a node has for another, and what it may send of it.

use std::collections::VecDeque;

use super::control::{Sent, Steering};

/// A message that is being sent, or waits for others before it.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Its number in the slab.
    pub message: u32,
    /// Flits that have not been sent.
    pub flits: u64,
}

/// Where a connection is among those of its NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It has nothing to send.
    Idle,
    /// It may send.
    Ready,
    /// It may send at a later time.
    Paced,
    /// It waits for what its receiver says.
    Waiting,
}

/// A node's connection to another.
#[derive(Debug)]
pub struct Sender {
    /// The node, as numbered in the partition.
    pub node: u32,
    /// The node that it sends to, as numbered in the whole network.
    pub to: u32,
    /// What it has, the oldest first.
    pub segments: VecDeque<Segment>,
    /// How many packets it has sent.
    pub packets: u64,
    /// Bytes that it has sent, and that are acknowledged.
    pub sent: Sent,
    /// Bytes that it has had in all.
    pub had: u64,
    /// It may not send before.
    pub not_before: u64,
    /// Where it is.
    pub place: Place,
    /// Bytes in all for which it has asked for credit.
    pub asked: u64,
    /// How it decides how much it may send.
    pub steering: Steering,
}

impl Sender {
    /// Creates a connection over which nothing has gone.
    pub fn new(node: u32, to: u32, steering: Steering) -> Self {
        Sender {
            node,
            to,
            segments: VecDeque::new(),
            packets: 0,
            sent: Sent { sent: 0, acked: 0 },
            had: 0,
            not_before: 0,
            place: Place::Idle,
            asked: 0,
            steering,
        }
    }

    /// Returns the flits of the next packet, where a full one has so many; `None` if there is nothing.
    pub fn next_flits(&self, full: u16) -> Option<u16> {
        self.segments.front().map(|segment| segment.flits.min(full.into()) as u16)
    }

    /// Returns where it belongs at time `t`; its next packet has so many bytes, if there is one.
    pub fn belongs(&self, bytes: Option<u64>, t: u64) -> Place {
        match bytes {
            None => Place::Idle,
            Some(bytes) if !self.steering.may_send(self.sent, bytes) => Place::Waiting,
            Some(_) if self.not_before > t => Place::Paced,
            Some(_) => Place::Ready,
        }
    }
}
