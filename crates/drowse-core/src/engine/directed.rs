//! The runtime system's ears and hands in a shard: what it hears of ranks and channels, and the orders that it gives them.
//!
//! Orders take effect at an edge, when all has happened that happens by it, so that the coordinator knows all that they are to
//! follow from, whatever the cut: it lets no window go on beyond the next order.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::model::ids::{ChannelId, NodeId};
use crate::model::units::Time;
use crate::power::Policy;
use crate::power::runtime::{CommandKind, Mode, Notification, NotificationKind, Rules};

use super::channel::Channels;
use super::fabric::Fabric;
use super::shard::Shard;
use super::sleep::sleep_after;

/// Orders that take effect when everything has happened that happens by an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// The number of the edge.
    pub edge: u64,
    /// What is ordered.
    pub list: Arc<[CommandKind]>,
}

/// What has been heard of a channel: a packet has woken it, or it has been idle for long.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    channel: usize,
    at: u64,
    /// Since when it has been idle; `None` where a packet has woken it.
    idle_since: Option<u64>,
}

/// What ranks tell of their iterations and messages.
#[derive(Clone, Debug)]
pub struct Reporter {
    rules: Rules,
    /// By job.
    jobs: Vec<JobOrders>,
    /// What has happened since somebody asked.
    pub events: Vec<Notification>,
}

#[derive(Clone, Debug, Default)]
struct JobOrders {
    /// The first iteration that it learns from, or has learned from last.
    first: u32,
    /// The first iteration in which it follows a schedule.
    schedule: Option<u32>,
    /// Pairs of nodes that have been told of.
    pairs: FxHashSet<(u32, u32)>,
}

impl Reporter {
    /// Prepares to tell of so many jobs.
    pub fn new(rules: Rules, jobs: usize) -> Self {
        Reporter { rules, jobs: vec![JobOrders::default(); jobs], events: Vec::new() }
    }

    fn tell(&mut self, at: u64, what: NotificationKind) {
        self.events.push(Notification { at: Time(at), what });
    }

    /// Returns that a rank of a job begins an iteration, and gives how long calls of the runtime system keep it busy: one when it
    /// has learned, and in each iteration of a schedule one to turn links off and one to turn them on.
    pub fn iteration(&mut self, job: u32, rank: u32, number: u32, t: u64) -> Time {
        self.tell(t, NotificationKind::Iteration { rank, number });
        let orders = &self.jobs[job as usize];
        let learns = number.checked_sub(orders.first) == Some(self.rules.learn.get());
        let follows = orders.schedule.is_some_and(|from| number >= from);
        let calls = u64::from(learns) + if follows { 2 } else { 0 };
        Time(self.rules.overhead.0.saturating_mul(calls))
    }

    /// Returns that a rank has ended.
    pub fn finished(&mut self, rank: u32, t: u64) {
        self.tell(t, NotificationKind::Finished { rank });
    }

    /// Hears of a message between two nodes from a rank that has begun so many iterations; tells of it if it is the first.
    pub fn message(&mut self, job: u32, iterations: u32, (from, to): (u32, u32), t: u64) {
        let orders = &mut self.jobs[job as usize];
        if let Some(iteration) = iterations.checked_sub(1).filter(|&iteration| iteration >= orders.first)
            && orders.pairs.insert((from, to))
        {
            self.tell(t, NotificationKind::Pair { job, iteration, from: NodeId(from), to: NodeId(to) });
        }
    }

    fn obey(&mut self, order: CommandKind) {
        match order {
            CommandKind::Channel { .. } => {}
            CommandKind::Learn { job, first } => self.jobs[job as usize] = JobOrders { first, ..JobOrders::default() },
            CommandKind::Schedule { job, from } => self.jobs[job as usize].schedule = from,
        }
    }
}

impl<P: Policy> Channels<'_, P> {
    /// Notes that a packet wakes a channel at time `t`.
    #[cold]
    pub(super) fn note_wake(&mut self, channel: usize, t: u64) {
        if self.policy.runtime_rules(self.hot[channel].class).is_some() {
            self.heard.push(Heard { channel, at: t, idle_since: None });
        }
    }

    /// Notes that a channel has been idle until time `t`, if that was for long.
    #[cold]
    pub(super) fn note_gap(&mut self, channel: usize, t: u64) {
        let hot = &self.hot[channel];
        let Some(states) = self.classes[hot.class as usize].states else { return };
        let long = 2 * (u128::from(states.deep.enter.0) + u128::from(states.deep.wake.0));
        let scheduled = || self.policy.runtime_rules(hot.class).is_some_and(|rules| rules.mode == Mode::Scheduled);
        if u128::from(t - hot.idle_since) >= long && scheduled() {
            self.heard.push(Heard { channel, at: t, idle_since: Some(hot.idle_since) });
        }
    }

    /// Lets a channel sleep from time `t` on as soon as it is idle and nobody waits for it.
    fn let_sleep(&mut self, channel: usize, t: u64) {
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

    /// Lets a channel be on from time `t` on, whether it is idle or not; tells whether that wakes it.
    fn keep_on(&mut self, channel: usize, t: u64) -> bool {
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

impl<P: Policy> Fabric<'_, P> {
    /// Lets a channel of the whole network, if it is here, be off or on.
    fn obey(&mut self, channel: ChannelId, on: bool) {
        let Some(channel) = self.part.local_channel(self.network, channel) else { return };
        let (channel, t) = (channel as usize, self.now.time);
        if !on {
            return self.channels.let_sleep(channel, t);
        }
        if !self.channels.keep_on(channel, t) {
            return;
        }
        let awake_at = self.channels.hot[channel].awake_at;
        // A NIC does not wait for a channel that sleeps without waking it.
        if channel < self.part.ports() as usize && self.channels.some_wait(channel) {
            let awake = self.clock.first_from(awake_at);
            self.output_alarm(channel, awake.max(self.now.number + 1));
        } else {
            self.channels.begin_idle(channel, awake_at);
        }
    }
}

impl<P: Policy> Shard<'_, P> {
    /// Does what the runtime system orders.
    pub(super) fn obey(&mut self, orders: &Orders) {
        self.fabric.now = self.fabric.clock.edge(orders.edge);
        for &order in &*orders.list {
            if let CommandKind::Channel { channel, on } = order {
                self.fabric.obey(channel, on);
            } else if let Some(reporter) = self.reporter() {
                reporter.obey(order);
            }
        }
    }

    /// Returns what the runtime system hears, which is forgotten here.
    pub(super) fn take_events(&mut self) -> Vec<Notification> {
        let mut events = self.reporter().map_or_else(Vec::new, |reporter| std::mem::take(&mut reporter.events));
        let fabric = &mut self.fabric;
        for Heard { channel, at, idle_since } in fabric.channels.heard.drain(..) {
            let channel = fabric.part.channel_id(fabric.network, channel as u32);
            let what = match idle_since {
                None => NotificationKind::Woken { channel },
                Some(since) => NotificationKind::Gap { channel, since: Time(since) },
            };
            events.push(Notification { at: Time(at), what });
        }
        events
    }
}
