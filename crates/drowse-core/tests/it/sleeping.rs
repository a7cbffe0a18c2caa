//! Sleeping channels on tiny networks, to the picosecond.
//!
//! A cycle is 1,600 ps. A message that its node sends at time T reaches the switch a wire later, at E = T + 1,600
//! rounded up to an edge, is granted there, reaches the next switch two cycles later, and its node two cycles after its
//! last bit left that switch.

use drowse_core::measure::{ChannelRecord, Record};
use drowse_core::model::config::{Config, SleepSelection, VirtualChannels};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::{LinkState, SleepState, SleepStates, StallTimer, Timers};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, PerDimension, TopologySpec, Torus};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

use crate::common::*;

pub const CYCLE: u64 = 1_600;
pub const HOP: u64 = 2 * CYCLE;
pub const WIRE: u64 = CYCLE;
const US: u64 = 1_000_000;
/// Entering and waking of deep sleep.
const ENTER: u64 = 2_880_000;
const WAKE: u64 = 4_480_000;

/// Switches in a row, one virtual channel, hops of two cycles; nothing sleeps yet.
pub fn row(switches: u32) -> (Network, Config) {
    let network = mesh(&[switches], 1, 1);
    let mut config = config(&network, 1);
    config.switch.vcs = VirtualChannels::grid(0, 1);
    config.classes.iter_mut().for_each(|class| class.states = None);
    (network, config)
}

/// A square with adaptive routing, whose switch channels may sleep; class 1 is the first dimension, class 2 the second.
fn square() -> (Network, Config) {
    let network = mesh(&[2, 2], 1, 1);
    let mut config = config(&network, 1);
    config.routing = RoutingKind::Adaptive;
    config.switch.vcs = VirtualChannels::grid(1, 1);
    config.classes[0].states = None;
    (network, config)
}

pub fn timers(shallow: Option<u64>, deep: Option<u64>) -> Timers {
    Timers { shallow: shallow.map_or(Time::NEVER, Time), deep: deep.map_or(Time::NEVER, Time) }
}

fn deep_after(classes: usize, stall: u64) -> StallTimer {
    StallTimer::uniform(classes, None, Some(Time(stall)))
}

/// Sends messages from node 0 to node `to`, given by time and flits.
pub fn sends(to: u32, messages: &[(u64, u64)]) -> Workload {
    let mut now = 0;
    let mut program = Vec::new();
    for &(at, flits) in messages {
        program.extend([compute(Time(at - now)), send(1, flits * 16)]);
        now = at;
    }
    job(vec![program, vec![recv(0); messages.len()]], &[0, to])
}

/// Returns the times in the states on, entering, shallow, deep and waking of a channel that has no others.
pub fn residency(record: &Record, channel: usize) -> [u64; 5] {
    let [first @ .., _, _, _, _] = record.channels[channel].residency.map(|time| time.0);
    assert_eq!(first.iter().sum::<u64>(), record.measured.0, "no further states");
    first
}

/// Adds the time on: the rest of the makespan.
fn with_on(record: &Record, [entering, shallow, deep, waking]: [u64; 4]) -> [u64; 5] {
    [record.measured.0 - entering - shallow - deep - waking, entering, shallow, deep, waking]
}

