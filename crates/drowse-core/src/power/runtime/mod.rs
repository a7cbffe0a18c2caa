//! The runtime system in command of the links (Totoni et al. 2014, sections 4 and 6).
//!
//! An iterative program does the same again and again. The runtime system (MPI, Charm++) watches a job for some iterations: every
//! node keeps the list of those to which it sends, computes the routes, and notifies the switches on the way, which mark the
//! channels that are used; those that are not are turned off (`basic`). One that a packet needs nevertheless wakes, and stays on
//! until the next command. When a node sends to another that is not on its list, the pattern has changed, and the job learns
//! anew. Beyond that (`scheduled`), channels that are used are off between the end of their use in one iteration and the beginning of
//! it in the next. If iterations get slower than they were, the policy is turned down.
//!
//! The [`Director`] is this system as one sequential machine, which hears [`Event`]s and gives [`Command`]s that take effect after the
//! software's overhead and a hop. The paper's termination detection and the messages of its notifications are not simulated: the
//! notifications are counted.

mod director;
mod event;
mod iterations;
mod job;
mod routes;
mod schedule;

use std::num::NonZeroU32;

pub use director::{Director, RuntimeRecord};
pub use event::{Command, Event, Happened, Order};
pub use iterations::{Begun, Iterations, Mean, Watch};
pub use job::{Job, JobRecord};
pub use routes::Routes;
pub use schedule::{Care, Gap, Notes, Rest, Schedule, rest};

use super::{SleepStates, Timers};
use crate::model::units::Time;

/// How far the runtime system goes (`power.policy.mode`), least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// All links stay on: what it is turned down to, not a mode of its own.
    On,
    /// Channels that are never used are off.
    Basic,
    /// Those that are used are off between their uses, too.
    Scheduled,
}

impl Mode {
    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::On => "on",
            Mode::Basic => "basic",
            Mode::Scheduled => "scheduled",
        }
    }

    /// Returns the next lower one.
    #[must_use]
    pub const fn lower(self) -> Mode {
        match self {
            Mode::Scheduled => Mode::Basic,
            Mode::Basic | Mode::On => Mode::On,
        }
    }
}

/// The rules of the runtime system (`power.policy`, `kind = "runtime"`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How far it goes.
    pub mode: Mode,
    /// Iterations that it learns from.
    pub learn: NonZeroU32,
    /// Time between the last use of a channel and its going off, and between its being on and its first use, in a schedule.
    pub margin: Time,
    /// What a call of it costs a rank, and how long it takes (20 us in the paper, without the switches' own time).
    pub overhead: Time,
    /// How much longer iterations may get before the policy is turned down, in billionths.
    pub slowdown_billionths: u64,
}

/// The policy of channels that the runtime system commands (`kind = "runtime"`): one that is off sleeps as soon as it is idle and nobody
/// waits for it; a packet wakes it, and then it is not off any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// The rules, the same for all classes.
    pub rules: Rules,
    /// What turning a channel off and on takes together.
    pub transition: Time,
}

impl Runtime {
    /// Returns the timers of a channel that is off: it sleeps at once.
    pub const OFF: Timers = Timers { shallow: Time::NEVER, deep: Time::ZERO };

    /// Makes the policy of channels with these states.
    pub fn new(rules: Rules, states: &SleepStates) -> Self {
        Runtime { rules, transition: states.deep.enter.saturating_add(states.deep.wake) }
    }

    /// Returns how long idle periods are at least that a schedule can be made of.
    pub fn shortest_gap(&self) -> Time {
        match self.rules.mode {
            Mode::Scheduled => self.transition.saturating_add(self.transition),
            Mode::Basic | Mode::On => Time::NEVER,
        }
    }
}
