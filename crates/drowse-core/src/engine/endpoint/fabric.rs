//! What carries messages from node to node, as the endpoint layer knows it.
//!
//! Ranks, collectives, overheads, jobs, open-loop sources and their accounts know this interface and nothing else of a
//! network: a message is handed over ([`Fabric::send`]), and what becomes of it are events in the fabric's own queue. Its
//! envelope has arrived, its last bit has left, it has come whole; and the message knows its wake delay.

use crate::engine::endpoint::message::MessageSlab;
use crate::engine::event::Events;

/// What carries messages between the nodes of a shard, and to those of others.
pub trait Fabric {
    /// Returns the events at these nodes, among which are those of the messages.
    fn events(&mut self) -> &mut Events;

    /// Returns the messages that have been handed over at these nodes, or that come to them.
    fn messages(&mut self) -> &mut MessageSlab;

    /// Numbers the next message of a node, as numbered in the whole network.
    fn next_sequence(&mut self, node: u32) -> u32;

    /// Accepts a message at time `t`.
    fn send(&mut self, message: u32, t: u64);

    /// Accepts a message at time `t` that knows its packets and flits.
    fn send_segmented(&mut self, message: u32, t: u64);

    /// Returns the wake delay of a large send of a rank, once it has left.
    fn wake_delay_of_send(&mut self, rank: u32, send: u32) -> u64;
}
