//! What a channel does in an idle period, as arithmetic: no event is needed while it lasts.
//!
//! From the start of the idle period a channel is on until the first stall timer expires. It enters shallow sleep and
//! stays there until stall-to-deep expires, too; then it enters deep sleep and stays there. A timer that expires while
//! the channel is entering takes effect when it has entered.

use crate::model::link_state::LinkState;
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;
use crate::power::policy::{Timers, Wake};

/// The course of an idle period, in time since its start.
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_core::power::{LinkState, SleepStates, Timeline, Timers};
///
/// // Energy Efficient Ethernet of 10 Gb/s enters deep sleep in 2.88 us, and wakes in 4.48 us.
/// let timers = Timers { shallow: Time::NEVER, deep: Time::from_us(10) };
/// let timeline = Timeline::new(timers, SleepStates::SARAVANAN_2018);
/// let states = [9, 11, 13].map(|after| timeline.state(Time::from_us(after)));
/// assert_eq!(states, [LinkState::On, LinkState::Entering, LinkState::Deep]);
/// // A packet that comes while the channel enters sleep waits until 12.88 us, and then for the wake.
/// let wake = timeline.wake(Time::from_us(11)).expect("the channel is not on");
/// assert_eq!(wake.from + wake.takes, Time::from_ns(12_880 + 4_480));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// When the channel starts to enter its first sleep state.
    enter_first: Time,
    /// When it is in shallow sleep.
    shallow: Time,
    /// When it starts to enter deep sleep.
    enter_deep: Time,
    /// When it is in deep sleep.
    deep: Time,
    /// The state between `enter_deep` and `deep`.
    deepening: LinkState,
    states: SleepStates,
}

impl Timeline {
    /// Lays out an idle period.
    #[inline]
    pub fn new(timers: Timers, states: SleepStates) -> Self {
        if timers.shallow < timers.deep {
            let shallow = timers.shallow.saturating_add(states.shallow.enter);
            let enter_deep = timers.deep.max(shallow);
            let deep = enter_deep.saturating_add(states.deepen.takes);
            let deepening = if states.deepen.as_shallow { LinkState::Shallow } else { LinkState::Entering };
            return Timeline { enter_first: timers.shallow, shallow, enter_deep, deep, deepening, states };
        }
        let (enter, deep) = (timers.deep, timers.deep.saturating_add(states.deep.enter));
        Timeline { enter_first: enter, shallow: enter, enter_deep: enter, deep, deepening: LinkState::Entering, states }
    }

    /// Returns the state after `idle` time; at the moment of a change, the new one.
    #[inline]
    pub fn state(&self, idle: Time) -> LinkState {
        match idle {
            t if t < self.enter_first => LinkState::On,
            t if t < self.shallow => LinkState::Entering,
            t if t < self.enter_deep => LinkState::Shallow,
            t if t < self.deep => self.deepening,
            _ => LinkState::Deep,
        }
    }

    /// Returns how a channel wakes when it is requested after `idle` time; `None` when it is on.
    #[inline]
    pub fn wake(&self, idle: Time) -> Option<Wake> {
        let (from, sleep) = match idle {
            t if t < self.enter_first => return None,
            t if t < self.shallow => (self.shallow, LinkState::Shallow),
            t if t < self.enter_deep => (t, LinkState::Shallow),
            t if t < self.deep => (self.deep, LinkState::Deep),
            t => (t, LinkState::Deep),
        };
        Some(Wake { sleep, from, takes: self.states.of(sleep).wake })
    }

    /// Returns the changes of state while nothing requests the channel, in order: the time since the start, and the new
    /// state. A state may last no time; one that is never reached comes at [`Time::NEVER`].
    pub fn changes(&self) -> [(Time, LinkState); 4] {
        let Timeline { enter_first, shallow, enter_deep, deep, deepening, .. } = *self;
        [
            (enter_first, LinkState::Entering),
            (shallow, LinkState::Shallow),
            (enter_deep, deepening),
            (deep, LinkState::Deep),
        ]
    }

