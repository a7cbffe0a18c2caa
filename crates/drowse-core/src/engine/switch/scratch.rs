//! The buffers of the allocator.

use crate::routing::Candidates;

use super::contest::Contest;
use super::request::{BATCH, Claims, Head, Request};

/// Buffers that are used again at every allocation.
#[derive(Debug)]
pub struct Scratch {
    /// The permitted outputs of the packet that is examined.
    pub candidates: Candidates,
    pub heads: Vec<Head>,
    pub requests: Vec<Request>,
    /// For each request the outputs that its head [found](super::availability::Availability::found); empty where heads share
    /// nothing.
    pub found: Vec<u64>,
    /// The claims of the switches of a batch; empty before and after.
    pub claims: [Claims; BATCH],
    pub contest: Contest,
}

impl Scratch {
    /// Creates buffers for switches of up to `radix` ports.
    pub fn new(radix: usize) -> Self {
        Scratch {
            candidates: Candidates::new(),
            heads: Vec::new(),
            requests: Vec::new(),
            found: Vec::new(),
            claims: [Claims::default(); BATCH],
            contest: Contest::new(radix),
        }
    }
}
