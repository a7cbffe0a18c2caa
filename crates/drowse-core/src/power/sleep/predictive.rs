//! Predictive shutdown: an exponentially weighted average of idle periods predicts the next one (Hwang and Wu 1997, "A
//! predictive system shutdown method for energy saving of event-driven computation").
//!
//! After an idle period of length i, the prediction I becomes `a i + (1 - a) I` with a weight a. At the start of the
//! next idle period the channel enters the deepest sleep state whose break-even time the prediction reaches, at once.
//! If none pays, it stays on.
//!
//! Two corrections follow the paper. A watchdog corrects predictions that were too short: a channel that is not in deep
//! sleep enters it when the watchdog expires. A saturation bounds predictions that would become too long: one
//! prediction is at most `GROWTH` (2) times the one before, so that a single long period among short ones does not
//! count too much. A prediction may always reach the shortest break-even time, so that it can grow from 0.
//!
//! The paper's predictive wake-up, which wakes the system before the predicted end, is left out. Its single sleep state
//! becomes two here.

use super::idle_energy::IdleEnergy;
use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;
use crate::power::policy::{Idle, SleepPolicy, Timers};

/// How many times as long as the last prediction the next may be (the paper's constant c).
const GROWTH: u64 = 2;

/// Parts of the weight 1, so that no floating point decides.
const WHOLE: u32 = 1_000_000_000;

/// Predicts idle periods (`kind = "predictive"`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictive {
    /// Weight of the last idle period in billionths, at most 1.
    weight: u32,
    /// Idle time after which the channel enters deep sleep whatever the prediction.
    watchdog: Time,
    /// Break-even times of shallow and deep sleep.
    break_even: [Time; 2],
}

impl Predictive {
    /// Creates the policy of channels with these states. The weight is in billionths, and 1 if it is larger. Without a
    /// `watchdog`, that is the break-even time of deep sleep.
    pub fn new(weight: u32, watchdog: Option<Time>, states: SleepStates) -> Self {
        let energy = IdleEnergy::new(states);
        let break_even = [LinkState::Shallow, LinkState::Deep].map(|sleep| energy.break_even(sleep));
        Predictive { weight: weight.min(WHOLE), watchdog: watchdog.unwrap_or(break_even[1]), break_even }
    }

    /// Returns the prediction after an idle period, rounded down to a picosecond.
    fn next(&self, predicted: Time, idle: Time) -> Time {
        let part = |time: Time, weight: u32| u128::from(time.0) * u128::from(weight);
        let average = (part(idle, self.weight) + part(predicted, WHOLE - self.weight)) / u128::from(WHOLE);
        let shortest = self.break_even[0].min(self.break_even[1]);
        let most = predicted.0.saturating_mul(GROWTH).max(shortest.0);
        // An average is no longer than the longer of the two times.
        Time((average as u64).min(most))
    }
}

impl Predictive {
    /// Returns the weight of the last idle period in billionths.
    pub fn weight(&self) -> u32 {
        self.weight
    }

    /// Returns the idle time after which the channel enters deep sleep whatever the prediction.
    pub fn watchdog(&self) -> Time {
        self.watchdog
    }
}

impl SleepPolicy for Predictive {
    /// The prediction of the next idle period.
    type State = Time;

    fn start(&self, _channel: ChannelId, _class: u8) -> Time {
        Time::ZERO
    }

    fn timers(&self, _class: u8, &predicted: &Time) -> Timers {
        let [shallow, deep] = self.break_even;
        if predicted >= deep {
            return Timers::DEEP_AT_ONCE;
        }
        Timers { shallow: if predicted >= shallow { Time::ZERO } else { Time::NEVER }, deep: self.watchdog }
    }

    /// From nothing to all periods that can be, by doubling, and then until an older period counts for a thousandth.
    fn learns_for(&self, _class: u8) -> u32 {
        let [shallow, deep] = self.break_even.map(|time| time.0.max(1));
        let doublings = (deep / shallow.min(deep)).ilog2() + 2;
        // ln(1000) is 6.9, and (1 - a)^n is at most exp(-a n).
        let means = (7 * u64::from(WHOLE)).div_ceil(self.weight.max(1).into());
        doublings.saturating_add(u32::try_from(means).unwrap_or(u32::MAX))
    }

    fn idle_ended(&self, _class: u8, predicted: &mut Time, idle: Idle) {
        *predicted = self.next(*predicted, idle.length());
    }
}

crate::sleep_only!(Predictive);
