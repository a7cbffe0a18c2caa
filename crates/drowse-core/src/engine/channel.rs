//! One direction of a link: when it is free, what credits its sender holds, whether it sleeps.
//!
//! A channel is owned by the port or NIC that sends on it. Its power state follows from a few times by arithmetic and is
//! accounted when somebody asks: when a packet wakes it, and when the measured time begins or ends.

use crate::config::ClassModel;
use crate::power::timeline::Timeline;
use crate::power::{LinkState, Policy, SleepStates};
use crate::units::Time;

use super::packet::NONE;

/// The part of a channel that every packet touches: one cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Channel {
    /// When the last bit of the last packet is sent.
    pub free_at: u64,
    /// When the last waking ends or ended; before it, the channel cannot send.
    pub awake_at: u64,
    /// Start of the idle period, perhaps still to come; [`u64::MAX`] while somebody waits for the channel.
    pub idle_since: u64,
    /// The earliest bucket in which an alarm for this output lies; [`u64::MAX`] when none does.
    pub alarm: u64,
    /// Flits that may be sent on each virtual channel.
    pub credits: [u16; 8],
    /// Credits on their way back, oldest first: a list in the [`CreditPool`].
    pub credit_head: u32,
    /// Its end.
    pub credit_tail: u32,
    /// Where the output's round-robin arbiter looks first among the read ports.
    pub next_reader: u16,
    /// The link class.
    pub class: u8,
    /// Some of the bits below.
    pub flags: u8,
}

impl Channel {
    /// May sleep.
    pub const SLEEPS: u8 = 1;
    /// Ends at a node, which takes everything.
    pub const EJECTS: u8 = 2;
    /// Somebody waits for credits: tell them when one is on its way.
    pub const WANTS_CREDIT: u8 = 4;

    /// Makes a channel that has been on and idle from the start.
    pub fn new(class: u8, flags: u8, credits: [u16; 8]) -> Self {
        Channel {
            free_at: 0,
            awake_at: 0,
            idle_since: 0,
            alarm: u64::MAX,
            credits,
            credit_head: NONE,
            credit_tail: NONE,
            next_reader: 0,
            class,
            flags,
        }
    }

    /// Gives the credits of all virtual channels.
    #[inline]
    pub fn total_credits(&self) -> u64 {
        self.credits.iter().map(|&credits| u64::from(credits)).sum()
    }

    /// Tells whether a flag is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// The part of a channel that is touched when it sleeps, and its counters.
#[derive(Clone, Debug, Default)]
pub struct Account<S> {
    /// Residencies are complete up to here.
    settled: u64,
    /// When the last waking started; before it, the channel was still entering.
    wake_from: u64,
    /// Time in each state but on.
    pub residency: [u64; 5],
    /// How often it was woken.
    pub wakes: u64,
    /// Messages whose first packet waited for a wake.
    pub delayed_messages: u64,
    /// Packets sent.
    pub packets: u64,
    /// Flits sent.
    pub flits: u64,
    /// What is left of serialisation times below a picosecond, in units of the class's denominator.
    remainder: u64,
    /// The policy's memory.
    policy: S,
}

/// What all channels of a class share, ready for the hot path.
#[derive(Clone, Debug)]
pub struct Class {
    /// Latency of the wire.
    pub latency: u64,
    /// From a grant to the head at the other end.
    pub hop: u64,
    /// Time of one flit in picoseconds: numerator and denominator, without common divisors.
    flit_time: (u64, u64),
    /// How long a packet waits before it requests one more sleeping output.
    pub wake_after: u64,
    states: Option<SleepStates>,
}

impl Class {
    /// Prepares a class; `None` when a flit's time cannot be told exactly in 64 bits.
    pub fn new(model: &ClassModel, flit_bytes: u64, wake_after: Option<Time>) -> Option<Self> {
        let numerator = u128::from(flit_bytes) * 8 * 1_000_000_000_000;
        let rate = u128::from(model.bandwidth.0);
        let divisor = gcd(numerator, rate);
        // A packet's 65535 flits and the remainder must fit as well.
        let numerator = u64::try_from(numerator / divisor).ok().filter(|n| *n < u64::MAX >> 17)?;
        let deepest = model.states.map_or(Time::ZERO, |s| s.shallow.wake.max(s.deep.wake));
        Some(Class {
            latency: model.latency.0,
            hop: model.hop.0,
            flit_time: (numerator, u64::try_from(rate / divisor).ok()?),
            wake_after: wake_after.unwrap_or(deepest).0.max(1),
            states: model.states,
        })
    }

    /// Gives the time that a packet takes, rounded up.
    #[inline]
    pub fn duration_ceil(&self, flits: u16) -> u64 {
        let (numerator, denominator) = self.flit_time;
        let total = u64::from(flits) * numerator;
        if denominator == 1 { total } else { total.div_ceil(denominator) }
    }

