//! One direction of a link: its wire, its credits, the queues that wait for it, and its power state machine.

use std::collections::BTreeSet;

use drowse_core::measure::ChannelRecord;
use drowse_core::model::config::{ClassModel, SwitchModel};
use drowse_core::power::{LinkState, SleepState, Timers};

/// One direction of a link.
pub struct Channel<'a> {
    /// The parameters of its class.
    pub class: &'a ClassModel,
    timers: Timers,
    flit_bits: u64,
    /// When it has sent the last bit of the last packet.
    pub free_at: u64,
    /// Flits that may be sent on each virtual channel.
    pub credits: Vec<u64>,
    /// Returning credits: arrival time, virtual channel, flits.
    pub returning: Vec<(u64, usize, u64)>,
    /// The input queues whose heads wait for it.
    waiting: BTreeSet<usize>,
    /// Flits sent since the beginning.
    sent: u64,
    /// The power state and its begin.
    state: LinkState,
    since: u64,
    /// While entering, asleep or waking: whether the sleep state is deep sleep.
    deep: bool,
    /// The begin of its idle period, past or future, unless a queue waits for it.
    idle_since: u64,
    /// When it was last woken.
    woken_at: u64,
    /// The end of the last wake, past or future.
    pub awake_at: u64,
    /// Its account from `counted_from` to the begin of its state.
    record: ChannelRecord,
    counted_from: u64,
}

impl<'a> Channel<'a> {
    /// Makes a channel that is on and idle.
    pub fn new(class: &'a ClassModel, timers: Timers, switch: &SwitchModel) -> Self {
        Channel {
            class,
            timers,
            flit_bits: switch.flit.0 * 8,
            free_at: 0,
            credits: vec![switch.buffer_flits.into(); switch.vcs.total().into()],
            returning: Vec::new(),
            waiting: BTreeSet::new(),
            sent: 0,
            state: LinkState::On,
            since: 0,
            deep: false,
            idle_since: 0,
            woken_at: 0,
            awake_at: 0,
            record: ChannelRecord::default(),
            counted_from: 0,
        }
    }

    /// Advances the state and the credits up to and including time `t`.
    pub fn advance(&mut self, t: u64) {
        while let Some((at, state)) = self.next_change(t).filter(|&(at, _)| at <= t) {
            self.enter(state, at);
        }
        self.returning.retain(|&(at, vc, flits)| {
            self.credits[vc] += if at <= t { flits } else { 0 };
            at > t
        });
    }

    /// Returns time and state of the next change, if no event comes before.
    fn next_change(&self, t: u64) -> Option<(u64, LinkState)> {
        let target = self.target()?;
        let Timers { shallow, deep } = self.timers;
        let asleep = if self.deep { LinkState::Deep } else { LinkState::Shallow };
        Some(match self.state {
            // At the moment when its idle period begins, a channel is still on, with any timers.
            LinkState::On if !self.waiting.is_empty() || self.idle_since >= t => return None,
            LinkState::On => (self.idle_since.saturating_add(shallow.min(deep).0), LinkState::Entering),
            LinkState::Entering if self.is_waking() => (self.since + target.enter.0, LinkState::Waking),
            LinkState::Entering => (self.since + target.enter.0, asleep),
            // A queue that waits without having woken it does not prevent deep sleep.
            LinkState::Shallow => (self.idle_since.saturating_add(deep.0).max(self.since), LinkState::Entering),
            LinkState::Deep => return None,
            LinkState::Waking => (self.awake_at, LinkState::On),
        })
    }

    /// Returns the sleep state that it enters, is in or leaves; `None` for a channel that is always on.
    fn target(&self) -> Option<SleepState> {
        self.class.states.map(|states| if self.deep { states.deep } else { states.shallow })
    }

