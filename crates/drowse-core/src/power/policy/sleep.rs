//! When a channel sleeps: what a policy learns of a channel, and what it returns.

use crate::measure::waiting::Sending;
use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::units::Time;

pub use crate::model::timers::Timers;

/// How long a channel idles before it starts to enter each state beyond deep sleep, lightest first; [`Time::NEVER`] for
/// a state that is not used or that the class does not have.
///
/// A channel goes beyond deep sleep when [`Timers::deep`] has expired, not before. Where that expires together with the
/// timer of a further state, deep sleep is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FurtherTimers(pub [Time; 4]);

impl FurtherTimers {
    /// Goes no further than deep sleep.
    pub const NEVER: FurtherTimers = FurtherTimers([Time::NEVER; 4]);
}

/// How a sleeping channel wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// The sleep state that it leaves or was entering.
    pub sleep: LinkState,
    /// When waking starts, in time since the start of the idle period: at once, or at the end of entering.
    pub from: Time,
    /// How long it takes.
    pub takes: Time,
}

/// An idle period that has ended: from the last bit sent, with nothing waiting, to the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    /// When it began.
    pub since: Time,
    /// When it ended: a packet requested the channel, or the run was over.
    pub until: Time,
    /// How the channel wakes; `None` where it was on.
    pub wake: Option<Wake>,
}

impl Idle {
    /// Returns the length of the period; waking comes after it.
    pub fn length(&self) -> Time {
        self.until.saturating_sub(self.since)
    }
}

/// Decides when channels sleep.
///
/// A policy knows what the sender of a channel knows: the channel's idle periods and the messages that it sends. Only
/// [`SleepPolicy::start`] and [`SleepPolicy::timers`] must be written; the other methods tell the policy what happens.
///
/// A policy by hand. It can be tried without a simulation, by the idle periods of one channel:
///
/// ```
/// use drowse_core::model::{ids::ChannelId, units::Time};
/// use drowse_core::power::{Idle, SleepPolicy, Timers};
///
/// /// Sleeps at once if the last idle period of the channel was long, else never.
/// struct AsBefore {
///     long: Time,
/// }
///
/// impl SleepPolicy for AsBefore {
///     type State = Time;
///
///     fn start(&self, _channel: ChannelId, _class: u8) -> Time {
///         Time::ZERO
///     }
///
///     fn timers(&self, _class: u8, last: &Time) -> Timers {
///         if *last >= self.long { Timers::DEEP_AT_ONCE } else { Timers::NEVER }
///     }
///
///     fn idle_ended(&self, _class: u8, last: &mut Time, idle: Idle) {
///         *last = idle.length();
///     }
/// }
///
/// let policy = AsBefore { long: Time::from_us(100) };
/// let mut last = policy.start(ChannelId(0), 1);
/// assert_eq!(policy.timers(1, &last), Timers::NEVER);
/// policy.idle_ended(1, &mut last, Idle { since: Time::from_us(30), until: Time::from_us(230), wake: None });
/// assert_eq!(policy.timers(1, &last), Timers::DEEP_AT_ONCE);
/// ```
///
/// To run it, [`sleep_only!`](crate::sleep_only) makes it a [`Policy`](super::Policy).
pub trait SleepPolicy: Sync {
    /// What the policy remembers of one channel.
    type State: Clone + Send;

    /// The policy is a probe: it learns of the idle periods of all channels. Those that may not sleep must then have
    /// [`Timers::NEVER`].
    const PROBES: bool = false;

    /// Returns what the policy remembers of a channel at the start of a run.
    fn start(&self, channel: ChannelId, class: u8) -> Self::State;

    /// Returns the stall timers of the idle period that starts now on a channel of `class`.
    ///
    /// They change only when an idle period ends or a command comes: the simulation asks several times.
    fn timers(&self, class: u8, state: &Self::State) -> Timers;

    /// Returns the stall timers of the states beyond deep sleep in that idle period, for a class that lists more than
    /// two states.
    fn further_timers(&self, class: u8, state: &Self::State) -> FurtherTimers {
        let _ = (class, state);
        FurtherTimers::NEVER
    }

    /// Returns whether channels of a class may ever sleep, or be accounted as if they had. Where none may, the
    /// simulation keeps no account of sleep.
    fn may_sleep(&self, class: u8) -> bool {
        let _ = class;
        true
    }

    /// Returns the length of the shortest idle period that matters to the policy. It learns of shorter ones only where
    /// they end in sleep.
    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::ZERO
    }

    /// Returns whether the policy counts messages ([`SleepPolicy::message`]). Only then does the simulation compute
    /// their hops.
    #[inline]
    fn counts_messages(&self) -> bool {
        false
    }

    /// Returns whether a probe counts how packets wait ([`SleepPolicy::sends`]).
    #[inline]
    fn counts_waiting(&self) -> bool {
        false
    }

    /// Returns whether a probe counts messages by size.
    #[inline]
    fn counts_sizes(&self) -> bool {
        false
    }

    /// Learns that a channel begins to send a packet, where a probe [counts](SleepPolicy::counts_waiting) how they
    /// wait.
    #[inline]
    fn sends(&self, state: &mut Self::State, sending: &Sending) {
        let _ = (state, sending);
    }

    /// Learns that an idle period has ended by a request.
    #[inline]
    fn idle_ended(&self, class: u8, state: &mut Self::State, idle: Idle) {
        let _ = (class, state, idle);
    }

    /// Learns that a message begins to cross the channel. On its minimal route `hops` channels may sleep, this one
    /// included.
    #[inline]
    fn message(&self, class: u8, state: &mut Self::State, hops: u8) {
        let _ = (class, state, hops);
    }

    /// Learns that the run or its measured time ends within an idle period; nothing after that counts. Where the
    /// network drains after the measured time, the idle period goes on: this must not change its timers.
    #[inline]
    fn run_ended(&self, class: u8, state: &mut Self::State, idle: Idle) {
        let _ = (class, state, idle);
    }

    /// Returns after how many idle periods the timers of a class have settled, where idle periods are like those before:
    /// no iteration is extrapolated earlier. Timers that do not change are settled from the start.
    fn learns_for(&self, class: u8) -> u32 {
        let _ = class;
        0
    }

    /// Learns that the channel has gone through a time that is not simulated, as it went through times before: what is
    /// remembered of times moves on by so much.
    fn skipped(&self, class: u8, state: &mut Self::State, by: Time) {
        let _ = (class, state, by);
    }

    /// Learns that `on` of the channel's lanes can send from time `at` on; only that of a probe does anything.
    #[inline]
    fn lanes_changed(&self, state: &mut Self::State, at: Time, on: u32) {
        let _ = (state, at, on);
    }

    /// Learns that the channel is commanded off, so that its timers are 0 from now on, or on, so that they never
    /// expire. Only policies that command channels ([`super::TrunkPolicy`], [`super::RuntimePolicy`]) receive commands.
    fn commanded(&self, class: u8, state: &mut Self::State, on: bool) {
        let _ = (class, state, on);
    }
}
