//! NICs, each of which sends one message after the other.

use crate::engine::endpoint::message::{MessageQueue, MessageSlab};
use crate::engine::event::NONE;

/// A NIC.
#[derive(Clone, Copy, Debug)]
struct Nic {
    queue: MessageQueue,
    /// Its first message is leaving.
    busy: bool,
    /// By how much the last message left late because links slept, its sender's lateness included.
    wake_delay: u64,
}

/// The NICs of all nodes.
#[derive(Debug)]
pub struct FlowNics(Vec<Nic>);

impl FlowNics {
    /// Creates idle NICs.
    pub fn new(nodes: u32) -> Self {
        FlowNics(vec![Nic { queue: MessageQueue::new(), busy: false, wake_delay: 0 }; nodes as usize])
    }

    /// Adds a message; returns whether its NIC can begin it.
    pub fn push(&mut self, messages: &mut MessageSlab, node: u32, message: u32) -> bool {
        let nic = &mut self.0[node as usize];
        let idle = nic.queue.head == NONE;
        nic.queue.push(messages, message);
        idle && !nic.busy
    }

    /// Returns the first message of a NIC that is not busy, if it has one.
    pub fn next(&self, node: u32) -> Option<u32> {
        let nic = &self.0[node as usize];
        Some(nic.queue.head).filter(|&message| message != NONE && !nic.busy)
    }

    /// Begins the first message of a NIC: it is busy.
    pub fn begin(&mut self, node: u32) {
        self.0[node as usize].busy = true;
    }

    /// Returns by how much the last message of a NIC left late.
    pub fn wake_delay(&self, node: u32) -> u64 {
        self.0[node as usize].wake_delay
    }

    /// Notes that the first message of a NIC leaves, and by how much late; the NIC is busy until it has left.
    pub fn leaves(&mut self, messages: &MessageSlab, node: u32, wake_delay: u64) {
        let nic = &mut self.0[node as usize];
        nic.queue.pop(messages);
        nic.wake_delay = wake_delay;
    }

    /// Notes that the last bit of a message has left.
    pub fn left(&mut self, node: u32) {
        self.0[node as usize].busy = false;
    }
}
