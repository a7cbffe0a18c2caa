//! A probe before a policy: the policy decides as it would alone, and the probe records what its channels do.
//!
//! The engine contains nothing of it, so that runs without a probe cost nothing. What a channel does between two idle
//! periods follows from the end of the first: it wakes, if it slept, and is on.

use std::ops::Range;

use super::policy::{
    CapRules, Change, CoalescingLimits, CoalescingPolicy, FurtherTimers, GovernedPolicy, GovernorRules,
    HindsightPolicy, Idle, Policy, Rules, RuntimePolicy, SleepPolicy, Timers, TrunkPolicy, TrunkWindow, WidthPolicy,
};
use super::sleep::Timeline;
use super::sleep::bounded::bins;
use crate::measure::probe::{IdleBin, ProbeOptions, ProbeRecord, Tally, TimersAt, idle_bin};
use crate::measure::timeline::Excerpt;
use crate::measure::waiting::Sending;
use crate::model::config::ClassModel;
use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;

/// A policy and what is to be recorded of its channels. Channels that may not sleep are recorded, too.
#[derive(Clone, Debug)]
pub struct Probe<'p, P> {
    policy: &'p P,
    wanted: ProbeOptions,
    /// The sleep states of each class; the policy is not asked about classes without.
    states: Vec<Option<SleepStates>>,
    /// The measured time; without end where the end is not known beforehand.
    measured: Range<Time>,
    /// The part of it that the timeline shows.
    shown: Range<Time>,
    /// What bounds the timeline, if anything does.
    excerpt: Option<&'p Excerpt>,
}

/// What a policy remembers of a channel, and what the probe has recorded.
#[derive(Clone, Debug)]
pub struct Probed<S> {
    /// What the policy remembers.
    pub policy: S,
    /// What was recorded.
    pub seen: ProbeRecord,
    /// The last idle period of the measured time: its bin and length.
    last: Option<(IdleBin, Time)>,
    /// The measured time is over.
    over: bool,
    /// The timeline shows it.
    shown: bool,
}

impl<'p, P: Policy> Probe<'p, P> {
    /// Probes a policy on channels of these classes. With open-loop traffic, `measured` is the measured time.
    pub fn new(policy: &'p P, wanted: ProbeOptions, classes: &[ClassModel], measured: Option<Range<Time>>) -> Self {
        let measured = measured.unwrap_or(Time::ZERO..Time::NEVER);
        let states = classes.iter().map(|class| class.states).collect();
        Probe { policy, wanted, states, shown: measured.clone(), measured, excerpt: None }
    }

    /// Records of the timeline only what an excerpt shows.
    #[must_use]
    pub fn within(self, excerpt: &'p Excerpt) -> Self {
        let Range { start, end } = excerpt.window;
        let shown = self.measured.start.max(start)..self.measured.end.min(end);
        Probe { shown, excerpt: Some(excerpt), ..self }
    }

    /// Returns how many changes of a channel are kept.
    fn most(&self) -> usize {
        self.excerpt.map_or(usize::MAX, |excerpt| excerpt.most_of_channel)
    }

    fn sleeps(&self, class: u8) -> bool {
        self.states[usize::from(class)].is_some()
    }

    /// Records an idle period that has ended: by a request, if `requested`, or else by the end of the run.
    fn record(&self, class: u8, state: &mut Probed<P::State>, idle: Idle, requested: bool) {
        // Traffic goes on after the measured time.
        if state.over || idle.until > self.measured.end {
            return;
        }
        if self.wanted.timeline && state.shown {
            self.record_states(class, state, idle, requested);
        }
        if idle.until <= self.measured.start {
            return;
        }
        let (bin, length) = (idle_bin(idle.length()), idle.length());
        let once = |idle: Time| Tally { count: 1, idle: u128::from(idle.0) };
        if self.wanted.idle_periods {
            state.seen.periods.entry(bin).or_default().add(once(length));
            state.seen.unfinished = (!requested).then_some(bin);
        }
        if self.wanted.idle_pairs && requested {
            if let Some((last, length)) = state.last {
                state.seen.pairs.entry((last, bin)).or_default().add(once(length));
            }
            state.last = Some((bin, length));
        }
    }

    /// Records the states of an idle period and of the waking after it.
    fn record_states(&self, class: u8, state: &mut Probed<P::State>, idle: Idle, requested: bool) {
        let Some(states) = self.states[usize::from(class)] else { return };
        let mut change = |time: Time, to: LinkState| {
            // What came before the time that is shown only sets the state in which that begins.
            if time < self.shown.end {
                state.seen.change(time.max(self.shown.start), to, self.most());
            }
        };
        if let Some(sleep) = self.policy.hindsight(class, idle.length(), requested) {
            let (asleep, moving) = (states.of(sleep), idle.since);
            change(moving, LinkState::Entering);
            change(moving.saturating_add(asleep.enter), sleep);
            if requested {
                change(idle.until.saturating_sub(asleep.wake), LinkState::Waking);
                change(idle.until, LinkState::On);
            }
            return;
        }
        let sleeps_until = idle.wake.map_or(idle.until, |wake| idle.since.saturating_add(wake.from));
        let timers = self.policy.timers(class, &state.policy);
        let further = self.policy.further_timers(class, &state.policy);
        let timeline = Timeline::new(timers, further, &states);
        let entered = idle.since == Time::ZERO && self.policy.cap(class).is_some();
        for (after, to) in (if entered { timeline.entered() } else { timeline }).changes() {
            let time = idle.since.saturating_add(after);
            if time < sleeps_until {
                change(time, to);
            }
        }
        if let Some(wake) = idle.wake {
            change(sleeps_until, LinkState::Waking);
            change(sleeps_until.saturating_add(wake.takes), LinkState::On);
        }
    }
}