/// A switch channel is idle from the start; a message requests it in each of its states.
#[test]
fn a_switch_channel_in_each_state() {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(STATES);
    let policy = StallTimer { timers: vec![timers(None, None), timers(Some(10 * US), Some(50 * US))] };
    // When the head requests the channel, when it is sent, and the channel's time entering, in shallow and deep sleep,
    // and waking.
    let cases = [
        (9_998_400, 9_998_400, [0; 4]),
        (10_000_000, 10_251_200, [0, 0, 0, 250_000]),
        (30_000_000, 30_251_200, [0, 20_000_000, 0, 250_000]),
        (49_998_400, 50_249_600, [0, 39_998_400, 0, 250_000]),
        (50_000_000, 57_360_000, [ENTER, 40 * US, 0, WAKE]),
        (52_878_400, 57_360_000, [ENTER, 40 * US, 0, WAKE]),
        (52_880_000, 57_360_000, [ENTER, 40 * US, 0, WAKE]),
        (60_000_000, 64_480_000, [ENTER, 40 * US, 7_120_000, WAKE]),
    ];
    let (there, back) = (channel_of(&network, 0, 0, true), channel_of(&network, 1, 0, false));
    for (asks, goes, asleep) in cases {
        let record = run_with(&network, &config, &policy, sends(1, &[(asks - WIRE, 1)]));
        assert_eq!(record.makespan, Some(Time(goes + HOP + CYCLE + HOP)), "asks at {asks}");
        assert_eq!(residency(&record, there), with_on(&record, asleep), "asks at {asks}");
        let counted = record.channels[there];
        let woken = u64::from(asks != goes);
        assert_eq!((counted.wakes, counted.delayed_messages), (woken, woken), "asks at {asks}");
        // Nothing requests the channel back.
        let until = record.measured.0;
        let (shallow, deep) = (until.min(50 * US) - 10 * US, until.saturating_sub(50 * US + ENTER));
        let entering = until.saturating_sub(50 * US).min(ENTER);
        if until > 10 * US {
            assert_eq!(residency(&record, back), with_on(&record, [entering, shallow, deep, 0]));
        }
        assert_eq!(record.channels[back].wakes, 0);
    }
}

/// Node channels: the NIC asks and sends at any time, the switch asks for the way to the node at its edges.
#[test]
fn node_channels_in_deep_sleep() {
    let (network, mut config) = row(2);
    config.classes[0].states = Some(STATES);
    let policy = deep_after(2, US);
    // Sent 4.48 us after 20,000,123; the head is at the switch at 24,481,723, which an edge sees at 24,483,200; at the
    // next switch at 24,486,400, whose channel to the node is on at 28,966,400.
    let record = run_with(&network, &config, &policy, sends(1, &[(20_000_123, 1)]));
    assert_eq!(record.makespan, Some(Time(28_966_400 + CYCLE + HOP)));
    let asleep = |asks: u64| [ENTER, 0, asks - US - ENTER, WAKE];
    assert_eq!(residency(&record, injection_of(&network, 0)), {
        // By the end it has idled for longer than the stall timer again.
        let idle = record.measured.0 - (24_480_123 + CYCLE) - US;
        let [entering, shallow, deep, waking] = asleep(20_000_123);
        with_on(&record, [entering + idle.min(ENTER), shallow, deep + idle.saturating_sub(ENTER), waking])
    });
    assert_eq!(residency(&record, ejection_of(&network, 1)), with_on(&record, asleep(24_486_400)));
    for channel in [injection_of(&network, 0), ejection_of(&network, 1)] {
        assert_eq!((record.channels[channel].wakes, record.channels[channel].delayed_messages), (1, 1));
    }
    for channel in [injection_of(&network, 1), ejection_of(&network, 0)] {
        assert_eq!((record.channels[channel].wakes, record.channels[channel].packets), (0, 0));
    }
}

/// A stall time of 0: asleep as soon as nothing is sent or waits, but not between the packets of a message.
#[test]
fn stall_of_nothing() {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(STATES);
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(0))] };
    // The head asks at 1,600, while the channel enters until 2,880,000.
    let granted = ENTER + WAKE;
    let record = run_with(&network, &config, &policy, sends(1, &[(0, 24)]));
    assert_eq!(record.makespan, Some(Time(granted + HOP + 24 * CYCLE + HOP)));
    let channel = record.channels[channel_of(&network, 0, 0, true)];
    assert_eq!((channel.wakes, channel.delayed_messages, channel.packets), (1, 1, 3));
    // On only to send; it enters again from the last bit on.
    assert_eq!(channel.time_in(LinkState::On), Time(24 * CYCLE));
    assert_eq!(channel.time_in(LinkState::Entering), Time(ENTER + 2 * HOP));
    // A NIC asked at the very start of its idle period finds its channel on.
    config.classes[0].states = Some(STATES);
    let record = run_with(&network, &config, &deep_after(2, 0), sends(1, &[(0, 1)]));
    assert_eq!(record.channels[injection_of(&network, 0)].wakes, 0);
}

