//! What a channel does in an idle period, as arithmetic: no event is needed while it lasts.
//!
//! From the start of the idle period a channel is on until the first stall timer expires. It enters that sleep state and
//! stays there until the timer of a deeper state expires, too; then it enters that one, and so on. A timer that expires
//! while the channel is entering takes effect when it has entered. Of several that have expired by then, the deepest
//! counts.

use crate::model::link_state::{LinkState, PerState};
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;
use crate::power::policy::{FurtherTimers, Timers, Wake};

/// The course of an idle period, in time since its start.
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_core::power::{FurtherTimers, LinkState, SleepStates, Timeline, Timers};
///
/// // Energy Efficient Ethernet of 10 Gb/s enters deep sleep in 2.88 us, and wakes in 4.48 us.
/// let timers = Timers { shallow: Time::NEVER, deep: Time::from_us(10) };
/// let states = SleepStates::SARAVANAN_2018;
/// let timeline = Timeline::new(timers, FurtherTimers::NEVER, &states);
/// let after = [9, 11, 13].map(|after| timeline.state(Time::from_us(after)));
/// assert_eq!(after, [LinkState::On, LinkState::Entering, LinkState::Deep]);
/// // A packet that comes while the channel enters sleep waits until 12.88 us, and then for the wake.
/// let wake = timeline.wake(Time::from_us(11)).expect("the channel is not on");
/// assert_eq!(wake.from + wake.takes, Time::from_ns(12_880 + 4_480));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timeline<'s> {
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
    /// The states beyond deep sleep, lightest first; `None` where there are no such states.
    further: Option<[Step; 4]>,
    states: &'s SleepStates,
}

/// When a channel starts to enter a state, and when it is in it. Both are the start of the next state where it leaves
/// this one out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    enter: Time,
    asleep: Time,
}

impl Step {
    const NEVER: Step = Step { enter: Time::NEVER, asleep: Time::NEVER };
}

impl<'s> Timeline<'s> {
    /// Lays out an idle period.
    #[inline]
    pub fn new(timers: Timers, further: FurtherTimers, states: &'s SleepStates) -> Self {
        if !states.further.is_empty() {
            return Timeline::with_further(timers, further, states);
        }
        let further = None;
        if timers.shallow < timers.deep {
            let shallow = timers.shallow.saturating_add(states.shallow.enter);
            let enter_deep = timers.deep.max(shallow);
            let deep = enter_deep.saturating_add(states.deepen.takes);
            let deepening = Timeline::deepening(states);
            return Timeline { enter_first: timers.shallow, shallow, enter_deep, deep, deepening, further, states };
        }
        let (enter, deep) = (timers.deep, timers.deep.saturating_add(states.deep.enter));
        let deepening = LinkState::Entering;
        Timeline { enter_first: enter, shallow: enter, enter_deep: enter, deep, deepening, further, states }
    }

    /// Returns the course of an idle period that began in deep sleep, if deep sleep is what it begins with.
    #[must_use]
    pub fn entered(self) -> Self {
        if self.enter_deep > Time::ZERO { self } else { Timeline { deep: Time::ZERO, ..self } }
    }

    /// Returns as what the way from shallow to deep sleep counts.
    fn deepening(states: &SleepStates) -> LinkState {
        if states.deepen.as_shallow { LinkState::Shallow } else { LinkState::Entering }
    }

    /// Lays out an idle period of a channel with more than two sleep states.
    #[inline(never)]
    fn with_further(timers: Timers, further: FurtherTimers, states: &'s SleepStates) -> Self {
        let beyond = further.0.map(|timer| timer.max(timers.deep));
        let due = [timers.shallow, timers.deep, beyond[0], beyond[1], beyond[2], beyond[3]];
        let has = states.further.all().len() + 2;
        let mut steps = [Step::NEVER; 6];
        let (mut next, mut since, mut deepening) = (0, Time::ZERO, LinkState::Entering);
        // Of states that are due at the same time, the deepest.
        while let Some(place) = (next..has).rev().min_by_key(|&place| due[place].max(since)) {
            let enter = due[place].max(since);
            let from_shallow = place == 1 && next == 1;
            let takes = if from_shallow { states.deepen.takes } else { states.of(LinkState::SLEEPS[place]).enter };
            deepening = if from_shallow { Timeline::deepening(states) } else { deepening };
            steps[next..place].fill(Step { enter, asleep: enter });
            steps[place] = Step { enter, asleep: enter.saturating_add(takes) };
            (next, since) = (place + 1, steps[place].asleep);
        }
        let [shallow, deep, further @ ..] = steps;
        Timeline {
            enter_first: shallow.enter,
            shallow: shallow.asleep,
            enter_deep: deep.enter,
            deep: deep.asleep,
            deepening,
            further: Some(further),
            states,
        }
    }

