//! The oracle against brute force, and as the lower bound of what policies that only set timers can reach.

use std::num::NonZeroU16;

use drowse_core::model::units::Time;
use drowse_core::power::{
    Bound, DynamicFastwake, HindsightPolicy, Learning, LinkState, Oracle, PerfBound, SleepState, SleepStates, Split,
    StallTimer, Timers,
};
use proptest::prelude::*;

use crate::common::proptest_config;

use crate::idle::{Step, drive, energy};

const FULL: u128 = 1_000_000_000;

fn states(power: [u32; 2], enter: [u64; 2], wake: [u64; 2]) -> SleepStates {
    let state =
        |i: usize| SleepState { power: f64::from(power[i]) / 100.0, enter: Time(enter[i]), wake: Time(wake[i]) };
    SleepStates::new(state(0), state(1))
}

fn power(state: SleepState) -> u128 {
    u128::from(state.power_billionths())
}

/// The energy of an idle period as the oracle would spend it: entered at once, left just in time.
fn best(oracle: &Oracle, states: SleepStates, length: u64, wakes: bool) -> u128 {
    let Some(sleep) = oracle.hindsight(0, Time(length), wakes) else { return u128::from(length) * FULL };
    let state = *states.of(sleep);
    let moving = state.enter.0 + if wakes { state.wake.0 } else { 0 };
    u128::from(moving) * FULL + u128::from(length - moving) * power(state)
}

/// The least energy of all ways to spend an idle period: on, or in either sleep state, entered at any moment and, if
/// something comes after it, left at any other that is not too late.
fn brute_force(states: SleepStates, length: u64, wakes: bool) -> u128 {
    let mut least = u128::from(length) * FULL;
    for state in [states.shallow, states.deep] {
        let (first, last) = (state.enter.0, length.checked_sub(if wakes { state.wake.0 } else { 0 }));
        for from in first..=length {
            for asleep in last.into_iter().flat_map(|last| (from..=last).map(move |end| end - from)) {
                least = least.min(u128::from(length - asleep) * FULL + u128::from(asleep) * power(state));
            }
        }
    }
    least
}

/// States in order: deep sleep draws less and takes longer to leave, as in any link.
fn ordered(slowest: u64) -> impl Strategy<Value = SleepStates> {
    let pair = || (0..=slowest, 0..=slowest);
    ((0..=100u32, 0..=100u32), pair(), pair()).prop_map(|(powers, enter, wake)| {
        states(
            [powers.0.max(powers.1), powers.0.min(powers.1)],
            [enter.0, enter.1],
            [wake.0.min(wake.1), wake.0.max(wake.1)],
        )
    })
}

fn idle_periods() -> impl Strategy<Value = Vec<u64>> {
    let length = prop_oneof![0..2_000_000u64, 2_000_000..50_000_000u64, 50_000_000..5_000_000_000u64];
    prop::collection::vec(length, 1..200)
}

fn total(steps: &[Step], states: SleepStates) -> u128 {
    steps.iter().map(|step| energy(step, states)).sum()
}

proptest! {
    #![proptest_config(proptest_config(300))]

    /// States in any order.
    #[test]
    fn oracle_equals_brute_force(
        powers in prop::array::uniform2(0..=100u32),
        enter in prop::array::uniform2(0..8u64),
        wake in prop::array::uniform2(0..8u64),
        length in 0..40u64,
        wakes in any::<bool>(),
    ) {
        let states = states(powers, enter, wake);
        prop_assert_eq!(best(&Oracle::new(states), states, length, wakes), brute_force(states, length, wakes));
    }

    /// No policy that sets timers spends less than the oracle on the same idle periods, waking included.
    #[test]
    fn oracle_is_a_lower_bound(
        states in ordered(5_000_000),
        lengths in idle_periods(),
        timers in prop::array::uniform2(0..100_000_000u64),
        billionths in 0..200_000_000u32,
        refresh in 1..100u16,
    ) {
        let oracle = Oracle::new(states);
        let least: u128 = lengths.iter().map(|&length| best(&oracle, states, length, true)).sum();
        let refresh = NonZeroU16::new(refresh).unwrap();
        let learning = Learning { refresh, ..Learning::new(Bound { billionths, split: Split::Ratio }) };
        let dynamic_fastwake = DynamicFastwake::new(learning, &states).unwrap();
        let perfbound = PerfBound { learning, wake: states.deep.wake };
        let fixed = StallTimer { timers: vec![Timers { shallow: Time(timers[0]), deep: Time(timers[1]) }] };
        let messages = (4, 100_000);
        let spent = [
            total(&drive(&fixed, states, lengths.clone(), messages), states),
            total(&drive(&perfbound, states, lengths.clone(), messages), states),
            total(&drive(&dynamic_fastwake, states, lengths, messages), states),
        ];
        prop_assert!(spent.iter().all(|&energy| least <= energy), "{} against {:?}", least, spent);
    }
}

/// Which sleep the oracle takes, by hand: 60 % and 250 ns, 10 % and 2.88 us + 4.48 us. Deep sleep pays from where
/// 7.36 us + .1 (t - 7.36 us) < .25 us + .6 (t - .25 us), that is from 13.048 us on.
#[test]
fn sleeps_by_hand() {
    let oracle = Oracle::new(states([60, 10], [0, 2_880_000], [250_000, 4_480_000]));
    let sleep = |length| oracle.hindsight(0, Time(length), true);
    assert_eq!((sleep(0), sleep(250_000)), (None, None));
    assert_eq!((sleep(250_010), sleep(13_048_000)), (Some(LinkState::Shallow), Some(LinkState::Shallow)));
    assert_eq!(sleep(13_048_010), Some(LinkState::Deep));
}
