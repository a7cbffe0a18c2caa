//! What shards have for each other: packets, credits and wakes that cross the cut between them, and what receivers must know of
//! messages.
//!
//! A shard collects it while it advances, in a [`Mailbox`] for each of the others, and takes in the mailbox of all others between two
//! windows, in their order. The lookahead guarantees that nothing in it takes effect before.

use rustc_hash::FxHashMap;

use crate::power::Policy;

use crate::engine::control::trunks::RemoteMessage;
use crate::engine::endpoint::message::{Message, Purpose};
use crate::engine::parallel::shard::Shard;
use crate::engine::switch::packet::Packet;
use crate::engine::switch::switches::RemoteCredit;

/// Names a message in the whole simulation: its sending node, and its number there.
pub type MessageName = (u32, u32);

/// What one shard has for another.
#[derive(Debug, Default)]
pub struct Mailbox {
    /// Messages to nodes of the other; they come before their packets.
    messages: Vec<Message>,
    /// Packets, their input queues numbered as in the whole network.
    packets: Vec<(MessageName, Packet)>,
    /// Credits for the other's channels.
    credits: Vec<RemoteCredit>,
    /// Words for the other's ports.
    words: Vec<RemoteMessage>,
}

impl Mailbox {
    /// Returns whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.packets.is_empty() && self.credits.is_empty() && self.words.is_empty()
    }
}

/// A shard's side of the mailboxes.
#[derive(Debug)]
pub struct Mailboxes {
    /// The first port after each shard's, as numbered in the whole network.
    ends: Vec<u32>,
    /// What it has for each shard.
    outboxes: Vec<Mailbox>,
    /// When the earliest effect of what has been put into the outboxes in this window is.
    soonest: u64,
    /// Messages to nodes here whose packets come from elsewhere: their place in the slab.
    expected: FxHashMap<MessageName, u32>,
}

impl Mailboxes {
    /// Prepares one of the shards whose ports end there.
    pub fn new(ends: Vec<u32>) -> Self {
        let outboxes = ends.iter().map(|_| Mailbox::default()).collect();
        Mailboxes { ends, outboxes, soonest: u64::MAX, expected: FxHashMap::default() }
    }

    /// Returns whether there are other shards.
    pub fn is_cut(&self) -> bool {
        self.ends.len() > 1
    }

    /// Returns what lies in the outbox for another shard.
    pub fn outbox(&mut self, to: usize) -> &mut Mailbox {
        &mut self.outboxes[to]
    }

    /// Begins a window with empty outboxes.
    pub fn begin_window(&mut self) {
        self.soonest = u64::MAX;
    }

    /// Returns the time of the earliest effect of what has been put into the outboxes in this window.
    pub fn soonest(&self) -> u64 {
        self.soonest
    }

    /// Returns the number of packets in the outboxes.
    pub fn packets(&self) -> u64 {
        self.outboxes.iter().map(|mailbox| mailbox.packets.len() as u64).sum()
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
        &mut self.outboxes[self.ends.partition_point(|&end| end <= port)]
    }
}

impl<P: Policy> Shard<'_, P> {
    /// Puts what has left the part at this edge into the outboxes.
    pub fn pack(&mut self) {
        for message in self.nics.shipped.drain(..) {
            let port = self.switches.network.node_port[message.to_node as usize];
            self.mailboxes.outbox_of(port).messages.push(message);
        }
        for credit in self.switches.credits_elsewhere.drain(..) {
            self.mailboxes.soonest = self.mailboxes.soonest.min(credit.at);
            self.mailboxes.outbox_of(credit.channel).credits.push(credit);
        }
        for word in self.switches.words_elsewhere.drain(..) {
            self.mailboxes.soonest = self.mailboxes.soonest.min(word.at);
            self.mailboxes.outbox_of(word.port).words.push(word);
        }
        let mut departed = std::mem::take(&mut self.switches.departed);
        for packet in departed.drain(..) {
            let port = packet.place >> self.switches.vc_bits;
            let id = packet.message;
            let message = &mut self.nics.messages[id];
            let name = (message.from_node, message.sequence);
            if self.switches.part.switches.contains(&packet.to_switch) {
                // On its way between two nodes of this part: it will be back.
                self.mailboxes.expected.insert(name, id);
            } else {
                message.packets_left -= 1;
                if message.packets_left == 0 {
                    self.nics.messages.remove(id);
                }
            }
            self.mailboxes.soonest = self.mailboxes.soonest.min(packet.head_at);
            self.mailboxes.outbox_of(port).packets.push((name, packet));
        }
        self.switches.departed = departed;
    }

    /// Returns what it has for another shard, which is to be taken away between two windows.
    pub fn outbox(&mut self, to: usize) -> &mut Mailbox {
        self.mailboxes.outbox(to)
    }

    /// Takes in what another shard has for this one, and leaves the mailbox empty.
    pub fn receive(&mut self, mailbox: &mut Mailbox) {
        for message in mailbox.messages.drain(..) {
            let name = (message.from_node, message.sequence);
            let id = self.nics.messages.insert(message);
            self.mailboxes.expected.insert(name, id);
        }
        let first_port = self.switches.part.all_ports.start;
        let first_place = self.switches.queue_of(first_port, 0);
        for RemoteCredit { channel, vc, flits, at } in mailbox.credits.drain(..) {
            self.switches.credit(channel - first_port, vc, flits, at);
        }
        for RemoteMessage { port, at, word } in mailbox.words.drain(..) {
            self.switches.put_message(port - first_port, at, word);
        }
        for (name, packet) in mailbox.packets.drain(..) {
            // A packet that is only passing through has a message of its own, which is gone when it leaves.
            let message = self.mailboxes.expected.get(&name).copied();
            let message = message.unwrap_or_else(|| self.nics.messages.insert(passing(name)));
            let id = self.switches.packets.insert(Packet { message, place: packet.place - first_place, ..packet });
            self.switches.put_arrival(id, packet.head_at);
        }
    }
}

/// Stands for the message of a packet that passes through on its way between other shards.
fn passing((from_node, sequence): MessageName) -> Message {
    Message { packets_left: 1, ..Message::new(from_node, sequence, Purpose::Load) }
}
