//! What audits of flows count a second time.

/// What is counted a second time.
#[derive(Debug)]
pub struct Ledger {
    /// By channel: flits that went by it, times the shares of their flows, and how often some were counted.
    pub(super) crossed: Vec<(u128, u32)>,
    /// Since when these are counted.
    pub(super) since: u64,
    /// Flits of flows that have begun, and of those that have ended.
    pub(super) begun: u64,
    pub(super) ended: u64,
    /// Solves since rates were checked.
    pub(super) solves: usize,
}

impl Ledger {
    /// Begins before anything has happened on so many channels.
    pub fn new(channels: usize) -> Self {
        Ledger { crossed: vec![(0, 0); channels], since: 0, begun: 0, ended: 0, solves: 0 }
    }
}
