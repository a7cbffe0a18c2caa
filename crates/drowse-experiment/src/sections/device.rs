//! `watts.device`: switches whose power has been published.

use drowse_core::model::units::{BitRate, Time};

/// A published switch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// Its name in `power.watts.device`.
    pub name: &'static str,
    /// What it is, for people.
    pub what: &'static str,
    /// The rate of its ports; a faster link counts as several.
    pub rate: BitRate,
    /// Latency of the longest cable that its measured links can have, where their medium is known.
    pub reach: Option<Time>,
    /// What each of its ports draws.
    pub port: Port,
    /// Energy of each bit that enters or leaves a port, in joules.
    pub per_bit: f64,
    /// Energy of each packet that enters or leaves a port, in joules.
    pub per_packet: f64,
    /// Where this was published.
    pub source: &'static str,
}

/// What a port of a switch draws, in watts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Port {
    /// The whole switch was measured: this is its power, divided by its ports. The links' share of it is
    /// `power.model.ports`.
    Whole(f64),
    /// Both parts were measured.
    Parts {
        /// What a port with its cable draws when it is up.
        link: f64,
        /// What all else draws, divided by the ports.
        rest: f64,
    },
}

const MODELS: &str =
    "Jacob et al. 2025 (IMC, doi.org/10.1145/3730567.3732920), github.com/nsg-ethz/NetPowerBench, 100G passive copper";

/// The longest passive copper cable of 100 Gb/s has 5 m (IEEE 802.3, 100GBASE-CR4), of 5 ns each.
const COPPER: Option<Time> = Some(Time::from_ns(25));

/// All of them; the first is the default.
pub const DEVICES: [Device; 4] = [
    Device {
        name: "slingshot-archer2",
        what: "HPE Slingshot switch with 64 ports of 200 Gb/s in ARCHER2, 240 W under load",
        rate: BitRate(200_000_000_000),
        reach: None,
        port: Port::Whole(240.0 / 64.0),
        per_bit: 0.0,
        per_packet: 0.0,
        source: "docs.archer2.ac.uk/user-guide/energy, measured by on-system counters",
    },
    Device {
        name: "nexus-9336c-fx2",
        what: "Cisco Nexus 9336C-FX2 with 36 ports of 100 Gb/s, 285 W without links",
        rate: BitRate(100_000_000_000),
        reach: COPPER,
        port: Port::Parts { link: 1.1297 + 0.0698, rest: 285.31 / 36.0 },
        per_bit: 8.59e-12,
        per_packet: 2.63e-8,
        source: MODELS,
    },
    Device {
        name: "cisco-8201-32fh",
        what: "Cisco 8201-32FH with 32 ports, run at 100 Gb/s, 254 W without links",
        rate: BitRate(100_000_000_000),
        reach: COPPER,
        port: Port::Parts { link: 0.9353 + 0.5582, rest: 253.85 / 32.0 },
        per_bit: 3.20e-12,
        per_packet: 1.34e-8,
        source: MODELS,
    },
    Device {
        name: "ncs-55a1-24h",
        what: "Cisco NCS-55A1-24H with 24 ports of 100 Gb/s, 320 W without links",
        rate: BitRate(100_000_000_000),
        reach: COPPER,
        port: Port::Parts { link: 0.3160 + 0.2125, rest: 319.82 / 24.0 },
        per_bit: 2.15e-11,
        per_packet: 5.83e-8,
        source: MODELS,
    },
];

/// Power of a NIC in watts: the typical power of the Sun Dual Port 4x QDR InfiniBand Host Channel Adapter
/// (docs.oracle.com/cd/E19366-01/820-6536-13/A_specs.html).
pub const NIC: f64 = 12.23;

/// The fastest link of a node that this NIC has: two ports of 40 Gb/s.
pub const NIC_RATE: BitRate = BitRate(80_000_000_000);

/// Power of a node in watts: the mean over the jobs of half a year on ARCHER2, two processors of 64 cores
/// (docs.archer2.ac.uk/user-guide/energy). Jobs compute and wait; what a node draws while its ranks wait is not
/// published.
pub const NODE: f64 = 410.0;

impl Device {
    /// Returns what a port draws when its link is on, and for all else, in watts; `links` is the links' share of the
    /// power of a switch that was measured as a whole.
    pub fn port_watts(&self, links: f64) -> (f64, f64) {
        match self.port {
            Port::Whole(whole) => (whole * links, whole * (1.0 - links)),
            Port::Parts { link, rest } => (link, rest),
        }
    }

    /// Returns the number of its ports that a link of some rate takes.
    pub fn ports_of(&self, rate: BitRate) -> u64 {
        rate.0.div_ceil(self.rate.0).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3.75 W a port, of which 65 % sleep with the link.
    #[test]
    fn a_switch_that_was_measured_as_a_whole() {
        let (link, rest) = DEVICES[0].port_watts(0.65);
        assert!((link - 2.4375).abs() < 1e-12 && (rest - 1.3125).abs() < 1e-12);
        assert_eq!(
            [80, 200, 201, 800].map(|gigabits| DEVICES[0].ports_of(BitRate(gigabits * 1_000_000_000))),
            [1, 1, 2, 4]
        );
    }
}
