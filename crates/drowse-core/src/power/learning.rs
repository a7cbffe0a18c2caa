//! What policies that keep a bound know of a channel, and for how long (Saravanan and Carpenter 2018, sections 5.2 and 6.3).
//!
//! Idle periods are counted in bins from one refresh to the next, every 20,000 of them, so that a change of what runs is forgotten.
//! Periods under 1 us are as if they had not been: no timer is that short, so they cannot end in sleep, and they neither teach nor
//! bring the refresh nearer; their time passes all the same.
//!
//! Before it has seen anything a channel stays on. After a refresh it keeps its timers for the first 200 periods, within which the
//! paper finds that they converge, rather than stay on each time: the paper does not say which.

use std::num::NonZeroU16;

use super::bins::BINS;
use super::bound::{Bound, Messages};
use crate::model::units::Time;

/// How a policy keeps a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learning {
    /// What it keeps.
    pub bound: Bound,
    /// After how many idle periods of 1 us or more it starts afresh.
    pub refresh: NonZeroU16,
    /// It corrects the deep timer where messages are delayed more or less than they may be; see [`super::correction`].
    pub correction: bool,
}

/// After how many idle periods timers are found afresh following a refresh; half of what is between two where that is less.
const HOLD: u16 = 200;

impl Learning {
    /// The paper's number of idle periods between two refreshes.
    pub const REFRESH: NonZeroU16 = NonZeroU16::new(20_000).expect("not zero");

    /// Keeps a bound as the paper does.
    pub const fn new(bound: Bound) -> Self {
        Learning { bound, refresh: Self::REFRESH, correction: true }
    }
}

/// What a channel has seen since it was last refreshed.
#[derive(Clone, Debug)]
pub struct Window {
    /// Idle periods by bin.
    pub(super) counts: [u16; BINS],
    pub(super) messages: Messages,
    /// When it began.
    since: Time,
    /// How many idle periods there are.
    periods: u16,
}

impl Window {
    /// Starts with the run.
    pub(super) fn new() -> Self {
        Window { counts: [0; BINS], messages: Messages::default(), since: Time::ZERO, periods: 0 }
    }

    /// Counts an idle period; whether the window is over then is for [`Window::is_over`].
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

    /// Returns whether too little has been seen since the last refresh to find other timers.
    #[inline]
    pub(super) fn holds(&self, learning: &Learning) -> bool {
        self.since > Time::ZERO && self.periods < HOLD.min(learning.refresh.get() / 2)
    }

    /// Returns whether it is time to start afresh.
    #[inline]
    pub(super) fn is_over(&self, learning: &Learning) -> bool {
        self.periods >= learning.refresh.get()
    }

    /// Starts afresh.
    pub(super) fn refresh(&mut self, now: Time) {
        *self = Window { since: now, ..Window::new() };
    }
}
