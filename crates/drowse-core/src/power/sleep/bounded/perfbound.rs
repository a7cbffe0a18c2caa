//! PerfBound: the shortest deep stall timer that keeps a bound on delays, from a histogram of idle periods (Saravanan
//! and Carpenter 2018, section 5).
//!
//! A channel may delay `N = l X / T_w` messages in a time X, with `l` its share of the bound ([`super::bound`]) and T_w
//! the time to wake. Delaying the messages after the longest idle periods saves most. So the timer is the upper edge of
//! the lowest bin that has at most N periods in all bins above it; the target N is rounded down.
//!
//! The last bin has no upper edge ([`super::bins`]): a channel with more than N periods of 89 ms and more never sleeps.
//! Neither does one that may not delay a single message yet (N < 1): otherwise the first period to outlast all others
//! would be one too many. At the start of a run X is short, so channels are on.

use super::bins;
use super::correction::{self, BAND};
use super::learning::Learning;
use super::periods::{Periods, SHORTEST};
use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::{Idle, SleepPolicy, Timers};

/// Finds the deep timer that keeps a bound (`kind = "perfbound"`), for one class of channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerfBound {
    /// The bound, and how it is kept.
    pub learning: Learning,
    /// T_w: the time to wake from deep sleep.
    pub wake: Time,
}

/// What is known of a channel.
#[derive(Clone, Debug)]
pub struct State {
    periods: Periods,
    /// Idle periods of the window that ended in sleep.
    delayed: u16,
    /// Correction in bins.
    shift: i8,
}

/// How near a channel is to its target, since it last began to learn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tracked {
    /// Idle periods that ended in sleep: messages delayed.
    pub delayed: u64,
    /// N, the messages that may be delayed.
    pub target: u64,
}

impl PerfBound {
    /// Returns how near a channel is to its target at a time.
    pub fn tracked(&self, state: &State, at: Time) -> Tracked {
        let allowance = state.periods.allowance(&self.learning, at);
        let target = allowance.0.checked_div(self.wake.0).unwrap_or(u64::MAX);
        Tracked { delayed: u64::from(state.delayed), target }
    }
}

impl SleepPolicy for PerfBound {
    /// Boxed, so that accounts of channels stay small.
    type State = Box<State>;

    #[inline]
    fn counts_messages(&self) -> bool {
        true
    }

    #[inline]
    fn shortest_idle(&self) -> Time {
        bins::edge(0)
    }

    fn start(&self, _channel: ChannelId, _class: u8) -> Box<State> {
        Box::new(State { periods: Periods::none(), delayed: 0, shift: 0 })
    }

    #[inline]
    fn timers(&self, _class: u8, state: &Box<State>) -> Timers {
        Timers {
            shallow: Time::NEVER,
            deep: bins::stall(correction::shifted(state.periods.timer(), state.shift, SHORTEST)),
        }
    }

    fn idle_ended(&self, _class: u8, state: &mut Box<State>, idle: Idle) {
        let Some(bin) = bins::bin(idle.length()) else { return };
        state.periods.add(bin);
        state.delayed += u16::from(idle.wake.is_some());
        let Tracked { delayed, target } = self.tracked(state, idle.until);
        state.periods.find(&self.learning, target);
        if self.learning.correction {
            state.shift = correction::corrected(state.shift, delayed, target, BAND);
        }
        if state.periods.refresh(&self.learning, idle.until) {
            (state.delayed, state.shift) = (0, 0);
        }
    }

    #[inline]
    fn message(&self, _class: u8, state: &mut Box<State>, hops: u8) {
        state.periods.window.messages.add(hops);
    }

    fn learns_for(&self, _class: u8) -> u32 {
        self.learning.periods().into()
    }

    fn skipped(&self, _class: u8, state: &mut Box<State>, by: Time) {
        state.periods.window.skipped(by);
    }
}

