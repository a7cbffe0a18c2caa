//! PerfBound and DynamicFastwake on idle periods without a network: they keep their bound, and converge as fast as
//! Saravanan and Carpenter 2018 says.

use std::num::{NonZeroU8, NonZeroU16};

use drowse_core::model::rng::{Purpose, Stream};
use drowse_core::model::units::Time;
use drowse_core::power::bins::edge;
use drowse_core::power::{
    Bound, Compared, DynamicFastwake, Learning, LinkState, PerfBound, SleepPolicy, Split, Timers,
};

use crate::common::STATES;
use crate::idle::{Step, drive};

/// Six hops, busy for a microsecond: the paper's longest routes.
const MESSAGES: (u8, u64) = (6, 1_000_000);
const DEEP_WAKE: f64 = 4_480_000.0;

/// 1 %, a sixth of it for each channel. Messages with six hops have the ratio say the same.
fn learning(correction: bool) -> Learning {
    let split = Split::Equal { hops: NonZeroU8::new(6).unwrap() };
    Learning { correction, ..Learning::new(Bound { billionths: 10_000_000, split }) }
}

fn perfbound(correction: bool) -> PerfBound {
    PerfBound { learning: learning(correction), wake: STATES.deep.wake }
}

fn dynamic_fastwake(correction: bool) -> DynamicFastwake {
    DynamicFastwake::new(learning(correction), &STATES).unwrap()
}

/// Lengths whose logarithms are uniform.
#[expect(clippy::cast_sign_loss, reason = "a length is not negative")]
fn log_uniform(stream: &mut Stream, from_us: f64, to_us: f64) -> u64 {
    (from_us * 1e6 * (to_us / from_us).powf(stream.unit())) as u64
}

/// Idle periods like those of NAS BT in the paper's figure 6: many short ones, and one in twenty that is hundreds of
/// times as long.
fn two_modes(periods: usize) -> Vec<u64> {
    let mut stream = Stream::new(1, Purpose::Traffic, 0);
    let length = |_| match stream.below(20) {
        0 => log_uniform(&mut stream, 2_000.0, 8_000.0),
        _ => log_uniform(&mut stream, 5.0, 30.0),
    };
    (0..periods).map(length).collect()
}

/// Idle periods of all lengths from 1 us to 1 ms.
fn all_lengths(periods: usize) -> Vec<u64> {
    let mut stream = Stream::new(2, Purpose::Traffic, 0);
    (0..periods).map(|_| log_uniform(&mut stream, 1.0, 1_000.0)).collect()
}

/// The error after each period of each window of 20,000: time lost since the window began, less what may be, in deep
/// wakes. That is the paper's number of messages where all wakes are from deep sleep.
fn errors(steps: &[Step]) -> Vec<f64> {
    let mut since = 0;
    let mut errors = Vec::new();
    for window in steps.chunks(20_000) {
        let mut lost = 0;
        for step in window {
            lost += step.wakes();
            let allowed = (step.idle.until.0 - since) as f64 * 0.01 / 6.0;
            errors.push((lost as f64 - allowed) / DEEP_WAKE);
        }
        since = window.last().unwrap().idle.until.0;
    }
    errors
}

/// Returns the least and the largest error.
fn range(policy: &impl SleepPolicy, lengths: Vec<u64>) -> (f64, f64) {
    let errors = errors(&drive(policy, STATES, lengths, MESSAGES));
    errors.iter().fold((f64::MAX, f64::MIN), |(least, most), &error| (least.min(error), most.max(error)))
}

/// The error at which the correction starts, and what it may grow by until that shows: a period of 8 ms alone lets 3
/// more messages be delayed, and the period after it, the first with another timer, may be no longer than before.
const WITHIN: f64 = 20.0 + 5.0;

