//! The sending end of a connection: what a node has for another, and what it may send of it.

use std::collections::VecDeque;

use super::control::{Sent, Steering};
use super::flights::Flights;

/// A message that is being sent, or waits for others before it.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Its number in the slab.
    pub message: u32,
    /// Its number among the messages of its node.
    pub sequence: u32,
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

/// The next packet of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextPacket {
    /// Its length.
    pub flits: u16,
    /// The message that it begins or goes on with; `None` if it is sent again.
    pub message: Option<u32>,
    /// The number of its message at its node.
    pub sequence: u32,
    /// Its own number.
    pub number: u64,
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
    /// How many packets it has sent, those aside that were sent again.
    packets: u64,
    /// What it has sent and may have to send again, where packets may be lost.
    pub flights: Option<Flights>,
    /// By which power of two it waits longer for what is missing: how often in a row nothing has come.
    pub backoff: u8,
    /// The time at which it looks for packets of which nothing has come is among those of its NIC.
    pub armed: bool,
    /// Bytes that it has sent and that were not lost, and that are acknowledged.
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
    /// Creates a connection over which nothing has gone; packets may be lost or not.
    pub fn new(node: u32, to: u32, steering: Steering, lossy: bool) -> Self {
        Sender {
            node,
            to,
            segments: VecDeque::new(),
            packets: 0,
            flights: lossy.then(Flights::default),
            backoff: 0,
            armed: false,
            sent: Sent { sent: 0, acked: 0 },
            had: 0,
            not_before: 0,
            place: Place::Idle,
            asked: 0,
            steering,
        }
    }

    /// Returns the next packet, where a full one has so many flits: one that is sent again, before others.
    pub fn next(&self, full: u16) -> Option<NextPacket> {
        let missing = self.flights.as_ref().and_then(Flights::next_missing);
        if let Some((number, flits, sequence)) = missing {
            return Some(NextPacket { flits, message: None, sequence, number });
        }
        let &Segment { message, sequence, flits } = self.segments.front()?;
        let flits = flits.min(full.into()) as u16;
        Some(NextPacket { flits, message: Some(message), sequence, number: self.packets })
    }

    /// Lets the next packet leave at time `t`.
    pub fn leave(&mut self, packet: &NextPacket, t: u64) {
        if packet.message.is_none() {
            self.flights.iter_mut().for_each(|flights| flights.resend(packet.number, t));
            return;
        }
        self.packets += 1;
        self.flights.iter_mut().for_each(|flights| flights.add(packet.flits, packet.sequence, t));
        if let Some(segment) = self.segments.front_mut() {
            segment.flits -= u64::from(packet.flits);
            if segment.flits == 0 {
                self.segments.pop_front();
            }
        }
    }

    /// Returns how long it waits for a packet, where it would wait so long if all went well.
    pub fn waits(&self, timeout: u64) -> u64 {
        timeout << self.backoff
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
