//! Residencies and energies by hand: an idle network and one message, under every policy.
//!
//! Two switches in a row with a node each: six channels. A clock cycle is 1.6 ns, a wire one cycle, a hop four; the
//! message is one packet of 8 flits (12.8 ns), sent at 100 us. Shallow sleep: 0 ns to enter, 250 ns to wake, 60 %
//! power; deep: 2.88 us and 4.48 us, 10 %.

use drowse_core::measure::Record;
use drowse_core::model::units::Time;
use drowse_core::power::model::{PowerModel, Reference, channel_power};
use drowse_core::power::{LinkState, StallTimer};

use crate::common::*;

/// Numbers of the channels: those of the ports (switch 0: to switch 1, to node 0; switch 1 alike), then injection.
const FORWARD: usize = 0;
const EJECTION: usize = 3;
const INJECTION: usize = 4;
/// No packet crosses these.
const UNUSED: [usize; 3] = [1, 2, 5];

const POWERS: [f64; 9] = [1.0, 1.0, 0.6, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0];

fn run_message(shallow: Option<Time>, deep: Option<Time>) -> Record {
    let network = mesh(&[2], 1, 1);
    let policy = StallTimer::uniform(network.classes.len(), shallow, deep);
    let sender = vec![compute(Time::from_us(100)), send(1, 128)];
    run_with(&network, &config(&network, 3), &policy, job(vec![sender, vec![recv(0)]], &[0, 1]))
}

/// Time in entering, shallow, deep and waking, in picoseconds.
fn asleep(record: &Record, channel: usize) -> [u64; 4] {
    let times = record.channels[channel].residency.map(|time| time.0);
    assert_eq!(times.iter().sum::<u64>(), record.measured.0, "the states of a channel sum to the run time");
    [times[1], times[2], times[3], times[4]]
}

#[test]
fn one_message_always_on() {
    let record = run_message(None, None);
    // One wire, two hops, the packet's length.
    assert_eq!(record.makespan, Some(Time(100_000_000 + 1_600 + 2 * 6_400 + 12_800)));
    (0..6).for_each(|channel| assert_eq!(asleep(&record, channel), [0; 4]));
    assert_eq!(record.channels.iter().map(|c| c.wakes).sum::<u64>(), 0);
}

#[test]
fn one_message_through_deep_sleep() {
    let record = run_message(None, Some(Time::from_us(50)));
    // Three channels wake one after the other; every wake ends at a clock edge here.
    assert_eq!(record.makespan, Some(Time(100_000_000 + 3 * 4_480_000 + 1_600 + 2 * 6_400 + 12_800)));
    // On for 50 us, entering for 2.88 us, then deep until the request.
    assert_eq!(asleep(&record, INJECTION), [2_880_000, 0, 100_000_000 - 52_880_000, 4_480_000]);
    assert_eq!(asleep(&record, FORWARD), [2_880_000, 0, 104_481_600 - 52_880_000, 4_480_000]);
    assert_eq!(asleep(&record, EJECTION), [2_880_000, 0, 108_968_000 - 52_880_000, 4_480_000]);
    for channel in UNUSED {
        assert_eq!(asleep(&record, channel), [2_880_000, 0, 113_467_200 - 52_880_000, 0]);
        assert_eq!((record.channels[channel].wakes, record.channels[channel].delayed_messages), (0, 0));
    }
    for channel in [INJECTION, FORWARD, EJECTION] {
        assert_eq!((record.channels[channel].wakes, record.channels[channel].delayed_messages), (1, 1));
    }
}

