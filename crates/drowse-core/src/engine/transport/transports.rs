//! The connections of the nodes of a shard.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::engine::endpoint::message::Message;
use crate::engine::slab::Slab;
use crate::engine::switch::header::{Header, Kind};
use crate::engine::switch::origin;
use crate::engine::switch::outgoing::Ejected;
use crate::measure::TransportRecord;
use crate::model::config::Config;
use crate::model::transport::{Control, Transport};
use crate::model::units::{BitRate, Time};

use super::control::{Acked, Steering, Way};
use super::queue::{Answer, Queue, Waiting};
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

/// The packet that a NIC sends next.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// One without data.
    Answer(Answer),
    /// The next one of a connection.
    Data {
        /// The connection.
        sender: u32,
        /// The message.
        message: u32,
        /// Its length.
        flits: u16,
    },
}

/// The connections of the nodes of a shard, and what has come to them.
#[derive(Debug)]
pub struct Transports {
    rules: Transport,
    /// The bandwidth of nodes' links.
    rate: BitRate,
    /// The bytes of a flit.
    flit: u64,
    /// Flits of a full packet, and of one without data.
    packet_flits: [u16; 2],
    senders: Vec<Sender>,
    /// By node, as numbered in the partition, and the node that it sends to.
    to: FxHashMap<(u32, u32), u32>,
    receivers: Vec<Receiver>,
    /// By node, as numbered in the partition, and the node that sends to it.
    from: FxHashMap<(u32, u32), u32>,
    queues: Vec<Queue>,
    /// Packets whose last bit is on its way to their node.
    coming: Slab<Came>,
    /// What has been counted.
    pub counted: TransportRecord,
}

