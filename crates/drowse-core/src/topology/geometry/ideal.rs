//! The ideal network: every message takes its latency and its bytes over the bandwidth, whatever else is on its way.
//!
//! It has nodes only, no switches, channels or packets: the lower bound that shows how much of a run time any network
//! could save at most.

use crate::model::units::{BitRate, Time};

/// Parameters of an ideal network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ideal {
    /// Number of nodes.
    pub nodes: u32,
    /// Time of a message of no bytes.
    pub latency: Time,
    /// What each message has for itself.
    pub bandwidth: BitRate,
}

impl Ideal {
    /// Returns the time from the sending of a message to its last bit at the receiver.
    pub fn transfer_time(&self, bytes: u64) -> Time {
        self.latency.saturating_add(self.bandwidth.transfer_time(bytes))
    }
}
