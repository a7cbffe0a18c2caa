//! How channels idle, sleep and wake, and the account of it.
//!
//! No event happens while a channel idles: its states follow by arithmetic when a packet requests it, and when the
//! measured time begins or ends.

use crate::engine::extrapolation::Counts;
use crate::measure::ChannelRecord;
use crate::model::link_state::PerState;
use crate::model::units::Time;
use crate::power::{FurtherTimers, Idle, LinkState, Policy, SleepStates, Timeline, Wake};

use crate::engine::link::channel::Channel;
use crate::engine::link::links::Links;
use crate::engine::link::peer::after_peer;

impl<P: Policy> Links<'_, P> {
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

    /// Returns whether the channel sleeps or enters a sleep state at time `t`, and has not been woken.
    #[inline]
    pub fn is_asleep(&self, channel: usize, t: u64) -> bool {
        let hot = &self.hot[channel];
        hot.sleep_at <= t && hot.awake_at <= t
    }

    /// Ends the idle period of a channel that is on: a packet waits for it.
    #[inline]
    pub fn end_idle(&mut self, channel: usize, t: u64) {
        if self.hot[channel].has(Channel::SLEEPS) {
            self.idle_over(channel, t);
            let hot = &mut self.hot[channel];
            (hot.idle_since, hot.sleep_at) = (u64::MAX, u64::MAX);
        }
    }

    /// Begins an idle period of a channel for which no packet waits any more.
    #[inline]
    pub fn begin_idle(&mut self, channel: usize, t: u64) {
        let hot = &self.hot[channel];
        // One that sleeps has been idle all along: the packets that could have taken it did not wake it.
        if hot.has(Channel::SLEEPS) && hot.idle_since == u64::MAX {
            let since = t.max(hot.free_at).max(hot.awake_at);
            self.idle_from(channel, since);
        }
    }

    /// Begins an idle period; a later one where the other channel of a paired link is still in use.
    #[inline]
    pub fn idle_from(&mut self, channel: usize, since: u64) {
        let since = after_peer(&self.peer_until, channel, since);
        self.hot[channel].idle_from(self.policy, &self.accounts[channel], since);
    }

    /// Reports the idle period, if there was one, of a channel that is on to the policy.
    #[inline]
    pub fn idle_over(&mut self, channel: usize, t: u64) {
        if self.policy.shortest_idle() == Time::NEVER {
            return;
        }
        let idle_since = self.hot[channel].idle_since;
        if idle_since < t && t - idle_since >= self.policy.shortest_idle().0 {
            self.learn(channel, t, None);
        }
    }

    /// Reports an idle period that has ended at time `t` to the policy.
    #[inline(never)]
    fn learn(&mut self, channel: usize, t: u64, wake: Option<Wake>) {
        let hot = &self.hot[channel];
        let (class, since) = (hot.class, hot.idle_since);
        let idle = Idle { since: Time(since), until: Time(t), wake };
        self.policy.idle_ended(class, &mut self.accounts[channel].policy, idle);
        if self.runtime_controlled {
            self.note_gap(channel, t);
        }
        if let Some(sleep) = self.policy.hindsight(class, idle.length(), true) {
            self.add_sleep(channel, sleep, t, true);
        }
    }

    /// Returns the timeline of a channel's idle period; `None` where its class has no sleep states.
    fn timeline(&self, channel: usize) -> Option<Timeline<'_>> {
        let class = self.hot[channel].class;
        let states = self.classes[usize::from(class)].states.as_ref()?;
        let memory = &self.accounts[channel].policy;
        let timeline =
            Timeline::new(self.policy.timers(class, memory), self.further_timers(class, memory, states), states);
        // Under a cap, what is off since the start was off before.
        let entered = self.hot[channel].idle_since == 0 && self.policy.cap(class).is_some();
        Some(if entered { timeline.entered() } else { timeline })
    }

    /// Returns the timers of the states beyond deep sleep. Where there are no such states, nobody is asked.
    fn further_timers(&self, class: u8, memory: &P::State, states: &SleepStates) -> FurtherTimers {
        if states.further.is_empty() { FurtherTimers::NEVER } else { self.policy.further_timers(class, memory) }
    }

    /// Returns how long a channel that sleeps or enters sleep takes to wake from time `t` on; 0 for one that is on.
    pub fn time_to_wake(&self, channel: usize, t: u64) -> u64 {
        let idle = t.saturating_sub(self.hot[channel].idle_since);
        let wake = self.timeline(channel).and_then(|timeline| timeline.wake(Time(idle)));
        wake.map_or(0, |wake| wake.from.saturating_add(wake.takes).0 - idle)
    }

    /// Wakes a channel that sleeps or enters sleep at time `t`, because it is requested.
    pub fn wake(&mut self, channel: usize, t: u64) {
        self.start_waking(channel, t);
        if self.runtime_controlled {
            self.note_wake(channel, t);
        }
        if self.paired {
            self.woken.push((channel, t));
        }
    }

    /// Starts the waking of a channel that sleeps or enters sleep at time `t`.
    pub fn start_waking(&mut self, channel: usize, t: u64) {
        self.count_until(channel, t);
        let Some(timeline) = self.timeline(channel) else { return };
        let hot = &self.hot[channel];
        let idle = Time(t - hot.idle_since);
        let Some(wake) = timeline.wake(idle) else { return };
        let from = hot.idle_since + wake.from.0;
        // The way from shallow to deep sleep may count as shallow sleep, to its end.
        let enters_as =
            if timeline.state(idle) == LinkState::Shallow { LinkState::Shallow } else { LinkState::Entering };
        if P::PROBES && self.wake_log.is_some() {
            self.note_woken(channel);
        }
        self.learn(channel, t, Some(wake));
        let account = &mut self.accounts[channel];
        (account.wake_from, account.enters_as) = (from, enters_as);
        let hot = &mut self.hot[channel];
        hot.wakes += 1;
        hot.awake_at = from + wake.takes.0;
        (hot.idle_since, hot.sleep_at) = (u64::MAX, u64::MAX);
    }

    /// Counts a message that begins to cross a channel. `delayed` is the time of its arrival, if it waited until the
    /// channel was awake. On its minimal route `hops` channels may sleep.
    #[inline]
    pub fn begin_message(&mut self, channel: usize, hops: u8, delayed: Option<u64>) {
        let hot = &mut self.hot[channel];
        if !hot.has(Channel::SLEEPS) {
            return;
        }
        if self.policy.counts_messages() {
            self.policy.message(hot.class, &mut self.accounts[channel].policy, hops);
        }
        let Some(since) = delayed else { return };
        hot.delayed_messages += 1;
        let awake_at = hot.awake_at;
        // What it waited for before the request was not the channel's sleep, and what lies before the measured time does
        // not count.
        let lost = awake_at.saturating_sub(since.max(self.requested(channel)).max(self.since));
        let account = &mut self.accounts[channel];
        account.lost = account.lost.saturating_add(lost);
        if P::PROBES {
            self.wake_log.iter_mut().for_each(|log| log.waited(channel, awake_at, lost));
        }
    }

    /// Returns when a channel was requested that has woken since. One that coalesced was requested before it woke.
    #[inline]
    pub fn requested(&self, channel: usize) -> u64 {
        let coalescing = self.coalescing.get(channel).map_or(u64::MAX, |coalescing| coalescing.since);
        coalescing.min(self.accounts[channel].settled)
    }

    /// Returns the latest time up to which residencies are complete: when a channel was last woken.
    pub fn last_settled(&self) -> u64 {
        self.accounts.iter().map(|account| account.settled).max().unwrap_or(0)
    }

    /// Completes the residencies up to time `t`.
    fn count_until(&mut self, channel: usize, t: u64) {
        if P::PROBES && self.over_time.is_some() {
            self.account_by_interval(channel, t);
        }
        self.account_at_once(channel, t);
    }

    /// Completes the residencies up to time `t`, one interval after the other, where these are recorded.
    #[cold]
    fn account_by_interval(&mut self, channel: usize, t: u64) {
        let hot = &self.hot[channel];
        let class = hot.class;
        if !hot.has(Channel::SLEEPS) {
            return;
        }
        let Some(group) = self.over_time.as_ref().and_then(|over_time| over_time.group(channel, class)) else { return };
        let Some(mut over_time) = self.over_time.take() else { return };
        loop {
            let (from, before) = (self.accounts[channel].settled, self.asleep(channel));
            if from >= t {
                break;
            }
            self.account_at_once(channel, over_time.end_of(from, t).min(t));
            let mut spent = self.asleep(channel);
            spent.iter_mut().zip(before).for_each(|(after, before)| *after -= before);
            over_time.asleep(group, from, &spent);
        }
        self.over_time = Some(over_time);
    }

    /// Returns the times in all states but on.
    pub(super) fn asleep(&self, channel: usize) -> [u64; LinkState::COUNT - 1] {
        let [entering, shallow, deep, waking] = self.accounts[channel].asleep;
        let [third, fourth, fifth, sixth] = self.further.get(channel).copied().unwrap_or([0; 4]);
        [entering, shallow, deep, waking, third, fourth, fifth, sixth]
    }

    fn account_at_once(&mut self, channel: usize, t: u64) {
        if !self.hot[channel].has(Channel::SLEEPS) || t <= self.accounts[channel].settled {
            return;
        }
        let residency = self.residency_until(channel, t);
        let account = &mut self.accounts[channel];
        account.settled = t;
        account.asleep.iter_mut().zip(&residency[1..]).for_each(|(sum, time)| *sum += time);
        if let Some(further) = self.further.get_mut(channel) {
            further.iter_mut().zip(&residency[LinkState::Third as usize..]).for_each(|(sum, time)| *sum += time);
        }
    }

    /// Returns the times up to `t` in each state but on that are not accounted yet.
    pub(super) fn residency_until(&self, channel: usize, t: u64) -> PerState<u64> {
        let (hot, account) = (&self.hot[channel], &self.accounts[channel]);
        let from = account.settled;
        let overlap = |start: u64, end: u64| t.min(end).saturating_sub(from.max(start));
        let mut residency = [0; LinkState::COUNT];
        residency[account.enters_as as usize] = overlap(0, account.wake_from);
        residency[LinkState::Waking as usize] = overlap(account.wake_from, hot.awake_at);
        if hot.idle_since < t
            && let Some(timeline) = self.timeline(channel)
        {
            let idle_from = from.max(hot.idle_since) - hot.idle_since;
            timeline.add_residency(Time(idle_from), Time(t - hot.idle_since), &mut residency);
        }
        residency
    }

    /// Accounts the idle period that ends at time `t` as if the channel had slept in it, and woken in time if it
    /// `wakes`.
    #[cold]
    fn add_sleep(&mut self, channel: usize, sleep: LinkState, t: u64, wakes: bool) {
        let (hot, account) = (&mut self.hot[channel], &mut self.accounts[channel]);
        let Some(states) = &self.classes[hot.class as usize].states else { return };
        let state = states.of(sleep);
        let asleep_from = hot.idle_since.saturating_add(state.enter.0);
        let asleep_to = if wakes { t.saturating_sub(state.wake.0) } else { t };
        // What lies before the measured time does not count.
        let since = self.since;
        let (over_time, further) = (&mut self.over_time, self.further.get_mut(channel));
        let further = further.zip(sleep.sleep_place().and_then(|place| place.checked_sub(2)));
        let mut add = |state: LinkState, start: u64, end: u64| {
            if state as usize <= account.asleep.len() {
                account.asleep[state as usize - 1] += end.saturating_sub(start.max(since));
            }
            if let Some(over_time) = over_time.as_mut()
                && let Some(group) = over_time.group(channel, hot.class)
            {
                over_time.spent(group, state, start.max(since), end);
            }
        };
        add(LinkState::Entering, hot.idle_since, asleep_from);
        add(sleep, asleep_from, asleep_to);
        add(LinkState::Waking, asleep_to, t);
        if let Some((further, place)) = further {
            further[place] += asleep_to.saturating_sub(asleep_from.max(since));
        }
        hot.wakes += u32::from(wakes);
        // As after a wake: the measured time of programs goes on until then.
        account.settled = account.settled.max(t);
    }

    /// Begins to count anew at time `t` what channels do.
    pub fn count_from(&mut self, t: u64) {
        (0..self.hot.len()).for_each(|channel| self.count_until(channel, t));
        self.accounts.iter_mut().for_each(|account| (account.asleep, account.lost) = ([0; 4], 0));
        self.further.fill([0; 4]);
        for hot in &mut self.hot {
            (hot.packets, hot.flits, hot.wakes, hot.delayed_messages) = (0, 0, 0, 0);
        }
        self.since = t;
        self.wake_log.iter_mut().for_each(|log| log.count_anew());
        self.over_time.iter_mut().for_each(|over_time| over_time.count_from(t));
    }

    /// Ends the count at time `t`, and returns what a channel has done; to be called once.
    pub fn record(&mut self, channel: usize, t: u64) -> ChannelRecord {
        self.count_until(channel, t);
        self.end_run(channel, t);
        let Counts { asleep, wakes, delayed, lost, packets, flits } =
            self.counts_at(channel, t).plus(self.skipped(channel));
        let [entering, shallow, deep, waking, third, fourth, fifth, sixth] = asleep;
        let on = t - self.since - asleep.iter().sum::<u64>();
        ChannelRecord {
            residency: [on, entering, shallow, deep, waking, third, fourth, fifth, sixth].map(Time),
            wakes,
            delayed_messages: delayed,
            time_lost: Time(lost),
            packets,
            flits,
        }
    }

    /// Reports the idle period in which a channel ends the run to the policy.
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