    /// Gives the time that a packet takes, carrying fractions of a picosecond in `remainder`.
    #[inline]
    fn duration(&self, flits: u16, remainder: &mut u64) -> u64 {
        let (numerator, denominator) = self.flit_time;
        let total = u64::from(flits) * numerator;
        if denominator == 1 {
            return total;
        }
        let total = total + *remainder;
        *remainder = total % denominator;
        total / denominator
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// All channels of a shard.
pub struct Channels<'a, P: Policy> {
    policy: &'a P,
    /// The classes.
    pub classes: Vec<Class>,
    /// The hot parts, indexed by channel.
    pub hot: Vec<Channel>,
    /// The accounts, indexed by channel.
    pub accounts: Vec<Account<P::State>>,
    credits: CreditPool,
}

impl<'a, P: Policy> Channels<'a, P> {
    /// Makes channels that have been on and idle from the start.
    pub fn new(policy: &'a P, classes: Vec<Class>, hot: Vec<Channel>) -> Self {
        let accounts = (0..hot.len())
            .map(|_| Account {
                settled: 0,
                wake_from: 0,
                residency: [0; 5],
                wakes: 0,
                delayed_messages: 0,
                packets: 0,
                flits: 0,
                remainder: 0,
                policy: P::State::default(),
            })
            .collect();
        Channels { policy, classes, hot, accounts, credits: CreditPool::default() }
    }

    /// Gives the class of a channel.
    #[inline]
    pub fn class(&self, channel: usize) -> &Class {
        &self.classes[self.hot[channel].class as usize]
    }

    /// Tells whether the channel is on at time `t`.
    #[inline]
    pub fn is_on(&self, channel: usize, t: u64) -> bool {
        let hot = &self.hot[channel];
        if !hot.has(Channel::SLEEPS) {
            return true;
        }
        if t < hot.awake_at {
            return false;
        }
        if hot.idle_since >= t {
            return true;
        }
        let timers = self.policy.timers(hot.class, &self.accounts[channel].policy);
        t - hot.idle_since < timers.shallow.min(timers.deep).0
    }

    /// Tells whether the channel is waking at time `t`, or has been asked to while it was entering.
    #[inline]
    pub fn is_waking(&self, channel: usize, t: u64) -> bool {
        t < self.hot[channel].awake_at
    }

    /// Tells whether the channel sleeps or enters a sleep state at time `t`, and nobody has woken it.
    #[inline]
    pub fn is_asleep(&self, channel: usize, t: u64) -> bool {
        !self.is_on(channel, t) && !self.is_waking(channel, t)
    }

    /// Ends the idle period of a channel that is on: somebody waits for it or sends on it.
    #[inline]
    pub fn end_idle(&mut self, channel: usize, t: u64) {
        let hot = &mut self.hot[channel];
        if hot.has(Channel::SLEEPS) {
            if hot.idle_since < t {
                let account = &mut self.accounts[channel];
                self.policy.idle_ended(hot.class, &mut account.policy, Time(t - hot.idle_since));
            }
            hot.idle_since = u64::MAX;
        }
    }

    /// Begins an idle period of a channel that was waited for: nobody waits any more.
    #[inline]
    pub fn begin_idle(&mut self, channel: usize, t: u64) {
        let hot = &mut self.hot[channel];
        // One that sleeps has been idle all along: those who would have taken it did not wake it.
        if hot.has(Channel::SLEEPS) && hot.idle_since == u64::MAX {
            hot.idle_since = t.max(hot.free_at).max(hot.awake_at);
        }
    }

    /// Wakes a channel that sleeps or enters at time `t`.
    pub fn wake(&mut self, channel: usize, t: u64) {
        self.settle(channel, t);
        let (hot, account) = (&mut self.hot[channel], &mut self.accounts[channel]);
        let idle = t - hot.idle_since;
        let Some(states) = self.classes[hot.class as usize].states else { return };
        let timeline = Timeline::new(self.policy.timers(hot.class, &account.policy), states);
        let Some(wake) = timeline.wake(Time(idle)) else { return };
        account.wake_from = hot.idle_since + wake.from.0;
        account.wakes += 1;
        hot.awake_at = account.wake_from + wake.takes.0;
        self.policy.idle_ended(hot.class, &mut account.policy, Time(idle));
        hot.idle_since = u64::MAX;
    }