crate::sleep_only!(PerfBound);

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use proptest::prelude::*;

    use super::super::bins::{BINS, NEVER, edge};
    use super::super::bound::{Bound, Split};
    use super::*;
    use crate::model::link_state::LinkState;
    use crate::power::policy::Wake;

    /// A channel's memory is four cache lines: a run of a million channels keeps it in 256 MB.
    #[test]
    fn state_is_small() {
        assert!(size_of::<State>() <= 256);
    }

    /// The paper's definition: the lowest bin with at most `target` periods in all bins to its right, found from the
    /// right.
    fn plain(counts: &[u16; BINS], target: u64) -> u8 {
        let right = |bin: usize| counts[bin + 1..].iter().map(|&count| u64::from(count)).sum::<u64>();
        let lowest = (0..BINS).rev().take_while(|&bin| right(bin) <= target).last();
        if target == 0 { NEVER } else { lowest.map_or(NEVER, |bin| bin as u8 + 1) }
    }

    /// An event: how long the channel is busy, then idle, and how many messages of how many hops cross it.
    fn events() -> impl Strategy<Value = Vec<(u64, u64, u8, u8)>> {
        let idle = prop_oneof![
            0..2_000_000u64,
            9_000_000..12_000_000u64,
            900_000_000..1_100_000_000u64,
            Just(200_000_000_000)
        ];
        prop::collection::vec((0..50_000_000u64, idle, 0..3u8, 1..7u8), 1..400)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

        /// After every period the timer is that of the plain search, or, where it is held after a refresh, the one
        /// before.
        #[test]
        fn incremental_search_equals_plain(
            billionths in prop_oneof![Just(0), 1..1_000u32, 1_000_000..100_000_000u32],
            refresh in 1..300u16,
            events in events(),
        ) {
            let bound = Bound { billionths, split: Split::Ratio };
            let refresh = NonZeroU16::new(refresh).unwrap();
            let learning = Learning { refresh, correction: false, ..Learning::new(bound) };
            let policy = PerfBound { learning, wake: Time(4_480_000) };
            let mut state = policy.start(ChannelId(0), 0);
            let (mut counts, mut periods, mut since, mut now, mut timer) = ([0u16; BINS], 0, 0, 0, NEVER);
            let (mut inverse, mut messages) = (0u128, 0u128);
            for (busy, length, count, hops) in events {
                now += busy + length;
                let idle = Idle { since: Time(now - length), until: Time(now), wake: None };
                policy.idle_ended(0, &mut state, idle);
                if let Some(bin) = bins::bin(Time(length)) {
                    counts[bin] += 1;
                    periods += 1;
                    let share = u128::from(now - since) * inverse / (720_720 * messages).max(1);
                    let target = share * u128::from(billionths) / 1_000_000_000 / 4_480_000;
                    if since == 0 || periods >= (refresh.get() / 2).min(200) {
                        timer = plain(&counts, target as u64);
                    }
                    if periods == refresh.get() {
                        (counts, periods, since, inverse, messages) = ([0; BINS], 0, now, 0, 0);
                    }
                }
                prop_assert_eq!(policy.timers(0, &state), Timers { shallow: Time::NEVER, deep: bins::stall(timer) });
                for _ in 0..count {
                    policy.message(0, &mut state, hops);
                    (inverse, messages) = (inverse + 720_720 / u128::from(hops), messages + 1);
                }
            }
        }
    }

    fn local(billionths: u32, correction: bool) -> PerfBound {
        let bound = Bound { billionths, split: Split::Local };
        PerfBound { learning: Learning { correction, ..Learning::new(bound) }, wake: Time(4_480_000) }
    }

    /// 1 % of 448 us and of 896 us is one and two wakes of 4.48 us: by hand. The first period is in bin 52 (398 us to
    /// 447 us), with nothing above it; of the next two, one may be delayed; the last leaves room for both.
    #[test]
    fn timers_by_hand() {
        let policy = local(10_000_000, false);
        let mut state = policy.start(ChannelId(0), 0);
        let mut deep = |since: u64, until: u64| {
            policy.idle_ended(0, &mut state, Idle { since: Time(since), until: Time(until), wake: None });
            policy.timers(0, &state).deep
        };
        assert_eq!(deep(0, 400_000_000), Time::NEVER);
        assert_eq!(deep(430_000_000, 447_999_999), Time::NEVER);
        assert_eq!(deep(447_999_999, 448_500_000), Time::NEVER, "under 1 us: as if it had not been");
        assert_eq!(deep(449_000_000, 450_000_000), edge(26), "one of 17.99 us, one of 400 us: N = 1");
        assert_eq!(deep(890_000_000, 900_000_000), edge(21), "N = 2");
    }

    /// Nothing at all changes with a period under 1 us, even one that is said to have ended in sleep.
    #[test]
    fn short_periods_change_nothing() {
        let policy = local(10_000_000, true);
        let mut state = policy.start(ChannelId(0), 0);
        policy.idle_ended(0, &mut state, Idle { since: Time::ZERO, until: Time::from_us(700), wake: None });
        let before = format!("{state:?}");
        let wake = Some(Wake { sleep: LinkState::Deep, from: Time::ZERO, takes: Time(1) });
        policy.idle_ended(0, &mut state, Idle { since: Time::from_us(800), until: Time(800_999_999), wake });
        assert_eq!(format!("{state:?}"), before);
    }
}