impl Transports {
    /// Prepares so many nodes, if nodes answer.
    pub fn new(config: &Config, nodes: u32) -> Option<Box<Self>> {
        let rules = config.transport?;
        let flit = config.switch.flit.0;
        let answer = config.switch.message_flits(rules.ack.0).min(config.switch.packet_flits.into()) as u16;
        Some(Box::new(Transports {
            rules,
            rate: config.classes[0].bandwidth,
            flit,
            packet_flits: [config.switch.packet_flits, answer],
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

    /// Returns the flits of an answer.
    pub fn answer_flits(&self) -> u16 {
        self.packet_flits[1]
    }

    /// Returns whether a node has a connection to another.
    pub fn is_connected(&self, node: u32, to: u32) -> bool {
        self.to.contains_key(&(node, to))
    }

    /// Connects a node to another, over a round trip in an idle network of so many picoseconds.
    pub fn connect(&mut self, node: u32, to: u32, round_trip: u64) {
        let packet = u64::from(self.packet_flits[0]) * self.flit;
        let way = Way { rate: self.rate, packet, round_trip };
        let Some(steering) = Steering::new(&self.rules.control, &way) else { return };
        self.to.insert((node, to), self.senders.len() as u32);
        self.senders.push(Sender::new(node, to, steering));
    }

    /// Accepts a message of a node for another at time `t`.
    pub fn send(&mut self, node: u32, id: u32, message: &Message, t: u64) {
        let Some(&sender) = self.to.get(&(node, message.to_node)) else { return };
        let connection = &mut self.senders[sender as usize];
        if connection.segments.is_empty() && connection.sent.in_flight() == 0 {
            connection.steering.begin(connection.sent);
        }
        connection.segments.push_back(Segment { message: id, flits: message.flits_left });
        connection.had += message.flits_left * self.flit;
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
    fn receiver(&mut self, node: u32, from: u32) -> u32 {
        let next = self.receivers.len() as u32;
        let receiver = *self.from.entry((node, from)).or_insert(next);
        if receiver == next {
            self.receivers.push(Receiver::new(node, from));
        }
        receiver
    }

    /// Puts a connection where it belongs that is in no list.
    fn put(&mut self, sender: u32, t: u64) {
        let connection = &mut self.senders[sender as usize];
        let bytes = connection.next_flits(self.packet_flits[0]).map(|flits| u64::from(flits) * self.flit);
        connection.place = connection.belongs(bytes, t);
        let queue = &mut self.queues[connection.node as usize];
        match connection.place {
            Place::Idle => {}
            Place::Ready => queue.ready.push_back(sender),
            Place::Paced => queue.paced.push(Reverse((connection.not_before, sender))),
            // What is granted is told by what comes; who has nothing on its way asks.
            Place::Waiting if matches!(self.rules.control, Control::Credit(_)) && connection.asked < connection.had => {
                connection.asked = connection.had;
                let (bytes, allowed) = (connection.had, connection.steering.allowed());
                let header = Header { kind: Kind::Request, bytes, allowed, ..Header::default() };
                queue.answers.push_back(Answer { to: connection.to, header });
            }
            Place::Waiting => {}
        }
    }

    /// Returns the packet that a NIC sends at time `t`, and how many wait with it; or until when it has none.
    pub fn next(&mut self, node: u32, t: u64) -> Result<(Next, u32), Waiting> {
        self.grant(node, t);
        let queue = &mut self.queues[node as usize];
        while let Some(&Reverse((at, sender))) = queue.paced.peek()
            && at <= t
        {
            queue.paced.pop();
            self.senders[sender as usize].place = Place::Ready;
            queue.ready.push_back(sender);
        }
        let frames = queue.frames();
        if let Some(&answer) = queue.answers.front() {
            return Ok((Next::Answer(answer), frames));
        }
        let ready = queue.ready.front().and_then(|&sender| {
            let segment = self.senders[sender as usize].segments.front()?;
            let flits = segment.flits.min(self.packet_flits[0].into()) as u16;
            Some(Next::Data { sender, message: segment.message, flits })
        });
        ready.map(|next| (next, frames)).ok_or_else(|| queue.waiting())
    }

    /// Lets an answer leave that was [next](Self::next) at a NIC; returns what it says.
    pub fn leave_answer(&mut self, node: u32, from: u32, t: u64) -> Header {
        let answer = self.queues[node as usize].answers.pop_front();
        let header = answer.map(|answer| answer.header).unwrap_or_default();
        let counted = match header.kind {
            Kind::Ack | Kind::Data => &mut self.counted.acks,
            Kind::Notification => &mut self.counted.notifications,
            Kind::Credit | Kind::Request => &mut self.counted.credits,
        };
        *counted += 1;
        let sent_at = if header.kind == Kind::Ack { header.sent_at } else { t };
        Header { from, sent_at, ..header }
    }

    /// Lets a packet leave that was [next](Self::next) at a NIC, from time `t` on until `end`; returns what it says.
    pub fn leave_data(&mut self, sender: u32, flits: u16, from: u32, t: u64, end: u64) -> Header {
        let connection = &mut self.senders[sender as usize];
        let queue = &mut self.queues[connection.node as usize];
        queue.ready.pop_front();
        let bytes = u64::from(flits) * self.flit;
        let number = connection.packets;
        connection.packets += 1;
        connection.sent.sent += bytes;
        connection.not_before = t.saturating_add(connection.steering.gap(bytes, t));
        if let Some(segment) = connection.segments.front_mut() {
            segment.flits -= u64::from(flits);
            if segment.flits == 0 {
                connection.segments.pop_front();
            }
        }
        let (had, allowed) = (connection.had, connection.steering.allowed());
        connection.asked = had;
        self.put(sender, end);
        let asks = matches!(self.senders[sender as usize].place, Place::Idle | Place::Waiting);
        Header { kind: Kind::Data, asks, from, number, bytes: had, allowed, sent_at: t, ..Header::default() }
    }

    /// Returns whether a NIC has something to send at once.
    pub fn has_more(&self, node: u32) -> bool {
        self.queues[node as usize].frames() > 0
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

    /// Takes in a packet of data at a node at time `t`: returns its message, and whether it is its first packet.
    pub fn receive(&mut self, node: u32, came: &Came, t: u64) -> Option<(u32, bool)> {
        let Came { place: origin::Came { header, .. }, packet } = *came;
        let place = self.receiver(node, header.from);
        let receiver = &mut self.receivers[place as usize];
        let taken = receiver.take(header.number)?;
        let bytes = u64::from(packet.flits) * self.flit;
        receiver.bytes += bytes;
        receiver.since_ack += bytes;
        self.counted.data += 1;
        self.counted.marked += u64::from(header.marked);
        let notifies = self.rules.control.notifies();
        let echoes = header.marked && notifies.is_none();
        let queue = &mut self.queues[node as usize];
        // Packets that one has overtaken whose sender waits are waited for, too.
        let asks = header.asks || header.number < receiver.asked_to;
        receiver.asked_to = receiver.asked_to.max(if header.asks { header.number } else { 0 });
        if echoes || asks || receiver.since_ack >= self.rules.ack_every.0 {
            receiver.since_ack = 0;
            let (bytes, marked, slept) = (receiver.bytes, header.marked, packet.wake_delay);
            let header = Header { kind: Kind::Ack, bytes, marked, slept, sent_at: header.sent_at, ..Header::default() };
            queue.answers.push_back(Answer { to: receiver.from, header });
        }
        let due = |every: Time| receiver.notified_at.is_none_or(|at| t - at >= every.0);
        if header.marked && notifies.is_some_and(due) {
            receiver.notified_at = Some(t);
            let header = Header { kind: Kind::Notification, ..Header::default() };
            queue.answers.push_back(Answer { to: receiver.from, header });
        }
        self.note_wants(place, &header, t);
        Some(taken)
    }

    /// Takes in a packet without data at a node at time `t`.
    pub fn receive_answer(&mut self, node: u32, came: &Came, t: u64) {
        let Came { place: origin::Came { header, .. }, packet } = *came;
        if header.kind == Kind::Request {
            let receiver = self.receiver(node, header.from);
            return self.note_wants(receiver, &header, t);
        }
        let Some(&sender) = self.to.get(&(node, header.from)) else { return };
        let connection = &mut self.senders[sender as usize];
        match header.kind {
            Kind::Ack => {
                // One that was overtaken says nothing new of bytes.
                let bytes = header.bytes.saturating_sub(connection.sent.acked);
                connection.sent.acked = connection.sent.acked.max(header.bytes);
                let round_trip = t - header.sent_at;
                let waking = header.slept.saturating_add(packet.wake_delay).min(round_trip);
                self.counted.round_trips += 1;
                self.counted.round_trip_sum += Time(round_trip);
                self.counted.round_trip_most = self.counted.round_trip_most.max(Time(round_trip));
                self.counted.waking += Time(waking);
                self.counted.last_ack = self.counted.last_ack.max(Time(t));
                let round_trip = if self.rules.grace { round_trip - waking } else { round_trip };
                connection.steering.acked(&Acked { t, bytes, round_trip, marked: header.marked });
            }
            Kind::Notification => connection.steering.notified(t),
            Kind::Credit => connection.steering.credited(header.bytes),
            Kind::Data | Kind::Request => {}
        }
        if connection.place == Place::Waiting {
            self.put(sender, t);
        }
    }

    /// Notes what a sender has, where its receiver grants credit.
    fn note_wants(&mut self, receiver: u32, header: &Header, t: u64) {
        if !matches!(self.rules.control, Control::Credit(_)) {
            return;
        }
        let place = receiver;
        let receiver = &mut self.receivers[place as usize];
        receiver.wants[0] = receiver.wants[0].max(header.bytes);
        receiver.wants[1] = receiver.wants[1].max(header.allowed);
        if receiver.lacks() > 0 && !receiver.in_turn {
            receiver.in_turn = true;
            let queue = &mut self.queues[receiver.node as usize];
            if queue.granting.is_empty() {
                queue.grant_at = queue.grant_at.max(t);
            }
            queue.granting.push_back(place);
        }
    }

    /// Grants the credits of a node that are due at time `t`, to its senders in turn.
    fn grant(&mut self, node: u32, t: u64) {
        let Control::Credit(rules) = self.rules.control else { return };
        let queue = &mut self.queues[node as usize];
        while queue.grant_at <= t {
            let Some(place) = queue.granting.pop_front() else { return };
            let receiver = &mut self.receivers[place as usize];
            let most = u64::from(rules.packets) * u64::from(self.packet_flits[0]) * self.flit;
            let bytes = receiver.lacks().min(most);
            receiver.wants[1] += bytes;
            let header = Header { kind: Kind::Credit, bytes: receiver.wants[1], ..Header::default() };
            queue.answers.push_back(Answer { to: receiver.from, header });
            let takes = u128::from(self.rate.transfer_time(bytes).0) * 1_000_000_000;
            queue.grant_at = t + (takes / u128::from(rules.rate_billionths.max(1))) as u64;
            receiver.in_turn = receiver.lacks() > 0;
            if receiver.in_turn {
                queue.granting.push_back(place);
            }
        }
    }
}
