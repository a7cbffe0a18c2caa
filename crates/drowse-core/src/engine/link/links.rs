//! All channels of a shard: their state, and sending a packet on one.

use crate::engine::extrapolation::{Counts, Extrapolation};
use crate::measure::over_time::LinksOverTime;
use crate::measure::wakes::WakeLog;
use crate::power::Policy;

use super::account::{Account, Coalescing, LinkNotification};
use super::channel::{Channel, IdleChannel};
use super::class::Class;
use super::credit_pool::CreditPool;
use super::crossbar_paths::CrossbarPaths;
use super::masks::WideMasks;
use super::pause::Pauses;
use super::peer::after_peer;
use super::sleep_timer::sleep_after;

/// A packet that is being sent.
pub struct Sent<'a> {
    /// When its first bit is sent.
    pub start: u64,
    /// When its last bit is sent.
    pub end: u64,
    /// The channel.
    pub hot: &'a mut Channel,
    /// The channel's class.
    pub class: &'a Class,
}

/// All channels of a shard.
pub struct Links<'a, P: Policy> {
    pub policy: &'a P,
    /// The classes, then those of crossbars, and copies of the last, so that every number of a class has an entry.
    pub classes: Box<[Class; 256]>,
    /// The latency of all classes, where it is the same.
    same_latency: Option<u64>,
    /// The fields that packets use, indexed by channel.
    pub hot: Vec<Channel>,
    /// The accounts, indexed by channel; empty where none may sleep.
    pub accounts: Vec<Account<P::State>>,
    /// Time in the states beyond deep sleep, indexed by channel; empty where no class has such states.
    pub(super) further: Vec<[u64; 4]>,
    /// The two channels of a link sleep together.
    pub paired: bool,
    /// Until when the other channel of the link is in use, indexed by channel; empty where they do not sleep together.
    pub(super) peer_until: Vec<u64>,
    /// Paired channels that were woken, and when; the other ends must learn of it.
    pub woken: Vec<(usize, u64)>,
    /// The runtime system controls some of them.
    pub runtime_controlled: bool,
    /// What the runtime system is to be told of them.
    pub notifications: Vec<LinkNotification>,
    /// How channels coalesce packets, indexed by channel; empty where none does.
    pub coalescing: Vec<Coalescing>,
    pub(super) credits: CreditPool,
    /// Which senders pause when they are told to; `None` where all count credits.
    pub pauses: Option<Pauses>,
    /// Where outputs take in several packets at a time.
    pub crossbar_paths: CrossbarPaths,
    /// What is left of serialisation times below a picosecond, in units of the class's denominator, indexed by channel;
    /// empty where nothing ever is.
    pub(super) remainders: Vec<u64>,
    /// Which input queues wait for an output, beyond the first 64 of a switch.
    pub wide_masks: WideMasks,
    /// Flits of a full packet.
    pub packet_flits: u16,
    /// Since when is counted what channels do.
    pub since: u64,
    /// What they have done in times that they have skipped; empty where none has.
    pub(super) skipped: Vec<Counts>,
    /// Which iterations of jobs are extrapolated, where some may be.
    pub extrapolation: Option<Box<Extrapolation>>,
    /// What they do in each interval, where a probe wants it.
    pub over_time: Option<Box<LinksOverTime>>,
    /// For which wakes messages waited, where a probe wants it.
    pub wake_log: Option<Box<WakeLog>>,
}

