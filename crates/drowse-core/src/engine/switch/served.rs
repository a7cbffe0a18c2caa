//! What arbiters remember: which input port an output has served last, and when packets have left their nodes.
//!
//! An output counts its grants, and notes the count for the input port that it grants: the lowest note is that of the port
//! that was served least recently. Input ports do the same for their queues. When a count is full, the notes become ranks in
//! the same order, so that the order is exact however long a run is.

use crate::engine::partition::Partition;
use crate::model::config::{Arbitration, SwitchModel};
use crate::power::Policy;
use crate::topology::Network;

use super::layout::Layout;
use super::request::Request;
use super::switches::Switches;

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
    queues: Vec<u16>,
    /// For each packet: the input port by which it came to its switch; where it waits in the queues of an output.
    came_by: Vec<u16>,
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

// Not inlined, so that the usual arbiters do not carry it along.
#[inline(never)]
fn note<T: Copy + Default>(all: &mut Vec<T>, packet: u32, noted: T) {
    let place = packet as usize;
    if place >= all.len() {
        all.resize(place + 1, T::default());
    }
    all[place] = noted;
}

impl<P: Policy> Switches<'_, P> {
    /// Returns the input port of its switch, relative to the first, by which the head of a queue has come.
    pub fn input_port(&self, request: &Request) -> u16 {
        if self.partition.is_output(request.switch) {
            let head = self.buffers.queues[self.layout.place_of(request.first, request.bit)].head;
            return self.served.came_by[head as usize];
        }
        request.bit >> self.layout.queue_bits
    }

    /// Lets the arbiters of its output and its input remember that a request for a packet is granted.
    #[inline(never)]
    pub fn note_served(&mut self, request: &Request, id: u32) {
        let channel = request.first as usize + usize::from(request.output);
        let place = self.layout.place_of(request.first, request.bit);
        let reader = self.layout.reader::<false>(place as u32);
        if self.rules.arbitration == Arbitration::LeastRecentlyServed {
            let port = self.input_port(request);
            self.served.grant(channel, port.into(), &mut self.links.hot[channel].arbiter);
            if self.partition.crosses(channel) {
                note(&mut self.served.came_by, id, port);
            }
            self.count_queue(place);
            return;
        }
        let next_queue = self.layout.number(request.bit) + 1;
        self.links.hot[channel].arbiter = self.layout.reader::<false>(request.bit.into()) as u16 + 1;
        match self.buffers.next_queue.get_mut(reader) {
            Some(next) => *next = next_queue,
            None => self.buffers.read_ports[reader].set_arbiter(next_queue as u8),
        }
    }

    /// Lets an input port count a grant to one of its queues.
    fn count_queue(&mut self, place: usize) {
        let first = self.layout.first_of_port(place);
        let port = self.layout.reader::<false>(first as u32);
        let Some(count) = self.buffers.next_queue.get_mut(port) else {
            self.buffers.queues[place].served = self.buffers.read_ports[port].count_grant();
            if self.buffers.read_ports[port].is_full() {
                self.count_anew(place as u32);
            }
            return;
        };
        *count += 1;
        self.served.queues[place] = *count;
        if *count == u16::MAX {
            *count = to_ranks(&mut self.served.queues[first..][..1 << self.layout.queue_bits]);
        }
    }

    /// Lowers the full count of an input port, and what is noted for its queues.
    #[cold]
    #[inline(never)]
    pub fn count_anew(&mut self, place: u32) {
        let first = self.layout.first_of_port(place as usize);
        let queues = &mut self.buffers.queues[first..][..1 << self.layout.queue_bits];
        let mut counts: Vec<u16> = queues.iter().map(|queue| queue.served.into()).collect();
        let most = to_ranks(&mut counts);
        queues.iter_mut().zip(counts).for_each(|(queue, rank)| queue.served = rank as u8);
        self.buffers.read_ports[self.layout.reader::<false>(first as u32)].set_arbiter(most as u8);
    }

    /// Returns the count of an input port at its last grant to a queue.
    pub fn served_of(&self, place: usize) -> u16 {
        self.served.queues.get(place).copied().unwrap_or_else(|| self.buffers.queues[place].served.into())
    }

    /// Returns the queue of an input port at which a round-robin arbiter looks first.
    pub fn next_queue(&self, place: usize) -> u16 {
        let reader = self.layout.reader::<false>(place as u32);
        let next = self.buffers.next_queue.get(reader).copied();
        next.unwrap_or_else(|| self.buffers.read_ports[reader].arbiter().into())
    }
}

/// Replaces counts by their ranks, which are in the same order, from 1 on; returns the highest.
fn to_ranks(counts: &mut [u16]) -> u16 {
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
