//! What arbiters remember: which input port an output has served last, and when packets have left their nodes.
//!
//! An output counts its grants, and notes the count for the input port that it grants: the lowest note is that of the port
//! that was served least recently. Input ports do the same for their queues. When a count is full, the notes become ranks in
//! the same order, so that the order is exact however long a run is.

use crate::engine::partition::Partition;
use crate::model::config::{Arbitration, SwitchModel};
use crate::topology::Network;

use super::layout::Layout;

/// What the arbiters of a shard remember; tables that they do not need are empty.
#[derive(Debug, Default)]
pub struct Served {
    /// The places of an output's row below, as a power of two: the most input ports of a switch, or more.
    port_bits: u32,
    /// The most input ports of a switch.
    ports: u16,
    /// For each output and each input port of its switch: the output's count at its last grant to that port. Ports that have
    /// not been served rank by their numbers.
    outputs: Vec<u16>,
    /// For each input port that has a queue for each output: the port's count at its last grant to each queue.
    pub(super) queues: Vec<u16>,
    /// For each packet: the input port by which it came to its switch; where it waits in the queues of an output.
    pub(super) came_by: Vec<u16>,
    /// For each packet: when it left its node.
    born: Vec<u64>,
    /// Whether packets' ages matter.
    by_age: bool,
}

impl Served {
    /// Creates the memory of arbiters that have served nobody.
    pub fn new(network: &Network, switch: &SwitchModel, partition: &Partition, layout: &Layout) -> Self {
        let mut served = Served { by_age: switch.arbitration == Arbitration::Age, ..Served::default() };
        if switch.arbitration == Arbitration::LeastRecentlyServed {
            served.ports = network.radix() as u16;
            served.port_bits = served.ports.next_power_of_two().trailing_zeros();
            let of_output = (1..=1 << served.port_bits).cycle();
            served.outputs = of_output.take((partition.ports() as usize) << served.port_bits).collect();
            served.queues =
                vec![0; if layout.by_output() { (partition.ports() as usize) << layout.queue_bits } else { 0 }];
        }
        served
    }

    /// Returns what outputs that have served nobody have counted; 0 where they do not count.
    pub fn first_count(&self) -> u16 {
        self.ports
    }

    /// Returns the count of an output at its last grant to an input port.
    #[inline]
    pub fn at_output(&self, channel: usize, port: u16) -> u16 {
        self.outputs[channel << self.port_bits | usize::from(port)]
    }

    /// Returns the counts of an output at its last grants to the input ports of its switch.
    #[inline]
    pub fn of_output(&self, channel: usize) -> &[u16] {
        &self.outputs[channel << self.port_bits..][..1 << self.port_bits]
    }

    /// Notes that an output, which has counted so many grants, grants an input port.
    #[inline]
    pub fn grant(&mut self, channel: usize, port: u32, count: &mut u16) {
        if *count == u16::MAX {
            *count = self.count_anew(channel);
        }
        *count += 1;
        self.outputs[channel << self.port_bits | port as usize] = *count;
    }

    #[cold]
    #[inline(never)]
    fn count_anew(&mut self, channel: usize) -> u16 {
        to_ranks(&mut self.outputs[channel << self.port_bits..][..self.ports.into()])
    }

    /// Returns when a packet left its node; 0 where that does not matter.
    #[inline]
    pub fn born(&self, packet: u32) -> u64 {
        self.born.get(packet as usize).copied().unwrap_or(0)
    }

    /// Notes when a packet left its node, if that matters.
    #[inline]
    pub fn note_born(&mut self, packet: u32, at: u64) {
        if self.by_age {
            note(&mut self.born, packet, at);
        }
    }
}

/// Notes something of a packet.
// Not inlined, so that the usual arbiters do not carry it along.
#[inline(never)]
pub(super) fn note<T: Copy + Default>(all: &mut Vec<T>, packet: u32, noted: T) {
    let place = packet as usize;
    if place >= all.len() {
        all.resize(place + 1, T::default());
    }
    all[place] = noted;
}

/// Replaces counts by their ranks, which are in the same order, from 1 on; returns the highest.
pub(super) fn to_ranks(counts: &mut [u16]) -> u16 {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    counts.iter_mut().for_each(|count| *count = sorted.partition_point(|other| other < count) as u16 + 1);
    sorted.len() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_the_order_of_counts() {
        let mut counts = [0, 65_535, 7, 0, 1_000, 8];
        assert_eq!(to_ranks(&mut counts), 5);
        assert_eq!(counts, [1, 5, 2, 1, 4, 3]);
    }

    /// Counts overflow several times: against a list in which the one that is served moves to the end.
    #[test]
    fn the_order_is_that_of_the_last_grants_however_many_there_are() {
        let mut served = Served { ports: 5, port_bits: 3, outputs: vec![1, 2, 3, 4, 5, 6, 7, 8], ..Served::default() };
        let (mut count, mut order) = (served.first_count(), vec![0_u16, 1, 2, 3, 4]);
        for step in 0..200_000_u64 {
            let lowest = (0..5).min_by_key(|&port| served.at_output(0, port));
            assert_eq!(lowest, Some(order[0]), "before grant {step}");
            // Port 4 is served once in 50,000 grants only.
            let port = if step % 50_000 == 7 { 4 } else { (crate::model::rng::mix(step) % 4) as u16 };
            served.grant(0, port.into(), &mut count);
            order.retain(|&other| other != port);
            order.push(port);
        }
    }
}
