//! Network interfaces of nodes that answer each other: what they send is what their [connections](Transports) may.

use crate::engine::endpoint::message::Message;
use crate::engine::event::node::NodeEvent;
use crate::engine::switch::header::{Header, Kind};
use crate::engine::switch::switches::Switches;
use crate::engine::switch::waiters::Waits;
use crate::engine::switch::wake_delay::Moment;
use crate::engine::transport::{Came, Next, NextPacket, Transports, Waiting};
use crate::model::ids::NodeId;
use crate::model::rng::{self, Purpose as Draws};
use crate::power::Policy;
use crate::routing::route;

use super::nic::Nics;

/// A packet that a NIC is about to send.
struct Packet {
    to_node: u32,
    flits: u16,
    vc: u8,
    /// It is the first of a message: how many channels on its way may sleep.
    first: Option<u8>,
    /// The number of its message at its node; 0 where it carries no data.
    sequence: u32,
}

impl Nics {
    /// Accepts a message at time `t` over the connection of its nodes.
    #[cold]
    pub(super) fn send_connected<P: Policy>(&mut self, switches: &mut Switches<P>, id: u32, t: u64) {
        let message = self.messages[id];
        let node = self.here.here(message.from_node);
        if switches.partition.all_nodes.contains(message.to_node) {
            self.expect(id);
        } else {
            self.shipped.push((message, self.messages.chain(id)));
        }
        let Some(transports) = &mut self.transports else { return };
        if !transports.is_connected(node, message.to_node) {
            let answer = transports.answer_flits();
            let round_trip = round_trip(switches, self.nic_latency, &message, answer);
            transports.connect(node, message.to_node, round_trip);
        }
        transports.send(node, id, &message, t);
        self.advance_connected(switches, node, t);
    }

    /// Expects the packets of a message that goes to a node here.
    pub fn expect(&mut self, id: u32) {
        let message = self.messages[id];
        let (packets, _) = self.segment(message.bytes);
        let node = self.here.here(message.to_node);
        if let Some(transports) = &mut self.transports {
            transports.expect(node, id, &message, packets);
        }
    }

    /// Sends a packet at time `t` if a connection may and the channel can take one, and schedules the next try.
    #[cold]
    pub(super) fn advance_connected<P: Policy>(&mut self, switches: &mut Switches<P>, node: u32, t: u64) {
        let Some(transports) = &mut self.transports else { return };
        let hot = &switches.links.hot[(switches.partition.ports() + node) as usize];
        let can_send_at = t.max(hot.free_at).max(hot.awake_at);
        let (next, frames) = match transports.next(node, t, can_send_at == t) {
            Ok(next) => next,
            Err(Waiting::Idle) => return,
            Err(Waiting::Until(at)) => return self.come_back(switches, node, at.max(can_send_at)),
        };
        let flits = match next {
            Next::Answer(_) => transports.answer_flits(),
            Next::Data(_, packet) => packet.flits,
        };
        let Some((vc, flits)) = self.ready_vc(switches, node, t, |_| flits, |_| frames) else { return };
        let end = match next {
            Next::Answer(answer) => {
                let packet = Packet { to_node: answer.to, flits, vc, first: None, sequence: 0 };
                let say = |transports: &mut Transports, from, _| transports.leave_answer(node, from, t);
                self.put(switches, node, &packet, t, say)
            }
            Next::Data(sender, packet) => self.send_data(switches, node, sender, &packet, vc, t),
        };
        let waiting = self.transports.as_ref().map(|transports| transports.waiting(node));
        match waiting {
            _ if self.transports.as_ref().is_some_and(|transports| transports.has_more(node)) => {
                self.come_back(switches, node, end);
            }
            Some(Waiting::Until(at)) => self.come_back(switches, node, at.max(end)),
            _ => {}
        }
    }

    /// Sends the next packet of a connection at time `t`; returns when its last bit has left.
    fn send_data<P: Policy>(
        &mut self,
        switches: &mut Switches<P>,
        node: u32,
        sender: u32,
        next: &NextPacket,
        vc: u8,
        t: u64,
    ) -> u64 {
        let say = |transports: &mut Transports, from, end| transports.leave_data(sender, next, from, t, end);
        let &NextPacket { flits, sequence, .. } = next;
        let to_node = self.transports.as_ref().map_or(0, |transports| transports.to_node(sender));
        let Some(id) = next.message else {
            let packet = Packet { to_node, flits, vc, first: None, sequence };
            return self.put(switches, node, &packet, t, say);
        };
        let message = &mut self.messages[id];
        let first = !std::mem::replace(&mut message.begun, true);
        message.flits_left -= u64::from(flits);
        let last = message.flits_left == 0;
        let Message { from_node, purpose, created, .. } = *message;
        let event = message.sent_event();
        let first = first.then(|| switches.sleepers(from_node, to_node));
        if let Some(hops) = first {
            let channel = (switches.partition.ports() + node) as usize;
            // Other packets may have woken it before this message was there.
            let delayed = (switches.links.hot[channel].awake_at > created).then_some(created);
            switches.links.begin_message(channel, hops, delayed);
            if delayed.is_some() {
                switches.links.number_waiting(id);
            }
        }
        let packet = Packet { to_node, flits, vc, first, sequence };
        let end = self.put(switches, node, &packet, t, say);
        if let Some(send) = purpose.completes().filter(|_| last) {
            switches.events.put_node(NodeEvent { time: end, data: send, ..event });
        }
        if last && !switches.partition.all_nodes.contains(to_node) {
            // Its receiver has a copy.
            self.messages.remove(id);
        }
        end
    }