#[test]
fn one_message_through_shallow_sleep() {
    let record = run_message(Some(Time::from_us(10)), None);
    // Awake at 100.25 us; at the switch 1.6 ns later, seen at the edge at 100.2528 us; awake 250 ns later, granted at
    // the edge at 100.504 us; at the next switch 6.4 ns later, an edge; awake 250 ns later, granted at 100.7616 us.
    assert_eq!(record.makespan, Some(Time(100_761_600 + 6_400 + 12_800)));
    assert_eq!(asleep(&record, INJECTION), [0, 90_000_000, 0, 250_000]);
    assert_eq!(asleep(&record, FORWARD), [0, 100_252_800 - 10_000_000, 0, 250_000]);
    assert_eq!(asleep(&record, EJECTION), [0, 100_510_400 - 10_000_000, 0, 250_000]);
    UNUSED.iter().for_each(|&channel| assert_eq!(asleep(&record, channel), [0, 90_780_800, 0, 0]));
}

#[test]
fn one_message_through_both() {
    let record = run_message(Some(Time::from_us(10)), Some(Time::from_us(50)));
    assert_eq!(record.makespan, Some(Time(113_467_200)));
    assert_eq!(asleep(&record, INJECTION), [2_880_000, 40_000_000, 100_000_000 - 52_880_000, 4_480_000]);
    UNUSED.iter().for_each(|&c| assert_eq!(asleep(&record, c), [2_880_000, 40_000_000, 113_467_200 - 52_880_000, 0]));
}

/// An idle network for 100 us under deep sleep after 50 us: each port is on or entering for 52.88 us and deep for 47.12
/// us, so it draws 0.5288 + 0.04712 = 0.57592; a switch 0.35 + 0.65 * 0.57592 = 0.724348.
#[test]
fn an_idle_network_by_hand() {
    let network = mesh(&[2], 1, 1);
    let idle = |shallow, deep| {
        let policy = StallTimer::uniform(network.classes.len(), shallow, deep);
        run_with(&network, &config(&network, 3), &policy, job(vec![vec![compute(Time::from_us(100))]], &[0]))
    };
    let us = Time::from_us;
    // Always on; shallow from 10 us: 0.1 + 0.9 * 0.6; deep from 50 us; both: 0.1 + 0.4 * 0.6 + 0.0288 + 0.4712 * 0.1.
    let cases = [
        (None, None, 1.0),
        (Some(us(10)), None, 0.64),
        (None, Some(us(50)), 0.57592),
        (Some(us(10)), Some(us(50)), 0.41592),
    ];
    for (shallow, deep, expected) in cases {
        let record = idle(shallow, deep);
        for channel in &record.channels {
            let power = channel_power(&channel.residency.map(|time| u128::from(time.0)), &POWERS);
            assert!((power - expected).abs() < 1e-12, "{shallow:?} {deep:?}: {power}");
        }
        let model = PowerModel { reference: Some(Reference { switches: 4, ports: 2 }), ..PowerModel::default() };
        let energy = model.energy(expected, u64::from(network.ports()), 1.0, 100e-6);
        assert!((energy.w_net - (0.35 + 0.65 * expected) * 0.5).abs() < 1e-12);
        assert!((energy.e_net - energy.w_net * 100e-6).abs() < 1e-18);
        assert_eq!(record.ranks[0].times.computing, us(100));
    }
}

/// Channels of a class that may not sleep never do, whatever the policy says.
#[test]
fn classes_that_may_not_sleep_do_not() {
    let network = mesh(&[2], 1, 1);
    let mut config = config(&network, 3);
    config.classes[0].states = None;
    let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(50)));
    let sender = vec![compute(Time::from_us(100)), send(1, 128)];
    let record = run_with(&network, &config, &policy, job(vec![sender, vec![recv(0)]], &[0, 1]));
    assert_eq!(record.makespan, Some(Time(100_000_000 + 4_480_000 + 1_600 + 2 * 6_400 + 12_800)));
    for (channel, account) in record.channels.iter().enumerate() {
        let slept = account.time_in(LinkState::On) != record.measured;
        assert_eq!(
            slept,
            network.classes[usize::from(network.channel_class(drowse_core::model::ids::ChannelId(channel as u32)))]
                != "node"
        );
    }
}