impl<P: Policy> SleepPolicy for Probe<'_, P> {
    type State = Probed<P::State>;

    const PROBES: bool = true;

    #[inline]
    fn may_sleep(&self, class: u8) -> bool {
        self.policy.may_sleep(class)
    }

    fn learns_for(&self, class: u8) -> u32 {
        self.policy.learns_for(class)
    }

    #[inline]
    fn counts_messages(&self) -> bool {
        self.policy.counts_messages()
    }

    fn start(&self, channel: ChannelId, class: u8) -> Self::State {
        let mut seen = ProbeRecord::default();
        let shown = self.excerpt.is_none_or(|excerpt| excerpt.selection.has_channel(channel.0));
        if self.wanted.timeline && shown {
            seen.change(self.shown.start, LinkState::On, self.most());
        }
        Probed { policy: self.policy.start(channel, class), seen, last: None, over: false, shown }
    }

    #[inline]
    fn timers(&self, class: u8, state: &Self::State) -> Timers {
        if self.sleeps(class) { self.policy.timers(class, &state.policy) } else { Timers::NEVER }
    }

    fn further_timers(&self, class: u8, state: &Self::State) -> FurtherTimers {
        if self.sleeps(class) { self.policy.further_timers(class, &state.policy) } else { FurtherTimers::NEVER }
    }

    fn idle_ended(&self, class: u8, state: &mut Self::State, idle: Idle) {
        self.record(class, state, idle, true);
        if !self.sleeps(class) {
            return;
        }
        self.policy.idle_ended(class, &mut state.policy, idle);
        let counts = !state.over && self.measured.start < idle.until && idle.until <= self.measured.end;
        if self.wanted.timers && counts && idle.length() >= bins::edge(0) {
            state.seen.timers.push(TimersAt { time: idle.until, timers: self.policy.timers(class, &state.policy) });
        }
    }

    #[inline]
    fn message(&self, class: u8, state: &mut Self::State, hops: u8) {
        if self.sleeps(class) {
            self.policy.message(class, &mut state.policy, hops);
        }
    }

    fn run_ended(&self, class: u8, state: &mut Self::State, idle: Idle) {
        self.record(class, state, idle, false);
        state.over = true;
        if self.sleeps(class) {
            self.policy.run_ended(class, &mut state.policy, idle);
        }
    }

    fn lanes_changed(&self, state: &mut Self::State, at: Time, on: u32) {
        if self.wanted.timeline && state.shown && at < self.shown.end {
            state.seen.lanes(at.max(self.shown.start), on, self.most());
        }
    }

    #[inline]
    fn counts_waiting(&self) -> bool {
        self.wanted.waiting.is_some()
    }

    #[inline]
    fn counts_sizes(&self) -> bool {
        self.wanted.message_sizes
    }

    fn sends(&self, state: &mut Self::State, sending: &Sending) {
        let Range { start, end } = self.measured;
        let time = sending.time.start.max(start)..sending.time.end.min(end);
        if let Some(window) = self.wanted.waiting
            && time.start < end
        {
            if sending.time.start >= start {
                state.seen.waiting.plus(&sending.waited);
            }
            let since = |time: Time| time.saturating_sub(start);
            state.seen.busiest.add(since(time.start)..since(time.end), sending.narrow, window);
        }
    }

    fn commanded(&self, class: u8, state: &mut Self::State, on: bool) {
        self.policy.commanded(class, &mut state.policy, on);
    }
}

impl<P: Policy> GovernedPolicy for Probe<'_, P> {
    fn governor(&self, class: u8) -> Option<GovernorRules> {
        if self.sleeps(class) { self.policy.governor(class) } else { None }
    }

    fn cap(&self, class: u8) -> Option<CapRules> {
        if self.sleeps(class) { self.policy.cap(class) } else { None }
    }

    fn allowed(&self, class: u8, state: &mut Self::State, billionths: u32) {
        self.policy.allowed(class, &mut state.policy, billionths);
    }
}

impl<P: Policy> HindsightPolicy for Probe<'_, P> {
    fn judges(&self) -> bool {
        self.policy.judges()
    }

    #[inline]
    fn hindsight(&self, class: u8, idle: Time, wakes: bool) -> Option<LinkState> {
        if self.sleeps(class) { self.policy.hindsight(class, idle, wakes) } else { None }
    }
}

impl<P: Policy> CoalescingPolicy for Probe<'_, P> {
    #[inline]
    fn coalescing(&self, class: u8) -> Option<CoalescingLimits> {
        if self.sleeps(class) { self.policy.coalescing(class) } else { None }
    }
}

impl<P: Policy> TrunkPolicy for Probe<'_, P> {
    fn trunk_window(&self, class: u8) -> Option<Time> {
        if self.sleeps(class) { self.policy.trunk_window(class) } else { None }
    }

    fn stands_by(&self, class: u8) -> bool {
        self.sleeps(class) && self.policy.stands_by(class)
    }

    fn off_state(&self, class: u8) -> LinkState {
        self.policy.off_state(class)
    }

    fn resize(&self, class: u8, seen: &TrunkWindow) -> Change {
        self.policy.resize(class, seen)
    }
}

impl<P: Policy> WidthPolicy for Probe<'_, P> {
    fn lanes(&self, class: u8) -> u8 {
        self.policy.lanes(class)
    }
}

impl<P: Policy> RuntimePolicy for Probe<'_, P> {
    fn runtime_rules(&self, class: u8) -> Option<Rules> {
        if self.sleeps(class) { self.policy.runtime_rules(class) } else { None }
    }
}
