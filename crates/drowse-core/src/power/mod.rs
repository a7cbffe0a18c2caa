//! Link power: sleep states, the policies that decide when a channel sleeps, and the power model.
//!
//! A policy sees one channel's idle periods and nothing else: at the end of each it may learn, and for the next it
//! gives two stall timers. Both run from the start of the idle period (last bit sent, nothing waiting) and end at the
//! next request. The simulation is generic over the policy, so a user's own costs no virtual call.

pub mod model;
pub mod stall_timer;
pub mod timeline;

pub use stall_timer::StallTimer;

use serde::Deserialize;

use crate::units::Time;

/// What a channel's transceiver does; the order is that of all tables and arrays of residencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum LinkState {
    /// Ready to send, at full power.
    On,
    /// Going to sleep: full power, cannot send.
    Entering,
    /// In shallow sleep (fast wake).
    Shallow,
    /// In deep sleep (low-power idle).
    Deep,
    /// Waking: full power, cannot send.
    Waking,
}

impl LinkState {
    /// All states, in table order.
    pub const ALL: [LinkState; 5] =
        [LinkState::On, LinkState::Entering, LinkState::Shallow, LinkState::Deep, LinkState::Waking];

    /// Gives the state's name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            LinkState::On => "on",
            LinkState::Entering => "entering",
            LinkState::Shallow => "shallow",
            LinkState::Deep => "deep",
            LinkState::Waking => "waking",
        }
    }
}

/// One sleep state: what it draws and what it takes to enter and leave it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SleepState {
    /// Power as a share of the power when on.
    pub power: f64,
    /// Time to enter, at full power.
    pub enter: Time,
    /// Time to wake, at full power.
    pub wake: Time,
}

// Two states are compared only for equality of what a user wrote; a power is never NaN (checked when it is read).
impl Eq for SleepState {}

/// The sleep states of a class of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SleepStates {
    /// Fast wake.
    pub shallow: SleepState,
    /// Low-power idle.
    pub deep: SleepState,
}

/// How long a channel idles before it starts to enter each state; [`Time::NEVER`] for a state that is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timers {
    /// Stall-to-shallow.
    pub shallow: Time,
    /// Stall-to-deep.
    pub deep: Time,
}

impl Timers {
    /// Stays on for ever.
    pub const NEVER: Timers = Timers { shallow: Time::NEVER, deep: Time::NEVER };
}

/// Decides when channels sleep.
pub trait Policy {
    /// What the policy remembers of one channel.
    type State: Clone + Default;

    /// Gives the stall timers of the idle period that starts now on a channel of `class`.
    fn timers(&self, class: u8, state: &Self::State) -> Timers;

    /// Learns that an idle period of this length has ended by a request.
    fn idle_ended(&self, class: u8, state: &mut Self::State, idle: Time) {
        let _ = (class, state, idle);
    }
}
