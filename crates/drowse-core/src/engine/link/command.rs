//! Channels that go off and on by command: ports of trunks, which no packet wakes, and channels that the runtime system
//! controls, which packets do wake.

use crate::power::Policy;
use crate::power::runtime::Mode;

use super::account::LinkNotification;
use super::sleep_timer::sleep_after;

use crate::engine::link::links::Links;

impl<P: Policy> Links<'_, P> {
    /// Commands a channel off at time `t`: it sends what has been granted, then goes to sleep. It is not offered from
    /// now on.
    pub fn turn_off(&mut self, channel: usize, t: u64) {
        if self.hot[channel].sleep_at <= t {
            return;
        }
        if self.hot[channel].idle_since <= t {
            self.idle_over(channel, t);
        }
        let hot = &mut self.hot[channel];
        hot.idle_since = t.max(hot.free_at).max(hot.awake_at);
        hot.sleep_at = t;
        self.policy.commanded(hot.class, &mut self.accounts[channel].policy, false);
    }

    /// Lets a channel sleep from the start of a run.
    pub fn begin_asleep(&mut self, channel: usize) {
        let hot = &mut self.hot[channel];
        (hot.idle_since, hot.sleep_at) = (0, 0);
        self.policy.commanded(hot.class, &mut self.accounts[channel].policy, false);
    }

    /// Commands a channel on at time `t`; one that still sends had not begun to go to sleep. `wanted` says whether a
    /// packet waits for it.
    pub fn turn_on(&mut self, channel: usize, t: u64, wanted: bool) {
        let idle_since = self.hot[channel].idle_since;
        if idle_since != u64::MAX && idle_since < t {
            self.start_waking(channel, t);
        }
        let hot = &mut self.hot[channel];
        self.policy.commanded(hot.class, &mut self.accounts[channel].policy, true);
        (hot.idle_since, hot.sleep_at) = (u64::MAX, u64::MAX);
        if !wanted {
            let since = t.max(hot.free_at).max(hot.awake_at);
            self.idle_from(channel, since);
        }
    }

    /// Lets packets through the way to the queues before a link, once that is on.
    pub fn open(&mut self, way: usize, link: usize) {
        let awake_at = self.hot[link].awake_at;
        (self.hot[way].sleep_at, self.hot[way].awake_at) = (u64::MAX, awake_at);
        // Who waits for the way waits for the link to wake, since it was requested.
        self.accounts[way].settled = self.accounts[link].settled;
    }

    /// Returns whether a channel is not commanded off at time `t`: it is on, or going on.
    pub fn is_wanted(&self, channel: usize, t: u64) -> bool {
        let hot = &self.hot[channel];
        hot.sleep_at > t || hot.awake_at > t
    }

    /// Returns whether a channel is going off at time `t`: it has been turned off, and does not yet sleep.
    pub fn is_going_off(&self, channel: usize, t: u64) -> bool {
        !self.is_wanted(channel, t) && t < self.asleep_from(channel)
    }

    /// Returns when a channel that is commanded off sleeps, once it has sent what it had to and gone to sleep.
    pub fn asleep_from(&self, channel: usize) -> u64 {
        let hot = &self.hot[channel];
        let states = self.classes[hot.class as usize].states.as_ref();
        let enter = states.map_or(0, |states| states.of(self.policy.off_state(hot.class)).enter.0);
        hot.idle_since.saturating_add(enter)
    }
}

impl<P: Policy> Links<'_, P> {
    /// Notes that a packet wakes a channel at time `t`.
    #[cold]
    pub fn note_wake(&mut self, channel: usize, t: u64) {
        if self.policy.runtime_rules(self.hot[channel].class).is_some() {
            self.notifications.push(LinkNotification { channel, at: t, idle_since: None });
        }
    }

    /// Notes that a channel has been idle until time `t`, if that was for long.
    #[cold]
    pub fn note_gap(&mut self, channel: usize, t: u64) {
        let hot = &self.hot[channel];
        let Some(states) = self.classes[hot.class as usize].states else { return };
        let transitions = states.deep.enter.saturating_add(states.deep.wake);
        let scheduled = || self.policy.runtime_rules(hot.class).is_some_and(|rules| rules.mode == Mode::Scheduled);
        if t - hot.idle_since >= transitions.0 && scheduled() {
            self.notifications.push(LinkNotification { channel, at: t, idle_since: Some(hot.idle_since) });
        }
    }

    /// Lets a channel lose a share of its time to waking.
    pub fn allow(&mut self, channel: usize, billionths: u32) {
        let class = self.hot[channel].class;
        self.policy.allowed(class, &mut self.accounts[channel].policy, billionths);
    }

    /// Allows a channel to sleep from time `t` on, as soon as it is idle and no packet waits for it.
    pub fn let_sleep(&mut self, channel: usize, t: u64) {
        if self.is_asleep(channel, t) {
            return;
        }
        let idle_since = self.hot[channel].idle_since;
        if idle_since < t {
            // It has been idle and on until now.
            self.idle_over(channel, t);
        }
        let hot = &mut self.hot[channel];
        let state = &mut self.accounts[channel].policy;
        self.policy.commanded(hot.class, state, false);
        if idle_since != u64::MAX {
            hot.idle_since = idle_since.max(t);
            hot.sleep_at = sleep_after(hot.idle_since, self.policy.timers(hot.class, state));
        }
    }

    /// Keeps a channel on from time `t` on, whether it is idle or not; returns whether that wakes it.
    pub fn keep_on(&mut self, channel: usize, t: u64) -> bool {
        let sleeps = self.is_asleep(channel, t);
        if sleeps {
            self.start_waking(channel, t);
        }
        let hot = &mut self.hot[channel];
        let state = &mut self.accounts[channel].policy;
        self.policy.commanded(hot.class, state, true);
        if hot.idle_since != u64::MAX {
            hot.sleep_at = sleep_after(hot.idle_since, self.policy.timers(hot.class, state));
        }
        sleeps
    }
}
