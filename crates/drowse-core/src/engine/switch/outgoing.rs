//! What has left the switches at the present edge, for others to act on.

use serde::{Deserialize, Serialize};

use crate::engine::event::queue::WakeupKind;

use super::header::Header;
use super::origin::{Came, Origin};
use super::packet::Packet;
use super::wake_delay::WakeDelay;

/// A packet whose last bit has been scheduled to reach its node.
#[derive(Clone, Copy, Debug)]
pub struct Ejected {
    /// The message.
    pub message: u32,
    /// It is the message's first packet.
    pub first: bool,
    /// Its length.
    pub flits: u16,
    /// When the last bit leaves the channel, the NIC's latency apart.
    pub at: u64,
    /// By how much it is later because links sleep.
    pub wake_delay: u64,
}

/// A packet whose head will reach a node whose channels sleep together with those of its switch.
#[derive(Clone, Copy, Debug)]
pub struct ToNode {
    /// The channel by which it goes.
    pub channel: u32,
    /// Its length.
    pub flits: u16,
    /// When its head arrives.
    pub head_at: u64,
}

/// What is known of a packet in flight beside what it carries, where somebody asks.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    /// By how much it is later because links sleep.
    pub wake_delay: u64,
    /// When it left its node.
    pub born: u64,
    /// Where it comes from.
    pub origin: Origin,
    /// What it says to the node that it goes to.
    pub header: Header,
}

/// A credit for a channel that another partition sends on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RemoteCredit {
    /// The channel, as numbered in the whole network.
    pub channel: u32,
    /// The virtual channel.
    pub vc: u8,
    /// The room that has become free.
    pub flits: u16,
    /// When the sender learns of it.
    pub at: u64,
    /// The wake delay of the packet that left the room.
    pub wake_delay: WakeDelay,
}

/// What an end of a link tells the other end; it takes effect a wire's latency later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkMessage {
    /// The channel that leads here has been woken, and both sleep together.
    Woken,
    /// The trunk should have so many more ports on.
    More(u8),
    /// The trunk should have so many ports fewer on.
    Fewer(u8),
}

/// A message to a port of another partition.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RemoteMessage {
    /// The port, as numbered in the whole network.
    pub port: u32,
    /// When it arrives.
    pub at: u64,
    /// What it says.
    pub message: LinkMessage,
}

/// What has left the switches at the present edge.
#[derive(Debug)]
pub struct Outgoing {
    /// Packets that have reached their node.
    pub ejected: Vec<Ejected>,
    /// Where these come from and where they go, if packets remember it.
    pub came: Vec<Came>,
    /// Ejected packets, for the channels from their nodes: where the two channels of a link sleep together.
    pub to_nodes: Vec<ToNode>,
    /// Packets on channels of the first class that take `sent_edges` clock periods: most do, and are scheduled
    /// together.
    pub sent: Vec<u32>,
    /// Clock periods of a hop over a channel of the first class; [`u64::MAX`] where that is no whole number.
    pub sent_edges: u64,
    /// Packets that have left the partition.
    pub departed: Vec<(Packet, Known)>,
    /// Credits for channels of other partitions.
    pub credits: Vec<RemoteCredit>,
    /// Messages for ports of other partitions.
    pub messages: Vec<RemoteMessage>,
    /// Governed ports by which a packet has gone.
    pub on_trunks: Vec<u32>,
    /// Wakeups that are not for the allocators but for what controls links, each with its port, and with how many ports
    /// are wanted.
    pub control: Vec<(WakeupKind, u32, u8)>,
}

impl Outgoing {
    /// Creates empty lists; a hop over a channel of the first class takes so many clock periods, 0 for no whole number.
    pub fn new(hop_edges: u64) -> Self {
        Outgoing {
            ejected: Vec::new(),
            came: Vec::new(),
            to_nodes: Vec::new(),
            sent: Vec::new(),
            sent_edges: if hop_edges > 0 { hop_edges } else { u64::MAX },
            departed: Vec::new(),
            credits: Vec::new(),
            messages: Vec::new(),
            on_trunks: Vec::new(),
            control: Vec::new(),
        }
    }
}
