//! Links that narrow on a tiny network, to the picosecond.

use drowse_core::measure::Record;
use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::units::Time;
use drowse_core::power::trunk::{Off, Trunk};
use drowse_core::power::{ClassPolicy, Width};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;

use crate::common::*;
use crate::sleeping::{CYCLE, HOP, WIRE, residency, row};

const US: u64 = 1_000_000;
const ENTER: u64 = 2_880_000;
const WAKE: u64 = 4_480_000;
const POLICY: Width = Width {
    lanes: 4,
    thresholds: Trunk {
        window: Time(10 * US),
        on: 650_000_000,
        off: Off::Static(250_000_000),
        // Never.
        backlog: Time(1_000_000 * US),
        steps: 1,
    },
};

/// Two switches with a link whose lanes may go off.
fn pair() -> (Network, Config, usize) {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(STATES);
    let channel = channel_of(&network, 0, 0, true);
    (network, config, channel)
}

fn run_narrowing(network: &Network, config: &Config, policy: Width, workload: Workload) -> Record {
    run_with(network, config, &everywhere(network, ClassPolicy::Width(policy)), workload)
}

fn run_pair(policy: Width, sender: Vec<drowse_core::workload::operation::Operation>) -> (Record, usize) {
    let (network, config, channel) = pair();
    (run_narrowing(&network, &config, policy, job(vec![sender, vec![recv(0)]], &[0, 1])), channel)
}

/// Nothing is sent: two lanes of four go off at the end of the first window, one more at that of the second. Then a
/// packet of 8 flits takes four times as long, and the channel to its node does not run ahead of it.
#[test]
fn an_idle_link_narrows_to_one_lane() {
    let at = 100 * US - WIRE;
    let (record, channel) = run_pair(POLICY, vec![compute(Time(at)), send(1, 8 * 16)]);
    assert_eq!(record.makespan, Some(Time(100 * US + HOP + 4 * 8 * CYCLE + HOP)));
    let all = record.measured.0;
    let entering = (2 * ENTER + ENTER) / 4;
    let deep = (2 * (all - 10 * US - ENTER) + (all - 20 * US - ENTER)) / 4;
    assert_eq!(residency(&record, channel), [all - entering - deep, entering, 0, deep, 0]);
}

/// As much as three of four lanes carry keeps all four on: two would be full.
#[test]
fn a_busy_link_stays_wide() {
    let sender = (0..100).flat_map(|_| [send(1, 3_000), compute(Time(400_000))]).collect();
    let (record, channel) = run_pair(POLICY, sender);
    assert!(record.measured.0 > 30 * US);
    assert_eq!(residency(&record, channel)[0], record.measured.0);
}

/// A message of 200 us at full width comes when one lane is on: that is busy all the time, so that two are on a window
/// and a wake later, and four two windows and wakes later; each wake at the end of a window.
#[test]
fn a_link_widens_when_the_load_grows() {
    let (record, channel) = run_pair(POLICY, vec![compute(Time(40 * US)), send(1, 2_000_000)]);
    assert_eq!(record.channels[channel].wakes, 2);
    // A packet takes 4 x 12.8 ns until the wake that begins at 50 us is over, 2 x 12.8 ns until that which begins at 60
    // us is, and 12.8 ns from then on. What the rendezvous takes, packets that began before, and hops are less than a
    // microsecond.
    let (slow, half) = (50 * US + WAKE - 40 * US, 10 * US);
    let expected = 40 * US + slow + half + (200 * US - slow / 4 - half / 2);
    let makespan = record.makespan.unwrap().0;
    assert!((expected..expected + US).contains(&makespan), "{makespan} and not {expected}");
    let [_, entering, _, deep, waking] = residency(&record, channel);
    assert_eq!(entering, (2 * ENTER + ENTER) / 4);
    assert_eq!(waking, (WAKE + 2 * WAKE) / 4);
    let one = 50 * US - 20 * US - ENTER;
    let two = 60 * US - 10 * US - ENTER;
    assert_eq!(deep, (one + 2 * two) / 4);
}

