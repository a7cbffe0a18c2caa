//! DynamicFastwake: the two stall timers that save most while they keep a bound on delays (Saravanan and Carpenter
//! 2018, section 6).
//!
//! As in PerfBound, a channel has its share of the bound and a histogram of its idle periods. Delays are counted in
//! time lost to waking, `T_D = l X`, because a wake from shallow sleep costs less than one from deep sleep. After every
//! idle period the search of Algorithm 1 finds the timers.
//!
//! The error that is corrected is the lost time less T_D, with a band of 20 wakes from deep sleep. The correction
//! shifts the deep timer. The shallow timer is never later than the deep one. [`Compared`] has which time counts as lost.

use super::bins;
use super::bound::Bound;
use super::correction::{self, BAND};
use super::learning::{Compared, Learning, Window};
use super::pairs::{Best, Costs};
use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;
use crate::power::policy::{Idle, SleepPolicy, Timers};

/// Finds both timers so that a bound is kept (`kind = "dynamic-fastwake"`), for one class of channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicFastwake {
    learning: Learning,
    /// Boxed: there is a table of all bins.
    costs: Box<Costs>,
}

/// What is known of a channel.
#[derive(Clone, Debug)]
pub struct State {
    window: Window,
    /// Idle periods of the window that ended in shallow and in deep sleep.
    woken: [u16; 2],
    /// The timers found last.
    best: Best,
    /// Correction of the deep timer in bins.
    shift: i8,
}

impl DynamicFastwake {
    /// Keeps a bound with two sleep states; `None` where deep sleep draws more than shallow, shallow more than on, or
    /// deep sleep wakes faster than shallow, because the search relies on that order.
    pub fn new(learning: Learning, states: &SleepStates) -> Option<Self> {
        Some(DynamicFastwake { learning, costs: Box::new(Costs::new(states)?) })
    }

    /// Returns the bound that it keeps.
    pub fn bound(&self) -> Bound {
        self.learning.bound
    }

    /// Returns the bound, and how it is kept.
    pub fn learning(&self) -> Learning {
        self.learning
    }
}

impl SleepPolicy for DynamicFastwake {
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
        Box::new(State { window: Window::new(), best: Best::NONE, woken: [0; 2], shift: 0 })
    }

    #[inline]
    fn timers(&self, _class: u8, state: &Box<State>) -> Timers {
        let deep = correction::shifted(state.best.pair.deep, state.shift, 0);
        Timers { shallow: bins::stall(state.best.pair.shallow.min(deep)), deep: bins::stall(deep) }
    }

    fn idle_ended(&self, _class: u8, state: &mut Box<State>, idle: Idle) {
        let Some(bin) = bins::bin(idle.length()) else { return };
        state.window.add(bin);
        if let Some(wake) = idle.wake {
            state.woken[usize::from(wake.sleep == LinkState::Deep)] += 1;
        }
        let allowed = state.window.allowance(&self.learning, idle.until).0;
        if !state.window.holds(&self.learning) {
            self.costs.follow(&mut state.best, &state.window.counts, bin, allowed);
        }
        if self.learning.correction {
            let [shallow, deep] = state.woken;
            let lost = self.costs.overhead(match self.learning.compares {
                Compared::AllWakes => [shallow, deep],
                Compared::DeepWakes => [0, deep],
            });
            state.shift = correction::corrected(state.shift, lost, allowed, BAND * self.costs.deep_wake());
        }
        if state.window.is_over(&self.learning) {
            state.window.refresh(idle.until);
            state.best.expire();
            (state.woken, state.shift) = ([0; 2], 0);
        }
    }

    #[inline]
    fn message(&self, _class: u8, state: &mut Box<State>, hops: u8) {
        state.window.messages.add(hops);
    }

    fn learns_for(&self, _class: u8) -> u32 {
        self.learning.periods().into()
    }

    fn skipped(&self, _class: u8, state: &mut Box<State>, by: Time) {
        state.window.skipped(by);
    }
}

crate::sleep_only!(DynamicFastwake);

#[cfg(test)]
mod tests {
    use super::*;

    /// A channel's memory is four cache lines.
    #[test]
    fn state_is_small() {
        assert!(size_of::<State>() <= 256);
    }
}
