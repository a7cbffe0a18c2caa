//! What a probe records of single idle periods: at the ends of the measured time, of each table that may be wanted, and
//! of the states of a period, by hand.

use std::ops::Range;

use drowse_core::measure::probe::{IdleBin, idle_bin};
use drowse_core::measure::{ProbeOptions, ProbeRecord};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{Idle, LinkState, Oracle, Policy, Probe, SleepPolicy, Timers, Wake};

use crate::common::*;

const NONE: ProbeOptions = ProbeOptions {
    idle_periods: false,
    idle_pairs: false,
    timers: false,
    timeline: false,
    waiting: None,
    message_sizes: false,
    rank_operations: false,
    rank_waits: false,
    wakes: false,
    power: None,
};
const US: u64 = 1_000_000;
const START: u64 = 100 * US;
const END: u64 = 200 * US;

fn idle(since: u64, until: u64) -> Idle {
    Idle { since: Time(since), until: Time(until), wake: None }
}

/// Records idle periods that end by a request, and the last one, by the end of the run.
fn record<P: Policy>(
    policy: &P,
    wanted: ProbeOptions,
    measured: Option<Range<Time>>,
    ended: &[Idle],
    last: Option<Idle>,
) -> ProbeRecord {
    let classes = config(&mesh(&[2], 1, 1), 1).classes;
    let probe = Probe::new(policy, wanted, &classes, measured);
    let mut state = probe.start(ChannelId(0), 1);
    ended.iter().for_each(|&idle| probe.idle_ended(1, &mut state, idle));
    last.iter().for_each(|&idle| probe.run_ended(1, &mut state, idle));
    state.seen
}

const WINDOW: Range<Time> = Time(START)..Time(END);

fn counts(record: &ProbeRecord) -> Vec<(IdleBin, u64, u128)> {
    record.periods.iter().map(|(&bin, tally)| (bin, tally.count, tally.idle)).collect()
}

/// A period counts if it ends after the beginning of the measured time, and no later than its end.
#[test]
fn periods_end_in_the_measured_time() {
    let timers = Timers { shallow: Time::NEVER, deep: Time(77) };
    let wanted = ProbeOptions { idle_periods: true, timers: true, ..NONE };
    for (until, counted) in [(START, false), (START + 1, true), (END, true), (END + 1, false)] {
        let record = record(&timers, wanted, Some(WINDOW), &[idle(until - 3 * US, until)], None);
        let expected = if counted { vec![(idle_bin(Time(3 * US)), 1, u128::from(3 * US))] } else { vec![] };
        assert_eq!(counts(&record), expected, "{until}");
        assert_eq!(record.unfinished, None);
        let rows: Vec<_> = record.timers.iter().map(|at| (at.time, at.timers)).collect();
        assert_eq!(rows, if counted { vec![(Time(until), timers)] } else { vec![] }, "{until}");
    }
}

/// Timers are told after periods of 1 us or more.
#[test]
fn timers_after_long_periods() {
    let wanted = ProbeOptions { timers: true, ..NONE };
    for (length, told) in [(US - 1, 0), (US, 1), (US + 1, 1)] {
        let record = record(&Timers::NEVER, wanted, None, &[idle(5 * US, 5 * US + length)], None);
        assert_eq!(record.timers.len(), told, "{length}");
    }
}

/// Each table is recorded if it is wanted, and then alone.
#[test]
fn what_is_wanted_is_recorded() {
    let timers = Timers { shallow: Time::NEVER, deep: Time(US) };
    let wake = Some(Wake { sleep: LinkState::Deep, from: Time(9 * US), takes: STATES.deep.wake });
    let ended = [Idle { wake, ..idle(US, 10 * US) }, idle(30 * US, 30 * US + 500), idle(40 * US, 42 * US)];
    for which in 0..4 {
        let wanted = ProbeOptions {
            idle_periods: which == 0,
            idle_pairs: which == 1,
            timers: which == 2,
            timeline: which == 3,
            waiting: None,
            message_sizes: false,
            rank_operations: false,
            rank_waits: false,
            wakes: false,
            power: None,
        };
        let seen = record(&timers, wanted, None, &ended, Some(idle(50 * US, 55 * US)));
        assert_eq!(seen.periods.values().map(|tally| tally.count).sum::<u64>(), if which == 0 { 4 } else { 0 });
        assert_eq!(seen.unfinished.is_some(), which == 0);
        let pairs: Vec<_> = seen.pairs.iter().map(|(&bins, tally)| (bins, tally.count, tally.idle)).collect();
        let [nine, short, two] = [9 * US, 500, 2 * US].map(|length| (idle_bin(Time(length)), u128::from(length)));
        let expected = vec![((short.0, two.0), 1, short.1), ((nine.0, short.0), 1, nine.1)];
        assert_eq!(pairs, if which == 1 { expected } else { vec![] });
        assert_eq!(seen.timers.len(), if which == 2 { 2 } else { 0 });
        assert_eq!(seen.changes.len() > 1, which == 3);
        assert_eq!(seen.changes.is_empty(), which != 3);
    }
    assert!(!NONE.any() && ProbeOptions { timers: true, ..NONE }.any());
}

