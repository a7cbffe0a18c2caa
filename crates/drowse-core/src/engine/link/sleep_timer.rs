//! Where the stall timers of a channel begin to run, and so when it will sleep.
//!
//! [`Channel::is_on`] and [`Links::is_asleep`](super::links::Links::is_asleep) compare that time with the clock.

use crate::power::{Policy, Timers};

use super::account::Account;
use super::channel::Channel;

/// When a channel sleeps that has been idle since `idle_since`, by these timers.
///
/// At the very start of its idle period a channel is on, even where the timers are 0.
#[inline]
pub fn sleep_after(idle_since: u64, timers: Timers) -> u64 {
    idle_since.saturating_add(timers.shallow.min(timers.deep).0.max(1))
}

impl Channel {
    /// Begins an idle period.
    #[inline]
    pub fn idle_from<P: Policy>(&mut self, policy: &P, account: &Account<P::State>, since: u64) {
        self.idle_since = since;
        self.sleep_at = sleep_after(self.idle_since, policy.timers(self.class, &account.policy));
    }
}
