//! Spare links that stand by: what they do to the picosecond, and that all switches stay in reach.

use drowse_core::measure::Record;
use drowse_core::model::config::{Config, SleepSelection};
use drowse_core::model::ids::{ChannelId, PortId};
use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, FurtherStates, LinkState, SleepState, SleepStates, Standby};
use drowse_core::topology::{End, Network};
use drowse_core::workload::Workload;

use crate::common::*;

const US: u64 = 1_000_000;
/// Takes 3 us down and 7 us up.
const MODULE: SleepState = SleepState { power: 0.3, enter: Time(3 * US), wake: Time(7 * US) };
const POLICY: Standby = Standby {
    every: Time(20 * US),
    state: LinkState::Third,
    budget: 1_000_000_000,
    paths: 1,
    on: 500_000_000,
    off: 250_000_000,
};

fn states() -> SleepStates {
    SleepStates { further: FurtherStates::new(&[MODULE]).unwrap(), ..STATES }
}

/// Lets all links between switches sleep, both directions together or each by itself.
fn sleeping(network: &Network, both: bool) -> Config {
    let mut config = config(network, 3);
    config.classes[0].states = None;
    config.classes[1..].iter_mut().for_each(|class| class.states = Some(states()));
    (config.sleep.both, config.sleep.selection) = (both, SleepSelection::Awake);
    config
}

fn run_spare(network: &Network, config: &Config, policy: Standby, workload: Workload) -> Record {
    run_with(network, config, &everywhere(network, ClassPolicy::Standby(policy)), workload)
}

/// Nothing is sent: three of four links go down at the first edge of the clock, for the rest of the run.
#[test]
fn spare_links_go_down_at_the_start() {
    let network = mesh(&[2], 4, 1);
    let config = sleeping(&network, false);
    let record = run_spare(&network, &config, POLICY, job(vec![vec![compute(Time(100 * US))]], &[0]));
    let first = channel_of(&network, 0, 0, true);
    for (place, channel) in record.channels[first..first + 4].iter().enumerate() {
        let time = |state| channel.time_in(state).0;
        if place == 0 {
            assert_eq!(time(LinkState::On), record.measured.0);
        } else {
            assert_eq!((time(LinkState::On), time(LinkState::Entering)), (config.switch.clock.0, 3 * US));
            assert_eq!(time(LinkState::Third), record.measured.0 - 3 * US - config.switch.clock.0);
        }
    }
}

/// A link that is busy brings up others at the end of a window, after the time that these take; no packet does.
#[test]
fn load_brings_links_up() {
    let network = mesh(&[2], 4, 4);
    let mut config = sleeping(&network, false);
    config.classes[1].bandwidth = config.classes[0].bandwidth;
    // Four nodes send 400 us of one link's time to four others.
    let bytes = config.classes[0].bandwidth.0 / 8 / 10_000;
    let mut programs: Vec<_> = (0..4).map(|rank| vec![send(rank + 4, bytes)]).collect();
    programs.extend((0..4).map(|rank| vec![recv(rank)]));
    let record = run_spare(&network, &config, POLICY, job(programs, &[0, 1, 2, 3, 4, 5, 6, 7]));
    let first = channel_of(&network, 0, 0, true);
    let up = &record.channels[first..first + 4];
    assert!(up[1..].iter().any(|channel| channel.wakes == 1), "{up:?}");
    for channel in &up[1..] {
        assert!(channel.wakes <= 1, "{channel:?}");
        assert_eq!(channel.time_in(LinkState::Waking).0, channel.wakes * 7 * US);
        // Not before the end of the first window.
        assert!(channel.time_in(LinkState::Third).0 >= 20 * US - 3 * US - config.switch.clock.0, "{channel:?}");
    }
    // One link alone would have needed 400 us.
    assert!(record.makespan.unwrap() < Time(300 * US), "{:?}", record.makespan);
}

/// The links between switches that are up at the end of a run in which nothing is sent: how many lead from each switch to
/// each.
fn links_up(network: &Network, record: &Record) -> Vec<Vec<u32>> {
    let switches = network.switches() as usize;
    let mut links = vec![vec![0; switches]; switches];
    for port in 0..network.ports() {
        if let End::Port(PortId(there)) = network.target(ChannelId(port))
            && record.channels[port as usize].time_in(LinkState::Third) == Time::ZERO
        {
            links[network.port_switch(port as usize) as usize][network.port_switch(there as usize) as usize] += 1;
        }
    }
    links
}

/// Counts the paths without a common link from one switch to another, by Ford and Fulkerson's method.
fn paths(links: &[Vec<u32>], from: usize, to: usize) -> u32 {
    let mut left = links.to_vec();
    let mut found = 0;
    loop {
        let mut came_from = vec![None; left.len()];
        let mut reached = vec![from];
        while let Some(at) = reached.pop() {
            for next in 0..left.len() {
                if left[at][next] > 0 && next != from && came_from[next].is_none() {
                    came_from[next] = Some(at);
                    reached.push(next);
                }
            }
        }
        let Some(mut before) = came_from[to] else { return found };
        let mut at = to;
        loop {
            left[before][at] -= 1;
            left[at][before] += 1;
            (at, before) = match came_from[before] {
                Some(earlier) => (before, earlier),
                None => break,
            };
        }
        found += 1;
    }
}

/// Between any two switches of different networks as many paths stay as the policy says, or as there were; and of no trunk
/// do more links stand by than its budget lets.
#[test]
fn all_switches_stay_in_reach() {
    let networks = [torus(&[3, 3], 4, 1), mesh(&[2, 3], 3, 1), torus(&[4], 2, 1), mesh(&[4], 5, 1)];
    for network in &networks {
        for (kept, budget, both) in [(1, 1_000_000_000, false), (2, 1_000_000_000, true), (3, 500_000_000, true)] {
            let policy = Standby { paths: kept, budget, ..POLICY };
            let config = sleeping(network, both);
            let idle = job(vec![vec![compute(Time(100 * US))]], &[0]);
            let record = run_spare(network, &config, policy, idle);
            let always =
                run_spare(network, &config, Standby { budget: 0, ..policy }, job(vec![vec![compute(Time(US))]], &[0]));
            let (up, all) = (links_up(network, &record), links_up(network, &always));
            for from in 0..up.len() {
                for to in (0..up.len()).filter(|&to| to != from) {
                    let (left, before) = (paths(&up, from, to), paths(&all, from, to));
                    assert!(left >= before.min(u32::from(kept)), "{from} to {to}: {left} of {before} paths");
                    let (links, had) = (up[from][to], all[from][to]);
                    let spare = (u64::from(had) * u64::from(budget) / 1_000_000_000) as u32;
                    assert!(links + spare >= had && links <= had, "{from} to {to}: {links} of {had} links");
                    let expected = had.saturating_sub(spare).max(had.min(u32::from(kept))).max(had.min(1));
                    assert!(links == expected, "{from} to {to}: {links} of {had} links, not {expected}");
                }
            }
        }
    }
}
