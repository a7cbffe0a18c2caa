//! What a NIC sends next: answers first, then a packet of each connection that may, in turn.

use std::cmp::Reverse;

use crate::engine::switch::header::{Header, Kind};

use super::queue::{Answer, Next, Waiting};
use super::sender::{NextPacket, Place};
use super::transports::Transports;

/// Nobody waits longer than 1,024 times the timeout.
const MOST_BACKOFF: u8 = 10;

impl Transports {
    /// Puts a connection where it belongs that is in no list.
    pub(super) fn put(&mut self, sender: u32, t: u64) {
        let grants = self.grants();
        let connection = &mut self.senders[sender as usize];
        let bytes = connection.next(self.full).map(|packet| u64::from(packet.flits) * self.flit);
        connection.place = connection.belongs(bytes, t);
        let queue = &mut self.queues[connection.node as usize];
        match connection.place {
            Place::Ready => queue.ready.push_back(sender),
            Place::Paced => queue.paced.push(Reverse((connection.not_before, sender))),
            // What a sender has is told by its data; one whose data has not told all asks.
            Place::Waiting if grants && connection.asked < connection.had => {
                connection.asked = connection.had;
                let (bytes, allowed) = (connection.had, connection.steering.allowed());
                let header = Header { kind: Kind::Request, bytes, allowed, ..Header::default() };
                queue.answers.push_back(Answer { to: connection.to, header });
            }
            Place::Idle | Place::Waiting => {}
        }
    }

    /// Returns the packet that a NIC sends at time `t`, and how many wait with it; or until when it has none. It looks for what
    /// is late only when it `can_send`: what else happens while its channel is busy changes nothing of that.
    pub fn next(&mut self, node: u32, t: u64, can_send: bool) -> Result<(Next, u32), Waiting> {
        self.grant(node, t);
        if can_send {
            self.expire(node, t);
        }
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
        while let Some(&sender) = self.queues[node as usize].ready.front() {
            let connection = &self.senders[sender as usize];
            let packet = connection.next(self.full);
            let bytes = packet.map(|packet| u64::from(packet.flits) * self.flit);
            if let Some(packet) = packet.filter(|_| connection.belongs(bytes, t) == Place::Ready) {
                return Ok((Next::Data(sender, packet), frames));
            }
            // What it was to send again has come, or its window has become smaller.
            self.queues[node as usize].ready.pop_front();
            self.put(sender, t);
        }
        Err(self.queues[node as usize].waiting())
    }

    /// Returns whether a NIC has something to send at once.
    pub fn has_more(&self, node: u32) -> bool {
        self.queues[node as usize].frames() > 0
    }

    /// Returns until when a NIC has nothing to do that has nothing to send at once.
    pub fn waiting(&self, node: u32) -> Waiting {
        self.queues[node as usize].waiting()
    }

    /// Lets an answer leave that was [next](Self::next) at a NIC, at time `t`; returns what it says.
    pub fn leave_answer(&mut self, node: u32, from: u32, t: u64) -> Header {
        let answer = self.queues[node as usize].answers.pop_front();
        let header = answer.map(|answer| answer.header).unwrap_or_default();
        let counted = match header.kind {
            Kind::Ack | Kind::Data | Kind::Missing => &mut self.counted.acks,
            Kind::Notification => &mut self.counted.notifications,
            Kind::Credit | Kind::Request => &mut self.counted.credits,
        };
        *counted += 1;
        let sent_at = if header.kind == Kind::Ack { header.sent_at } else { t };
        Header { from, sent_at, ..header }
    }

    /// Lets a packet leave that was [next](Self::next) at a NIC, from time `t` on until `end`; returns what it says.
    pub fn leave_data(&mut self, sender: u32, packet: &NextPacket, from: u32, t: u64, end: u64) -> Header {
        let bytes = u64::from(packet.flits) * self.flit;
        let connection = &mut self.senders[sender as usize];
        let queue = &mut self.queues[connection.node as usize];
        queue.ready.pop_front();
        connection.leave(packet, t);
        self.counted.resent += u64::from(packet.message.is_none());
        connection.sent.sent += bytes;
        connection.not_before = t.saturating_add(connection.steering.gap(bytes, t));
        if let Some(recovery) = self.rules.recovery
            && !std::mem::replace(&mut connection.armed, true)
        {
            queue.timers.push(Reverse((t + connection.waits(recovery.timeout.0), sender)));
        }
        let (had, allowed) = (connection.had, connection.steering.allowed());
        connection.asked = had;
        self.put(sender, end);
        let asks = matches!(self.senders[sender as usize].place, Place::Idle | Place::Waiting);
        let number = packet.number;
        Header { kind: Kind::Data, asks, from, number, bytes: had, allowed, sent_at: t, ..Header::default() }
    }

