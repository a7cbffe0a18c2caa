//! Packets are marked by the bytes that wait for their output: explicit congestion notification (ECN), with a step or
//! with random early detection (Floyd and Jacobson 1993).
//!
//! What waits for an output is known where it has queues: behind the crossbar, or in virtual output queues at all inputs.

use crate::engine::partition::Partition;
use crate::model::config::Config;
use crate::model::rng::{self, Purpose, mix};
use crate::model::transport::{MarkAt, Marking};
use crate::power::Policy;

use super::header::Header;
use super::switches::Switches;

/// When the switches of a shard mark packets, and what waits for their outputs.
#[derive(Debug)]
pub struct Marker {
    rules: Marking,
    seed: u64,
    /// The bytes of a flit.
    flit: u64,
    /// By output port, the flits that wait for it.
    queued: Vec<u64>,
}

impl Marker {
    /// Prepares a partition, if its switches mark.
    pub fn new(config: &Config, partition: &Partition) -> Option<Box<Self>> {
        let rules = config.switch.marking?;
        let (flit, ports) = (config.switch.flit.0, partition.all_ports.count());
        Some(Box::new(Marker { rules, seed: config.seed, flit, queued: vec![0; ports as usize] }))
    }

    /// Returns whether a packet is marked that finds so many bytes at an output port, as numbered in the whole network.
    fn marks(&self, bytes: u64, port: u32, header: &Header) -> bool {
        let Marking { kmin, kmax, pmax_billionths, .. } = self.rules;
        if bytes <= kmin.0 || bytes > kmax.0 {
            return bytes > kmin.0;
        }
        // Between, `kmax` is above `kmin`.
        let above = u128::from(bytes - kmin.0) * u128::from(pmax_billionths);
        let chance = (above / u128::from(kmax.0 - kmin.0)) as u64;
        let of_port = rng::entity_seed(self.seed, Purpose::Marking, port);
        let bits = mix(mix(of_port ^ u64::from(header.from)) ^ header.number);
        ((u128::from(bits) * 1_000_000_000) >> 64) < u128::from(chance)
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Returns the output port for which the packets of a queue wait, if the queue is of one output.
    fn output_port(&self, place: u32) -> Option<u32> {
        let port = place >> self.layout.queue_bits;
        let switch = self.switch_of::<false>(port);
        if self.partition.is_output(switch) {
            return Some(port - self.partition.outputs);
        }
        let output = u32::from(self.layout.number(place as u16) >> self.layout.vc_bits);
        self.layout.by_output().then(|| self.partition.first_port[switch as usize] + output)
    }

    /// Counts a packet that has come into a queue, and marks it if that is when it is looked at.
    #[inline(never)]
    pub(super) fn join_queue(&mut self, id: u32, place: u32) {
        let Some(port) = self.output_port(place) else { return };
        let Some(mut marker) = self.marking.take() else { return };
        marker.queued[port as usize] += u64::from(self.buffers.packets[id].flits);
        if marker.rules.at == MarkAt::Enqueue {
            let (channel, t) = (self.partition.link(port) as usize, self.events.now.time);
            let asleep = !marker.rules.waking && !self.links.is_on(channel, t);
            let spread = !marker.rules.victims && !self.has_full_room(channel, t);
            if !asleep && !spread {
                self.mark(&marker, id, port);
            }
        }
        self.marking = Some(marker);
    }

    /// Counts a packet that leaves a queue over a channel, and marks it if that is when it is looked at.
    #[inline(never)]
    pub(super) fn leave_queue(&mut self, id: u32, place: u32, channel: usize) {
        let Some(port) = self.output_port(place) else { return };
        let Some(mut marker) = self.marking.take() else { return };
        if marker.rules.at == MarkAt::Dequeue {
            let waited = self.links.hot[channel].awake_at > self.buffers.packets[id].head_at;
            if marker.rules.waking || !waited {
                self.mark(&marker, id, port);
            }
        }
        marker.queued[port as usize] -= u64::from(self.buffers.packets[id].flits);
        self.marking = Some(marker);
    }

    /// Returns whether a full packet has room at the other end of a channel.
    fn has_full_room(&mut self, channel: usize, t: u64) -> bool {
        let full = self.rules.packet_flits;
        self.links.collect_credits(channel, t).with_credits(u8::MAX, full, full) != 0
    }

    fn mark(&mut self, marker: &Marker, id: u32, port: u32) {
        let bytes = marker.queued[port as usize] * marker.flit;
        if marker.marks(bytes, self.partition.all_ports.whole(port), &self.headers.of(id)) {
            self.headers.mark(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::units::Bytes;

    fn share(rules: Marking, bytes: u64) -> f64 {
        let marker = Marker { rules, seed: 1, flit: 1, queued: Vec::new() };
        let header = |number| Header { number, from: 3, ..Header::default() };
        let marked = (0..10_000).filter(|&number| marker.marks(bytes, 5, &header(number))).count();
        marked as f64 / 10_000.0
    }

    /// None below, all above, and in proportion between: within four standard deviations of 10,000 draws.
    #[test]
    fn grows_between_thresholds() {
        let at = MarkAt::Dequeue;
        let (kmin, kmax, pmax_billionths) = (Bytes(400), Bytes(1_600), 200_000_000);
        let rules = Marking { kmin, kmax, pmax_billionths, at, waking: true, victims: true };
        assert!(share(rules, 400).abs() < f64::EPSILON);
        assert!((share(rules, 1_601) - 1.0).abs() < f64::EPSILON);
        for (bytes, p) in [(700, 0.05), (1_000, 0.1), (1_600, 0.2_f64)] {
            let deviation = (p * (1.0 - p) / 10_000.0).sqrt();
            assert!((share(rules, bytes) - p).abs() < 4.0 * deviation, "{bytes}: {}", share(rules, bytes));
        }
        let step = Marking { kmax: kmin, ..rules };
        assert_eq!([share(step, 400), share(step, 401)], [0.0, 1.0]);
    }
}
