//! What sleeping could save at best, were the end of every idle period known when it begins.
//!
//! Channels stay on, so that the run is that of always-on; each idle period is accounted as if the channel had taken the
//! cheapest of staying on, shallow sleep and deep sleep, entered at once and left just in time. Idle periods are judged when
//! they end: nothing is stored and no second run is needed. It bounds from below what any policy can reach that leaves the times
//! and routes of messages as they are; one that gathers or moves traffic makes longer idle periods, and may lie below it.

use super::{LinkState, Policy, SleepState, SleepStates, Timers};
use crate::model::ids::ChannelId;
use crate::model::units::Time;

/// Judges idle periods in hindsight (`kind = "oracle"`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oracle {
    states: SleepStates,
    /// Powers of shallow and deep sleep, in [`FULL`] parts of that when on.
    powers: [u64; 2],
}

/// Powers are compared in parts of a billion, so that no floating point decides.
const FULL: u64 = 1_000_000_000;

impl Oracle {
    /// Makes the judge of channels with these sleep states.
    pub fn new(states: SleepStates) -> Self {
        Oracle { states, powers: [states.shallow.power_billionths(), states.deep.power_billionths()] }
    }

    /// Returns the energy of an idle period spent in a sleep state, in [`FULL`] parts of the power when on times picoseconds;
    /// `None` where there is no time for it.
    fn energy(&self, sleep: LinkState, idle: Time, wakes: bool) -> Option<u128> {
        let state = self.states.of(sleep);
        let moving = state.enter.saturating_add(if wakes { state.wake } else { Time::ZERO });
        let asleep = idle.0.checked_sub(moving.0)?;
        let power = self.powers[usize::from(sleep == LinkState::Deep)];
        Some(u128::from(moving.0) * u128::from(FULL) + u128::from(asleep) * u128::from(power))
    }
}

impl Policy for Oracle {
    type State = ();

    fn start(&self, _channel: ChannelId, _class: u8) {}

    /// In the shortest periods there is no time to sleep.
    fn shortest_idle(&self) -> Time {
        let moving = |state: &SleepState| state.enter.saturating_add(state.wake);
        moving(&self.states.shallow).min(moving(&self.states.deep))
    }

    #[inline]
    fn timers(&self, _class: u8, _state: &()) -> Timers {
        Timers::NEVER
    }

    fn hindsight(&self, _class: u8, idle: Time, wakes: bool) -> Option<LinkState> {
        let on = u128::from(idle.0) * u128::from(FULL);
        let energy = |sleep| Some((self.energy(sleep, idle, wakes)?, sleep));
        let sleeps = [LinkState::Shallow, LinkState::Deep].into_iter().filter_map(energy);
        // Where two cost the same, the lighter sleep, and being on before both.
        sleeps.filter(|&(energy, _)| energy < on).min_by_key(|&(energy, _)| energy).map(|(_, sleep)| sleep)
    }
}
