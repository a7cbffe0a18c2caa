//! The energy of an idle period in each sleep state, and how long a period must be for sleep to save energy.
//!
//! Energies are integers: time in picoseconds times power in billionths of that when on, so that no floating point
//! decides. Entering and waking draw full power.

use crate::model::link_state::LinkState;
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;

/// Parts of the power when on.
const FULL: u64 = 1_000_000_000;

/// The energy of idle periods in each of the sleep states of a class.
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_core::power::{IdleEnergy, LinkState, SleepStates};
///
/// let energy = IdleEnergy::new(SleepStates::SARAVANAN_2018);
/// // Entering and waking draw full power: sleep pays once a period is longer than both, 2.88 us and 4.48 us.
/// assert_eq!(energy.break_even(LinkState::Deep), Time::from_ns(2_880 + 4_480));
/// // In 10 us, shallow sleep draws 0.25 + 9.75 x 0.6 = 6.10, and deep sleep 7.36 + 2.64 x 0.1 = 7.62.
/// assert_eq!(energy.cheapest(Time::from_us(10), true), Some(LinkState::Shallow));
/// // In 100 us, they draw 60.1 and 16.62.
/// assert_eq!(energy.cheapest(Time::from_us(100), true), Some(LinkState::Deep));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleEnergy {
    states: SleepStates,
    /// Powers of the sleep states in [`FULL`] parts of that when on, lightest first.
    powers: [u64; 6],
}

impl IdleEnergy {
    /// Takes the sleep states of a class.
    pub fn new(states: SleepStates) -> Self {
        IdleEnergy { states, powers: LinkState::SLEEPS.map(|sleep| states.of(sleep).power_billionths()) }
    }

    /// Returns the break-even time of a sleep state: longer idle periods draw less energy asleep than on.
    /// [`Time::NEVER`] for a state that saves nothing.
    pub fn break_even(&self, sleep: LinkState) -> Time {
        if self.power(sleep) < FULL { self.transition(sleep, true) } else { Time::NEVER }
    }

    /// Returns the sleep state that costs least over an idle period of known length, entered at once and, if the
    /// channel `wakes`, left just in time; `None` where staying on costs least. Of equal costs the lighter sleep is
    /// taken.
    pub fn cheapest(&self, idle: Time, wakes: bool) -> Option<LinkState> {
        let on = u128::from(idle.0) * u128::from(FULL);
        let energy = |sleep| Some((self.energy(sleep, idle, wakes)?, sleep));
        let sleeps = self.states.sleeps().filter_map(energy);
        sleeps.filter(|&(energy, _)| energy < on).min_by_key(|&(energy, _)| energy).map(|(_, sleep)| sleep)
    }

    /// Returns the shortest of the break-even times.
    pub fn shortest_break_even(&self) -> Time {
        self.states.sleeps().map(|sleep| self.break_even(sleep)).min().unwrap_or(Time::NEVER)
    }

    /// Returns the energy of an idle period spent in a sleep state, in [`FULL`] parts of the power when on times
    /// picoseconds; `None` where there is no time for it.
    fn energy(&self, sleep: LinkState, idle: Time, wakes: bool) -> Option<u128> {
        let transition = self.transition(sleep, wakes);
        let asleep = idle.0.checked_sub(transition.0)?;
        Some(u128::from(transition.0) * u128::from(FULL) + u128::from(asleep) * u128::from(self.power(sleep)))
    }

    /// Returns the time to enter a sleep state and, if the channel `wakes`, to leave it.
    fn transition(&self, sleep: LinkState, wakes: bool) -> Time {
        let state = self.states.of(sleep);
        state.enter.saturating_add(if wakes { state.wake } else { Time::ZERO })
    }

    fn power(&self, sleep: LinkState) -> u64 {
        sleep.sleep_place().map_or(FULL, |place| self.powers[place])
    }
}