/// Shallow and deep timers that expire while the channel is entering shallow sleep, or together.
#[test]
fn tight_timers() {
    let (network, mut config) = row(2);
    let state = |enter, wake| SleepState { power: 0.5, enter: Time(enter), wake: Time(wake) };
    config.classes[1].states = Some(SleepStates::new(state(1_000_000, 100_000), state(ENTER, WAKE)));
    let asks = 10_000_000;
    for (shallow, deep, expected) in [
        // It goes from entering shallow to entering deep sleep.
        (US, 1_500_000, [1_000_000 + ENTER, 0, asks - 2 * US - ENTER, WAKE]),
        (US, 2 * US, [1_000_000 + ENTER, 0, asks - 2 * US - ENTER, WAKE]),
        (US, 2 * US + 1, [1_000_000 + ENTER, 1, asks - 2 * US - 1 - ENTER, WAKE]),
        // It skips shallow sleep.
        (US, US, [ENTER, 0, asks - US - ENTER, WAKE]),
        (US + 1, US, [ENTER, 0, asks - US - ENTER, WAKE]),
    ] {
        let policy = StallTimer { timers: vec![timers(None, None), timers(Some(shallow), Some(deep))] };
        let record = run_with(&network, &config, &policy, sends(1, &[(asks - WIRE, 1)]));
        let channel = channel_of(&network, 0, 0, true);
        assert_eq!(residency(&record, channel), with_on(&record, expected), "timers {shallow}, {deep}");
        assert_eq!(record.makespan, Some(Time(asks + WAKE + HOP + CYCLE + HOP)));
    }
}

/// States that take no time to leave: a sleeping channel costs nothing, and is counted as woken.
#[test]
fn waking_in_no_time() {
    let (network, mut config) = row(2);
    let free = SleepState { power: 0.1, enter: Time::ZERO, wake: Time::ZERO };
    config.classes[1].states = Some(SleepStates::new(free, free));
    let record = run_with(&network, &config, &deep_after(2, 0), sends(1, &[(0, 1)]));
    assert_eq!(record.makespan, Some(Time(WIRE + HOP + CYCLE + HOP)));
    assert_eq!(record.channels[channel_of(&network, 0, 0, true)].wakes, 1);
}

/// A channel that sleeps while its credits are all spent wakes at the request, not at the credit.
#[test]
fn wakes_without_credits() {
    let (network, mut config) = row(3);
    config.switch.buffer_flits = 8;
    config.classes[1].states = Some(STATES);
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(0))] };
    // The first packet goes at 8,480,000, and from the second switch at 12,963,200, where it fills the buffer until
    // 12,976,000. The second asks at 11,400,000, when the first channel is in deep sleep: it is on at 15,880,000. At
    // the second switch, at 15,883,200, it finds deep sleep too.
    let record = run_with(&network, &config, &policy, sends(2, &[(4_000_000 - WIRE, 8), (11_400_000 - WIRE, 8)]));
    assert_eq!(record.makespan, Some(Time(15_883_200 + WAKE + HOP + 8 * CYCLE + HOP)));
    assert_eq!(record.channels[channel_of(&network, 0, 0, true)].wakes, 2);
    assert_eq!(record.channels[channel_of(&network, 1, 0, true)].wakes, 2);
}

/// Returns what the two outputs of the square's first switch did.
fn outputs(network: &Network, record: &Record) -> [ChannelRecord; 2] {
    [0, 1].map(|d| record.channels[channel_of(network, 0, d, true)])
}

fn counts(channel: ChannelRecord) -> (u64, u64, u64) {
    (channel.wakes, channel.delayed_messages, channel.packets)
}

/// The head asks at the first switch of the square at 10,001,600.
const ASKS: u64 = 10_001_600;

fn across_the_square() -> Workload {
    sends(3, &[(ASKS - WIRE, 1)])
}

