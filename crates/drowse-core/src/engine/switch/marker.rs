//! When packets are marked by the bytes that wait for their output: explicit congestion notification (ECN), with a step or
//! with random early detection (Floyd and Jacobson 1993).

use crate::engine::partition::Partition;
use crate::model::config::Config;
use crate::model::rng::{self, Purpose, mix};
use crate::model::transport::Marking;

use super::header::Header;

/// When the switches of a shard mark packets, and what waits for their outputs.
#[derive(Debug)]
pub struct Marker {
    pub(super) rules: Marking,
    seed: u64,
    /// The bytes of a flit.
    pub(super) flit: u64,
    /// By output port, the flits that wait for it.
    pub(super) queued: Vec<u64>,
    /// Output ports and flits of the packets that have come at this edge. Those of different inputs come in no order, so that
    /// none finds another.
    pub(super) came: Vec<(u32, u64)>,
}

impl Marker {
    /// Prepares a partition, if its switches mark.
    pub fn new(config: &Config, partition: &Partition) -> Option<Box<Self>> {
        let rules = config.switch.marking?;
        let (flit, ports) = (config.switch.flit.0, partition.all_ports.count());
        Some(Box::new(Marker { rules, seed: config.seed, flit, queued: vec![0; ports as usize], came: Vec::new() }))
    }

    /// Counts the packets that have come at this edge.
    pub(super) fn count_came(&mut self) {
        self.came.drain(..).for_each(|(port, flits)| self.queued[port as usize] += flits);
    }

    /// Returns whether a packet is marked that finds so many bytes at an output port, as numbered in the whole network.
    pub(super) fn marks(&self, bytes: u64, port: u32, header: &Header) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::transport::MarkAt;
    use crate::model::units::Bytes;

    fn share(rules: Marking, bytes: u64) -> f64 {
        let marker = Marker { rules, seed: 1, flit: 1, queued: Vec::new(), came: Vec::new() };
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
        assert!(share(step, 400) < f64::EPSILON && share(step, 401) > 1.0 - f64::EPSILON);
    }
}
