//! A packet alone takes its time by a closed form, whatever the rules for packets that meet.

use drowse_core::model::config::{Arbitration, Config, SleepSelection, TrunkChoice, VirtualChannels};
use drowse_core::model::units::{BitRate, Time};
use drowse_core::power::StallTimer;

use crate::common::*;
use crate::sleeping::{CYCLE, HOP, WIRE};

/// The rules that matter only where packets meet, or where outputs sleep.
fn rules() -> Vec<fn(&mut Config)> {
    vec![
        |_| (),
        |config| config.switch.arbitration = Arbitration::Random,
        |config| config.switch.request_busy = true,
        |config| config.switch.trunks = TrunkChoice::Packed,
        |config| (config.switch.trunks, config.switch.request_busy) = (TrunkChoice::Packed, true),
        |config| config.switch.input_speedup = 2,
        |config| config.sleep.selection = SleepSelection::Blind,
        |config| config.sleep.selection = SleepSelection::LeastDelay,
    ]
}

/// Flits take so many picoseconds on the links of nodes, and on those between the switches. A faster output does not run
/// ahead of a slower input: it ends with it, even if it then begins between two clock edges.
#[test]
fn a_packet_alone() {
    let network = mesh(&[2], 2, 1);
    let times = [1_250, 1_600, 2_000, 2_500, 3_200, 6_400];
    let edge = |t: u64| t.next_multiple_of(CYCLE);
    for (place, rule) in rules().into_iter().enumerate() {
        for (node, link) in times.into_iter().flat_map(|node| times.map(|link| (node, link))) {
            for (flits, vcs) in [(1, 1), (1, 2), (8, 1), (8, 2), (5, 4)] {
                let mut config = config(&network, 1);
                config.switch.vcs = VirtualChannels::grid(0, vcs);
                rule(&mut config);
                config.switch.input_speedup = config.switch.input_speedup.min(vcs);
                for (class, time) in config.classes.iter_mut().zip([node, link]) {
                    class.bandwidth = BitRate::from_bytes_per_second(16_000_000_000_000 / time);
                }
                let policy = StallTimer::uniform(2, None, Some(Time::from_us(1_000)));
                let workload = job(vec![vec![send(1, flits * 16)], vec![recv(0)]], &[0, 1]);
                let record = run_with(&network, &config, &policy, workload);
                // When the packet is sent by the first switch, and by the second.
                let first = WIRE + flits * node.saturating_sub(link);
                let second = edge(first + HOP).max(first + HOP + flits * link.saturating_sub(node));
                let expected = second + flits * node + HOP;
                assert_eq!(record.makespan, Some(Time(expected)), "rule {place}: {node}, {link}, {flits} flits, {vcs}");
            }
        }
    }
}
