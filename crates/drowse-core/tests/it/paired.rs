//! Links whose two channels sleep together, to the picosecond; terms are those of `sleeping`.

use drowse_core::model::config::{OutputQueues, Queues};
use drowse_core::model::units::Time;
use drowse_core::power::StallTimer;

use crate::common::*;
use crate::sleeping::*;

const US: u64 = 1_000_000;
const ENTER: u64 = 2_880_000;
const WAKE: u64 = 4_480_000;

/// A message wakes both channels of a link, the way back a wire's latency later; both idle once it has passed.
#[test]
fn the_way_back_wakes_too() {
    way_back_wakes(Queues::Input, 0);
}

/// A message wakes both channels, too, where it first crosses to the queues before the link, in a cycle at each switch.
#[test]
fn the_way_back_wakes_too_behind_queues_at_outputs() {
    way_back_wakes(Queues::Output(OutputQueues { room_flits: 8, speedup: 1, paths: 1 }), CYCLE);
}

fn way_back_wakes(queues: Queues, crossing: u64) {
    let (network, mut config) = row(2);
    config.switch.queues = queues;
    config.classes[1].states = Some(STATES);
    config.sleep.both = true;
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(US))] };
    // A second message long after the first makes the run go on.
    let (first, second) = (32_000_000, 64_000_000);
    let before = WIRE + crossing;
    let record = run_with(&network, &config, &policy, sends(1, &[(first - before, 8), (second - before, 8)]));
    let [there, back] = [channel_of(&network, 0, 0, true), channel_of(&network, 1, 0, false)];
    let woken = |channel: usize| (record.channels[channel].wakes, record.channels[channel].delayed_messages);
    assert_eq!((woken(there), woken(back)), ((2, 2), (2, 0)));

    let sent = |asked: u64| (asked + WAKE, asked + WAKE + 8 * CYCLE);
    let end = sent(second).1 + HOP + crossing + HOP;
    assert_eq!(record.makespan, Some(Time(end)));
    // By idle periods and when each is ended: the last is cut off by the end.
    let asleep = |idles: [(u64, u64); 3]| {
        let mut residency = [0; 5];
        for (i, (since, until)) in idles.into_iter().enumerate() {
            let entering = until.saturating_sub(since + US).min(ENTER);
            residency[1] += entering;
            residency[3] += until.saturating_sub(since + US + ENTER);
            residency[4] += if i < 2 { WAKE } else { 0 };
        }
        residency[0] = end - residency.iter().sum::<u64>();
        residency
    };
    assert_eq!(residency(&record, there), asleep([(0, first), (sent(first).1, second), (sent(second).1, end)]));
    // It sees the tail pass a hop later than it was sent.
    let seen = |asked: u64| sent(asked).1 + HOP;
    let back_idles = [(0, first + WIRE), (seen(first), second + WIRE), (seen(second), end)];
    assert_eq!(residency(&record, back), asleep(back_idles));
}

/// Traffic in one direction keeps the other channel on, which alone would sleep. A node's two channels are paired, too.
#[test]
fn traffic_one_way_keeps_both_on() {
    let (network, mut config) = row(2);
    config.classes.iter_mut().for_each(|class| class.states = Some(STATES));
    let policy = StallTimer { timers: vec![timers(None, Some(US)); 2] };
    // A message every 0.9 us, for 90 us.
    let messages: Vec<(u64, u64)> = (0..100).map(|i| (i * 900_000, 8)).collect();
    let mut asleep = |both: bool| {
        config.sleep.both = both;
        let record = run_with(&network, &config, &policy, sends(1, &messages));
        let back = [channel_of(&network, 1, 0, false), injection_of(&network, 1), ejection_of(&network, 0)];
        back.map(|channel| record.channels[channel].time_in(drowse_core::power::LinkState::Deep) > Time(80 * US))
    };
    assert_eq!((asleep(false), asleep(true)), ([true; 3], [false; 3]));
}

