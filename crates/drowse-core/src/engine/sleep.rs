//! How channels idle, sleep and wake, and the account of it.
//!
//! Nothing happens while a channel idles: what it has done follows by arithmetic when somebody asks for it, and when the measured
//! time begins or ends.

use crate::measure::ChannelRecord;
use crate::model::units::Time;
use crate::power::{Idle, LinkState, Policy, Timeline, Timers, Wake};

use super::channel::{Channel, Channels};

/// The part of a channel that only its sleep touches.
#[derive(Clone, Debug)]
pub struct Account<S> {
    /// Residencies are complete up to here; since the run began, the channel was last woken here.
    settled: u64,
    /// When the last waking started; before it, the channel was still entering.
    wake_from: u64,
    /// Time in the states entering, shallow, deep and waking.
    asleep: [u64; 4],
    /// Time that messages have waited for the channel to wake.
    lost: u64,
    /// Until when the other channel of the link is in use, where both sleep together.
    pub peer_until: u64,
    /// The policy's memory.
    pub policy: S,
}

impl<S> Account<S> {
    // Not inlined, lest it be loaded in vain: the account lies in other cache lines than what a packet needs.
    #[inline(never)]
    fn after_peer(&self, since: u64) -> u64 {
        since.max(self.peer_until)
    }

    /// Makes the account of a channel that has been on from the start.
    pub fn new(policy: S) -> Self {
        Account { settled: 0, wake_from: 0, asleep: [0; 4], lost: 0, peer_until: 0, policy }
    }
}

/// When a channel sleeps that has been idle since `idle_since`, by these timers.
///
/// At the very start of its idle period a channel is on, even where the timers are 0.
#[inline]
pub fn sleep_after(idle_since: u64, timers: Timers) -> u64 {
    idle_since.saturating_add(timers.shallow.min(timers.deep).0.max(1))
}

impl Channel {
    /// Begins an idle period, or lets it begin later where the other channel of the link, which sleeps together with this one if
    /// they are `coupled`, is still in use.
    #[inline]
    pub(super) fn idle_from<P: Policy>(&mut self, policy: &P, account: &Account<P::State>, coupled: bool, since: u64) {
        self.idle_since = if coupled { account.after_peer(since) } else { since };
        self.sleep_at = sleep_after(self.idle_since, policy.timers(self.class, &account.policy));
    }
}

