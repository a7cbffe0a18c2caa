//! What a node does with a packet that has come: it answers data, and its senders go on by answers.

use crate::engine::switch::header::{Header, Kind};
use crate::engine::switch::origin;
use crate::model::transport::{Control, Retransmit};
use crate::model::units::Time;

use super::control::Acked;
use super::queue::Answer;
use super::sender::Place;
use super::sequence::Taken;
use super::transports::{Came, Transports};

impl Transports {
    /// Takes in a packet of data at a node at time `t`: returns its message, and whether it is its first packet, if it is
    /// new.
    pub fn receive(&mut self, node: u32, came: &Came, t: u64) -> Option<(u32, bool)> {
        let Came { place: origin::Came { header, .. }, packet } = *came;
        let place = self.receiver(node, header.from);
        self.note_wants(place, &header, t);
        let receiver = &mut self.receivers[place as usize];
        let queue = &mut self.queues[node as usize];
        let taken = self
            .rules
            .recovery
            .map_or(Taken::New, |recovery| receiver.sequence.take(header.number, header.trimmed, recovery.retransmit));
        if let Taken::Missing(number) = taken {
            let header = Header { kind: Kind::Missing, number, ..Header::default() };
            queue.answers.push_back(Answer { to: receiver.from, header });
            self.counted.superfluous += u64::from(!came.place.header.trimmed);
            return None;
        }
        let found = if taken == Taken::New { receiver.take(header.number) } else { None };
        let bytes = if found.is_some() { u64::from(packet.flits) * self.flit } else { 0 };
        receiver.bytes += bytes;
        receiver.since_ack += bytes;
        self.counted.data += u64::from(found.is_some());
        self.counted.superfluous += u64::from(found.is_none());
        self.counted.marked += u64::from(header.marked && found.is_some());
        let notifies = self.rules.control.notifies();
        let echoes = header.marked && notifies.is_none();
        // Packets that one has overtaken whose sender waits are waited for, too; and it waits for one that it sends again.
        let asks = header.asks || header.number < receiver.asked_to || found.is_none();
        receiver.asked_to = receiver.asked_to.max(if header.asks { header.number } else { 0 });
        if echoes || asks || receiver.since_ack >= self.rules.ack_every.0 {
            receiver.since_ack = 0;
            let (number, map) = receiver.sequence.told(header.number);
            let Header { marked, sent_at, .. } = header;
            let (kind, bytes, slept) = (Kind::Ack, receiver.bytes, packet.wake_delay);
            let header = Header { kind, marked, number, bytes, map, sent_at, slept, ..Header::default() };
            queue.answers.push_back(Answer { to: receiver.from, header });
        }
        let due = |every: Time| receiver.notified_at.is_none_or(|at| t - at >= every.0);
        if header.marked && notifies.is_some_and(due) {
            receiver.notified_at = Some(t);
            let header = Header { kind: Kind::Notification, ..Header::default() };
            queue.answers.push_back(Answer { to: receiver.from, header });
        }
        found
    }

    /// Takes in a packet without data at a node at time `t`.
    pub fn receive_answer(&mut self, node: u32, came: &Came, t: u64) {
        let header = came.place.header;
        if header.kind == Kind::Request {
            let receiver = self.receiver(node, header.from);
            return self.note_wants(receiver, &header, t);
        }
        let Some(&sender) = self.to.get(&(node, header.from)) else { return };
        let connection = &mut self.senders[sender as usize];
        match header.kind {
            Kind::Ack => self.acknowledged(sender, came, t),
            Kind::Notification => connection.steering.notified(t),
            Kind::Credit => connection.steering.credited(header.bytes),
            Kind::Missing => self.missing(sender, header.number, t),
            Kind::Data | Kind::Request => {}
        }
        if self.senders[sender as usize].place == Place::Waiting {
            self.put(sender, t);
        }
    }

    /// Takes in an acknowledgement of a connection.
    fn acknowledged(&mut self, sender: u32, came: &Came, t: u64) {
        let Came { place: origin::Came { header, .. }, packet } = *came;
        let connection = &mut self.senders[sender as usize];
        let bytes = match &mut connection.flights {
            // One that was overtaken says nothing new of bytes.
            None => header.bytes.saturating_sub(connection.sent.acked),
            Some(flights) => {
                let [out, missing] = flights.come(header.number, header.map).map(|flits| flits * self.flit);
                // What was taken for lost was not.
                connection.sent.sent += missing;
                out + missing
            }
        };
        connection.sent.acked += bytes;
        if bytes > 0 {
            connection.backoff = 0;
        }
        let round_trip = t - header.sent_at;
        let waking = header.slept.saturating_add(packet.wake_delay).min(round_trip);
        self.counted.round_trips += 1;
        self.counted.round_trip_sum += Time(round_trip);
        self.counted.round_trip_most = self.counted.round_trip_most.max(Time(round_trip));
        self.counted.waking += Time(waking);
        self.counted.last_ack = self.counted.last_ack.max(Time(t));
        let round_trip = if self.rules.grace { round_trip - waking } else { round_trip };
        let in_flight = connection.sent.in_flight();
        connection.steering.acked(&Acked { t, bytes, round_trip, marked: header.marked, in_flight });
    }

    /// Takes in that a packet of a connection is missing, and all after it where the receiver takes none out of sequence.
    fn missing(&mut self, sender: u32, number: u64, t: u64) {
        let back = self.rules.recovery.is_some_and(|recovery| recovery.retransmit == Retransmit::GoBackN);
        let flights = self.senders[sender as usize].flights.as_mut();
        let flits = flights.map_or(0, |flights| flights.miss(number, back));
        self.lose(sender, flits, t);
    }

    /// Notes what a sender has, where its receiver grants credit.
    fn note_wants(&mut self, place: u32, header: &Header, t: u64) {
        if !self.grants() {
            return;
        }
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
    pub(super) fn grant(&mut self, node: u32, t: u64) {
        let Control::Credit(rules) = self.rules.control else { return };
        let queue = &mut self.queues[node as usize];
        while queue.grant_at <= t {
            let Some(place) = queue.granting.pop_front() else { return };
            let receiver = &mut self.receivers[place as usize];
            let most = u64::from(rules.packets) * u64::from(self.full) * self.flit;
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
