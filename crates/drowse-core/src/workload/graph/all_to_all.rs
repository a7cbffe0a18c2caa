//! All-to-all: every rank sends one message to every other.

use super::error::{GraphError, MOST_RANKS, check};
use super::flow::{Communication, Flow};

/// Ranks that all send to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllToAll {
    ranks: u32,
    bytes: u64,
}

impl AllToAll {
    /// Makes the graph in which every rank sends a message of `bytes` bytes to every other.
    pub fn new(ranks: u32, bytes: u64) -> Result<Self, GraphError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        Ok(AllToAll { ranks, bytes })
    }
}

impl Communication for AllToAll {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn flows(&self, _: u32, _: &mut dyn FnMut(Flow)) {}

    fn to_all(&self) -> Option<u64> {
        Some(self.bytes)
    }
}