    fn enter(&mut self, state: LinkState, at: u64) {
        self.record.residency[self.state as usize].0 += at - self.since.max(self.counted_from);
        if state == LinkState::Entering {
            self.deep = self.state == LinkState::Shallow || self.timers.deep <= self.timers.shallow;
        }
        (self.state, self.since) = (state, at);
    }

    /// Returns its account up to time `t`, and begins a new one.
    pub fn account(&mut self, t: u64) -> ChannelRecord {
        self.advance(t);
        self.record.residency[self.state as usize].0 += t - self.since.max(self.counted_from);
        self.counted_from = t;
        std::mem::take(&mut self.record)
    }

    /// Returns whether it can send.
    pub fn is_on(&self) -> bool {
        self.state == LinkState::On
    }

    /// Returns whether it has been woken in its state and is not on yet.
    pub fn is_waking(&self) -> bool {
        !self.is_on() && self.awake_at > self.since
    }

    /// Returns whether it sleeps or enters sleep and has not been woken.
    pub fn is_asleep(&self) -> bool {
        !self.is_on() && !self.is_waking()
    }

    /// Returns how long it would take to wake. A channel that enters sleep completes that first.
    pub fn time_to_wake(&self, t: u64) -> u64 {
        let entered =
            |target: SleepState| if self.state == LinkState::Entering { self.since + target.enter.0 } else { t };
        self.target().map_or(0, |target| entered(target) + target.wake.0 - t)
    }

    /// Returns the queues whose heads wait for it.
    pub fn waiters(&self) -> impl Iterator<Item = usize> {
        self.waiting.iter().copied()
    }

    /// Returns the time that `flits` flits take, rounded down.
    pub fn time_of(&self, flits: u64) -> u64 {
        let picobits = u128::from(flits) * u128::from(self.flit_bits) * 1_000_000_000_000;
        (picobits / u128::from(self.class.bandwidth.0)) as u64
    }

    /// Wakes it if it sleeps. A channel that enters sleep completes that first.
    pub fn wake(&mut self, t: u64) {
        if !self.is_asleep() {
            return;
        }
        let enters = self.state == LinkState::Entering;
        self.awake_at = t + self.time_to_wake(t);
        (self.woken_at, self.idle_since) = (t, self.awake_at);
        self.record.wakes += 1;
        if !enters {
            self.enter(LinkState::Waking, t);
        }
        self.advance(t);
    }

    /// Counts a message that arrived at time `since` and was delayed until the channel was awake, and the time lost.
    pub fn delay(&mut self, since: u64) {
        self.record.delayed_messages += 1;
        self.record.time_lost.0 += self.awake_at.saturating_sub(since.max(self.woken_at).max(self.counted_from));
    }

    /// Adds a queue whose head waits for it. This ends the idle period, unless it sleeps.
    pub fn add_waiter(&mut self, queue: usize) {
        self.waiting.insert(queue);
    }

    /// Removes a queue whose head has left by another output at time `t`.
    pub fn remove_waiter(&mut self, queue: usize, t: u64) {
        if self.waiting.remove(&queue) && !self.is_asleep() {
            self.idle_since = t.max(self.free_at).max(self.awake_at);
        }
    }

    /// Sends a packet from time `start` on, after its waiter has been removed. Returns the time of its last bit.
    pub fn send(&mut self, flits: u64, start: u64) -> u64 {
        self.free_at = start + self.bits_until(self.sent + flits) - self.bits_until(self.sent);
        self.idle_since = self.free_at;
        self.sent += flits;
        self.record.flits += flits;
        self.record.packets += 1;
        self.free_at
    }

    /// Returns the time that the first `flits` flits of a channel take, in whole picoseconds.
    ///
    /// A packet takes the difference of two such times, so a long flow has exactly the bandwidth.
    fn bits_until(&self, flits: u64) -> u64 {
        self.time_of(flits)
    }

    /// Returns the time that a packet takes, rounded up.
    pub fn duration(&self, flits: u64) -> u64 {
        self.class.bandwidth.transfer_time(flits * self.flit_bits / 8).0
    }
}
