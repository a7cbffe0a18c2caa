//! Which partition has a port.

use std::ops::Range;

use super::ports_of;
use super::spans::Spans;
use crate::topology::Network;

/// Which of several partitions has a port of the network.
#[derive(Clone, Debug)]
pub struct Owners {
    /// The first port after each span, and the partition that has the span.
    ends: Vec<(u32, usize)>,
    partitions: usize,
}

impl Owners {
    /// Finds those of all ports; partitions have these switches.
    pub fn new(network: &Network, partitions: &[Spans]) -> Self {
        let mut ends = Vec::new();
        for (owner, switches) in partitions.iter().enumerate() {
            ends.extend(ports_of(network, switches).ranges().map(|ports| (ports.end, owner)));
        }
        ends.sort_unstable();
        Owners { ends, partitions: partitions.len() }
    }

    /// Returns the partition that has a port.
    #[inline]
    pub fn of(&self, port: u32) -> usize {
        self.ends[self.ends.partition_point(|&(end, _)| end <= port)].1
    }

    /// Returns all spans of ports, each with the partition that has it.
    pub fn spans(&self) -> impl Iterator<Item = (Range<u32>, usize)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&(end, _)| end));
        starts.zip(&self.ends).map(|(start, &(end, owner))| (start..end, owner))
    }

    /// Returns how many partitions there are.
    pub fn partitions(&self) -> usize {
        self.partitions
    }
}
