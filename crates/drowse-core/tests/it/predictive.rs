//! The predictive policy by idle periods alone: predictions, the watchdog and the saturation, by hand.

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{Idle, LinkState, Predictive, SleepPolicy, SleepState, SleepStates, Timers};
use proptest::prelude::*;

use crate::idle::{Step, drive};

const NS: u64 = 1_000;
const HALF: u32 = 500_000_000;

/// Shallow sleep at 60 % pays from 250 ns on, deep sleep at 10 % from 2.88 us + 4.48 us = 7.36 us on.
const STATES: SleepStates = SleepStates::new(
    SleepState { power: 0.6, enter: Time::ZERO, wake: Time(250 * NS) },
    SleepState { power: 0.1, enter: Time(2_880 * NS), wake: Time(4_480 * NS) },
);

const DEEP: Timers = Timers::DEEP_AT_ONCE;

/// Shallow sleep at once, and deep sleep when the watchdog of 7.36 us expires.
const SHALLOW: Timers = Timers { shallow: Time::ZERO, deep: Time(7_360 * NS) };

/// On until the watchdog expires.
const ON: Timers = Timers { shallow: Time::NEVER, deep: Time(7_360 * NS) };

fn predictions(policy: &Predictive, lengths: &[u64]) -> Vec<u64> {
    let mut state = policy.start(ChannelId(0), 0);
    let mut after = |&length: &u64| {
        policy.idle_ended(0, &mut state, Idle { since: Time::ZERO, until: Time(length), wake: None });
        state.0
    };
    lengths.iter().map(&mut after).collect()
}

fn timers(steps: &[Step]) -> Vec<Timers> {
    steps.iter().map(|step| step.timers).collect()
}

/// With the weight 1/2, from 0: the mean of period and prediction, at most the double of the prediction, or 250 ns.
#[test]
fn predictions_by_hand() {
    let policy = Predictive::new(HALF, None, STATES);
    // Means of 50, 75 and 37.5 ns; then 518.75 ns, cut to 250 ns; 475 ns; and three that are cut to the double.
    let lengths = [100, 100, 0, 1_000, 700, 3_000, 3_000, 10_000, 0].map(|length| length * NS);
    let expected = [50_000, 75_000, 37_500, 250_000, 475_000, 950_000, 1_900_000, 3_800_000, 1_900_000];
    assert_eq!(predictions(&policy, &lengths), expected);
    // With the weight 1/4: 0.25 * 400 ns; then 0.25 * 800 + 0.75 * 100 = 275 ns, cut to 250 ns.
    let quarter = Predictive::new(HALF / 2, None, STATES);
    assert_eq!(predictions(&quarter, &[400 * NS, 800 * NS, 250 * NS]), [100_000, 250_000, 250_000]);
    // Fractions of a picosecond are dropped: 0.5 * 3, 0.5 * 3 + 0.5 * 1.
    assert_eq!(predictions(&policy, &[3, 3, 3]), [1, 2, 2]);
}

/// Periods of 10 us: the prediction doubles from 250 ns to 4 us. Then the mean of 4 and 10 us is 7 us, and that of 7
/// and 10 us is 8.5 us, more than 7.36 us. Until then the watchdog ends each period in deep sleep.
#[test]
fn long_periods_are_predicted() {
    let policy = Predictive::new(HALF, None, STATES);
    let steps = drive(&policy, STATES, [10_000 * NS; 9], (2, 1_000));
    assert_eq!(timers(&steps), [ON, SHALLOW, SHALLOW, SHALLOW, SHALLOW, SHALLOW, SHALLOW, DEEP, DEEP]);
    assert!(steps.iter().all(|step| step.idle.wake.is_some_and(|wake| wake.sleep == LinkState::Deep)));
}

/// One long period among short ones is caught by the watchdog, and does not make the next ones sleep deeply.
#[test]
fn a_single_long_period_is_caught_by_the_watchdog() {
    let policy = Predictive::new(HALF, Some(Time(20_000 * NS)), STATES);
    let watchdog = |shallow| Timers { shallow, deep: Time(20_000 * NS) };
    let lengths = [100, 100, 1_000_000, 100, 100].map(|length| length * NS);
    let steps = drive(&policy, STATES, lengths, (2, 1_000));
    // After it 250 ns are predicted, then 175 ns.
    let [on, shallow] = [watchdog(Time::NEVER), watchdog(Time::ZERO)];
    assert_eq!(timers(&steps), [on, on, on, shallow, on]);
    let sleeps: Vec<_> = steps.iter().map(|step| step.idle.wake.map(|wake| wake.sleep)).collect();
    assert_eq!(sleeps, [None, None, Some(LinkState::Deep), Some(LinkState::Shallow), None]);
}

/// A prediction of exactly the break-even time pays; a picosecond less does not.
#[test]
fn break_even_is_enough() {
    let policy = Predictive::new(HALF, None, STATES);
    let timers = |predicted| policy.timers(0, &Time(predicted));
    assert_eq!([timers(0), timers(250 * NS - 1)], [ON, ON]);
    assert_eq!([timers(250 * NS), timers(7_360 * NS - 1)], [SHALLOW, SHALLOW]);
    assert_eq!([timers(7_360 * NS), timers(u64::MAX)], [DEEP, DEEP]);
}

/// A state that saves nothing never pays.
#[test]
fn states_that_save_nothing_are_left_out() {
    let states = SleepStates { shallow: SleepState { power: 1.0, ..STATES.shallow }, ..STATES };
    let policy = Predictive::new(HALF, None, states);
    assert_eq!(policy.timers(0, &Time(7_360 * NS - 1)), ON);
    assert_eq!(policy.timers(0, &Time(7_360 * NS)), DEEP);
}

proptest! {
    /// A prediction lies between the last one and the period, and at most doubles; of equal periods it approaches
    /// theirs.
    #[test]
    fn predictions_are_bounded(weight in 0..=1_000_000_000u32, lengths in prop::collection::vec(0..u64::MAX / 4, 1..50)) {
        let policy = Predictive::new(weight, None, STATES);
        let mut last = 0u64;
        for (&length, next) in lengths.iter().zip(predictions(&policy, &lengths)) {
            prop_assert!(next <= last.max(length) && next <= (2 * last).max(250 * NS), "{} after {}", next, last);
            prop_assert!(next >= last.min(length).min(250 * NS));
            last = next;
        }
    }
}