/// Of what ends the run, nothing but the period itself is told: no pair, no timers; and nothing comes after it.
#[test]
fn the_end_of_the_run() {
    let wanted = ProbeOptions {
        idle_periods: true,
        idle_pairs: true,
        timers: true,
        timeline: true,
        waiting: None,
        message_sizes: false,
        rank_operations: false,
        rank_waits: false,
        wakes: false,
        power: None,
    };
    let classes = config(&mesh(&[2], 1, 1), 1).classes;
    let policy = Timers { shallow: Time::NEVER, deep: Time(US) };
    let probe = Probe::new(&policy, wanted, &classes, Some(WINDOW));
    let mut state = probe.start(ChannelId(0), 1);
    probe.idle_ended(1, &mut state, idle(START + US, START + 5 * US));
    probe.run_ended(1, &mut state, idle(START + 6 * US, START + 9 * US));
    let seen = state.seen.clone();
    assert_eq!(counts(&seen).iter().map(|row| row.1).sum::<u64>(), 2);
    assert_eq!((seen.unfinished, seen.pairs.len(), seen.timers.len()), (Some(idle_bin(Time(3 * US))), 0, 1));
    // Traffic goes on after the measured time.
    probe.idle_ended(1, &mut state, idle(START + 20 * US, START + 30 * US));
    assert_eq!(state.seen, seen);
}

fn changes(record: &ProbeRecord) -> Vec<(u64, LinkState)> {
    record.changes.iter().map(|change| (change.time.0, change.state)).collect()
}

/// The states of a period that a request ends in deep sleep, in whole and cut by the measured time: what comes before
/// its beginning sets the first state only, and what comes at its end is left out.
#[test]
fn states_within_the_measured_time() {
    let [on, entering, shallow, deep, waking, ..] = LinkState::ALL;
    let timers = Timers { shallow: Time(2 * US), deep: Time(10 * US) };
    let wanted = ProbeOptions { timeline: true, ..NONE };
    // Shallow sleep is entered in no time; deep sleep takes 2.88 us to enter and 4.48 us to leave.
    let (since, until) = (50 * US, 90 * US);
    let wake = Some(Wake { sleep: LinkState::Deep, from: Time(until - since), takes: STATES.deep.wake });
    let period = Idle { wake, ..idle(since, until) };
    let all = [(52 * US, shallow), (60 * US, entering), (62_880_000, deep), (90 * US, waking), (94_480_000, on)];
    let of = |measured: Range<u64>| {
        let measured = Time(measured.start)..Time(measured.end);
        changes(&record(&timers, wanted, Some(measured), &[period], None))
    };
    let whole: Vec<_> = [(0, on)].into_iter().chain(all).collect();
    assert_eq!(changes(&record(&timers, wanted, None, &[period], None)), whole);
    assert_eq!(of(0..200 * US), whole);
    assert_eq!(of(52 * US..94_480_000), all[..4], "from one change up to another");
    assert_eq!(of(52 * US + 1..94_480_001), [&[(52 * US + 1, shallow)][..], &all[1..]].concat());
    assert_eq!(of(70 * US..90 * US), [(70 * US, deep)], "it ends at the end");
}

/// A period that no request ends lasts up to the end of the run; a timer that expires just then changes nothing.
#[test]
fn states_up_to_the_end_of_the_run() {
    let [on, entering, ..] = LinkState::ALL;
    let wanted = ProbeOptions { timeline: true, ..NONE };
    for (deep, expected) in [(4 * US, vec![(0, on), (9 * US, entering)]), (5 * US, vec![(0, on)])] {
        let timers = Timers { shallow: Time::NEVER, deep: Time(deep) };
        let seen = record(&timers, wanted, None, &[], Some(idle(5 * US, 10 * US)));
        assert_eq!(changes(&seen), expected, "{deep}");
    }
}

/// In hindsight a channel enters at once and is on again when it is needed; it does not wake where nothing follows.
#[test]
fn states_in_hindsight() {
    let [on, entering, shallow, deep, waking, ..] = LinkState::ALL;
    let wanted = ProbeOptions { timeline: true, ..NONE };
    let oracle = Oracle::new(STATES);
    // 10 us are better spent in shallow sleep, 100 us in deep sleep.
    let ended = [idle(10 * US, 20 * US), idle(100 * US, 200 * US)];
    let seen = record(&oracle, wanted, None, &ended, Some(idle(300 * US, 400 * US)));
    let expected = [
        (0, on),
        (10 * US, shallow),
        (20 * US - 250_000, waking),
        (20 * US, on),
        (100 * US, entering),
        (102_880_000, deep),
        (200 * US - 4_480_000, waking),
        (200 * US, on),
        (300 * US, entering),
        (302_880_000, deep),
    ];
    assert_eq!(changes(&seen), expected);
}
