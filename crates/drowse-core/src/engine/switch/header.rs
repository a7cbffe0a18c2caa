//! What a packet says to the node that it goes to, where nodes answer each other: a side table beside the packets.

use serde::{Deserialize, Serialize};

use super::served::note;

/// What a packet is between two nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// It carries data.
    #[default]
    Data,
    /// It acknowledges data.
    Ack,
    /// It says that data came marked.
    Notification,
    /// It grants the right to send.
    Credit,
    /// It asks for such a right.
    Request,
    /// It says that a packet is missing.
    Missing,
}

/// What a packet says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// What it is.
    pub kind: Kind,
    /// A switch has marked it; or it acknowledges a packet that a switch has marked.
    pub marked: bool,
    /// Its data was cut off.
    pub trimmed: bool,
    /// Its sender waits for an acknowledgement.
    pub asks: bool,
    /// The node that sends it, as numbered in the whole network.
    pub from: u32,
    /// Data: its number among the packets from that node to this one. Acknowledgements: the lowest number that has not come.
    /// Missing: the number of the packet.
    pub number: u64,
    /// Data and requests: all bytes that its sender has had for this node. Acknowledgements: all that have come. Credits: all
    /// that may be sent.
    pub bytes: u64,
    /// Data: how many bytes its sender may send, as far as it knows.
    pub allowed: u64,
    /// Acknowledgements: which of 64 numbers have come: the first of them, and one bit each.
    pub map: [u64; 2],
    /// When it was sent; acknowledgements: when the packet was sent that they answer.
    pub sent_at: u64,
    /// Acknowledgements: by how much the packet was later, because links sleep, that they answer.
    pub slept: u64,
}

/// What the packets of a shard say.
#[derive(Debug)]
pub struct Headers {
    /// Nodes answer each other.
    pub kept: bool,
    /// By packet.
    all: Vec<Header>,
}

impl Headers {
    /// Creates the memory of no packet.
    pub fn new(kept: bool) -> Self {
        Headers { kept, all: Vec::new() }
    }

    /// Returns what a packet says; nothing where nodes do not answer.
    #[inline]
    pub fn of(&self, packet: u32) -> Header {
        self.all.get(packet as usize).copied().unwrap_or_default()
    }

    /// Notes what a packet says, if nodes answer.
    #[inline]
    pub fn note(&mut self, packet: u32, header: Header) {
        if self.kept {
            note(&mut self.all, packet, header);
        }
    }

    /// Notes that the data of a packet was cut off, and returns whether it had any.
    pub(super) fn trim(&mut self, packet: u32) -> bool {
        let header = self.all.get_mut(packet as usize).filter(|header| header.kind == Kind::Data && !header.trimmed);
        header.map(|header| header.trimmed = true).is_some()
    }

    /// Marks a packet of data, and returns whether it is one.
    pub(super) fn mark(&mut self, packet: u32) -> bool {
        let header = self.all.get_mut(packet as usize).filter(|header| header.kind == Kind::Data);
        header.map(|header| header.marked = true).is_some()
    }
}
