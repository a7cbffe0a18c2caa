//! One direction of a link: when it is free, what credits its sender holds, whether it sleeps.
//!
//! A channel is owned by the port or NIC that sends on it. Its power state follows from a few times by arithmetic and is
//! accounted when somebody asks: when a packet wakes it, and when the measured time begins or ends.

use crate::config::ClassModel;
use crate::measure::ChannelRecord;
use crate::power::timeline::Timeline;
use crate::power::{LinkState, Policy, SleepStates, Timers};
use crate::units::Time;

use super::packet::NONE;

/// The part of a channel that packets touch: what they look at in the first cache line, what those that are sent change
/// in the second.
#[derive(Clone, Debug)]
#[repr(C, align(128))]
pub struct Channel {
    /// When the last bit of the last packet is sent.
    pub free_at: u64,
    /// When the last waking ends or ended; before it, the channel cannot send.
    pub awake_at: u64,
    /// When the channel leaves the state on if nobody asks for it before; [`u64::MAX`] while somebody waits for it.
    pub sleep_at: u64,
    /// When the first two credits on their way come back, oldest first; [`u64::MAX`] where there is none.
    credit_at: [u64; 2],
    /// Flits that may be sent on each virtual channel.
    pub credits: [u16; 8],
    /// The flits and virtual channels of the first two credits.
    credit_flits: [u16; 2],
    credit_vc: [u8; 2],
    /// The link class.
    pub class: u8,
    /// Some of the bits below.
    pub flags: u8,

    /// The earliest bucket in which an alarm for this output lies; [`u64::MAX`] when none does.
    pub alarm: u64,
    /// Start of the idle period, perhaps still to come; [`u64::MAX`] while somebody waits for the channel.
    idle_since: u64,
    /// Packets sent.
    packets: u64,
    /// Flits sent.
    flits: u64,
    /// What is left of serialisation times below a picosecond, in units of the class's denominator.
    remainder: u64,
    /// The other credits on their way: a list in the [`CreditPool`].
    credit_head: u32,
    credit_tail: u32,
    /// The input port to which it leads, or one [`super::part::ELSEWHERE`].
    pub peer: u32,
    /// How often it was woken.
    wakes: u32,
    /// Messages whose first packet waited for a wake.
    pub delayed_messages: u32,
    /// Where the output's round-robin arbiter looks first among the read ports.
    pub next_reader: u16,
}

impl Channel {
    /// May sleep.
    pub const SLEEPS: u8 = 1;
    /// Ends at a node, which takes everything.
    pub const EJECTS: u8 = 2;
    /// Somebody waits for credits: tell them when one is on its way.
    pub const WANTS_CREDIT: u8 = 4;
    /// The other bits number the dimension whose dateline it crosses, from 1.
    const DATELINE_SHIFT: u32 = 4;

    /// Gives the flags of a channel that crosses a dateline: that of the dimension whose bit is set.
    pub fn crossing(dateline: u16) -> u8 {
        if dateline == 0 { 0 } else { (dateline.trailing_zeros() as u8 + 1) << Self::DATELINE_SHIFT }
    }

    /// Gives the bit of the dimension whose dateline it crosses, or 0.
    #[inline]
    pub fn dateline(&self) -> u16 {
        (1 << (self.flags >> Self::DATELINE_SHIFT)) >> 1
    }

    /// Makes a channel that has been on and idle from the start.
    fn new(class: u8, flags: u8, credits: [u16; 8], peer: u32, sleep_at: u64) -> Self {
        Channel {
            free_at: 0,
            awake_at: 0,
            sleep_at,
            credit_at: [u64::MAX; 2],
            credits,
            credit_flits: [0; 2],
            credit_vc: [0; 2],
            class,
            flags,
            alarm: u64::MAX,
            idle_since: 0,
            packets: 0,
            flits: 0,
            remainder: 0,
            credit_head: NONE,
            credit_tail: NONE,
            peer,
            wakes: 0,
            delayed_messages: 0,
            next_reader: 0,
        }
    }

