//! What shards send each other: packets, credits and wakes that cross from one partition to another, and what receivers
//! must know of messages.
//!
//! A shard fills a [`Mailbox`] for each of the others while it advances. Between two windows it receives the mailboxes
//! of all others, in their order. The lookahead guarantees that nothing in them takes effect earlier.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::power::Policy;

use crate::engine::endpoint::chain::DependencyChain;
use crate::engine::endpoint::message::{Message, Purpose};
use crate::engine::endpoint::single::Single;
use crate::engine::fabric::nic::Nics;
use crate::engine::partition::Owners;
use crate::engine::switch::outgoing::{Known, RemoteCredit, RemoteMessage};
use crate::engine::switch::packet::Packet;
use crate::engine::switch::switches::Switches;
use crate::engine::switch::wake_delay::Moment;

/// Names a message in the whole simulation: its sending node, and its number there.
pub type MessageName = (u32, u32);

/// What one shard sends another.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Mailbox {
    /// Messages to nodes of the other; they come before their packets.
    messages: Vec<(Message, DependencyChain)>,
    /// Packets of such messages, their input queues numbered as in the whole network.
    packets: Vec<(MessageName, Packet, Known)>,
    /// Messages that are carried by their only packet, with that packet.
    singles: Vec<(Single, Packet, Known)>,
    /// Packets whose number says what they belong to: where nodes answer each other.
    numbered: Vec<(Packet, Known)>,
    /// Credits for the other's channels.
    credits: Vec<RemoteCredit>,
    /// Messages for the other's ports.
    for_ports: Vec<RemoteMessage>,
}

impl Mailbox {
    /// Returns the number of packets in it.
    fn carried(&self) -> usize {
        self.packets.len() + self.singles.len() + self.numbered.len()
    }

    /// Returns the number of packets, credits and other things in it.
    pub fn count(&self) -> usize {
        self.messages.len() + self.carried() + self.credits.len() + self.for_ports.len()
    }
}

/// The mailboxes that a shard fills, and what it expects from others.
#[derive(Debug)]
pub struct Mailboxes {
    /// The shards of all ports.
    owners: Arc<Owners>,
    /// The mailbox for each shard.
    outboxes: Vec<Mailbox>,
    /// The time of the earliest effect of what this window has put into the outboxes.
    soonest: u64,
    /// Messages to nodes here whose packets come from elsewhere: their place in the slab.
    expected: FxHashMap<MessageName, u32>,
}

impl Mailboxes {
    /// Prepares one of the shards that have all ports.
    pub fn new(owners: Arc<Owners>) -> Self {
        let outboxes = (0..owners.partitions()).map(|_| Mailbox::default()).collect();
        Mailboxes { owners, outboxes, soonest: u64::MAX, expected: FxHashMap::default() }
    }

    /// Returns which shards have all ports.
    pub fn owners(&self) -> &Owners {
        &self.owners
    }

    /// Returns whether there are other shards.
    pub fn has_others(&self) -> bool {
        self.outboxes.len() > 1
    }

    /// Returns the mailbox for another shard.
    pub fn outbox(&mut self, to: usize) -> &mut Mailbox {
        &mut self.outboxes[to]
    }

    /// Takes the mailboxes that are not empty, each with the shard that it is for.
    pub fn take(&mut self) -> impl Iterator<Item = (usize, Mailbox)> {
        let all = self.outboxes.iter_mut().enumerate();
        all.filter(|(_, mailbox)| mailbox.count() > 0).map(|(to, mailbox)| (to, std::mem::take(mailbox)))
    }

    /// Begins a window with empty outboxes.
    pub fn begin_window(&mut self) {
        self.soonest = u64::MAX;
    }

    /// Returns the time of the earliest effect of what this window has put into the outboxes.
    pub fn soonest(&self) -> u64 {
        self.soonest
    }

    /// Returns the number of packets in the outboxes.
    pub fn packets(&self) -> u64 {
        self.outboxes.iter().map(|mailbox| mailbox.carried() as u64).sum()
    }

    /// Forgets a message whose last packet has been delivered here.
    #[inline]
    pub fn forget(&mut self, message: &Message) {
        if !self.expected.is_empty() {
            self.expected.remove(&(message.from_node, message.sequence));
        }
    }