/// A packet takes the output that is on, and does not wake the sleeping one, its escape.
#[test]
fn awake_outputs_come_first() {
    let (network, config) = square();
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(US)), timers(None, None)] };
    let record = run_with(&network, &config, &policy, across_the_square());
    assert_eq!(outputs(&network, &record).map(counts), [(0, 0, 0), (0, 0, 1)]);
    // The next hop has one output, which sleeps.
    assert_eq!(counts(record.channels[channel_of(&network, 2, 0, true)]), (1, 1, 1));
    assert_eq!(record.makespan, Some(Time(ASKS + HOP + WAKE + HOP + CYCLE + HOP)));
}

/// Where all outputs sleep, the packet wakes its escape output and waits for it.
#[test]
fn none_awake_wakes_the_escape() {
    let (network, config) = square();
    let record = run_with(&network, &config, &deep_after(3, US), across_the_square());
    assert_eq!(outputs(&network, &record).map(counts), [(1, 1, 1), (0, 0, 0)]);
    assert_eq!(record.makespan, Some(Time(ASKS + WAKE + HOP + WAKE + HOP + CYCLE + HOP)));
}

/// Of a sleeping trunk, the lowest link is woken.
#[test]
fn a_trunk_wakes_its_lowest_link() {
    let network = mesh(&[2], 3, 1);
    let mut config = config(&network, 1);
    config.classes[0].states = None;
    let record = run_with(&network, &config, &deep_after(2, US), sends(1, &[(ASKS - WIRE, 1)]));
    let first = channel_of(&network, 0, 0, true);
    assert_eq!([0, 1, 2].map(|link| counts(record.channels[first + link])), [(1, 1, 1), (0, 0, 0), (0, 0, 0)]);
}

/// A packet that has waited for `wake_after` wakes one more; the one that it does not take then idles anew.
#[test]
fn patience_wakes_another() {
    let (network, mut config) = square();
    config.sleep.wake_after = Some(Time(10 * CYCLE));
    let record = run_with(&network, &config, &deep_after(3, US), across_the_square());
    assert_eq!(outputs(&network, &record).map(counts), [(1, 1, 1), (1, 0, 0)]);
    assert_eq!(record.makespan, Some(Time(ASKS + WAKE + HOP + WAKE + HOP + CYCLE + HOP)));
    // On, entering, deep until woken at 10,017,600; on again at 14,497,600 and for the stall time, entering, deep.
    let other = channel_of(&network, 0, 1, true);
    let woken = ASKS + 10 * CYCLE;
    let again = woken + WAKE + US + ENTER;
    let deep = woken - US - ENTER + record.measured.0 - again;
    assert_eq!(residency(&record, other), [2 * US, 2 * ENTER, 0, deep, WAKE]);
}

/// The output that was woken later is on earlier, and taken; the escape's idle period begins when it is on.
#[test]
fn the_first_to_be_on_is_taken() {
    let (network, mut config) = square();
    config.sleep.wake_after = Some(Time(10 * CYCLE));
    let quick = SleepState { wake: Time(50 * CYCLE), ..STATES.deep };
    config.classes[2].states = Some(SleepStates::new(STATES.shallow, quick));
    let record = run_with(&network, &config, &deep_after(3, US), across_the_square());
    assert_eq!(outputs(&network, &record).map(counts), [(1, 0, 0), (1, 1, 1)]);
    let goes = ASKS + 60 * CYCLE;
    assert_eq!(record.makespan, Some(Time(goes + HOP + WAKE + HOP + CYCLE + HOP)));
    let expected = with_on(&record, [ENTER, 0, ASKS - US - ENTER, WAKE]);
    assert_eq!(residency(&record, channel_of(&network, 0, 0, true)), expected);
}

/// No patience asks for one more at every edge; much patience never does.
#[test]
fn patience_of_nothing_and_of_an_hour() {
    let (network, mut config) = square();
    config.sleep.wake_after = Some(Time::ZERO);
    let record = run_with(&network, &config, &deep_after(3, US), across_the_square());
    assert_eq!(outputs(&network, &record).map(|c| c.wakes), [1, 1]);
    config.sleep.wake_after = Some(Time::from_us(3_600_000_000));
    let record = run_with(&network, &config, &deep_after(3, US), across_the_square());
    assert_eq!(outputs(&network, &record).map(|c| c.wakes), [1, 0]);
    assert_eq!(record.makespan, Some(Time(ASKS + WAKE + HOP + WAKE + HOP + CYCLE + HOP)));
}

