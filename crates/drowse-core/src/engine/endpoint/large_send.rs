//! A send that waits until its receiver has asked for its data.

use super::chain::DependencyChain;

/// A send that waits for its receiver.
#[derive(Clone, Copy, Debug)]
pub struct LargeSend {
    /// What led to the time at which its data was handed over, and that time.
    pub chain: DependencyChain,
    /// See `chain`.
    pub left: u64,
    /// The receiving rank, in the whole simulation.
    pub to_rank: u32,
    /// The size.
    pub bytes: u64,
    /// The sender's request.
    pub request: u32,
}