    /// Adds the time spent in each sleep state between two moments of the idle period to `residency`.
    #[inline]
    pub fn add_residency(&self, from: Time, to: Time, residency: &mut [u64; 5]) {
        let mut add = |state: LinkState, start: Time, end: Time| {
            residency[state as usize] += to.min(end).saturating_sub(from.max(start)).0;
        };
        add(LinkState::Entering, self.enter_first, self.shallow);
        add(LinkState::Shallow, self.shallow, self.enter_deep);
        add(self.deepening, self.enter_deep, self.deep);
        add(LinkState::Deep, self.deep, Time::NEVER);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::sleep_state::{Deepen, SleepState};

    const STATES: SleepStates = SleepStates::new(
        SleepState { power: 0.6, enter: Time(100), wake: Time(250) },
        SleepState { power: 0.1, enter: Time(2_880), wake: Time(4_480) },
    );

    fn timeline(shallow: Option<u64>, deep: Option<u64>) -> Timeline {
        let timer = |t: Option<u64>| t.map_or(Time::NEVER, Time);
        Timeline::new(Timers { shallow: timer(shallow), deep: timer(deep) }, STATES)
    }

    #[test]
    fn never_sleeps_without_timers() {
        let timeline = timeline(None, None);
        assert_eq!(timeline.state(Time(1 << 60)), LinkState::On);
        assert_eq!(timeline.wake(Time(1 << 60)), None);
    }

    /// Requests on the way into and in each state: by hand.
    #[test]
    fn wakes_by_hand() {
        let both = timeline(Some(1_000), Some(5_000));
        let wake = |t: u64| both.wake(Time(t)).map(|w| (w.from.0, w.takes.0));
        assert_eq!(wake(999), None);
        assert_eq!(wake(1_000), Some((1_100, 250)));
        assert_eq!(wake(1_100), Some((1_100, 250)));
        assert_eq!(wake(4_999), Some((4_999, 250)));
        assert_eq!(wake(5_000), Some((7_880, 4_480)));
        assert_eq!(wake(9_000), Some((9_000, 4_480)));
    }

    #[test]
    fn deep_waits_for_the_end_of_entering_shallow() {
        let tight = timeline(Some(1_000), Some(1_050));
        assert_eq!(tight.state(Time(1_060)), LinkState::Entering);
        assert_eq!(tight.wake(Time(1_060)).map(|w| w.from), Some(Time(1_100)));
        assert_eq!(tight.wake(Time(1_100)).map(|w| w.from), Some(Time(3_980)));
    }

    #[test]
    fn deepening_may_take_another_time_and_power() {
        let deepen = Deepen { takes: Time(700), as_shallow: true };
        let timers = Timers { shallow: Time(1_000), deep: Time(5_000) };
        let timeline = Timeline::new(timers, SleepStates { deepen, ..STATES });
        let mut residency = [0; 5];
        timeline.add_residency(Time(0), Time(6_000), &mut residency);
        assert_eq!(residency, [0, 100, 4_600, 300, 0]);
        // It is on its way to deep sleep, whatever it draws.
        assert_eq!(timeline.wake(Time(5_200)).map(|w| (w.sleep, w.from.0)), Some((LinkState::Deep, 5_700)));
    }

    /// Residencies of any two halves of an idle period add up to those of the whole, and agree with the states.
    #[test]
    fn residencies_agree_with_states() {
        for timeline in [timeline(Some(10), Some(50)), timeline(None, Some(30)), timeline(Some(20), None)] {
            let mut sums = [0u64; 5];
            timeline.add_residency(Time(0), Time(777), &mut sums);
            timeline.add_residency(Time(777), Time(4_000), &mut sums);
            let mut counted = [0u64; 5];
            (0..4_000).for_each(|t| counted[timeline.state(Time(t)) as usize] += 1);
            assert_eq!(sums[1..], counted[1..]);
            let last = |t: u64| timeline.changes().into_iter().rev().find(|&(time, _)| time.0 <= t);
            let state = |t: u64| last(t).map_or(LinkState::On, |(_, state)| state);
            (0..4_000).for_each(|t| assert_eq!(state(t), timeline.state(Time(t))));
        }
    }
}