/// Patience without end, and to the end of simulated time: a packet never asks for a second output. What is left of its
/// patience when all is done does not make the run longer.
#[test]
fn patience_without_end() {
    let (network, mut config) = square();
    for patience in [Time::NEVER, Time::LONGEST] {
        config.sleep.wake_after = Some(patience);
        let record = run_with(&network, &config, &deep_after(3, US), across_the_square());
        assert_eq!(outputs(&network, &record).map(|c| c.wakes), [1, 0]);
    }
}

/// Where sleep is ignored when choosing, the first output in the arbiter's order is taken though it sleeps.
#[test]
fn sleep_ignored_when_choosing() {
    let (network, mut config) = square();
    config.sleep.selection = SleepSelection::Blind;
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(US)), timers(None, None)] };
    let record = run_with(&network, &config, &policy, across_the_square());
    assert_eq!(outputs(&network, &record).map(counts), [(1, 1, 1), (0, 0, 0)]);
    assert_eq!(record.makespan, Some(Time(ASKS + WAKE + HOP + HOP + CYCLE + HOP)));
}

/// With `least-delay`, a queue that takes longer than a quarter of a wake wakes one more link of a trunk.
///
/// At once, two packets ask for a trunk of two links that sleep. The first wakes a link. The second compares: over that
/// link, both take 16 cycles, which four times is 64. So it wakes the other link if that takes 63 cycles, and not if it
/// takes 64. Then it goes a cycle after the first, because it asks for the same link first, instead of 8 cycles after.
#[test]
fn a_long_queue_wakes_another_link() {
    use SleepSelection::{Awake, LeastDelay};
    for (selection, wake, wakes) in [(LeastDelay, 63, 1), (LeastDelay, 64, 0), (Awake, 63, 0)] {
        let network = mesh(&[2], 2, 2);
        let mut config = config(&network, 1);
        config.classes[0].states = None;
        let deep = SleepState { wake: Time(wake * CYCLE), ..STATES.deep };
        config.classes[1].states = Some(SleepStates::new(STATES.shallow, deep));
        (config.sleep.selection, config.sleep.wake_after) = (selection, Some(Time::NEVER));
        let sender = |to| vec![compute(Time(ASKS - WIRE)), send(to, 128)];
        let ranks = vec![sender(2), sender(3), vec![recv(0)], vec![recv(1)]];
        let record = run_with(&network, &config, &deep_after(2, US), job(ranks, &[0, 1, 2, 3]));
        let first = channel_of(&network, 0, 0, true);
        let [first, other] = [first, first + 1].map(|channel| record.channels[channel]);
        assert_eq!((first.wakes, other.wakes, other.packets), (1, wakes, wakes), "{selection:?}, {wake}");
        let later = if wakes == 1 { 1 } else { 8 };
        assert_eq!(record.makespan, Some(Time(ASKS + (wake + later) * CYCLE + HOP + 8 * CYCLE + HOP)));
    }
}

/// A message counts as delayed if its first packet requests a channel that is not on; those behind it do not count.
#[test]
fn only_messages_that_wait_are_delayed() {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(STATES);
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(US))] };
    // The second and third come while the first waits, in its queue; the last when the channel is on.
    let times = [(ASKS - WIRE, 8), (ASKS, 8), (ASKS + US, 20), (ASKS + WAKE + 500_000, 8)];
    let record = run_with(&network, &config, &policy, sends(1, &times));
    assert_eq!(counts(record.channels[channel_of(&network, 0, 0, true)]), (1, 1, 6));
}