/// Two nodes send 1 MB each over a link with one lane on, and only the packets that wait may widen it, since no link is
/// busy for twice the time. One or both of two buffers of 256 flits wait: 0.41 or 0.82 us at full width, 1.64 or 3.28 us
/// of the one lane. So a limit of 1 us widens the link, and one of 4 us does not: all goes over one lane.
#[test]
fn a_backlog_is_that_of_the_lanes_that_are_on() {
    let network = mesh(&[2], 1, 2);
    let mut config = config(&network, 1);
    config.switch.vcs = VirtualChannels::grid(0, 1);
    config.classes[0].states = None;
    let channel = channel_of(&network, 0, 0, true);
    let ranks = (0..4).map(|rank| match rank {
        0 | 1 => vec![compute(Time(40 * US)), send(rank + 2, 1_000_000)],
        _ => vec![recv(rank - 2)],
    });
    let ranks: Vec<_> = ranks.collect();
    let widened = |backlog| {
        let thresholds = Trunk { on: 2_000_000_000, backlog, ..POLICY.thresholds };
        let record =
            run_narrowing(&network, &config, Width { thresholds, ..POLICY }, job(ranks.clone(), &[0, 1, 2, 3]));
        (record.channels[channel].wakes, record.makespan.unwrap().0)
    };
    let (wakes, makespan) = widened(Time(US));
    assert!(wakes > 0 && makespan < 600 * US, "{wakes} wakes, {makespan} ps");
    let (wakes, makespan) = widened(Time(4 * US));
    assert!(wakes == 0 && (840 * US..841 * US).contains(&makespan), "{wakes} wakes, {makespan} ps");
}

/// Between links of 2, 4, 8 and 16 lanes that never narrow and one that cannot, nothing differs.
#[test]
fn lanes_that_stay_on_change_nothing() {
    let sender = || vec![compute(Time(US)), send(1, 100_000), compute(Time(3 * US)), send(1, 77)];
    let (network, config, _) = pair();
    let on = drowse_core::power::StallTimer::always_on(network.classes.len());
    let workload = || job(vec![sender(), vec![recv(0), recv(0)]], &[0, 1]);
    let expected = run_with(&network, &config, &on, workload()).makespan;
    for lanes in [2, 4, 8, 16] {
        let off = Off::Static(0);
        let policy = Width { lanes, thresholds: Trunk { off, ..POLICY.thresholds } };
        assert_eq!(run_narrowing(&network, &config, policy, workload()).makespan, expected);
    }
}

/// Lanes that go on at once: a message of 200 us at full width takes four times as long up to 50 us, twice as long up to
/// 60 us, and then its time.
#[test]
fn lanes_may_go_on_at_once() {
    let (network, mut config, channel) = pair();
    let mut states = STATES;
    (states.deep.wake, states.shallow.wake) = (Time::ZERO, Time::ZERO);
    config.classes[1].states = Some(states);
    let sender = vec![compute(Time(40 * US)), send(1, 2_000_000)];
    let record = run_narrowing(&network, &config, POLICY, job(vec![sender, vec![recv(0)]], &[0, 1]));
    let expected = 60 * US + (200 * US - 10 * US / 4 - 10 * US / 2);
    let makespan = record.makespan.unwrap().0;
    assert!((expected..expected + US).contains(&makespan), "{makespan} and not {expected}");
    let [on, entering, _, deep, waking] = residency(&record, channel);
    let asleep = ((50 - 20) * US - ENTER + 2 * ((60 - 10) * US - ENTER)) / 4;
    assert_eq!((entering, deep, waking), ((2 * ENTER + ENTER) / 4, asleep, 0));
    assert_eq!((on + entering + deep, record.channels[channel].wakes), (record.measured.0, 2));
}

/// Lanes can be halved down to one, and thresholds must be so far apart that halving does not bring the load over the
/// upper one again.
#[test]
fn what_may_narrow() {
    let valid: Vec<u8> = (0..=u8::MAX).filter(|&lanes| Width { lanes, ..POLICY }.is_valid()).collect();
    assert_eq!(valid, [2, 4, 8, 16]);
    let with = |on, off| Width { thresholds: Trunk { on, off, ..POLICY.thresholds }, ..POLICY }.is_valid();
    assert!(with(600_000_000, Off::Static(299_999_999)));
    assert!(!with(600_000_000, Off::Static(300_000_000)) && !with(600_000_000, Off::Static(600_000_000)));
    assert!(!with(600_000_000, Off::ByPorts(100_000_000)), "the number of ports is not that of lanes");
    let three = Width { lanes: 3, thresholds: Trunk { off: Off::Static(600_000_000), ..POLICY.thresholds } };
    assert!(!three.is_valid());
}
