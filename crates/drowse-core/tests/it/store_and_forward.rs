//! Switches that send a packet on once they have all of it: times that follow from arithmetic, to the picosecond.

use drowse_core::model::config::{Config, Forwarding};
use drowse_core::model::units::BitRate;
use drowse_core::topology::Network;

use crate::common::*;

fn storing(network: &Network, pipeline: u64) -> Config {
    let mut config = config(network, pipeline);
    config.switch.forwarding = Forwarding::StoreAndForward;
    config
}

/// Returns the cycles of 1.6 ns until node `to` has a message of so many packets of 8 flits from node 0.
pub fn cycles(network: &Network, config: &Config, to: u32, packets: u64) -> u64 {
    let record = run(network, config, job(vec![vec![send(1, packets * 8 * 16)], vec![recv(0)]], &[0, to]));
    let time = record.makespan.unwrap().0;
    assert_eq!(time % 1_600, 0);
    time / 1_600
}

/// A lone packet takes its own length on each of the H + 2 channels of its way, not only on the last; each packet
/// behind it comes one length later, by either kind of forwarding (Dally and Towles 2004, section 13.1).
#[test]
fn zero_load_latency() {
    let network = torus(&[8, 8, 8], 1, 1);
    for (to, distance) in [(1, 1), (4, 4), (4 + 8, 5), (4 + 8 * 4 + 64 * 4, 12)] {
        for (pipeline, packets) in [(1, 1), (3, 1), (20, 1), (3, 2), (20, 10)] {
            let heads = 1 + (pipeline + 1) * (distance + 1);
            let behind = (packets - 1) * 8;
            let cut_through = cycles(&network, &config(&network, pipeline), to, packets);
            assert_eq!(cut_through, heads + 8 + behind);
            let stored = cycles(&network, &storing(&network, pipeline), to, packets);
            assert_eq!(stored, heads + 8 * (distance + 2) + behind);
        }
    }
}

/// The channels between switches are four times as fast, or as slow, as those of nodes: each takes its own time, and
/// the slowest ones delay the packets behind.
#[test]
fn speeds_that_differ() {
    let network = torus(&[8], 1, 1);
    for (bytes_per_second, takes) in [(40_000_000_000, 2), (2_500_000_000, 32)] {
        for packets in [1, 5] {
            let mut config = storing(&network, 3);
            config.classes[1].bandwidth = BitRate::from_bytes_per_second(bytes_per_second);
            let expected = 1 + 4 * 4 + 8 + 3 * takes + 8 + (packets - 1) * takes.max(8);
            assert_eq!(cycles(&network, &config, 3, packets), expected);
        }
    }
}
