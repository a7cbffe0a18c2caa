//! The sleep states of a class of channels: what they draw, and what it takes to enter and leave them.

use serde::{Serialize, Serializer};

use super::link_state::LinkState;
use super::units::Time;

/// One sleep state: what it draws and what it takes to enter and leave it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SleepState {
    /// Power as a share of the power when on.
    pub power: f64,
    /// Time to enter.
    pub enter: Time,
    /// Time to wake.
    pub wake: Time,
}

impl SleepState {
    /// Draws as much as when on, and takes no time.
    const FULL: Self = SleepState { power: 1.0, enter: Time::ZERO, wake: Time::ZERO };

    /// Returns the power in billionths of that when on, so that no floating point decides.
    #[expect(clippy::cast_sign_loss, reason = "no power is negative, and the cast stops at 0")]
    pub fn power_billionths(&self) -> u64 {
        (self.power * 1e9).round() as u64
    }
}

impl Serialize for FurtherStates {
    /// As the list of the states.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.all())
    }
}

// Two states are compared only for equality of what a user wrote; a power is never NaN (checked when it is read).
impl Eq for SleepState {}

/// The sleep states of a class of channels.
///
/// ```
/// use drowse_core::model::config::ClassModel;
/// use drowse_core::model::units::Time;
/// use drowse_core::power::model::channel_power;
/// use drowse_core::power::{SleepState, SleepStates};
///
/// let shallow = SleepState { power: 0.6, enter: Time::ZERO, wake: Time::from_ns(250) };
/// let deep = SleepState { power: 0.1, enter: Time::from_us(3), wake: Time::from_us(5) };
/// let class = ClassModel { states: Some(SleepStates::new(shallow, deep)), ..ClassModel::default() };
/// // On for 2 us, entering for 3, in deep sleep for 90, waking for 5: (2 + 3 + 90 x 0.1 + 5) / 100.
/// let residency = [2, 3, 0, 90, 5, 0, 0, 0, 0].map(|time| Time::from_us(time).0.into());
/// assert!((channel_power(&residency, &class.powers()) - 0.19).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SleepStates {
    /// Fast wake.
    pub shallow: SleepState,
    /// Low-power idle.
    pub deep: SleepState,
    /// Power while entering or waking, as a share of the power when on.
    pub transition: f64,
    /// From shallow to deep sleep.
    pub deepen: Deepen,
    /// States beyond deep sleep.
    #[serde(skip_serializing_if = "FurtherStates::is_empty")]
    pub further: FurtherStates,
}

/// The sleep states beyond deep sleep, lightest first: at most four.
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_core::power::{FurtherStates, LinkState, SleepState, SleepStates};
///
/// let module = SleepState { power: 0.3, enter: Time::from_us(100_000), wake: Time::from_us(5_000_000) };
/// let further = FurtherStates::new(&[module]).expect("at most four");
/// let states = SleepStates { further, ..SleepStates::SARAVANAN_2018 };
/// assert_eq!(states.of(LinkState::Third), &module);
/// assert_eq!(states.sleeps().last(), Some(LinkState::Third));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FurtherStates {
    count: u8,
    states: [SleepState; 4],
}

impl FurtherStates {
    /// None.
    pub const NONE: Self = FurtherStates { count: 0, states: [SleepState::FULL; 4] };

    /// Returns two states, the lighter first.
    pub const fn two(lighter: SleepState, deeper: SleepState) -> Self {
        FurtherStates { count: 2, states: [lighter, deeper, SleepState::FULL, SleepState::FULL] }
    }

    /// Takes states, lightest first; `None` where there are more than four.
    pub fn new(states: &[SleepState]) -> Option<Self> {
        let mut further = FurtherStates { count: states.len() as u8, ..Self::NONE };
        further.states.get_mut(..states.len())?.copy_from_slice(states);
        Some(further)
    }

    /// Returns the states.
    #[inline]
    pub fn all(&self) -> &[SleepState] {
        &self.states[..usize::from(self.count)]
    }

    /// Returns whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// The transition from shallow to deep sleep; the papers do not describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Deepen {
    /// How long it takes; meanwhile the channel cannot wake.
    pub takes: Time,
    /// The channel draws the power of shallow sleep meanwhile, and the time counts as shallow sleep, not as entering.
    pub as_shallow: bool,
}

// As for one state.
impl Eq for SleepStates {}

impl Default for SleepStates {
    /// Those of Saravanan and Carpenter 2018, section 3: Energy Efficient Ethernet of 10 Gb/s.
    fn default() -> Self {
        SleepStates::SARAVANAN_2018
    }
}

impl SleepStates {
    /// Those of Saravanan and Carpenter 2018, section 3.
    pub const SARAVANAN_2018: Self = SleepStates::new(
        SleepState { power: 0.6, enter: Time::ZERO, wake: Time::from_ns(250) },
        SleepState { power: 0.1, enter: Time::from_ns(2_880), wake: Time::from_ns(4_480) },
    );

    /// Creates states whose transitions draw full power. Going from shallow to deep sleep takes as long as entering
    /// deep sleep.
    pub const fn new(shallow: SleepState, deep: SleepState) -> Self {
        let deepen = Deepen { takes: deep.enter, as_shallow: false };
        SleepStates { shallow, deep, transition: 1.0, deepen, further: FurtherStates::NONE }
    }

    /// Returns a sleep state. One that the class does not have draws full power and takes no time.
    ///
    /// # Panics
    ///
    /// Panics for a state that is no sleep.
    #[inline]
    pub fn of(&self, sleep: LinkState) -> &SleepState {
        match sleep {
            LinkState::Shallow => &self.shallow,
            LinkState::Deep => &self.deep,
            LinkState::Third => &self.further.states[0],
            LinkState::Fourth => &self.further.states[1],
            LinkState::Fifth => &self.further.states[2],
            LinkState::Sixth => &self.further.states[3],
            LinkState::On | LinkState::Entering | LinkState::Waking => unreachable!("{sleep:?} is no sleep state"),
        }
    }

    /// Returns the sleep states that the class has, lightest first.
    pub fn sleeps(&self) -> impl DoubleEndedIterator<Item = LinkState> + use<> {
        LinkState::SLEEPS.into_iter().take(2 + usize::from(self.further.count))
    }

    /// Returns the longest time to wake from any of the states.
    pub fn longest_wake(&self) -> Time {
        let further = self.further.all().iter().map(|state| state.wake);
        further.fold(self.shallow.wake.max(self.deep.wake), Time::max)
    }
}
