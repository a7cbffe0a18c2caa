//! Messages from their hand-over to the NIC until their last bit is delivered, in a slab.

use serde::{Deserialize, Serialize};

use crate::measure::Carried;
use crate::model::units::Time;
use crate::power::runtime::Says;
use crate::workload::matching::Context;

use crate::engine::endpoint::chain::DependencyChain;
use crate::engine::endpoint::single::{Single, Singles};
use crate::engine::event::NONE;
use crate::engine::event::node::{NodeEvent, Phase};
use crate::engine::slab::Slab;

/// What a message is to the ranks that it joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// Open-loop traffic: nobody waits for it.
    Load,
    /// A message of the runtime system, of the job that is its tag and the round that is its order.
    Notification(Says),
    /// The data of an eager send.
    Eager,
    /// The data of a large send whose receive is known to be posted.
    Ready {
        /// Which of the sender's large sends.
        send: u32,
    },
    /// Request to send of a rendezvous; the data waits for the receiver.
    ReadyToSend {
        /// Which of the sender's large sends.
        send: u32,
        /// The data's size.
        bytes: u64,
    },
    /// Clear to send of a rendezvous: the receiver has matched the request to send.
    ClearToSend {
        /// Which of the sender's large sends.
        send: u32,
        /// Which of the receiver's requests gets the data.
        receive: u32,
    },
    /// The data of a large send.
    Data {
        /// Which of the sender's large sends.
        send: u32,
        /// Which of the receiver's requests gets the data.
        receive: u32,
    },
}

impl Purpose {
    /// Returns which of the sender's large sends is complete when the message has left.
    pub const fn completes(self) -> Option<u32> {
        match self {
            Purpose::Ready { send } | Purpose::Data { send, .. } => Some(send),
            _ => None,
        }
    }

    /// Returns whether it carries data.
    pub const fn has_data(self) -> bool {
        self.is_eager() || matches!(self, Purpose::Data { .. })
    }

    /// Returns whether it carries both its envelope and its data.
    pub const fn is_eager(self) -> bool {
        matches!(self, Purpose::Eager | Purpose::Ready { .. })
    }
}

/// A message in flight.
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Message {
    /// When it was handed to the NIC.
    pub created: u64,
    /// When the last bit so far has been (or will be) delivered.
    pub done_at: u64,
    /// Its size.
    pub bytes: u64,
    /// Flits not yet sent.
    pub flits_left: u64,
    /// Packets sent or to be sent, not yet delivered.
    pub packets_left: u64,
    /// The receiving node.
    pub to_node: u32,
    /// The sending node.
    pub from_node: u32,
    /// The next message in the NIC's queue.
    pub next: u32,
    /// Counts the messages of the sending node.
    pub sequence: u32,
    /// The sending rank, in the whole simulation.
    pub from_rank: u32,
    /// The receiving rank, in the whole simulation.
    pub to_rank: u32,
    /// Counts the matched messages from this sender to this receiver; they are matched in this order.
    pub order: u32,
    /// The tag.
    pub tag: u32,
    /// Where it is matched.
    pub context: Context,
    /// What it is to the ranks.
    pub purpose: Purpose,
    /// How much later than its hand-over the latest of its packets so far is because links sleep.
    pub slept: u64,
    /// Which of the receiver's requests it completes, once matched.
    pub receive: u32,
    /// Its first packet, and with it the envelope, has arrived.
    pub arrived: bool,
    /// Counts in the latencies.
    pub measured: bool,
    /// Its first packet has been sent.
    pub begun: bool,
    /// The receiver's processor is done with it.
    pub handled: bool,
}

impl Message {
    /// Creates an empty message; the caller fills in the rest.
    pub fn new(from_node: u32, sequence: u32, purpose: Purpose) -> Self {
        Message {
            created: 0,
            done_at: 0,
            bytes: 0,
            flits_left: 0,
            packets_left: 0,
            to_node: 0,
            from_node,
            next: NONE,
            sequence,
            from_rank: 0,
            to_rank: 0,
            order: 0,
            tag: 0,
            context: Context::PROGRAM,
            purpose,
            slept: 0,
            receive: NONE,
            arrived: false,
            measured: false,
            begun: false,
            handled: false,
        }
    }

    /// Returns what remains to be known of it once its packet has left, if it is of open-loop traffic and a single packet;
    /// `packet` is the length of a packet in bytes.
    #[inline]
    pub fn as_single(&self, packet: u64) -> Option<Single> {
        let &Message { created, bytes, measured, .. } = self;
        if self.purpose != Purpose::Load || bytes > packet {
            return None;
        }
        Some(Single { created, bytes: u32::try_from(bytes).ok()?, measured })
    }