/// The time lost counts the message that heads a queue, and not those behind it, though these wait as long.
///
/// Two messages of a packet each come to a sleeping link, the second eight cycles after the first. In one queue, only
/// the first counts, for a whole wake. In two queues, both ask for the link: the second waits eight cycles less.
#[test]
fn time_lost_counts_heads_of_queues() {
    for (vcs, expected) in [(1, (1, WAKE)), (2, (2, 2 * WAKE - 8 * CYCLE))] {
        let (network, mut config) = row(2);
        config.switch.vcs = VirtualChannels::grid(0, vcs);
        config.classes[1].states = Some(STATES);
        let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(US))] };
        let record = run_with(&network, &config, &policy, sends(1, &[(ASKS - WIRE, 8), (ASKS - WIRE, 8)]));
        let link = record.channels[channel_of(&network, 0, 0, true)];
        assert_eq!((link.delayed_messages, link.time_lost.0), expected, "{vcs} virtual channels");
        // The second arrives a wake, a packet and two hops after the first came to the switch, either way.
        assert_eq!(record.makespan, Some(Time(ASKS + WAKE + 8 * CYCLE + HOP + 8 * CYCLE + HOP)));
    }
}

/// A packet that keeps the sleeping output that it chose is looked at when that one is on, and not before: a wake that
/// takes longer costs no more events, even if a credit comes back during the wake.
#[test]
fn a_kept_output_is_looked_at_when_it_is_on() {
    let (network, mut config) = square();
    config.sleep.selection = SleepSelection::Blind;
    config.classes[1].latency = Time(100 * CYCLE);
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(0)), timers(None, None)] };
    let [short, long] = [1, 10].map(|times| {
        let deep = SleepState { wake: Time(times * WAKE), ..STATES.deep };
        config.classes[1].states = Some(SleepStates::new(STATES.shallow, deep));
        // The second asks when the first has gone and its credit is under way.
        let second = ASKS - WIRE + times * WAKE + 20 * CYCLE;
        run_with(&network, &config, &policy, sends(3, &[(ASKS - WIRE, 8), (second, 8)]))
    });
    let wakes = |record: &Record| record.channels[channel_of(&network, 0, 0, true)].wakes;
    assert_eq!([&short, &long].map(wakes), [2, 2]);
    assert_eq!(long.events, short.events);
}

/// A message counts as delayed at the channel that it takes, and only if it waited for that one to wake.
///
/// With sleep ignored, nodes 0 and 1 of the first switch ask for the sleeping first dimension. When it is on, node 0
/// gets it, and node 1's packet takes the second dimension, which never sleeps.
#[test]
fn not_delayed_by_a_channel_that_never_slept() {
    let network = mesh(&[2, 2], 1, 2);
    let (_, mut config) = square();
    config.sleep.selection = SleepSelection::Blind;
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(US)), timers(None, None)] };
    let sender = |to| vec![compute(Time(ASKS - WIRE)), send(to, 128)];
    let ranks = vec![sender(2), sender(3), vec![recv(0)], vec![recv(1)]];
    let record = run_with(&network, &config, &policy, job(ranks, &[0, 1, 2, 6]));
    let [first, second] = outputs(&network, &record);
    assert_eq!((first.packets, second.packets), (1, 1));
    assert_eq!((second.wakes, second.delayed_messages), (0, 0));
    assert_eq!((first.wakes, first.delayed_messages), (1, 1));
}

/// An idle period ends when a packet requests the channel, even if its input port sends another packet first.
///
/// Node 1, in the middle of three, sends twice to the left and once to the right. The second and third are looked at
/// when the first has left: the second goes, the third has asked for a channel that is on, and must find it so
/// afterwards.
#[test]
fn a_lost_request_ends_the_idle_period() {
    let (network, mut config) = row(3);
    config.switch.vcs.escape = 4;
    // Packets take 32 cycles between switches: the first leaves at 1 and 33, the third asks at 33 and goes at 65.
    config.classes[1].bandwidth = BitRate::from_bytes_per_second(2_500_000_000);
    config.classes[1].states = Some(STATES);
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(43 * CYCLE))] };
    let sender = vec![send(1, 128), send(1, 128), send(2, 128)];
    let record = run_with(&network, &config, &policy, job(vec![sender, vec![recv(0); 2], vec![recv(0)]], &[1, 0, 2]));
    assert_eq!(record.channels[channel_of(&network, 1, 0, true)].wakes, 0);
    assert_eq!(record.ranks[2].finish, Time(65 * CYCLE + HOP + 32 * CYCLE + HOP));
}

