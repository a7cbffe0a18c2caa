//! What a run has shown.

use drowse_core::measure::ChannelRecord;

/// What a run has shown; times are in picoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Of every counted packet, in the order of delivery to a node: from its message's making to its last bit.
    pub packet_latencies: Vec<u64>,
    /// The same of every counted message.
    pub message_latencies: Vec<u64>,
    /// Packets that have passed a switch, once for each switch.
    pub hops: u64,
    /// Packets that NICs have sent.
    pub injected: u64,
    /// Packets that have reached their nodes.
    pub delivered: u64,
    /// Flits of messages made in the measured window.
    pub generated_flits: u64,
    /// Flits of packets whose last bit came in the measured window.
    pub delivered_flits: u64,
    /// What each channel did in the measured window, by [`drowse_core::ids::ChannelId`]; empty where channels are not watched.
    pub channels: Vec<ChannelRecord>,
}
