//! Groups of equivalent outputs.

use std::ops::Range;

/// Consecutive ports of a switch that serve a packet alike: the links of one trunk, or one node's port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortGroup {
    /// First port, relative to the switch's first.
    pub first: u16,
    /// Number of ports.
    pub count: u16,
    /// Virtual channels at the other end, one bit each; those of a node's port do not matter.
    pub vcs: u8,
}

impl PortGroup {
    /// No output.
    pub const NONE: PortGroup = PortGroup { first: 0, count: 0, vcs: 0 };

    /// Returns the ports, relative to the first of their switch.
    #[inline]
    pub fn outputs(&self) -> Range<u16> {
        self.first..self.first + self.count
    }

    /// Returns the ports, one bit each; at a switch of up to 64.
    #[inline]
    pub fn mask(&self) -> u64 {
        if self.count == 0 { 0 } else { u64::MAX >> (u64::BITS - u32::from(self.count)) << self.first }
    }

    /// Makes a group of ports, of which a switch has no more than 65535.
    #[inline]
    pub(super) fn new(first: u32, count: u32, vcs: u8) -> Self {
        PortGroup { first: first as u16, count: count as u16, vcs }
    }
}