    /// Returns the state after `idle` time; at the moment of a change, the new one.
    #[inline]
    pub fn state(&self, idle: Time) -> LinkState {
        match idle {
            t if t < self.enter_first => LinkState::On,
            t if t < self.shallow => LinkState::Entering,
            t if t < self.enter_deep => LinkState::Shallow,
            t if t < self.deep => self.deepening,
            t => match self.further_step(t) {
                None => LinkState::Deep,
                Some((_, step)) if t < step.asleep => LinkState::Entering,
                Some((sleep, _)) => sleep,
            },
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
            t => match self.further_step(t) {
                None => (t, LinkState::Deep),
                Some((sleep, step)) => (step.asleep.max(t), sleep),
            },
        };
        Some(Wake { sleep, from, takes: self.states.of(sleep).wake })
    }

    /// Returns the state beyond deep sleep that the channel is in or enters after `idle` time.
    #[inline]
    fn further_step(&self, idle: Time) -> Option<(LinkState, Step)> {
        let steps = LinkState::FURTHER.into_iter().zip(self.further?);
        steps.rev().find(|(_, step)| step.enter <= idle && step.enter != Time::NEVER)
    }

    /// Returns the changes of state while nothing requests the channel, in order: the time since the start, and the new
    /// state. A state may last no time; one that is never reached comes at [`Time::NEVER`].
    pub fn changes(&self) -> impl Iterator<Item = (Time, LinkState)> + use<> {
        let Timeline { enter_first, shallow, enter_deep, deep, deepening, further, .. } = *self;
        let first = [
            (enter_first, LinkState::Entering),
            (shallow, LinkState::Shallow),
            (enter_deep, deepening),
            (deep, LinkState::Deep),
        ];
        let further = LinkState::FURTHER.into_iter().zip(further.unwrap_or([Step::NEVER; 4]));
        let beyond = |(sleep, step): (_, Step)| [(step.enter, LinkState::Entering), (step.asleep, sleep)];
        first.into_iter().chain(further.flat_map(beyond))
    }