    /// Returns the outbox for the shard that a port belongs to.
    fn outbox_of(&mut self, port: u32) -> &mut Mailbox {
        &mut self.outboxes[self.owners.of(port)]
    }

    /// Puts what has left the partition at this edge into the outboxes.
    pub fn pack<P: Policy>(&mut self, switches: &mut Switches<P>, nics: &mut Nics) {
        for (message, chain) in nics.shipped.drain(..) {
            let port = switches.network.node_port[message.to_node as usize];
            self.outbox_of(port).messages.push((message, chain));
        }
        for credit in switches.outgoing.credits.drain(..) {
            self.soonest = self.soonest.min(credit.at);
            self.outbox_of(credit.channel).credits.push(credit);
        }
        for message in switches.outgoing.messages.drain(..) {
            self.soonest = self.soonest.min(message.at);
            self.outbox_of(message.port).for_ports.push(message);
        }
        for (packet, known) in switches.outgoing.departed.drain(..) {
            self.soonest = self.soonest.min(packet.head_at);
            let port = packet.place >> switches.layout.queue_bits;
            let id = packet.message;
            if switches.headers.kept {
                self.outbox_of(port).numbered.push((packet, known));
                continue;
            }
            if let Some(single) = nics.messages.singles.take(id) {
                self.outbox_of(port).singles.push((single, packet, known));
                continue;
            }
            let message = &mut nics.messages[id];
            let name = (message.from_node, message.sequence);
            if switches.partition.switches.contains(packet.to_switch) {
                // Both of its nodes are in this partition: it will be back.
                self.expected.insert(name, id);
            } else {
                message.packets_left -= 1;
                if message.packets_left == 0 {
                    nics.messages.remove(id);
                }
            }
            self.outbox_of(port).packets.push((name, packet, known));
        }
    }

    /// Receives a mailbox that another shard has filled for this one, and leaves it empty.
    pub fn receive<P: Policy>(&mut self, mailbox: &mut Mailbox, switches: &mut Switches<P>, nics: &mut Nics) {
        for (message, chain) in mailbox.messages.drain(..) {
            let name = (message.from_node, message.sequence);
            let id = nics.messages.insert_led(message, chain);
            if nics.transports.is_some() {
                nics.expect(id);
            } else {
                self.expected.insert(name, id);
            }
        }
        for RemoteCredit { channel, vc, flits, at, wake_delay } in mailbox.credits.drain(..) {
            let channel = switches.partition.link(switches.partition.all_ports.here(channel));
            switches.credit(channel, vc, flits, at);
            switches.wake_delays.note_credit(channel, vc, Moment { at, wake_delay });
        }
        for RemoteMessage { port, at, message } in mailbox.for_ports.drain(..) {
            switches.put_message(switches.partition.all_ports.here(port), at, message);
        }
        let mut arrive = |message: u32, packet: Packet, known: Known| {
            let port = packet.place >> switches.layout.queue_bits;
            let ahead = port - switches.partition.all_ports.here(port);
            let place = packet.place - (ahead << switches.layout.queue_bits);
            let id = switches.buffers.packets.insert(Packet { message, place, ..packet });
            switches.wake_delays.note(id, known.wake_delay);
            switches.served.note_born(id, known.born);
            switches.origins.note(id, known.origin);
            switches.headers.note(id, known.header);
            switches.events.put_arrival(id, packet.head_at);
        };
        for (name, packet, known) in mailbox.packets.drain(..) {
            // A packet that is only passing through has a message of its own, which is gone when it leaves.
            let message = self.expected.get(&name).copied();
            let message = message.unwrap_or_else(|| nics.messages.insert(passing(name)));
            arrive(message, packet, known);
        }
        for (packet, known) in mailbox.numbered.drain(..) {
            arrive(packet.message, packet, known);
        }
        for (single, packet, known) in mailbox.singles.drain(..) {
            arrive(nics.messages.singles.insert(single), packet, known);
        }
    }
}

/// Creates a stand-in for the message of a packet that passes through between other shards. Its length is not known.
fn passing((from_node, sequence): MessageName) -> Message {
    Message { packets_left: 1, ..Message::new(from_node, sequence, Purpose::Load) }
}
