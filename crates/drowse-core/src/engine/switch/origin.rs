//! Where packets come from: their flow, their node, and how many have gone from it to theirs before them.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::model::balance::{Balance, FlowOf};
use crate::model::rng::mix;

use super::header::Header;
use super::served::note;

/// Where a packet comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The hash of its flow.
    pub flow: u32,
    /// Its node, as numbered in the whole network.
    pub node: u32,
    /// How many packets that node has sent to its destination before.
    pub number: u64,
}

/// Where a packet comes from that has reached its node, and the port of that node, as numbered in the whole network.
#[derive(Clone, Copy, Debug)]
pub struct Came {
    /// Where it comes from.
    pub origin: Origin,
    /// The port to its node.
    pub port: u32,
    /// What it says, where nodes answer each other.
    pub header: Header,
}

/// Where the packets of a shard come from.
#[derive(Debug)]
pub struct Origins {
    /// Packets remember it.
    pub kept: bool,
    /// By packet.
    all: Vec<Origin>,
}

impl Origins {
    /// Creates the memory of no packet.
    pub fn new(kept: bool) -> Self {
        Origins { kept, all: Vec::new() }
    }

    /// Returns where a packet comes from; nothing where packets do not remember it.
    #[inline]
    pub fn of(&self, packet: u32) -> Origin {
        self.all.get(packet as usize).copied().unwrap_or_default()
    }

    /// Notes where a packet comes from, if packets remember it.
    #[inline]
    pub fn note(&mut self, packet: u32, origin: Origin) {
        if self.kept {
            note(&mut self.all, packet, origin);
        }
    }
}

/// What has gone from the nodes of a shard to others.
#[derive(Debug)]
pub struct Pairs {
    of: FlowOf,
    /// Packets, by the nodes that send and receive.
    sent: FxHashMap<(u32, u32), u64>,
}

impl Pairs {
    /// Counts from 0 on.
    pub fn new(balance: Balance) -> Self {
        Pairs { of: balance.hash().unwrap_or_default().flow, sent: FxHashMap::default() }
    }

    /// Counts the next packet from a node to another, which is of a message of this number at its node.
    pub fn next(&mut self, from: u32, to: u32, message: u32) -> Origin {
        let sent = self.sent.entry((from, to)).or_default();
        let number = *sent;
        *sent += 1;
        Origin { flow: flow(self.of, from, to, message), node: from, number }
    }

    /// Returns where a packet comes from that has a number, which nobody counts.
    pub fn origin(&self, from: u32, to: u32, message: u32, number: u64) -> Origin {
        Origin { flow: flow(self.of, from, to, message), node: from, number }
    }
}

/// Returns the hash of a flow.
pub fn flow(of: FlowOf, from: u32, to: u32, message: u32) -> u32 {
    let pair = mix(u64::from(from) << 32 | u64::from(to));
    let hash = match of {
        FlowOf::Pair => pair,
        FlowOf::Message => mix(pair ^ u64::from(message)),
    };
    hash as u32
}