    /// Adds the time spent in each sleep state between two moments of the idle period to `residency`.
    #[inline]
    pub fn add_residency(&self, from: Time, to: Time, residency: &mut PerState<u64>) {
        let mut add = |state: LinkState, start: Time, end: Time| {
            residency[state as usize] += to.min(end).saturating_sub(from.max(start)).0;
        };
        add(LinkState::Entering, self.enter_first, self.shallow);
        add(LinkState::Shallow, self.shallow, self.enter_deep);
        add(self.deepening, self.enter_deep, self.deep);
        let Some(further) = &self.further else {
            return add(LinkState::Deep, self.deep, Time::NEVER);
        };
        add(LinkState::Deep, self.deep, further[0].enter);
        for (place, (sleep, step)) in LinkState::FURTHER.into_iter().zip(further).enumerate() {
            let end = further.get(place + 1).map_or(Time::NEVER, |next| next.enter);
            add(LinkState::Entering, step.enter, step.asleep);
            add(sleep, step.asleep, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::sleep_state::{Deepen, FurtherStates, SleepState};

    const STATES: SleepStates = SleepStates::new(
        SleepState { power: 0.6, enter: Time(100), wake: Time(250) },
        SleepState { power: 0.1, enter: Time(2_880), wake: Time(4_480) },
    );

    fn timeline(shallow: Option<u64>, deep: Option<u64>) -> Timeline<'static> {
        let timer = |t: Option<u64>| t.map_or(Time::NEVER, Time);
        Timeline::new(Timers { shallow: timer(shallow), deep: timer(deep) }, FurtherTimers::NEVER, &STATES)
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
        let states = SleepStates { deepen, ..STATES };
        let timeline = Timeline::new(timers, FurtherTimers::NEVER, &states);
        let mut residency = [0; 9];
        timeline.add_residency(Time(0), Time(6_000), &mut residency);
        assert_eq!(residency, [0, 100, 4_600, 300, 0, 0, 0, 0, 0]);
        // It is on its way to deep sleep, whatever it draws.
        assert_eq!(timeline.wake(Time(5_200)).map(|w| (w.sleep, w.from.0)), Some((LinkState::Deep, 5_700)));
    }

    /// Residencies of any two halves of an idle period add up to those of the whole, and agree with the states.
    #[test]
    fn residencies_agree_with_states() {
        for timeline in [timeline(Some(10), Some(50)), timeline(None, Some(30)), timeline(Some(20), None)] {
            let mut sums = [0u64; 9];
            timeline.add_residency(Time(0), Time(777), &mut sums);
            timeline.add_residency(Time(777), Time(4_000), &mut sums);
            let mut counted = [0u64; 9];
            (0..4_000).for_each(|t| counted[timeline.state(Time(t)) as usize] += 1);
            assert_eq!(sums[1..], counted[1..]);
            let last = |t: u64| timeline.changes().filter(|&(time, _)| time.0 <= t).last();
            let state = |t: u64| last(t).map_or(LinkState::On, |(_, state)| state);
            (0..4_000).for_each(|t| assert_eq!(state(t), timeline.state(Time(t))));
        }
    }

    /// A third state that takes 500 to enter and 9,000 to wake from, and a fourth that takes 800 and 20,000.
    const FOUR: SleepStates = SleepStates { further: FURTHER, ..STATES };
    const FURTHER: FurtherStates = FurtherStates::two(
        SleepState { power: 0.05, enter: Time(500), wake: Time(9_000) },
        SleepState { power: 0.0, enter: Time(800), wake: Time(20_000) },
    );

    fn four(timers: [u64; 4]) -> Timeline<'static> {
        let [shallow, deep, third, fourth] = timers.map(|timer| if timer == 0 { Time::NEVER } else { Time(timer) });
        let further = FurtherTimers([third, fourth, Time::ZERO, Time::ZERO]);
        Timeline::new(Timers { shallow, deep }, further, &FOUR)
    }

    /// The states of four timers, by hand: on to 1,000, shallow from 1,100, deep from 5,000 + 2,880, third from 9,000 +
    /// 500, fourth from 10,000 + 800. Timers of states that the class does not have do nothing.
    #[test]
    fn four_states_by_hand() {
        let all = four([1_000, 5_000, 9_000, 10_000]);
        let state = |t: u64| all.state(Time(t));
        assert_eq!([999, 1_000, 1_100].map(state), [LinkState::On, LinkState::Entering, LinkState::Shallow]);
        assert_eq!([5_000, 7_880, 8_999].map(state), [LinkState::Entering, LinkState::Deep, LinkState::Deep]);
        assert_eq!([9_000, 9_500, 9_999].map(state), [LinkState::Entering, LinkState::Third, LinkState::Third]);
        assert_eq!([10_000, 10_799, 10_800].map(state), [LinkState::Entering, LinkState::Entering, LinkState::Fourth]);
        let wake = |t: u64| all.wake(Time(t)).map(|wake| (wake.from.0, wake.takes.0));
        assert_eq!(wake(9_499), Some((9_500, 9_000)));
        assert_eq!(wake(9_600), Some((9_600, 9_000)));
        assert_eq!(wake(10_001), Some((10_800, 20_000)));
        assert_eq!(wake(1 << 50), Some((1 << 50, 20_000)));
    }

    /// Deep sleep is left out where its timer expires together with that of the third state, and so is the third where
    /// both expire while the channel enters deep sleep.
    #[test]
    fn states_that_are_due_together_are_left_out() {
        let from_on = four([0, 3_000, 3_000, 0]);
        assert_eq!(from_on.state(Time(3_499)), LinkState::Entering);
        assert_eq!(from_on.wake(Time(3_100)).map(|wake| (wake.sleep, wake.from.0)), Some((LinkState::Third, 3_500)));
        assert_eq!(from_on.state(Time(1 << 40)), LinkState::Third);
        let slow = four([0, 3_000, 4_000, 5_000]);
        assert_eq!(slow.state(Time(5_879)), LinkState::Entering, "deep sleep, until 5,880");
        assert_eq!(slow.wake(Time(5_881)).map(|wake| (wake.sleep, wake.from.0)), Some((LinkState::Fourth, 6_680)));
        // A further timer waits for that of deep sleep.
        let never = four([1_000, 0, 2_000, 3_000]);
        assert_eq!(never.state(Time(1 << 40)), LinkState::Shallow);
    }

    /// With any timers, residencies agree with the states at each moment, and with the changes.
    #[test]
    fn residencies_of_four_states_agree_with_states() {
        let choices = [0, 10, 700, 900, 4_000];
        for number in 0..choices.len().pow(4) {
            let timeline = four([0, 1, 2, 3].map(|digit| choices[number / choices.len().pow(digit) % choices.len()]));
            let (mut sums, mut counted) = ([0u64; 9], [0u64; 9]);
            timeline.add_residency(Time(0), Time(777), &mut sums);
            timeline.add_residency(Time(777), Time(9_000), &mut sums);
            (0..9_000).for_each(|t| counted[timeline.state(Time(t)) as usize] += 1);
            assert_eq!(sums[1..], counted[1..], "{timeline:?}");
            let changes: Vec<_> = timeline.changes().collect();
            assert!(changes.is_sorted_by_key(|&(time, _)| time), "{changes:?}");
            for t in (0..9_000).step_by(10) {
                let last = changes.iter().rfind(|&&(time, _)| time.0 <= t);
                assert_eq!(
                    last.map_or(LinkState::On, |&(_, state)| state),
                    timeline.state(Time(t)),
                    "{timeline:?}, {t}"
                );
            }
        }
    }
}
