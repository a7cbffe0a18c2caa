//! The events of NICs and ranks, and their order.

use crate::model::units::Time;

/// An event at a node. Events are handled in the order of their fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeEvent {
    /// When.
    pub time: u64,
    /// At one instant: what ends of flows, deliveries, link states, ranks, NICs, then rates of flows.
    pub phase: Phase,
    /// The node or rank at which it happens.
    pub at: u32,
    /// The sending node, for deliveries.
    pub from: u32,
    /// Counts what the sender sent.
    pub sequence: u32,
    /// The message, for deliveries and completed sends; the flits received, for what the other end does.
    pub data: u32,
}

/// Stands for all times after the end of simulated time. An event then is never handled.
const BEYOND: u64 = Time::END.0 + Time::LONGEST.0 / 10;

/// Adds a duration of any length to a time. A sum after the end of simulated time is one that no clock overflows at.
pub fn later(t: u64, by: Time) -> u64 {
    t.saturating_add(by.0).min(BEYOND)
}

/// What happens, in the order in which it happens at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// What is planned for flows: some end, or come to a channel.
    Flow,
    /// The last bit of a packet has reached its node, where nodes answer each other.
    Packet,
    /// The first packet of a message, and with it the envelope, has arrived at the receiver.
    Arrived,
    /// The whole message has arrived.
    Delivered,
    /// The last bit of a message has left its sender.
    Sent,
    /// The other end of the node's link is active, where both channels sleep together.
    Peer,
    /// Jobs of which iterations are extrapolated are looked at.
    Extrapolated,
    /// A rank goes on with its program.
    Resume,
    /// A rank's processor looks at the messages that wait for it.
    Receive,
    /// A rank is stopped at its job's limit.
    Stop,
    /// A node generates an open-loop message.
    Generate,
    /// A NIC may send its next packet.
    Nic,
    /// The rates of flows are solved, after all else.
    Rates,
}

impl NodeEvent {
    /// Comes after all events.
    pub const LAST: NodeEvent = Self::new(u64::MAX, Phase::Rates, u32::MAX);

    /// Creates an event without a sender.
    pub const fn new(time: u64, phase: Phase, at: u32) -> Self {
        NodeEvent { time, phase, at, from: 0, sequence: 0, data: 0 }
    }

    /// Creates a NIC's event.
    pub const fn nic(time: u64, node: u32) -> Self {
        Self::new(time, Phase::Nic, node)
    }
}