/// Each end learns of a wake a wire's latency after the other: on long wires, between switches and to nodes, in one
/// partition and in two. All channels idle from the start, sleep after 20 us and wake once.
#[test]
fn the_other_end_wakes_a_wire_later() {
    let (network, mut config) = row(2);
    let [wire, long] = [7 * CYCLE, 50 * CYCLE];
    for (class, latency) in [wire, long].into_iter().enumerate() {
        let class = &mut config.classes[class];
        (class.states, class.latency, class.hop) = (Some(STATES), Time(latency), Time(latency + CYCLE));
    }
    config.sleep.both = true;
    let stall = 20 * US;
    let policy = StallTimer { timers: vec![timers(None, Some(stall)); 2] };
    let sent = 64_000_000;
    // A head asks at its switch a wire after its node's channel is on, and at the next a hop after that channel is on.
    let first = sent + WAKE + wire;
    let second = first + WAKE + long + CYCLE;
    let woken_at = [
        (injection_of(&network, 0), sent),
        (ejection_of(&network, 0), sent + wire),
        (channel_of(&network, 0, 0, true), first),
        (channel_of(&network, 1, 0, false), first + long),
        (ejection_of(&network, 1), second),
        (injection_of(&network, 1), second + wire),
    ];
    let workload = || sends(1, &[(sent, 1)]);
    let whole = run_with(&network, &config, &policy, workload());
    config.audit = false;
    let cut = run_in(2, &network, &config, &policy, workload());
    for record in [whole, cut] {
        assert_eq!(record.makespan, Some(Time(second + WAKE + CYCLE + wire + CYCLE)));
        for (channel, woken) in woken_at {
            assert_eq!(residency(&record, channel)[1..], [ENTER, 0, woken - stall - ENTER, WAKE], "channel {channel}");
        }
    }
}

/// A node's two channels, at the sender and at the receiver: two messages far apart wake each of them twice, and each
/// idles from when the other end has seen its packet's tail.
#[test]
fn node_channels_wake_and_idle_together() {
    let (network, mut config) = row(2);
    config.classes[0].states = Some(STATES);
    config.sleep.both = true;
    let policy = StallTimer { timers: vec![timers(None, Some(US)), timers(None, None)] };
    let asked = [32_000_000, 64_000_000];
    // The switch of the receiver is asked a wire and a hop after the sender's channel is on.
    let at_switch = asked.map(|at| at + WAKE + WIRE + HOP);
    let end = at_switch[1] + WAKE + 8 * CYCLE + HOP;
    for [from, to] in [[0, 1], [1, 0]] {
        let programs =
            vec![vec![compute(Time(asked[0])), send(1, 128), compute(Time(asked[1] - asked[0])), send(1, 128)]];
        let workload = job([programs, vec![vec![recv(0), recv(0)]]].concat(), &[from, to]);
        let record = run_with(&network, &config, &policy, workload);
        assert_eq!(record.makespan, Some(Time(end)));
        // Each channel, when it is woken, and when it is idle again.
        let sent = |at: u64| at + WAKE + 8 * CYCLE;
        let channels = [
            (injection_of(&network, from), asked, asked.map(sent)),
            (ejection_of(&network, from), asked.map(|at| at + WIRE), asked.map(|at| sent(at) + WIRE)),
            (ejection_of(&network, to), at_switch, at_switch.map(sent)),
            (injection_of(&network, to), at_switch.map(|at| at + WIRE), at_switch.map(|at| sent(at) + HOP)),
        ];
        for (channel, woken, idle) in channels {
            let mut expected = [0; 5];
            for (since, until, wakes) in [(0, woken[0], 1), (idle[0], woken[1], 1), (idle[1].min(end), end, 0)] {
                expected[1] += until.saturating_sub(since + US).min(ENTER);
                expected[3] += until.saturating_sub(since + US + ENTER);
                expected[4] += wakes * WAKE;
            }
            expected[0] = end - expected.iter().sum::<u64>();
            assert_eq!(residency(&record, channel), expected, "channel {channel}, from {from}");
            assert_eq!(record.channels[channel].wakes, 2);
        }
    }
}