/// Channels also count packets that come when no rank runs any more.
#[test]
fn channels_count_the_whole_run() {
    let (network, config) = row(2);
    let unreceived = job(vec![vec![send(1, 16)], vec![]], &[0, 1]);
    let record = run(&network, &config, unreceived);
    assert_eq!(sent(&record), record.hops + record.packets_injected);
}

/// In open-loop runs, channels count what they send in the window, as they do times: two windows make one.
#[test]
fn channels_count_the_measured_window() {
    let (network, config) = row(2);
    let traffic = |warmup, measure| Traffic {
        pattern: Pattern::Uniform,
        packets: Lengths::packets(1),
        load: 0.5,
        include_self: false,
        count: Count::Generated,
        warmup: Time(warmup * CYCLE),
        measure: Time(measure * CYCLE),
        drain: true,
    };
    let sent = |warmup, measure| sent(&run(&network, &config, Workload::OpenLoop(traffic(warmup, measure))));
    assert!(sent(0, 100) > 0 && sent(100, 300) > 0);
    assert_eq!(sent(0, 100) + sent(100, 300), sent(0, 400));
}

fn sent(record: &Record) -> u64 {
    record.channels.iter().map(|channel| channel.packets).sum()
}

/// Full packets to random nodes at a load per node and cycle.
fn packets_to_anybody(config: &Config, packets_per_cycle: f64) -> Workload {
    let bits_per_cycle = config.classes[0].bandwidth.0 as f64 * config.switch.clock.0 as f64 / 1e12;
    let packet_bits = (config.switch.flit.0 * 8) as f64 * f64::from(config.switch.packet_flits);
    Workload::OpenLoop(Traffic {
        pattern: Pattern::Uniform,
        load: packets_per_cycle * packet_bits / bits_per_cycle,
        packets: Lengths::packets(1),
        include_self: true,
        count: Count::Generated,
        warmup: Time::ZERO,
        measure: Time(500 * config.switch.clock.0),
        drain: true,
    })
}

/// Runs with all channels on, once where they may sleep and once where they may not, and compares.
fn check_that_permission_changes_nothing(network: &Network, config: &Config, packets_per_cycle: f64) {
    let [may, may_not] = [Some(STATES), None].map(|states| {
        let mut config = config.clone();
        config.audit = false;
        config.classes.iter_mut().for_each(|class| class.states = states);
        let record = run(network, &config, packets_to_anybody(&config, packets_per_cycle));
        Record { events: 0, ..record }
    });
    let means = [&may, &may_not].map(|record| record.packet_latency.mean());
    assert!(may == may_not, "load {packets_per_cycle}: mean latencies {means:?}");
}

/// Channels that may sleep and never do equal channels that may not, also where fast outputs wait for slow inputs.
#[test]
fn allowed_to_sleep_but_never_does() {
    let network = mesh(&[3, 3], 1, 2);
    let mut config = config(&network, 0);
    config.routing = RoutingKind::Adaptive;
    config.switch.vcs = VirtualChannels::grid(1, 3);
    config.switch.flit = Bytes(4);
    config.switch.packet_flits = 2;
    config.switch.buffer_flits = 2;
    for (class, bandwidth) in config.classes.iter_mut().zip([10_000_000_000, 20_000_000_000, 500_000_000]) {
        class.bandwidth = BitRate::from_bytes_per_second(bandwidth);
    }
    for load in [0.05, 0.1, 0.2, 0.42] {
        check_that_permission_changes_nothing(&network, &config, load);
    }
}

/// Channels that may sleep and never do equal channels that may not, with several read ports.
#[test]
fn allowed_to_sleep_but_never_does_with_several_read_ports() {
    let torus = Torus::new(vec![5, 2, 3], PerDimension::Each(vec![3, 1, 1]), 2);
    let network = TopologySpec::Torus(torus).build().unwrap();
    let mut config = config(&network, 0);
    config.switch.packet_flits = 1;
    config.switch.buffer_flits = 1;
    for class in &mut config.classes {
        class.bandwidth = BitRate::from_bytes_per_second(7_770_000_000);
        class.latency = Time::ZERO;
    }
    for speedup in [1, 2, 4] {
        config.switch.input_speedup = speedup;
        for load in [0.1, 0.3, 0.49] {
            check_that_permission_changes_nothing(&network, &config, load);
        }
    }
}