    /// Breaks the rule that keeps rings from deadlock.
    #[cfg(test)]
    pub fn forget_dateline(&mut self) {
        self.flags &= (1 << Self::DATELINE_SHIFT) - 1;
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

    /// Tells whether the channel is on at time `t`.
    #[inline]
    pub fn is_on(&self, t: u64) -> bool {
        self.awake_at <= t && t < self.sleep_at
    }

    /// Takes a credit that comes back at time `at`, after those on their way; `false` if it must go into the list behind.
    #[inline]
    fn keep(&mut self, Credit { at, flits, vc, .. }: Credit) -> bool {
        let place = usize::from(self.credit_at[0] != u64::MAX);
        let fits = self.credit_at[place] == u64::MAX && (place == 0 || self.credit_at[0] <= at);
        if fits {
            (self.credit_at[place], self.credit_flits[place], self.credit_vc[place]) = (at, flits, vc);
        }
        fits
    }

    /// Gives the first or second credit on its way.
    fn kept(&self, place: usize) -> Option<Credit> {
        let at = self.credit_at[place];
        let credit = Credit { at, next: NONE, flits: self.credit_flits[place], vc: self.credit_vc[place] };
        (at != u64::MAX).then_some(credit)
    }

    /// Gives the virtual channels of a set, one bit each, that have credits for so many flits.
    #[inline]
    pub fn roomy(&self, vcs: u8, flits: u16) -> u8 {
        let mut left = vcs;
        let mut roomy = 0;
        while left != 0 {
            let vc = left.trailing_zeros() & 7;
            left &= left - 1;
            roomy |= u8::from(self.credits[vc as usize] >= flits) << vc;
        }
        roomy
    }
}

/// The part of a channel that only its sleep touches.
#[derive(Clone, Debug)]
pub struct Account<S> {
    /// Residencies are complete up to here.
    settled: u64,
    /// When the last waking started; before it, the channel was still entering.
    wake_from: u64,
    /// Time in the states entering, shallow, deep and waking.
    asleep: [u64; 4],
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
    /// The same in clock periods where it is a whole number of them, else 0.
    pub hop_edges: u64,
    /// Time of one flit in picoseconds: numerator and denominator, without common divisors.
    flit_time: (u64, u64),
    /// How long a packet waits before it requests one more sleeping output.
    pub wake_after: u64,
    states: Option<SleepStates>,
}

impl Class {
    /// Prepares a class; `None` when a flit's time cannot be told exactly in 64 bits.
    pub fn new(model: &ClassModel, flit_bytes: u64, wake_after: Option<Time>, clock: Time) -> Option<Self> {
        let numerator = u128::from(flit_bytes) * 8 * 1_000_000_000_000;
        let rate = u128::from(model.bandwidth.0);
        let divisor = gcd(numerator, rate);
        // A packet's 65535 flits and the remainder must fit as well.
        let numerator = u64::try_from(numerator / divisor).ok().filter(|n| *n < u64::MAX >> 17)?;
        let deepest = model.states.map_or(Time::ZERO, |s| s.shallow.wake.max(s.deep.wake));
        Some(Class {
            latency: model.latency.0,
            hop: model.hop.0,
            hop_edges: if model.hop.0.is_multiple_of(clock.0) { model.hop.0 / clock.0 } else { 0 },
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
        if denominator == 1 { total } else { carry(total, denominator, remainder) }
    }
}

/// Divides, and carries what is left over from one division to the next.
#[inline(never)]
fn carry(total: u64, denominator: u64, remainder: &mut u64) -> u64 {
    let total = total + *remainder;
    *remainder = total % denominator;
    total / denominator
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// All channels of a shard.
pub struct Channels<'a, P: Policy> {
    policy: &'a P,
    /// The classes, and copies of the last: one entry for every number that there is.
    pub classes: Box<[Class; 256]>,
    /// The hot parts, indexed by channel.
    pub hot: Vec<Channel>,
    /// The accounts, indexed by channel; empty where none may sleep.
    pub accounts: Vec<Account<P::State>>,
    credits: CreditPool,
    /// Since when is counted what channels do.
    since: u64,
}

/// When a channel sleeps that has been idle since `idle_since`, by these timers.
///
/// At the very start of its idle period a channel is on, even where the timers are 0.
#[inline]
fn sleep_after(idle_since: u64, timers: Timers) -> u64 {
    idle_since.saturating_add(timers.shallow.min(timers.deep).0.max(1))
}

impl<'a, P: Policy> Channels<'a, P> {
    /// Makes channels that have been on and idle from the start, of these classes, flags, credits and peers.
    pub fn new(policy: &'a P, classes: &[Class], channels: impl Iterator<Item = (u8, u8, [u16; 8], u32)>) -> Self {
        let state = P::State::default();
        let channel = |(class, flags, credits, peer)| {
            let sleeps = flags & Channel::SLEEPS != 0;
            let sleep_at = if sleeps { sleep_after(0, policy.timers(class, &state)) } else { u64::MAX };
            Channel::new(class, flags, credits, peer, sleep_at)
        };
        let hot: Vec<Channel> = channels.map(channel).collect();
        let account = Account { settled: 0, wake_from: 0, asleep: [0; 4], policy: P::State::default() };
        let some_sleep = hot.iter().any(|channel| channel.has(Channel::SLEEPS));
        let accounts = vec![account; if some_sleep { hot.len() } else { 0 }];
        let classes = Box::new(std::array::from_fn(|i| classes[i.min(classes.len() - 1)].clone()));
        Channels { policy, classes, hot, accounts, credits: CreditPool::new(), since: 0 }
    }

    /// Gives the class of a channel.
    #[inline]
    pub fn class(&self, channel: usize) -> &Class {
        &self.classes[self.hot[channel].class as usize]
    }

    /// Tells whether the channel is on at time `t`.
    #[inline]
    pub fn is_on(&self, channel: usize, t: u64) -> bool {
        self.hot[channel].is_on(t)
    }

    /// Tells whether the channel is waking at time `t`, or has been asked to while it was entering.
    #[inline]
    pub fn is_waking(&self, channel: usize, t: u64) -> bool {
        t < self.hot[channel].awake_at
    }

    /// Tells whether the channel sleeps or enters a sleep state at time `t`, and nobody has woken it.
    #[inline]
    pub fn is_asleep(&self, channel: usize, t: u64) -> bool {
        let hot = &self.hot[channel];
        hot.sleep_at <= t && hot.awake_at <= t
    }

    /// Ends the idle period of a channel that is on: somebody waits for it.
    #[inline]
    pub fn end_idle(&mut self, channel: usize, t: u64) {
        let hot = &mut self.hot[channel];
        if hot.has(Channel::SLEEPS) {
            let account = &mut self.accounts[channel];
            if hot.idle_since < t {
                self.policy.idle_ended(hot.class, &mut account.policy, Time(t - hot.idle_since));
            }
            hot.idle_since = u64::MAX;
            hot.sleep_at = u64::MAX;
        }
    }

    /// Begins an idle period of a channel that was waited for: nobody waits any more.
    #[inline]
    pub fn begin_idle(&mut self, channel: usize, t: u64) {
        let hot = &mut self.hot[channel];
        // One that sleeps has been idle all along: those who would have taken it did not wake it.
        if hot.has(Channel::SLEEPS) && hot.idle_since == u64::MAX {
            let account = &self.accounts[channel];
            hot.idle_since = t.max(hot.free_at).max(hot.awake_at);
            hot.sleep_at = sleep_after(hot.idle_since, self.policy.timers(hot.class, &account.policy));
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
        hot.wakes += 1;
        hot.awake_at = account.wake_from + wake.takes.0;
        self.policy.idle_ended(hot.class, &mut account.policy, Time(idle));
        hot.idle_since = u64::MAX;
        hot.sleep_at = u64::MAX;
    }

    /// Sends a packet from time `start` on and gives the time of its last bit; `t` is when that was decided.
    #[inline]
    pub fn send(&mut self, channel: usize, flits: u16, start: u64, t: u64, others_wait: bool) -> u64 {
        let hot = &mut self.hot[channel];
        let end = start + self.classes[hot.class as usize].duration(flits, &mut hot.remainder);
        hot.free_at = end;
        hot.packets += 1;
        hot.flits += u64::from(flits);
        if hot.has(Channel::SLEEPS) {
            let account = &mut self.accounts[channel];
            if hot.idle_since < t {
                self.policy.idle_ended(hot.class, &mut account.policy, Time(t - hot.idle_since));
            }
            if others_wait {
                (hot.idle_since, hot.sleep_at) = (u64::MAX, u64::MAX);
            } else {
                hot.idle_since = end;
                hot.sleep_at = sleep_after(end, self.policy.timers(hot.class, &account.policy));
            }
        }
        end
    }

    /// Gives the latest time up to which residencies are complete: when a channel was last woken.
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

    /// Begins to count anew at time `t` what channels do.
    pub fn count_from(&mut self, t: u64) {
        (0..self.hot.len()).for_each(|channel| self.settle(channel, t));
        self.accounts.iter_mut().for_each(|account| account.asleep = [0; 4]);
        for hot in &mut self.hot {
            (hot.packets, hot.flits, hot.wakes, hot.delayed_messages) = (0, 0, 0, 0);
        }
        self.since = t;
    }

    /// Gives what a channel has done up to time `t`, at which its residencies are completed.
    pub fn record(&mut self, channel: usize, t: u64) -> ChannelRecord {
        self.settle(channel, t);
        let hot = &self.hot[channel];
        let asleep = self.accounts.get(channel).map_or([0; 4], |account| account.asleep);
        let [entering, shallow, deep, waking] = asleep;
        let on = t - self.since - asleep.iter().sum::<u64>();
        ChannelRecord {
            residency: [on, entering, shallow, deep, waking].map(Time),
            wakes: u64::from(hot.wakes),
            delayed_messages: u64::from(hot.delayed_messages),
            packets: hot.packets,
            flits: hot.flits,
        }
    }

    /// Takes the credits that have come back by time `t`, and gives the channel.
    #[inline]
    pub fn collect_credits(&mut self, channel: usize, t: u64) -> &Channel {
        let hot = &mut self.hot[channel];
        while hot.credit_at[0] <= t {
            hot.credits[usize::from(hot.credit_vc[0] & 7)] += hot.credit_flits[0];
            hot.credit_at[0] = hot.credit_at[1];
            (hot.credit_flits[0], hot.credit_vc[0]) = (hot.credit_flits[1], hot.credit_vc[1]);
            hot.credit_at[1] = u64::MAX;
            if hot.credit_head != NONE {
                self.credits.advance(hot);
            }
        }
        hot
    }

    /// Sends credits back to the channel's owner, who gets them at time `at`; tells whether somebody must be told. `now` is the
    /// time of the edge that has been reached.
    ///
    /// That is so where they are waited for, and where they overtake others: who waits for a credit that is on its way must
    /// be told of one that comes before it.
    #[inline]
    pub fn return_credit(&mut self, channel: usize, vc: u8, flits: u16, at: u64, now: u64) -> bool {
        self.collect_credits(channel, now);
        let hot = &mut self.hot[channel];
        let wanted = hot.has(Channel::WANTS_CREDIT);
        hot.flags &= !Channel::WANTS_CREDIT;
        let credit = Credit { at, next: NONE, flits, vc };
        if hot.keep(credit) { wanted } else { self.credits.put(hot, credit) || wanted }
    }

    /// Gives when the next credit comes back, if one is on its way.
    #[inline]
    pub fn next_credit(&self, channel: usize) -> Option<u64> {
        Some(self.hot[channel].credit_at[0]).filter(|&at| at != u64::MAX)
    }

    /// Gives all credits of a channel that are on their way back: virtual channel and flits.
    pub fn credits_under_way(&self, channel: usize) -> impl Iterator<Item = (u8, u16)> {
        let hot = &self.hot[channel];
        let mut next = hot.credit_head;
        let listed = std::iter::from_fn(move || {
            let credit = *self.credits.slots.get(next as usize)?;
            next = credit.next;
            Some(credit)
        });
        let kept = [0, 1].into_iter().filter_map(|place| hot.kept(place));
        kept.chain(listed).map(|credit| (credit.vc, credit.flits))
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

/// Credits on their way back behind the first two of their channel, all channels' lists in one slab, by time.
#[derive(Debug)]
struct CreditPool {
    slots: Vec<Credit>,
    /// The first free slot; free slots are a list.
    free: u32,
}

impl CreditPool {
    fn new() -> Self {
        CreditPool { slots: Vec::new(), free: NONE }
    }

    /// Moves the first credit of a channel's list, which is not empty, to the channel.
    #[inline(never)]
    fn advance(&mut self, hot: &mut Channel) {
        let slot = hot.credit_head;
        let credit = self.slots[slot as usize];
        self.slots[slot as usize].next = self.free;
        self.free = slot;
        hot.credit_head = credit.next;
        hot.keep(credit);
    }

    /// Puts a credit into its place among those of a channel that has two; tells whether it overtakes others, as happens with
    /// several read ports, where packets leave an input port side by side.
    #[inline(never)]
    fn put(&mut self, hot: &mut Channel, credit: Credit) -> bool {
        let Some(second) = hot.kept(1) else {
            // It comes before the only one.
            let first = hot.kept(0);
            hot.credit_at[0] = u64::MAX;
            hot.keep(credit);
            first.map(|first| hot.keep(first));
            return true;
        };
        if credit.at >= second.at {
            return self.append(hot, credit);
        }
        // The second goes to the head of the list; those that are left are put in order again.
        let slot = self.insert(Credit { next: hot.credit_head, ..second });
        if hot.credit_head == NONE {
            hot.credit_tail = slot;
        }
        hot.credit_head = slot;
        hot.credit_at[1] = u64::MAX;
        if !hot.keep(credit) {
            self.put(hot, credit);
        }
        true
    }

    /// Puts a credit into a channel's list; tells whether it overtakes others.
    fn append(&mut self, hot: &mut Channel, credit: Credit) -> bool {
        let slot = self.insert(credit);
        if hot.credit_head == NONE {
            (hot.credit_head, hot.credit_tail) = (slot, slot);
            return false;
        }
        let slots = &mut self.slots;
        if slots[hot.credit_tail as usize].at <= credit.at {
            slots[hot.credit_tail as usize].next = slot;
            hot.credit_tail = slot;
            return false;
        }
        if slots[hot.credit_head as usize].at > credit.at {
            slots[slot as usize].next = hot.credit_head;
            hot.credit_head = slot;
            return true;
        }
        let mut before = hot.credit_head;
        while slots[slots[before as usize].next as usize].at <= credit.at {
            before = slots[before as usize].next;
        }
        slots[slot as usize].next = slots[before as usize].next;
        slots[before as usize].next = slot;
        true
    }

    fn insert(&mut self, credit: Credit) -> u32 {
        let slot = self.free;
        if let Some(place) = self.slots.get_mut(slot as usize) {
            self.free = place.next;
            *place = credit;
            return slot;
        }
        self.slots.push(credit);
        self.slots.len() as u32 - 1
    }
}