/// Saravanan and Carpenter 2018, figure 15: without correction fewer messages are delayed than may be, and ever fewer;
/// with it, the error stays.
#[test]
fn correction_keeps_the_error_within_its_band() {
    for (lengths, drift) in [(two_modes(60_000), [-100.0, -50.0]), (all_lengths(60_000), [-100.0, -25.0])] {
        let corrected = [range(&perfbound(true), lengths.clone()), range(&dynamic_fastwake(true), lengths.clone())];
        assert!(corrected.iter().all(|&(least, most)| -WITHIN <= least && most <= WITHIN), "{corrected:?}");
        let plain = [range(&perfbound(false), lengths.clone()).0, range(&dynamic_fastwake(false), lengths).0];
        assert!(plain[0] < drift[0] && plain[1] < drift[1], "{plain:?}");
    }
}

/// Where deep wakes alone are compared, they alone keep to the bound, and fast wakes come on top. All of PerfBound's are
/// deep.
#[test]
fn deep_wakes_alone_can_be_corrected() {
    let learning = Learning { compares: Compared::DeepWakes, ..learning(true) };
    let policy = DynamicFastwake::new(learning, &STATES).unwrap();
    let mut steps = drive(&policy, STATES, all_lengths(15_000), MESSAGES);
    let all = *errors(&steps).last().unwrap();
    for step in &mut steps {
        step.idle.wake = step.idle.wake.filter(|wake| wake.sleep == LinkState::Deep);
    }
    let deep = *errors(&steps).last().unwrap();
    assert!(deep.abs() <= WITHIN && all > 2.0 * WITHIN, "{deep} of deep wakes, {all} of all");
    let steps = |policy: &PerfBound| drive(policy, STATES, all_lengths(5_000), MESSAGES);
    let of_both = [steps(&PerfBound { learning, wake: STATES.deep.wake }), steps(&perfbound(true))];
    let timers = of_both.each_ref().map(|steps| steps.iter().map(|step| step.timers).collect::<Vec<_>>());
    assert!(timers[0] == timers[1]);
}

/// Returns how many bins lie between two timers.
fn apart(a: Time, b: Time) -> f64 {
    (20.0 * (a.0 as f64 / b.0 as f64).log10()).abs()
}

/// Saravanan and Carpenter 2018, figure 12: within 200 idle periods the deep timer is where it stays, but for two bins
/// where periods are random: so many periods tell a share of one in twenty to a third of itself. (The shallow timer
/// takes longer where fast wakes are many, as they weigh little.)
#[test]
fn timers_converge_within_200_periods() {
    for lengths in [two_modes(20_000), all_lengths(20_000)] {
        let policies = [
            drive(&perfbound(false), STATES, lengths.clone(), MESSAGES),
            drive(&dynamic_fastwake(false), STATES, lengths.clone(), MESSAGES),
        ];
        for steps in policies {
            let last = steps.last().unwrap().timers.deep;
            let far = steps[200..].iter().find(|step| apart(step.timers.deep, last) > 2.01);
            assert!(far.is_none(), "{far:?}, not {last:?}");
        }
    }
}

/// The timers of a program that repeats itself settle within 200 periods and stay; refreshes do not move them. By
/// hand: with waking, an iteration of ten periods takes 3.70 ms, so that a sixth of 1 % of it, 6.17 us, may be lost.
///
/// That is 1.38 wakes from deep sleep: one for 3 ms, none for the two of 300 us (bin 49). For DynamicFastwake it is
/// that one and six fast wakes, 4.48 us + 6 * 0.25 us = 5.98 us: for the six periods from 11 us, and not for that of 7
/// us (bin 16).
#[test]
fn timers_stay_after_some_iterations() {
    let iteration = [5, 7, 300, 11, 12, 3_000, 20, 25, 300, 6].map(|us: u64| us * 1_000_000);
    let lengths = || iteration.into_iter().cycle().take(45_000);
    let settled = |steps: Vec<Step>, timers: Timers| steps[200..].iter().all(|step| step.timers == timers);
    let steps = drive(&perfbound(false), STATES, lengths(), MESSAGES);
    assert!(settled(steps, Timers { shallow: Time::NEVER, deep: edge(50) }));
    let steps = drive(&dynamic_fastwake(false), STATES, lengths(), MESSAGES);
    assert!(settled(steps, Timers { shallow: edge(17), deep: edge(69) }));
}