/// With the selection by least delay, packets that find no output wake one more link of a trunk where four times the
/// time of all that wait is above the time of a wake, times the links that are on or waking. Here so many packets of 8
/// flits come at once, one from each node.
#[test]
fn a_long_queue_wakes_one_more_link() {
    let wakes = |links: u32, packets: u32, wake: u64| {
        let network = mesh(&[2], links, packets);
        let mut config = config(&network, 1);
        config.switch.vcs = VirtualChannels::grid(0, 1);
        config.sleep.selection = SleepSelection::LeastDelay;
        config.sleep.wake_after = Some(Time(1_000 * US));
        let state = SleepState { power: 0.1, enter: Time(1_000), wake: Time(wake) };
        config.classes[0].states = None;
        config.classes[1].states = Some(SleepStates::new(state, state));
        let senders = (0..packets).map(|rank| vec![compute(Time(20 * US)), send(rank + packets, 8 * 16)]);
        let receivers = (0..packets).map(|rank| vec![recv(rank)]);
        let nodes: Vec<u32> = (0..2 * packets).collect();
        let record = run_with(&network, &config, &deep_after(2, US), job(senders.chain(receivers).collect(), &nodes));
        let first = channel_of(&network, 0, 0, true);
        (first..first + links as usize).map(|channel| record.channels[channel].wakes).sum::<u64>()
    };
    let packet = 8 * CYCLE;
    for packets in [2, 3, 5, 9] {
        let longest = 4 * packet * u64::from(packets);
        assert_eq!([wakes(2, packets, longest - 1), wakes(2, packets, longest)], [2, 1], "{packets} packets");
    }
    // With two links waking, the third needs twice as many.
    for packets in [5, 7] {
        let longest = 2 * packet * u64::from(packets);
        assert_eq!([wakes(3, packets, longest - 1), wakes(3, packets, longest)], [3, 2], "{packets} packets");
    }
    assert_eq!(wakes(4, 1, 1), 1, "a packet alone wakes one link");
}

/// Sleep that is entered and left in no time costs none: programs end as if all channels were on. Every channel wakes
/// and sleeps all the while.
#[test]
fn sleep_without_transitions_costs_no_time() {
    let (network, mut config) = row(3);
    let state = SleepState { power: 0.1, enter: Time::ZERO, wake: Time::ZERO };
    let ranks = || {
        let middle = vec![recv(0), send(2, 3_000), recv(2), compute(Time(123_457)), send(0, 16)];
        let first = vec![compute(Time(5 * US + 1)), send(1, 900), recv(1)];
        job(vec![first, middle, vec![recv(1), send(1, 77)]], &[0, 1, 2])
    };
    config.node.eager_limit = Bytes(1_000);
    let on = run(&network, &config, ranks());
    config.classes.iter_mut().for_each(|class| class.states = Some(SleepStates::new(state, state)));
    for (both, stall) in [(false, 0), (true, 0), (false, 10_000), (true, 10_000)] {
        config.sleep.both = both;
        let record = run_with(&network, &config, &deep_after(2, stall), ranks());
        assert_eq!(record.makespan, on.makespan, "both {both}, after {stall}");
        for (channel, (counted, on)) in record.channels.iter().zip(&on.channels).enumerate() {
            let duration = counted.flits * CYCLE;
            assert_eq!((counted.packets, counted.flits), (on.packets, on.flits));
            assert_eq!(counted.time_in(LinkState::Entering) + counted.time_in(LinkState::Waking), Time::ZERO);
            assert!(counted.time_in(LinkState::On).0 >= duration, "channel {channel}");
            assert!(counted.time_in(LinkState::Deep).0 > US, "channel {channel}");
        }
    }
}
