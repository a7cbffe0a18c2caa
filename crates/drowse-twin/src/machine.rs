//! The state of the twin with virtual cut-through or store-and-forward: its packets, channels, queues and pointers.

use std::collections::{HashMap, VecDeque};

use crate::channel::Channel;
use crate::header::Header;
use crate::net::{Net, Output, Trip};
use crate::nic::Nic;
use crate::source::Source;
use crate::trunk::Trunk;

/// A packet in an input queue, or on its way to one.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each changes by itself")]
pub(crate) struct Packet {
    pub message: usize,
    pub first: bool,
    pub flits: u64,
    pub trip: Trip,
    /// When its head reaches the queue; its last bit, where packets are stored.
    pub head_at: u64,
    /// The begin of its wait for sleeping outputs.
    pub waits_since: Option<u64>,
    /// Whether it has found no output at this switch before.
    pub compared: bool,
    /// The output that it has selected at this switch although that slept.
    pub selected: Option<Output>,
    /// Whether none of its outputs was on at this switch, or it selected one that slept.
    pub delayed: bool,
    /// Whether it has decided on its route at this switch.
    pub has_decided: bool,
    /// How often the lanes of the link had been halved by which it came.
    pub narrow: u32,
    /// When its head reached its first switch.
    pub born: u64,
    /// The input port of its switch by which it came, once it has crossed to an output.
    pub came_by: usize,
    /// What it says, where nodes answer; else only its number between its two nodes.
    pub header: Header,
    /// The port that it has chosen at this switch, where it is sprayed.
    pub chosen: Option<usize>,
}

/// All switches, channels and NICs.
pub(crate) struct Machine<'a> {
    pub net: Net<'a>,
    /// The channels of ports, then of NICs, then the crossbar paths to output queues.
    pub channels: Vec<Channel<'a>>,
    /// The packets of each input queue, numbered by port, output where each has its own, and virtual channel; then those
    /// of output queues, in the order of ports.
    pub queues: Vec<VecDeque<Packet>>,
    /// Packets whose heads are on their way to a port and virtual channel, in the order in which they were sent.
    pub wires: Vec<(usize, usize, Packet)>,
    /// When each reader is free. A reader is a read port of an input port, numbered by port and virtual channel.
    pub busy_until: Vec<u64>,
    /// Round-robin pointers: a queue's among outputs and virtual channels, a reader's among its port's queues, an
    /// output's among the readers of its switch, a NIC's among virtual channels.
    pub queue_pointers: Vec<usize>,
    pub reader_pointers: Vec<usize>,
    pub output_pointers: Vec<usize>,
    pub nic_pointers: Vec<usize>,
    /// Counts all grants, so that each queue, and each output for each input port, knows its last.
    pub grants: usize,
    pub served_queues: Vec<usize>,
    pub served_ports: HashMap<(usize, usize), usize>,
    /// By node: packets that its NIC has sent, and whether a message has waited for the injection channel to wake.
    pub sent: Vec<u64>,
    pub delayed: Vec<bool>,
    pub source: Source<'a>,
    /// What channels learn of the other end of their link, if both sleep together: when, and until when it is in use.
    pub peers: Vec<(u64, usize, u64)>,
    /// By node, where nodes answer: its NIC. Packets on their way to nodes: when their last bit comes, and to which.
    pub nics: Vec<Nic>,
    pub coming: Vec<(u64, usize, Packet)>,
    /// How many packets have gone from a node to another, where nodes do not answer.
    pub pairs: HashMap<(usize, usize), u64>,
    /// By port: packets that have been sprayed in turn over ports of which it is the first.
    pub turns: Vec<u64>,
    /// The governed trunks.
    pub trunks: Vec<Trunk>,
    /// The time of this clock edge.
    pub now: u64,
}