impl<'a, P: Policy> Links<'a, P> {
    /// Creates channels that have been on and idle from the start; the two of a link sleep together if they are
    /// `paired`. Behind the classes of links come those of the ways through crossbars, if there are any.
    pub fn new(
        policy: &'a P,
        classes: &[Class],
        crossbars: &[Class],
        paired: bool,
        packet_flits: u16,
        channels: impl Iterator<Item = IdleChannel>,
    ) -> Self {
        let some_sleep =
            P::PROBES || (0..).zip(classes).any(|(class, model)| model.states.is_some() && policy.may_sleep(class));
        // Growing them step by step would copy them and hold them in memory twice.
        let count = channels.size_hint().0;
        let mut hot = Vec::with_capacity(count);
        let mut accounts = Vec::with_capacity(if some_sleep { count } else { 0 });
        for idle in channels {
            let IdleChannel { id, class, flags, crosses, .. } = idle;
            let mut sleep_at = u64::MAX;
            if some_sleep {
                let account = Account::new(policy.start(id, class));
                if flags & Channel::SLEEPS != 0 {
                    sleep_at = sleep_after(0, policy.timers(class, &account.policy));
                }
                accounts.push(account);
            }
            let class = if crosses { class + classes.len() as u8 } else { class };
            hot.push(Channel::new(&IdleChannel { class, ..idle }, packet_flits, sleep_at));
        }
        let runtime_controlled = (0..classes.len()).any(|class| policy.runtime_rules(class as u8).is_some());
        let coalesces = (0..classes.len()).any(|class| policy.coalescing(class as u8).is_some());
        let coalescing = vec![Coalescing::NOTHING; if coalesces { hot.len() } else { 0 }];
        let has_further = |class: &Class| class.states.as_ref().is_some_and(|states| !states.further.is_empty());
        let further = vec![[0; 4]; if classes.iter().any(has_further) { accounts.len() } else { 0 }];
        let all: Vec<&Class> = classes.iter().chain(crossbars).collect();
        let exact = all.iter().all(|class| class.is_exact());
        let remainders = vec![0; if exact { 0 } else { hot.len() }];
        let same_latency = Some(all[0].latency).filter(|&first| all.iter().all(|class| class.latency == first));
        let classes = Box::new(std::array::from_fn(|i| all[i.min(all.len() - 1)].clone()));
        Links {
            policy,
            classes,
            same_latency,
            paired,
            peer_until: vec![0; if paired { hot.len() } else { 0 }],
            woken: Vec::new(),
            runtime_controlled,
            notifications: Vec::new(),
            coalescing,
            hot,
            accounts,
            further,
            credits: CreditPool::new(),
            pauses: None,
            crossbar_paths: CrossbarPaths::default(),
            remainders,
            wide_masks: WideMasks::default(),
            packet_flits,
            since: 0,
            skipped: Vec::new(),
            extrapolation: None,
            over_time: None,
            wake_log: None,
        }
    }

    /// Returns the class of a channel.
    #[inline]
    pub fn class(&self, channel: usize) -> &Class {
        &self.classes[self.hot[channel].class as usize]
    }

    /// Returns the latency of a channel. Where it is the same for all, the second cache line of the channel, in which its
    /// class is, is not loaded for it: to return a credit needs the first only.
    #[inline]
    pub fn latency(&self, channel: usize) -> u64 {
        self.same_latency.unwrap_or_else(|| self.class(channel).latency)
    }

    /// Sends a packet as soon as the channel is free, from time `ready` on, its last bit at time `last` at the earliest;
    /// `t` is when that was decided.
    #[inline(always)]
    pub fn send(&mut self, channel: usize, flits: u16, ready: u64, last: u64, t: u64, others_wait: bool) -> Sent<'_> {
        if self.hot[channel].has(Channel::SLEEPS) {
            self.idle_over(channel, t);
        }
        let hot = &mut self.hot[channel];
        let class = &self.classes[hot.class as usize];
        let start = ready.max(hot.free_at);
        let end = (start + class.duration(flits, hot.narrow, &mut self.remainders, channel)).max(last);
        if P::PROBES
            && let Some(over_time) = &mut self.over_time
            && let Some(group) = over_time.group(channel, hot.class)
        {
            over_time.sent((channel, group), (start, end), flits, hot.narrow);
        }
        hot.free_at = end;
        hot.packets += 1;
        hot.flits += u64::from(flits);
        if hot.has(Channel::SLEEPS) {
            if others_wait {
                (hot.idle_since, hot.sleep_at) = (u64::MAX, u64::MAX);
            } else {
                let since = after_peer(&self.peer_until, channel, end);
                hot.idle_from(self.policy, &self.accounts[channel], since);
            }
        }
        Sent { start, end, hot, class }
    }
}
