//! Stall timers on streams of idle periods whose savings follow from arithmetic: constant, Poisson, and of two lengths.
//!
//! With a stall timer T, an idle period t costs t at full power, less 90 % of its deep sleep `t - T - T_s`. If it
//! exceeds T, it also costs the rest of T_s, the time to enter, and T_w, the time to wake.

use drowse_core::model::rng::{Purpose, Stream};
use drowse_core::model::units::Time;
use drowse_core::power::{StallTimer, Timers};

use crate::common::STATES;
use crate::idle::{drive, energy};

const US: u64 = 1_000_000;
const ENTER: u64 = 2_880_000;
const WAKE: u64 = 4_480_000;
/// The power when on, in billionths of itself.
const ON: u128 = 1_000_000_000;

/// Returns the energy of idle periods under a deep timer, in picoseconds of the power when on.
fn spent(timer: u64, lengths: impl IntoIterator<Item = u64>) -> f64 {
    let policy = StallTimer { timers: vec![Timers { shallow: Time::NEVER, deep: Time(timer) }] };
    let steps = drive(&policy, STATES, lengths, (2, 0));
    steps.iter().map(|step| energy(step, STATES)).sum::<u128>() as f64 / ON as f64
}

/// 200 us, 1,000 times: asleep for 147.12 us under a timer of 50 us, awake under one of 201 us.
#[test]
fn constant() {
    let periods = || std::iter::repeat_n(200 * US, 1_000);
    let deep = (200 * US - 50 * US - ENTER) as f64;
    let expected = 1_000.0 * ((200 * US + WAKE) as f64 - 0.9 * deep);
    assert!((spent(50 * US, periods()) - expected).abs() < 1.0);
    assert!((spent(201 * US, periods()) - 1_000.0 * (200 * US) as f64).abs() < 1.0);
}

/// Arrivals at random, 100 us apart on average.
#[test]
fn poisson() {
    const PERIODS: usize = 200_000;
    let mean = 100.0 * US as f64;
    for timer in [0, 20 * US, 100 * US, 300 * US] {
        let mut stream = Stream::new(11, Purpose::Traffic, 0);
        #[expect(clippy::cast_sign_loss, reason = "a length is not negative")]
        let lengths = (0..PERIODS).map(|_| (-mean * (1.0 - stream.unit()).ln()) as u64);
        let (enter, timer_ps) = (ENTER as f64, timer as f64);
        let outlasts = |time: f64| (-time / mean).exp();
        let deep = mean * outlasts(timer_ps + enter);
        // The mean rest of T_s over all periods: the integral of (T + T_s - t) over arrivals from T to T + T_s.
        let entering = mean * (outlasts(timer_ps) * (enter / mean - 1.0) + outlasts(timer_ps + enter));
        let expected = mean + outlasts(timer_ps) * WAKE as f64 + entering - 0.9 * deep;
        let ours = spent(timer, lengths) / PERIODS as f64;
        assert!((ours / expected - 1.0).abs() < 0.01, "timer {timer}: {ours} instead of {expected}");
    }
}

/// 19 periods of 10 us, then one of 5 ms. A timer between the two does not affect the short ones.
#[test]
fn two_lengths() {
    let periods = || (0..10_000u32).map(|i| if i % 20 == 19 { 5_000 * US } else { 10 * US });
    let (short, long) = (9_500.0, 500.0);
    let slept = |length: u64, timer: u64| (length + WAKE) as f64 - 0.9 * (length - timer - ENTER) as f64;
    let between = short * (10 * US) as f64 + long * slept(5_000 * US, 100 * US);
    assert!((spent(100 * US, periods()) - between).abs() < 1.0);
    let below = short * slept(10 * US, 5 * US) + long * slept(5_000 * US, 5 * US);
    assert!((spent(5 * US, periods()) - below).abs() < 1.0);
}
