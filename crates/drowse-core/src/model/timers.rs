//! Stall timers of a channel.

use super::units::Time;

/// How long a channel idles before it starts to enter each state; [`Time::NEVER`] for a state that is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timers {
    /// Stall-to-shallow.
    pub shallow: Time,
    /// Stall-to-deep.
    pub deep: Time,
}

impl Timers {
    /// Never sleeps.
    pub const NEVER: Timers = Timers { shallow: Time::NEVER, deep: Time::NEVER };

    /// Enters deep sleep as soon as it is idle.
    pub const DEEP_AT_ONCE: Timers = Timers { shallow: Time::NEVER, deep: Time::ZERO };
}
