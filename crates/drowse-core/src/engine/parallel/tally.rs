//! What a shard counts while it advances.

use crate::measure::{Histogram, MessageSizes};

/// What a shard has counted; sums do not depend on the partitions.
pub struct Tally {
    /// Packets delivered.
    pub packets_delivered: u64,
    /// Events handled.
    pub events: u64,
    /// Latencies of packets and of messages of ranks.
    pub latencies: [Histogram; 2],
    /// Those of messages by size, where a probe wants it.
    pub message_sizes: MessageSizes,
    /// When ranks handed the first message for another node over, and when the last such message had arrived.
    pub between_nodes: [u64; 2],
}

impl Default for Tally {
    fn default() -> Self {
        Tally {
            packets_delivered: 0,
            events: 0,
            latencies: [Histogram::default(), Histogram::default()],
            message_sizes: MessageSizes::default(),
            between_nodes: [u64::MAX, 0],
        }
    }
}
