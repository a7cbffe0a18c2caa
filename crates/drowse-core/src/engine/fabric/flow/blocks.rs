//! Whose head waits at the front of a queue, and who waits behind it.

use super::slab::REST;

/// Virtual channels of a channel at most.
pub const LANES: u32 = 8;

/// Heads that wait, and flows behind them.
#[derive(Debug, Default)]
pub struct Blocks {
    /// By channel and virtual channel: the flow whose head waits behind it, or [`REST`]; empty where none holds up
    /// others.
    pub heads: Vec<u32>,
    /// Flows that wait behind others: where, and which, in the order in which they came.
    pub behind: Vec<(u32, u32)>,
}

impl Blocks {
    /// Prepares for so many channels.
    pub fn new(channels: usize) -> Self {
        Blocks { heads: vec![REST; channels * LANES as usize], behind: Vec::new() }
    }
}