impl<P: Policy> Channels<'_, P> {
    /// Returns whether the channel is on at time `t`.
    #[inline]
    pub fn is_on(&self, channel: usize, t: u64) -> bool {
        self.hot[channel].is_on(t)
    }

    /// Returns whether the channel is waking at time `t`, or has been asked to while it was entering.
    #[inline]
    pub fn is_waking(&self, channel: usize, t: u64) -> bool {
        t < self.hot[channel].awake_at
    }

    /// Returns whether the channel sleeps or enters a sleep state at time `t`, and nobody has woken it.
    #[inline]
    pub fn is_asleep(&self, channel: usize, t: u64) -> bool {
        let hot = &self.hot[channel];
        hot.sleep_at <= t && hot.awake_at <= t
    }

    /// Ends the idle period of a channel that is on: somebody waits for it.
    #[inline]
    pub fn end_idle(&mut self, channel: usize, t: u64) {
        if self.hot[channel].has(Channel::SLEEPS) {
            self.idle_over(channel, t);
            let hot = &mut self.hot[channel];
            (hot.idle_since, hot.sleep_at) = (u64::MAX, u64::MAX);
        }
    }

    /// Begins an idle period of a channel that was waited for: nobody waits any more.
    #[inline]
    pub fn begin_idle(&mut self, channel: usize, t: u64) {
        let hot = &self.hot[channel];
        // One that sleeps has been idle all along: those who would have taken it did not wake it.
        if hot.has(Channel::SLEEPS) && hot.idle_since == u64::MAX {
            let since = t.max(hot.free_at).max(hot.awake_at);
            self.idle_from(channel, since);
        }
    }

    /// Begins an idle period, or lets it begin later where the other channel of the link is still in use.
    #[inline]
    pub(super) fn idle_from(&mut self, channel: usize, since: u64) {
        self.hot[channel].idle_from(self.policy, &self.accounts[channel], self.coupled, since);
    }

    /// Lets the policy learn of the idle period, if there was one, of a channel that is on.
    #[inline]
    pub(super) fn idle_over(&mut self, channel: usize, t: u64) {
        if self.policy.shortest_idle() == Time::NEVER {
            return;
        }
        let idle_since = self.hot[channel].idle_since;
        if idle_since < t && t - idle_since >= self.policy.shortest_idle().0 {
            self.learn(channel, t, None);
        }
    }

    /// Lets the policy learn of an idle period that has ended at time `t`.
    #[inline(never)]
    fn learn(&mut self, channel: usize, t: u64, wake: Option<Wake>) {
        let hot = &self.hot[channel];
        let (class, since) = (hot.class, hot.idle_since);
        let idle = Idle { since: Time(since), until: Time(t), wake };
        self.policy.idle_ended(class, &mut self.accounts[channel].policy, idle);
        if self.directed {
            self.note_gap(channel, t);
        }
        if let Some(sleep) = self.policy.hindsight(class, idle.length(), true) {
            self.add_sleep(channel, sleep, t, true);
        }
    }

    /// Wakes a channel that sleeps or enters at time `t`, because somebody asks for it.
    pub fn wake(&mut self, channel: usize, t: u64) {
        self.start_waking(channel, t);
        if self.directed {
            self.note_wake(channel, t);
        }
        if self.coupled {
            self.woken.push((channel, t));
        }
    }

    /// Lets a channel that sleeps or enters wake from time `t` on.
    pub(super) fn start_waking(&mut self, channel: usize, t: u64) {
        self.settle(channel, t);
        let (hot, account) = (&self.hot[channel], &self.accounts[channel]);
        let Some(states) = self.classes[hot.class as usize].states else { return };
        let timeline = Timeline::new(self.policy.timers(hot.class, &account.policy), states);
        let Some(wake) = timeline.wake(Time(t - hot.idle_since)) else { return };
        let from = hot.idle_since + wake.from.0;
        self.learn(channel, t, Some(wake));
        self.accounts[channel].wake_from = from;
        let hot = &mut self.hot[channel];
        hot.wakes += 1;
        hot.awake_at = from + wake.takes.0;
        (hot.idle_since, hot.sleep_at) = (u64::MAX, u64::MAX);
    }

    /// Counts a message that begins to cross a channel; `delayed` is since when it was there, if it waited until the channel was
    /// awake. On its minimal route `hops` channels may sleep.
    #[inline]
    pub fn begin_message(&mut self, channel: usize, hops: u8, delayed: Option<u64>) {
        let hot = &mut self.hot[channel];
        if !hot.has(Channel::SLEEPS) {
            return;
        }
        if self.policy.counts_messages() {
            self.policy.message(hot.class, &mut self.accounts[channel].policy, hops);
        }
        if let Some(since) = delayed {
            hot.delayed_messages += 1;
            // What it waited for before the channel was asked for was not the channel's sleep. One that gathers was asked for
            // before it woke.
            let account = &mut self.accounts[channel];
            let asked = self.gathered.get(channel).map_or(u64::MAX, |gathered| gathered.since).min(account.settled);
            account.lost += hot.awake_at.saturating_sub(since.max(asked));
        }
    }

    /// Returns the latest time up to which residencies are complete: when a channel was last woken.
    pub fn last_settled(&self) -> u64 {
        self.accounts.iter().map(|account| account.settled).max().unwrap_or(0)
    }

    /// Completes the residencies up to time `t`.
    fn settle(&mut self, channel: usize, t: u64) {
        let hot = &self.hot[channel];
        if !hot.has(Channel::SLEEPS) {
            return;
        }
        let account = &mut self.accounts[channel];
        let from = account.settled;
        if t <= from {
            return;
        }
        account.settled = t;
        let overlap = |start: u64, end: u64| t.min(end).saturating_sub(from.max(start));
        let mut residency = [0; 5];
        residency[LinkState::Entering as usize] = overlap(0, account.wake_from);
        residency[LinkState::Waking as usize] = overlap(account.wake_from, hot.awake_at);
        if let Some(states) = self.classes[hot.class as usize].states
            && hot.idle_since < t
        {
            let timeline = Timeline::new(self.policy.timers(hot.class, &account.policy), states);
            let idle_from = from.max(hot.idle_since) - hot.idle_since;
            timeline.add_residency(Time(idle_from), Time(t - hot.idle_since), &mut residency);
        }
        account.asleep.iter_mut().zip(&residency[1..]).for_each(|(sum, time)| *sum += time);
    }

    /// Accounts the idle period that ends at time `t` as if the channel had slept in it, and woken in time if it `wakes`.
    #[cold]
    fn add_sleep(&mut self, channel: usize, sleep: LinkState, t: u64, wakes: bool) {
        let (hot, account) = (&mut self.hot[channel], &mut self.accounts[channel]);
        let Some(states) = self.classes[hot.class as usize].states else { return };
        let state = states.of(sleep);
        let asleep_from = hot.idle_since.saturating_add(state.enter.0);
        let asleep_to = if wakes { t.saturating_sub(state.wake.0) } else { t };
        // What lies before the measured time does not count.
        let since = self.since;
        let overlap = |start: u64, end: u64| end.saturating_sub(start.max(since));
        let mut add = |state: LinkState, time: u64| account.asleep[state as usize - 1] += time;
        add(LinkState::Entering, overlap(hot.idle_since, asleep_from));
        add(sleep, overlap(asleep_from, asleep_to));
        add(LinkState::Waking, overlap(asleep_to, t));
        hot.wakes += u32::from(wakes);
        // As after a wake: the measured time of programs goes on until then.
        account.settled = account.settled.max(t);
    }

    /// Begins to count anew at time `t` what channels do.
    pub fn count_from(&mut self, t: u64) {
        (0..self.hot.len()).for_each(|channel| self.settle(channel, t));
        self.accounts.iter_mut().for_each(|account| (account.asleep, account.lost) = ([0; 4], 0));
        for hot in &mut self.hot {
            (hot.packets, hot.flits, hot.wakes, hot.delayed_messages) = (0, 0, 0, 0);
        }
        self.since = t;
    }

    /// Ends what is counted at time `t`, and gives what a channel has done; to be called once.
    pub fn record(&mut self, channel: usize, t: u64) -> ChannelRecord {
        self.settle(channel, t);
        self.end_run(channel, t);
        let hot = &self.hot[channel];
        let (asleep, lost) = self.accounts.get(channel).map_or(([0; 4], 0), |account| (account.asleep, account.lost));
        let [entering, shallow, deep, waking] = asleep;
        let on = t - self.since - asleep.iter().sum::<u64>();
        ChannelRecord {
            residency: [on, entering, shallow, deep, waking].map(Time),
            wakes: u64::from(hot.wakes),
            delayed_messages: u64::from(hot.delayed_messages),
            time_lost: Time(lost),
            packets: hot.packets,
            flits: hot.flits,
        }
    }

    /// Lets the policy learn of the idle period in which a channel is at the end.
    fn end_run(&mut self, channel: usize, t: u64) {
        let hot = &self.hot[channel];
        if !hot.has(Channel::SLEEPS) || hot.idle_since >= t {
            return;
        }
        let class = hot.class;
        let idle = Idle { since: Time(hot.idle_since), until: Time(t), wake: None };
        self.policy.run_ended(class, &mut self.accounts[channel].policy, idle);
        if let Some(sleep) = self.policy.hindsight(class, idle.length(), false) {
            self.add_sleep(channel, sleep, t, false);
        }
    }
}
