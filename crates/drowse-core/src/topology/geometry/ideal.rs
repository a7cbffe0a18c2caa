//! The ideal network: every message takes its latency and its bytes over the bandwidth, whatever else is on its way.
//!
//! It has nodes only, no switches, channels or packets: the lower bound that shows how much of a run time any network
//! could save at most.

use serde::Deserialize;

use crate::model::units::{BitRate, Time};

/// An ideal network: messages take a fixed latency and never wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ideal {
    /// Number of compute nodes.
    #[cfg_attr(
        feature = "schema",
        schemars(extend("examples" = [64]), extend("x-hint" = "as many as the ranks need"), range(min = 1))
    )]
    pub nodes: u32,
    /// Time that a message of no bytes takes; at most 1 s.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = ["1 us"])))]
    pub latency: Time,
    /// Bandwidth that each message has for itself; at least 1 Mb/s. `node.overheads.gap_per_byte` may tell the time of
    /// bytes instead. Default: unlimited.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BitRate>", extend("examples" = ["10 GB/s"])))]
    #[serde(default = "unlimited", skip_serializing_if = "BitRate::is_unlimited")]
    pub bandwidth: BitRate,
}

const fn unlimited() -> BitRate {
    BitRate::UNLIMITED
}

impl Ideal {
    /// Returns the time from the sending of a message to its last bit at the receiver.
    pub fn transfer_time(&self, bytes: u64) -> Time {
        self.latency.saturating_add(self.bandwidth.transfer_time(bytes))
    }
}