    /// Creates the event of message `id`, this one, at the time when its last bit so far is delivered.
    pub fn event(&self, phase: Phase, id: u32) -> NodeEvent {
        let (time, at, from) = (self.done_at, self.to_rank, self.from_node);
        NodeEvent { time, phase, at, from, sequence: self.sequence, data: id }
    }

    /// Returns whether its last packet is handed over with its first, at time `t`, since that was held until then: it
    /// arrives as a whole.
    pub fn comes_whole(&self, t: u64) -> bool {
        self.packets_left == 0 && self.done_at <= t
    }

    /// Creates the event at the sender when the last bit has left; the caller fills in the time and the large send.
    pub fn sent_event(&self) -> NodeEvent {
        let (at, from, sequence) = (self.from_rank, self.to_rank, self.sequence);
        NodeEvent { time: 0, phase: Phase::Sent, at, from, sequence, data: 0 }
    }
}

/// All messages of a shard.
#[derive(Debug, Default)]
pub struct MessageSlab {
    slots: Slab<Message>,
    /// The dependency chains of the messages of ranks; shorter where the last are of open-loop traffic, which nobody
    /// waits for.
    chains: Vec<DependencyChain>,
    /// Those that are a single packet on its way.
    pub singles: Singles,
}

impl MessageSlab {
    /// Adds a message that nothing has led to.
    pub fn insert(&mut self, message: Message) -> u32 {
        // Its slot has the chain of the last.
        let id = self.slots.insert(message);
        if let Some(chain) = self.chains.get_mut(id as usize) {
            *chain = DependencyChain::default();
        }
        id
    }

    /// Adds a message, and what led to its hand-over.
    pub fn insert_led(&mut self, message: Message, chain: DependencyChain) -> u32 {
        let id = self.slots.insert(message);
        self.set_chain(id, chain);
        id
    }

    /// Says what led to the hand-over of a message.
    pub fn set_chain(&mut self, id: u32, chain: DependencyChain) {
        if chain == DependencyChain::default() && self.chains.len() <= id as usize {
            return;
        }
        self.chains.resize(self.slots.slots().len(), DependencyChain::default());
        self.chains[id as usize] = chain;
    }

    /// Returns what led to the hand-over of a message.
    #[inline]
    pub fn chain(&self, id: u32) -> DependencyChain {
        self.chains.get(id as usize).copied().unwrap_or_default()
    }

    /// Returns the time of its critical path in which links woke.
    #[inline]
    pub fn waking(&self, id: u32) -> u64 {
        self.chains.get(id as usize).map_or(0, |chain| chain.path.waking.0)
    }

    /// Returns what leads to a time at which a message, or its envelope, has arrived.
    pub fn chain_to(&self, id: u32, t: u64) -> DependencyChain {
        let message = &self[id];
        let carried = Carried { within_node: message.from_node == message.to_node, slept: Time(message.slept) };
        self.chain(id).carried(Time(t - message.created), carried)
    }

    /// Returns the sending node of a message and its number there; `None` where the number is none of such a message.
    pub fn name(&self, id: u32) -> Option<(u32, u32)> {
        let message = self.slots.slots().get(id as usize)?;
        Some((message.from_node, message.sequence))
    }

    /// Removes a message.
    pub fn remove(&mut self, id: u32) {
        self.slots.remove(id);
    }

    /// Lets the last packet of a message leave its NIC: returns the number by which it names the message. `packet` is the
    /// length of a packet in bytes.
    #[inline]
    pub fn leave(&mut self, id: u32, packet: u64) -> u32 {
        let Some(single) = self[id].as_single(packet) else { return id };
        self.remove(id);
        self.singles.insert(single)
    }
}

impl std::ops::Index<u32> for MessageSlab {
    type Output = Message;
    fn index(&self, id: u32) -> &Message {
        &self.slots[id]
    }
}

impl std::ops::IndexMut<u32> for MessageSlab {
    fn index_mut(&mut self, id: u32) -> &mut Message {
        &mut self.slots[id]
    }
}

/// A NIC's queue of messages, first in first out.
#[derive(Clone, Copy, Debug)]
pub struct MessageQueue {
    /// The message that is being sent.
    pub head: u32,
    tail: u32,
}

impl MessageQueue {
    /// Creates an empty queue.
    pub const fn new() -> Self {
        MessageQueue { head: NONE, tail: NONE }
    }

    /// Adds a message at the end.
    pub fn push(&mut self, messages: &mut MessageSlab, id: u32) {
        messages[id].next = NONE;
        if self.head == NONE {
            self.head = id;
        } else {
            messages[self.tail].next = id;
        }
        self.tail = id;
    }

    /// Removes the first message.
    pub fn pop(&mut self, messages: &MessageSlab) {
        self.head = messages[self.head].next;
    }
}
