//! Nodes that answer each other: what their NICs send, in order, and what they do with what comes.
//!
//! Modelled are no control and a fixed window, with both ways to send again what was lost.

use std::collections::VecDeque;
use std::ops::Range;

use drowse_core::measure::TransportRecord;
use drowse_core::model::config::Injection;
use drowse_core::model::transport::{Retransmit, Transport};
use drowse_core::model::units::Time;

use crate::connection::{Connection, NextPacket};
use crate::header::{Header, Kind};
use crate::machine::{Machine, Packet};
use crate::policy::Policy;

/// What a NIC sends next.
enum Next {
    Answer(usize, Header),
    Data(usize, NextPacket),
}

impl Machine<'_> {
    /// Returns the rules of answers. Only nodes that answer ask.
    fn rules(&self) -> Transport {
        self.net.config.transport.expect("nodes answer")
    }

    fn flit(&self) -> u64 {
        self.net.config.switch.flit.0
    }

    fn full(&self) -> u64 {
        self.net.config.switch.packet_flits.into()
    }

    /// Lets what comes to a node before this edge, or at it, act in order of time, and sends in between. At one instant packets
    /// come before the other end of the link is heard.
    pub fn hear_answering(&mut self, node: usize) {
        let (channel, now) = (self.net.ports + node, self.now);
        let comes = self.coming.extract_if(.., |&mut (at, to, _)| to == node && at <= now);
        let mut coming: Vec<(u64, Packet)> = comes.map(|(at, _, packet)| (at, packet)).collect();
        coming.sort_by_key(|&(at, _)| at);
        let heard = self.peers.extract_if(.., |&mut (at, to, _)| to == channel && at <= now);
        let mut heard: Vec<(u64, u64)> = heard.map(|(at, _, until)| (at, until)).collect();
        heard.sort_unstable();
        let (mut coming, mut heard) = (VecDeque::from(coming), VecDeque::from(heard));
        let mut from = now.saturating_sub(self.net.clock);
        loop {
            let next = [coming.front().map(|&(at, _)| at), heard.front().map(|&(at, _)| at)];
            let Some(at) = next.into_iter().flatten().min() else { break };
            self.inject_answering(node, from..at);
            from = at;
            if let Some((_, packet)) = coming.pop_front_if(|&mut (comes, _)| comes == at) {
                self.come(node, &packet, at);
                self.inject_answering(node, at..at + 1);
            } else if let Some((_, until)) = heard.pop_front() {
                self.channels[channel].peer_is_active(at, until);
            }
        }
        self.inject_answering(node, from..now);
    }

    /// Returns whether nothing is on its way, and no node has something to send.
    pub fn rests(&self) -> bool {
        let some_queued = self.queues.iter().any(|queue| !queue.is_empty());
        let some_sent =
            || self.nics.iter().any(|nic| nic.has_more() || nic.connections.iter().any(Connection::waits_for_some));
        self.nics.is_empty() || self.wires.is_empty() && self.coming.is_empty() && !some_queued && !some_sent()
    }

    /// Hands the messages that a node has had since the last edge to its connections.
    pub fn hand_over(&mut self, node: usize) {
        while let Some(message) = self.source.waiting[node].pop_front() {
            let (to, flits) = (self.source.messages[message].to, self.source.messages[message].flits);
            let nic = &mut self.nics[node];
            let connection = nic.to(to);
            nic.connections[connection].messages.push_back((message, flits));
            self.give_turn(node, connection);
        }
    }

    /// Lets a connection have a turn that has none and may send.
    fn give_turn(&mut self, node: usize, connection: usize) {
        let (rules, flit, full) = (self.rules(), self.flit(), self.full());
        let nic = &mut self.nics[node];
        if !nic.turns.contains(&connection) && nic.connections[connection].may_send(&rules, flit, full) {
            nic.turns.push_back(connection);
        }
    }

    /// Takes in a packet that comes to its node at time `t`.
    pub fn come(&mut self, node: usize, packet: &Packet, t: u64) {
        let (rules, Packet { header, trip, .. }) = (self.rules(), *packet);
        match header.kind {
            Kind::Data => self.take_data(node, packet, t),
            Kind::Ack => {
                let connection = self.nics[node].to(trip.from);
                self.nics[node].connections[connection].acknowledged(&header, &rules);
                self.count_round_trip(t - header.sent_at, t);
                self.give_turn(node, connection);
            }
            Kind::Missing => {
                let back = rules.recovery.is_some_and(|recovery| recovery.retransmit == Retransmit::GoBackN);
                let connection = self.nics[node].to(trip.from);
                self.nics[node].connections[connection].is_missing(header.number, back);
                self.give_turn(node, connection);
            }
        }
    }

    fn take_data(&mut self, node: usize, packet: &Packet, t: u64) {
        let Packet { header, trip, flits, message, .. } = *packet;
        let (rules, bytes) = (self.rules(), flits * self.flit());
        let receiver = self.nics[node].receivers.entry(trip.from).or_default();
        let taken = receiver.take(&header, bytes, &rules);
        self.nics[node].answers.extend(taken.answer.map(|answer| (trip.from, answer)));
        let told = self.told();
        told.superfluous += u64::from(taken.superfluous);
        told.data += u64::from(taken.is_new);
        told.marked += u64::from(taken.is_new && header.marked);
        if taken.is_new {
            self.source.count_arrival(message, flits, t);
        }
    }

    fn count_round_trip(&mut self, takes: u64, t: u64) {
        let told = self.told();
        told.round_trips += 1;
        told.round_trip_sum += Time(takes);
        told.round_trip_most = told.round_trip_most.max(Time(takes));
        told.last_ack = told.last_ack.max(Time(t));
    }

    /// Returns what nodes have told each other.
    pub fn told(&mut self) -> &mut TransportRecord {
        self.source.outcome.told.get_or_insert(TransportRecord::NOTHING)
    }

    /// Sends all packets of a NIC that can be sent in a time before or at this edge, in order.
    pub fn inject_answering(&mut self, node: usize, time: Range<u64>) {
        let number = self.net.ports + node;
        let mut t = time.start;
        while t < time.end {
            self.end_idle_at_node(node, t);
            let channel = &self.channels[number];
            let can = t.max(channel.free_at).max(channel.awake_at);
            if can > t {
                t = can;
                continue;
            }
            self.look_for_losses(node, t);
            let Some(next) = self.next_of(node) else {
                self.channels[number].remove_waiter(node, t);
                let timers = self.nics[node].connections.iter().filter_map(|connection| connection.timer);
                t = timers.min().unwrap_or(u64::MAX);
                continue;
            };
            let channel = &mut self.channels[number];
            channel.advance(t);
            if !channel.is_on() {
                channel.request(t, self.nics[node].frames());
                if let (Some(since), Policy::Coalescing(limits)) = (channel.coalesces_since, channel.memory.policy) {
                    t = since.saturating_add(limits.timeout.0);
                }
                continue;
            }
            let flits = match next {
                Next::Answer(..) => self.answer_flits(),
                Next::Data(_, packet) => packet.flits,
            };
            let channel = &self.channels[number];
            let with_room = (0..self.net.vcs).filter(|&vc| channel.credits[vc] >= flits);
            match with_room.min_by_key(|vc| vc.wrapping_sub(self.nic_pointers[node])) {
                Some(vc) => self.send_next(node, vc, &next, t),
                None => t = channel.returning.iter().map(|&(at, ..)| at).min().unwrap_or(u64::MAX),
            }
        }
    }

    /// Lets a NIC's channel learn that something waits for it.
    pub fn end_idle_at_node(&mut self, node: usize, t: u64) {
        let channel = &mut self.channels[self.net.ports + node];
        // It may have gone to sleep since the last edge.
        channel.advance(t);
        if self.nics[node].has_more() {
            channel.add_waiter(node, t);
        }
    }

    pub fn answer_flits(&self) -> u64 {
        self.net.config.switch.message_flits(self.rules().ack.0).min(self.full())
    }

    /// Looks at time `t` for packets of a node of which nothing has come in time.
    fn look_for_losses(&mut self, node: usize, t: u64) {
        let rules = self.rules();
        let mut due: Vec<(u64, usize)> = Vec::new();
        for (number, connection) in self.nics[node].connections.iter().enumerate() {
            due.extend(connection.timer.filter(|&at| at <= t).map(|at| (at, number)));
        }
        due.sort_unstable();
        for (_, connection) in due {
            let overdue = self.nics[node].connections[connection].look(&rules, t);
            self.told().timeouts += overdue;
            self.give_turn(node, connection);
        }
    }

    /// Returns what a NIC sends next. Connections whose turn it is and that may send no more lose it.
    fn next_of(&mut self, node: usize) -> Option<Next> {
        let (rules, flit, full) = (self.rules(), self.flit(), self.full());
        let nic = &mut self.nics[node];
        if let Some(&(to, header)) = nic.answers.front() {
            return Some(Next::Answer(to, header));
        }
        while let Some(&turn) = nic.turns.front() {
            let connection = &nic.connections[turn];
            if let Some(packet) = connection.next(full).filter(|_| connection.may_send(&rules, flit, full)) {
                return Some(Next::Data(turn, packet));
            }
            nic.turns.pop_front();
        }
        None
    }

    /// Sends a packet of a NIC at time `t`.
    fn send_next(&mut self, node: usize, vc: usize, next: &Next, t: u64) {
        let mut packet = match *next {
            Next::Answer(to, header) => {
                self.nics[node].answers.pop_front();
                self.told().acks += 1;
                let header = if header.kind == Kind::Ack { header } else { Header { sent_at: t, ..header } };
                let flits = self.answer_flits();
                Packet { flits, header, trip: self.trip_of(node, to), ..Packet::default() }
            }
            Next::Data(connection, packet) => self.leave_connection(node, connection, &packet, t),
        };
        let lossy = self.net.config.switch.is_lossy();
        let channel = &mut self.channels[self.net.ports + node];
        let wire = self.net.config.node.nic_latency.0 + channel.class.latency.0;
        if !lossy {
            channel.fill(vc, packet.flits, t + wire);
        }
        let end = channel.send(node, packet.flits, t..0, t);
        if self.nics[node].has_more() {
            channel.add_waiter(node, t);
        }
        let in_turn = self.net.config.node.injection == Injection::RoundRobin;
        self.nic_pointers[node] = if in_turn { vc + 1 } else { 0 };
        self.source.outcome.injected += 1;
        packet.head_at = if self.net.stores() { end } else { t } + wire;
        packet.born = packet.head_at;
        self.wires.push((self.net.back[self.net.ports + node], vc, packet));
    }

    /// Lets a packet leave its connection at time `t`.
    fn leave_connection(&mut self, node: usize, connection: usize, packet: &NextPacket, t: u64) -> Packet {
        let NextPacket { number, message, flits, again } = *packet;
        let (rules, first) = (self.rules(), self.begin_message(node, packet));
        self.told().resent += u64::from(again);
        let nic = &mut self.nics[node];
        nic.turns.pop_front();
        let sender = &mut nic.connections[connection];
        sender.leave(packet, t);
        if rules.recovery.is_some() && sender.timer.is_none() {
            sender.timer = Some(t + sender.waits(&rules));
        }
        let to = sender.to;
        self.give_turn(node, connection);
        let asks = !self.nics[node].turns.contains(&connection);
        let header = Header { kind: Kind::Data, asks, number, sent_at: t, ..Header::default() };
        Packet { message, first, flits, header, trip: self.trip_of(node, to), ..Packet::default() }
    }

    /// Returns whether a packet is the first of its message; if so, its channel learns of the message.
    fn begin_message(&mut self, node: usize, packet: &NextPacket) -> bool {
        let message = &mut self.source.messages[packet.message];
        let first = !packet.again && message.unsent == message.flits;
        if !packet.again {
            message.unsent -= packet.flits;
        }
        let (created, to) = (message.created, message.to);
        let channel = &mut self.channels[self.net.ports + node];
        if first && channel.memory.counts_messages() {
            channel.memory.message(self.net.sleepers(node, to));
        }
        if first && channel.awake_at > created {
            channel.delay(created);
        }
        first
    }

    /// Begins the route of the next packet of a node.
    fn trip_of(&mut self, node: usize, to: usize) -> crate::net::Trip {
        self.sent[node] += 1;
        self.net.trip(node, to, self.sent[node])
    }
}
