//! The connections of the nodes of a shard.

use rustc_hash::FxHashMap;

use crate::engine::endpoint::message::Message;
use crate::engine::slab::Slab;
use crate::engine::switch::origin;
use crate::engine::switch::outgoing::Ejected;
use crate::measure::TransportRecord;
use crate::model::config::Config;
use crate::model::transport::{Control, Transport};
use crate::model::units::BitRate;

use super::control::{Steering, Way};
use super::queue::Queue;
use super::receiver::Receiver;
use super::sender::{Place, Segment, Sender};

/// A packet that has reached its node.
#[derive(Clone, Copy, Debug)]
pub struct Came {
    /// Where it comes from and what it says.
    pub place: origin::Came,
    /// What it is.
    pub packet: Ejected,
}

/// The connections of the nodes of a shard, and what has come to them.
#[derive(Debug)]
pub struct Transports {
    pub(super) rules: Transport,
    /// The bandwidth of nodes' links.
    pub(super) rate: BitRate,
    /// The bytes of a flit.
    pub(super) flit: u64,
    /// Flits of a full packet.
    pub(super) full: u16,
    /// Flits of a packet without data.
    pub(super) answer: u16,
    pub(super) senders: Vec<Sender>,
    /// By node, as numbered in the partition, and the node that it sends to.
    pub(super) to: FxHashMap<(u32, u32), u32>,
    pub(super) receivers: Vec<Receiver>,
    /// By node, as numbered in the partition, and the node that sends to it.
    from: FxHashMap<(u32, u32), u32>,
    pub(super) queues: Vec<Queue>,
    /// Packets whose last bit is on its way to their node.
    coming: Slab<Came>,
    /// What has been counted.
    pub(super) counted: TransportRecord,
}

impl Transports {
    /// Prepares so many nodes, if nodes answer.
    pub fn new(config: &Config, nodes: u32) -> Option<Box<Self>> {
        let (rules, full) = (config.transport?, config.switch.packet_flits);
        Some(Box::new(Transports {
            rules,
            rate: config.classes[0].bandwidth,
            flit: config.switch.flit.0,
            full,
            answer: config.switch.message_flits(rules.ack.0).min(full.into()) as u16,
            senders: Vec::new(),
            to: FxHashMap::default(),
            receivers: Vec::new(),
            from: FxHashMap::default(),
            queues: (0..nodes).map(|_| Queue::default()).collect(),
            coming: Slab::default(),
            counted: TransportRecord::NOTHING,
        }))
    }

    /// Returns what was counted, once senders have said how often they slowed down.
    pub fn record(&self) -> TransportRecord {
        let cuts = self.senders.iter().map(|sender| sender.steering.cuts()).sum();
        TransportRecord { cuts, ..self.counted }
    }

    /// Returns the flits of a packet without data.
    pub fn answer_flits(&self) -> u16 {
        self.answer
    }

    /// Returns whether a node has a connection to another.
    pub fn is_connected(&self, node: u32, to: u32) -> bool {
        self.to.contains_key(&(node, to))
    }

    /// Returns the node that a connection sends to, as numbered in the whole network.
    pub fn to_node(&self, sender: u32) -> u32 {
        self.senders[sender as usize].to
    }

    /// Connects a node to another, over a round trip in an idle network of so many picoseconds.
    pub fn connect(&mut self, node: u32, to: u32, round_trip: u64) {
        let way = Way { rate: self.rate, packet: u64::from(self.full) * self.flit, round_trip };
        let Some(steering) = Steering::new(&self.rules.control, &way) else { return };
        self.to.insert((node, to), self.senders.len() as u32);
        self.senders.push(Sender::new(node, to, steering, self.rules.recovery.is_some()));
    }

    /// Accepts a message of a node for another at time `t`.
    pub fn send(&mut self, node: u32, id: u32, message: &Message, t: u64) {
        let Some(&sender) = self.to.get(&(node, message.to_node)) else { return };
        let connection = &mut self.senders[sender as usize];
        if connection.place == Place::Idle && connection.sent.in_flight() == 0 {
            connection.steering.begin(connection.sent);
        }
        let Message { sequence, flits_left: flits, .. } = *message;
        connection.segments.push_back(Segment { message: id, sequence, flits });
        connection.had += flits * self.flit;
        if connection.place == Place::Idle || connection.place == Place::Waiting {
            self.put(sender, t);
        }
    }

    /// Expects a message of so many packets that goes to a node here.
    pub fn expect(&mut self, node: u32, id: u32, message: &Message, packets: u64) {
        let receiver = self.receiver(node, message.from_node);
        self.receivers[receiver as usize].expect(id, packets);
    }

    /// Returns the receiving end of a connection, which begins to exist with the first message.
    pub(super) fn receiver(&mut self, node: u32, from: u32) -> u32 {
        let next = self.receivers.len() as u32;
        let receiver = *self.from.entry((node, from)).or_insert(next);
        if receiver == next {
            self.receivers.push(Receiver::new(node, from));
        }
        receiver
    }

    /// Returns whether receivers grant credit.
    pub(super) fn grants(&self) -> bool {
        matches!(self.rules.control, Control::Credit(_))
    }

    /// Keeps a packet until its last bit has reached its node; returns its place.
    pub fn keep(&mut self, came: Came) -> u32 {
        self.coming.insert(came)
    }

    /// Takes a packet whose last bit has reached its node.
    pub fn take(&mut self, place: u32) -> Came {
        self.coming.remove(place);
        self.coming[place]
    }
}
