//! What policies that keep a bound know of a channel, and for how long (Saravanan and Carpenter 2018, sections 5.2 and
//! 6.3).
//!
//! Idle periods are counted in bins from one refresh to the next, every 20,000 periods, so that old phases of a program
//! are forgotten. Periods under 1 us are ignored: no timer is that short, so they cannot end in sleep. They neither
//! teach nor bring the refresh nearer, but their time counts.
//!
//! A channel stays on until its first idle period. After a refresh it keeps its timers for the first 200 periods,
//! within which they converge according to the paper. The paper does not say whether channels stay on meanwhile.

use std::num::NonZeroU16;

use serde::{Deserialize, Serialize};

use super::bins::BINS;
use super::bound::{Bound, Messages};
use crate::model::units::Time;

/// How a policy keeps a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learning {
    /// The bound that it keeps.
    pub bound: Bound,
    /// Number of idle periods of 1 us or more after which it starts afresh.
    pub refresh: NonZeroU16,
    /// It corrects the deep timer where it delays more or fewer messages than its target.
    pub correction: bool,
    /// Which delays the correction counts.
    pub compares: Compared,
}

/// Which delays the correction of errors compares with the bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Compared {
    /// Those of all messages, as the paper says.
    #[default]
    AllWakes,
    /// Those by deep sleep, whose timer is corrected. Delays by shallow sleep come on top.
    DeepWakes,
}

/// Number of idle periods after a refresh for which the timers stay; half the periods between two refreshes if less.
const HOLD: u16 = 200;

impl Learning {
    /// The paper's number of idle periods between two refreshes.
    pub const REFRESH: NonZeroU16 = NonZeroU16::new(20_000).expect("not zero");

    /// Keeps a bound as the paper does.
    pub const fn new(bound: Bound) -> Self {
        Learning { bound, refresh: Self::REFRESH, correction: true, compares: Compared::AllWakes }
    }

    /// Returns the number of idle periods after a refresh for which the timers stay.
    pub(super) fn periods(&self) -> u16 {
        HOLD.min(self.refresh.get() / 2)
    }
}

/// The idle periods and messages of a channel since the last refresh.
#[derive(Clone, Debug)]
pub struct Window {
    /// Idle periods by bin.
    pub(super) counts: [u16; BINS],
    pub(super) messages: Messages,
    /// When it began, and whether another one was before it.
    since: Time,
    refreshed: bool,
    /// How many idle periods there are.
    periods: u16,
}

impl Window {
    /// Starts with the run.
    pub(super) fn new() -> Self {
        Window { counts: [0; BINS], messages: Messages::default(), since: Time::ZERO, refreshed: false, periods: 0 }
    }

    /// Counts an idle period. [`Window::is_over`] returns whether it was the last of the window.
    #[inline]
    pub(super) fn add(&mut self, bin: usize) {
        self.counts[bin] += 1;
        self.periods += 1;
    }

    /// Returns the time that may have been lost to waking up to `now`.
    #[inline]
    pub(super) fn allowance(&self, learning: &Learning, now: Time) -> Time {
        learning.bound.allowance(&self.messages, now.saturating_sub(self.since))
    }

    /// Returns whether the timers stay, because too few periods have been counted since the last refresh.
    #[inline]
    pub(super) fn holds(&self, learning: &Learning) -> bool {
        self.refreshed && self.periods < learning.periods()
    }

    /// Returns whether it is time to start afresh.
    #[inline]
    pub(super) fn is_over(&self, learning: &Learning) -> bool {
        self.periods >= learning.refresh.get()
    }

    /// Starts afresh.
    pub(super) fn refresh(&mut self, now: Time) {
        *self = Window { since: now, refreshed: true, ..Window::new() };
    }

    /// Leaves a time out that is not simulated.
    pub(super) fn skipped(&mut self, by: Time) {
        self.since = self.since.saturating_add(by);
    }
}