    /// Puts a packet onto the channel of a NIC at time `t`; `say` tells what it says, by the node that sends it and about when its
    /// last bit will have left. Returns when that is.
    fn put<P: Policy>(
        &mut self,
        switches: &mut Switches<P>,
        node: u32,
        packet: &Packet,
        t: u64,
        say: impl FnOnce(&mut Transports, u32, u64) -> Header,
    ) -> u64 {
        let &Packet { to_node, flits, vc, first, sequence } = packet;
        let channel = (switches.partition.ports() + node) as usize;
        let from = self.here.whole(node);
        let occasion = self.next_packet(node);
        // What it waited for until now is no part of its round trip.
        let wake_delay = switches.wake_delay_at_nic(channel, vc, Moment::comes(t, 0), t);
        // What is left then: without anything, the channel begins to idle.
        let about = t + switches.links.class(channel).duration_ceil(flits);
        let (header, more) = match &mut self.transports {
            Some(transports) => (say(transports, from, about), transports.has_more(node)),
            None => (Header::default(), false),
        };
        let end = switches.links.send(channel, flits, t, 0, t, more).end;
        if P::PROBES {
            switches.join(Waits::at_node(node), 1, t);
            switches.leave_node(node, channel, t..end);
        }
        self.injected += 1;
        let draw = |(seed, bits)| rng::draw(seed, Draws::Routing, from, occasion) as u16 & bits;
        let route = self.draws.map_or(0, |draws| switches.begin_route(node, draw(draws)));
        let comes = if switches.rules.stores { end } else { t } + self.nic_latency;
        let latency = switches.links.latency(channel);
        if switches.dropper.is_none() {
            switches.links.fill(channel, vc, flits, t + self.nic_latency + latency);
        }
        // It names no message: a number of its own, by which an audit knows it.
        let named = from.wrapping_mul(0x9E37_79B9) ^ occasion as u32;
        let id = switches.inject(channel, named, to_node, flits, vc, first, route, comes);
        switches.wake_delays.note(id, wake_delay);
        switches.served.note_born(id, comes);
        switches.headers.note(id, header);
        if let Some(pairs) = &self.pairs {
            switches.origins.note(id, pairs.origin(from, to_node, sequence, header.number));
        }
        end
    }

    /// Takes in a packet whose last bit has reached its node at time `t`: returns its message, and whether it is its first
    /// packet, if it carries data.
    pub fn take_in<P: Policy>(
        &mut self,
        switches: &mut Switches<P>,
        node: u32,
        came: &Came,
        t: u64,
    ) -> Option<(u32, bool)> {
        let transports = self.transports.as_mut()?;
        let taken = if came.place.header.kind == Kind::Data {
            transports.receive(node, came, t)
        } else {
            transports.receive_answer(node, came, t);
            None
        };
        self.advance_connected(switches, node, t);
        taken
    }
}

/// Returns how long a full packet of a message and the answer to it take in an idle network, in picoseconds: the time of
/// wires and switches both ways, and of sending both packets, at each switch where these are stored.
fn round_trip<P: Policy>(switches: &Switches<P>, nic_latency: u64, message: &Message, answer: u16) -> u64 {
    // At both ends, both ways.
    let mut wires = 4 * nic_latency;
    let (mut sends, mut slowest) = (0, 0);
    let mut pass = |class: u8, channels: u32| {
        let class = &switches.links.classes[usize::from(class)];
        let takes = class.duration_ceil(switches.rules.packet_flits) + class.duration_ceil(answer);
        wires += 2 * u64::from(channels) * class.hop;
        sends += takes * u64::from(channels);
        slowest = slowest.max(takes);
    };
    if message.from_node == message.to_node {
        pass(0, 2);
    } else {
        route::minimal(switches.network, NodeId(message.from_node), NodeId(message.to_node), pass);
    }
    // A NIC needs no time to grant.
    let own = &switches.links.classes[0];
    wires - 2 * own.hop.saturating_sub(own.latency) + if switches.rules.stores { sends } else { slowest }
}