    /// Looks for packets of a node's connections of which nothing has come in time by time `t`.
    fn expire(&mut self, node: u32, t: u64) {
        let Some(recovery) = self.rules.recovery else { return };
        while let Some(&Reverse((at, sender))) = self.queues[node as usize].timers.peek()
            && at <= t
        {
            self.queues[node as usize].timers.pop();
            let connection = &mut self.senders[sender as usize];
            let waits = connection.waits(recovery.timeout.0);
            let Some(flights) = &mut connection.flights else { continue };
            let (packets, flits) = t.checked_sub(waits).map_or((0, 0), |sent_at| flights.miss_until(sent_at));
            let oldest = flights.oldest();
            connection.armed = oldest.is_some();
            if packets > 0 {
                connection.backoff = (connection.backoff + 1).min(MOST_BACKOFF);
            }
            if let Some(oldest) = oldest {
                let at = (oldest + connection.waits(recovery.timeout.0)).max(t + 1);
                self.queues[node as usize].timers.push(Reverse((at, sender)));
            }
            self.counted.timeouts += packets;
            self.lose(sender, flits, t);
        }
    }

    /// Notes that so many flits of a connection are lost, and lets it send what is missing.
    pub(super) fn lose(&mut self, sender: u32, flits: u64, t: u64) {
        let connection = &mut self.senders[sender as usize];
        let bytes = flits * self.flit;
        if bytes > 0 {
            connection.sent.sent -= bytes;
            connection.steering.lost(bytes);
        }
        if matches!(connection.place, Place::Idle | Place::Waiting) {
            self.put(sender, t);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::endpoint::message::{Message, Purpose};
    use crate::engine::switch::origin;
    use crate::engine::switch::outgoing::Ejected;
    use crate::engine::transport::Came;
    use crate::model::config::{Config, FlowControl};
    use crate::model::transport::{Control, Recovery, Retransmit, Transport};
    use crate::model::units::{Bytes, Time};
    use crate::topology::{Racks, TopologySpec};

    /// A node whose packets to two others are late has both to send again. When the first has come after all, the second is
    /// sent, and nothing of the first.
    #[test]
    fn a_connection_with_nothing_left_holds_up_no_other() {
        let network = TopologySpec::Racks(Racks { racks: 2, nodes_per_rack: 2, uplinks: 1 }).build().unwrap();
        let mut config = Config::new(&network);
        config.switch.flow_control = FlowControl::Drop;
        let recovery = Some(Recovery { retransmit: Retransmit::Selective, timeout: Time::from_us(1) });
        let (ack, ack_every) = (Bytes(16), Bytes(1));
        config.transport = Some(Transport { control: Control::None, ack, ack_every, grace: false, recovery });
        let mut transports = Transports::new(&config, 4).unwrap();
        for to in [1, 2] {
            transports.connect(0, to, 1_000);
            let message = Message { to_node: to, flits_left: 8, ..Message::new(0, to, Purpose::Load) };
            transports.send(0, to, &message, 0);
        }
        let sent = |transports: &mut Transports, t| match transports.next(0, t, true) {
            Ok((Next::Data(sender, packet), _)) => {
                transports.leave_data(sender, &packet, 0, t, t + 1);
                Some((sender, packet.message))
            }
            _ => None,
        };
        assert_eq!([sent(&mut transports, 0), sent(&mut transports, 10)], [Some((0, Some(1))), Some((1, Some(2)))]);
        assert_eq!(sent(&mut transports, 20), None);
        // Both are late.
        assert!(transports.next(0, 2_000_000, true).is_ok());
        let header = Header { kind: Kind::Ack, from: 1, number: 1, bytes: 128, ..Header::default() };
        let place = origin::Came { origin: origin::Origin::default(), port: 0, header };
        let packet = Ejected { message: 0, first: false, flits: 1, at: 0, wake_delay: 0 };
        transports.receive_answer(0, &Came { place, packet }, 2_000_001);
        assert_eq!(sent(&mut transports, 2_000_002), Some((1, None)));
        assert_eq!(sent(&mut transports, 2_000_003), None);
    }
}