/// Nothing sleeps until it may: PerfBound until a whole deep wake may be lost, DynamicFastwake a fast wake.
#[test]
fn first_periods_never_sleep() {
    let early = |steps: Vec<Step>, wake: Time| {
        // Timers are as of the end of the period before.
        let ends = steps.iter().map(|step| step.idle.until.0).take_while(|&until| until / 600 < wake.0).count();
        assert!(ends > 0);
        assert!(steps[..=ends].iter().all(|step| step.timers == Timers::NEVER));
        assert!(steps[ends + 1].timers != Timers::NEVER);
    };
    let lengths = || (0..40u64).map(|i| (20 + 7 * i % 30) * 3_000_000);
    early(drive(&perfbound(true), STATES, lengths(), MESSAGES), STATES.deep.wake);
    early(drive(&dynamic_fastwake(true), STATES, lengths(), MESSAGES), STATES.shallow.wake);
}

/// The bound by ratio is that of the messages' hops: all with six, an equal split among six.
#[test]
fn ratio_of_equal_routes_is_the_equal_split() {
    let ratio = Learning { bound: Bound { split: Split::Ratio, ..learning(true).bound }, ..learning(true) };
    // A message is counted after the period that it ends, so that the first period has nothing to go by; it is too
    // short to matter.
    let lengths = || std::iter::once(2_000_000).chain(two_modes(20_500));
    let timers = |policy: &dyn Fn() -> Vec<Step>| policy().iter().map(|step| step.timers).collect::<Vec<_>>();
    let equal = timers(&|| drive(&perfbound(true), STATES, lengths(), MESSAGES));
    assert_eq!(
        timers(&|| drive(&PerfBound { learning: ratio, ..perfbound(true) }, STATES, lengths(), MESSAGES)),
        equal
    );
    let equal = timers(&|| drive(&dynamic_fastwake(true), STATES, lengths(), MESSAGES));
    let by_ratio = DynamicFastwake::new(ratio, &STATES).unwrap();
    assert_eq!(timers(&|| drive(&by_ratio, STATES, lengths(), MESSAGES)), equal);
}

/// After a refresh the timers stay for 200 periods, or for half of those between two refreshes if that is less. Here the
/// new periods are a hundred times as long as the old ones. At the start of a run nothing is held.
#[test]
fn timers_stay_after_a_refresh() {
    for (refresh, held) in [(1_000, 200), (402, 200), (400, 200), (398, 199), (100, 50), (3, 1)] {
        let learning = Learning { refresh: NonZeroU16::new(refresh).unwrap(), ..learning(false) };
        let refresh = usize::from(refresh);
        let lengths = || std::iter::repeat_n(100_000_000, refresh).chain(std::iter::repeat_n(10_000_000_000, held));
        let runs = [
            drive(&PerfBound { learning, ..perfbound(false) }, STATES, lengths().chain([1]), MESSAGES),
            drive(&DynamicFastwake::new(learning, &STATES).unwrap(), STATES, lengths().chain([1]), MESSAGES),
        ];
        for steps in runs {
            let kept = steps[refresh].timers;
            assert!(steps[refresh..refresh + held].iter().all(|step| step.timers == kept), "{refresh}");
            assert!(steps[refresh + held].timers != kept, "{refresh}: after {held} periods they follow");
        }
    }
    let at_start = [
        drive(&perfbound(false), STATES, [10_000_000_000, 1], MESSAGES),
        drive(&dynamic_fastwake(false), STATES, [10_000_000_000, 1], MESSAGES),
    ];
    assert!(at_start.iter().all(|steps| steps[0].timers == Timers::NEVER && steps[1].timers != Timers::NEVER));
}