    /// Sends a packet from time `start` on and gives the time of its last bit; `t` is when that was decided.
    #[inline]
    pub fn send(&mut self, channel: usize, flits: u16, start: u64, t: u64, others_wait: bool) -> u64 {
        self.end_idle(channel, t);
        let (hot, account) = (&mut self.hot[channel], &mut self.accounts[channel]);
        hot.free_at = start + self.classes[hot.class as usize].duration(flits, &mut account.remainder);
        if !others_wait {
            hot.idle_since = hot.free_at;
        }
        account.packets += 1;
        account.flits += u64::from(flits);
        hot.free_at
    }

    /// Gives the latest time up to which residencies are complete: when a channel was last woken.
    pub fn last_settled(&self) -> u64 {
        self.accounts.iter().map(|account| account.settled).max().unwrap_or(0)
    }

    /// Completes the residencies up to time `t`.
    pub fn settle(&mut self, channel: usize, t: u64) {
        let (hot, account) = (&self.hot[channel], &mut self.accounts[channel]);
        let from = account.settled;
        if t <= from || !hot.has(Channel::SLEEPS) {
            return;
        }
        account.settled = t;
        let overlap = |start: u64, end: u64| t.min(end).saturating_sub(from.max(start));
        account.residency[LinkState::Entering as usize] += overlap(0, account.wake_from);
        account.residency[LinkState::Waking as usize] += overlap(account.wake_from, hot.awake_at);
        if let Some(states) = self.classes[hot.class as usize].states
            && hot.idle_since < t
        {
            let timeline = Timeline::new(self.policy.timers(hot.class, &account.policy), states);
            let idle_from = from.max(hot.idle_since) - hot.idle_since;
            timeline.add_residency(Time(idle_from), Time(t - hot.idle_since), &mut account.residency);
        }
    }

    /// Takes the credits that have come back by time `t`.
    #[inline]
    pub fn collect_credits(&mut self, channel: usize, t: u64) {
        let hot = &mut self.hot[channel];
        while hot.credit_head != NONE {
            let credit = self.credits.slots[hot.credit_head as usize];
            if credit.at > t {
                break;
            }
            hot.credits[credit.vc as usize] += credit.flits;
            let slot = hot.credit_head;
            hot.credit_head = credit.next;
            self.credits.release(slot);
        }
    }

    /// Sends credits back to the channel's owner, who gets them at time `at`; tells whether they overtake others.
    #[inline]
    pub fn return_credit(&mut self, channel: usize, vc: u8, flits: u16, at: u64) -> bool {
        let slot = self.credits.insert(Credit { at, next: NONE, flits, vc });
        let hot = &mut self.hot[channel];
        if hot.credit_head == NONE {
            (hot.credit_head, hot.credit_tail) = (slot, slot);
        } else if self.credits.slots[hot.credit_tail as usize].at <= at {
            self.credits.slots[hot.credit_tail as usize].next = slot;
            hot.credit_tail = slot;
        } else {
            self.overtake(channel, slot);
            return true;
        }
        false
    }

    /// Puts a credit before those that come later: with several read ports, packets leave an input port side by side.
    #[cold]
    fn overtake(&mut self, channel: usize, slot: u32) {
        let slots = &mut self.credits.slots;
        let at = slots[slot as usize].at;
        let head = self.hot[channel].credit_head;
        if slots[head as usize].at > at {
            slots[slot as usize].next = head;
            self.hot[channel].credit_head = slot;
            return;
        }
        let mut before = head;
        while slots[slots[before as usize].next as usize].at <= at {
            before = slots[before as usize].next;
        }
        slots[slot as usize].next = slots[before as usize].next;
        slots[before as usize].next = slot;
    }

    /// Gives when the next credit comes back, if one is on its way.
    #[inline]
    pub fn next_credit(&self, channel: usize) -> Option<u64> {
        let head = self.hot[channel].credit_head;
        (head != NONE).then(|| self.credits.slots[head as usize].at)
    }

    /// Gives all credits of a channel that are on their way back: virtual channel and flits.
    pub fn credits_under_way(&self, channel: usize) -> impl Iterator<Item = (u8, u16)> {
        let mut next = self.hot[channel].credit_head;
        std::iter::from_fn(move || {
            let credit = *self.credits.slots.get(next as usize)?;
            next = credit.next;
            Some((credit.vc, credit.flits))
        })
    }
}

/// A credit on its way back.
#[derive(Clone, Copy, Debug)]
struct Credit {
    at: u64,
    next: u32,
    flits: u16,
    vc: u8,
}

/// Credits on their way back, all channels' lists in one slab.
#[derive(Debug, Default)]
struct CreditPool {
    slots: Vec<Credit>,
    free: Vec<u32>,
}

impl CreditPool {
    #[inline]
    fn insert(&mut self, credit: Credit) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = credit;
            return slot;
        }
        self.slots.push(credit);
        self.slots.len() as u32 - 1
    }

    #[inline]
    fn release(&mut self, slot: u32) {
        self.free.push(slot);
    }
}
