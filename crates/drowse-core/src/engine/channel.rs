//! One direction of a link: when it is free, and what credits its sender holds; how it sleeps is in [`super::sleep`].
//!
//! A channel is owned by the port or NIC that sends on it.

use std::hint::select_unpredictable;

use crate::config::ClassModel;
use crate::ids::ChannelId;
use crate::power::{Policy, SleepStates};
use crate::units::Time;

use super::directed::Heard;
use super::gather::Gathered;
use super::packet::NONE;
use super::sleep::{Account, sleep_after};

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
    pub(super) idle_since: u64,
    /// Packets sent.
    pub(super) packets: u64,
    /// Flits sent.
    pub(super) flits: u64,
    /// What is left of serialisation times below a picosecond, in units of the class's denominator.
    remainder: u64,
    /// The other credits on their way: a list in the [`CreditPool`].
    credit_head: u32,
    credit_tail: u32,
    /// The input port to which it leads, or one [`super::part::ELSEWHERE`].
    pub peer: u32,
    /// How often it was woken.
    pub(super) wakes: u32,
    /// Messages whose first packet waited for a wake.
    pub delayed_messages: u32,
    /// Where the output's round-robin arbiter looks first among the read ports.
    pub next_reader: u16,
    /// How often its lanes have been halved: so much longer takes a packet, as a power of two.
    pub narrow: u8,
}

impl Channel {
    /// May sleep.
    pub const SLEEPS: u8 = 1;
    /// Ends at a node, which takes everything.
    pub const EJECTS: u8 = 2;
    /// Somebody waits for credits: tell them when one is on its way.
    pub const WANTS_CREDIT: u8 = 4;
    /// Is a port of a governed trunk: goes off and on by command only, and no packet wakes it.
    pub const GOVERNED: u8 = 8;
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
            narrow: 0,
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
    #[expect(clippy::needless_bitwise_bool, reason = "nobody could foretell the branches")]
    fn keep(&mut self, Credit { at, flits, vc, .. }: Credit) -> bool {
        let [first, second] = self.credit_at;
        let fits = (second == u64::MAX) & ((first <= at) | (first == u64::MAX));
        if fits {
            let place = usize::from(first != u64::MAX);
            (self.credit_at[place], self.credit_flits[place], self.credit_vc[place]) = (at, flits, vc);
        }
        fits
    }

    /// Takes the first credit on its way, if it is `due`; the second becomes the first.
    #[inline]
    fn take_first(&mut self, due: bool) {
        let [first, second] = self.credit_at;
        self.credits[usize::from(self.credit_vc[0] & 7)] += select_unpredictable(due, self.credit_flits[0], 0);
        self.credit_at = [select_unpredictable(due, second, first), select_unpredictable(due, u64::MAX, second)];
        self.credit_flits[0] = self.credit_flits[usize::from(due)];
        self.credit_vc[0] = self.credit_vc[usize::from(due)];
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

/// What a channel is before anything has happened.
#[derive(Clone, Copy, Debug)]
pub struct IdleChannel {
    /// Its number in the whole network.
    pub id: ChannelId,
    /// The link class.
    pub class: u8,
    /// The flags of [`Channel::flags`].
    pub flags: u8,
    /// Flits that may be sent on each virtual channel.
    pub credits: [u16; 8],
    /// The input port to which it leads.
    pub peer: u32,
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
    pub(super) states: Option<SleepStates>,
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

    /// Tells whether the time of a packet can be told exactly in 64 bits over one lane of 16, too.
    pub fn may_narrow(&self) -> bool {
        self.flit_time.0 < u64::MAX >> 21
    }

    /// Gives the time that a packet takes, rounded up.
    #[inline]
    pub fn duration_ceil(&self, flits: u16) -> u64 {
        self.narrow_duration(flits, 0)
    }

    /// Gives the time that a packet takes where lanes have been halved so often, rounded up.
    #[inline]
    pub fn narrow_duration(&self, flits: u16, narrow: u8) -> u64 {
        let (numerator, denominator) = self.flit_time;
        let total = (u64::from(flits) << narrow) * numerator;
        if denominator == 1 { total } else { total.div_ceil(denominator) }
    }

    /// Gives the time that so many flits take, rounded down.
    pub fn time_of(&self, flits: u64) -> u64 {
        let (numerator, denominator) = self.flit_time;
        (u128::from(flits) * u128::from(numerator) / u128::from(denominator)) as u64
    }

    /// Gives the time that a packet takes, carrying fractions of a picosecond in `remainder`.
    #[inline]
    fn duration(&self, flits: u16, narrow: u8, remainder: &mut u64) -> u64 {
        let (numerator, denominator) = self.flit_time;
        let total = (u64::from(flits) << narrow) * numerator;
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
    pub(super) policy: &'a P,
    /// The classes, and copies of the last: one entry for every number that there is.
    pub classes: Box<[Class; 256]>,
    /// The hot parts, indexed by channel.
    pub hot: Vec<Channel>,
    /// The accounts, indexed by channel; empty where none may sleep.
    pub accounts: Vec<Account<P::State>>,
    /// The two channels of a link sleep together.
    pub coupled: bool,
    /// Where that is so: channels that were woken and when; the other ends must be told.
    pub woken: Vec<(usize, u64)>,
    /// The runtime system commands some of them.
    pub directed: bool,
    /// Where it does: what it hears of them.
    pub(super) heard: Vec<Heard>,
    /// How channels gather packets, indexed by channel; empty where none does.
    pub gathered: Vec<Gathered>,
    credits: CreditPool,
    /// Since when is counted what channels do.
    pub(super) since: u64,
}

impl<'a, P: Policy> Channels<'a, P> {
    /// Makes channels that have been on and idle from the start; the two of a link sleep together if they are `coupled`.
    pub fn new(policy: &'a P, classes: &[Class], coupled: bool, channels: impl Iterator<Item = IdleChannel>) -> Self {
        let some_sleep =
            P::WATCHES || (0..).zip(classes).any(|(class, model)| model.states.is_some() && policy.may_sleep(class));
        let (mut hot, mut accounts) = (Vec::new(), Vec::new());
        for IdleChannel { id, class, flags, credits, peer } in channels {
            let mut sleep_at = u64::MAX;
            if some_sleep {
                let account = Account::new(policy.start(id, class));
                if flags & Channel::SLEEPS != 0 {
                    sleep_at = sleep_after(0, policy.timers(class, &account.policy));
                }
                accounts.push(account);
            }
            hot.push(Channel::new(class, flags, credits, peer, sleep_at));
        }
        let directed = (0..classes.len()).any(|class| policy.directed(class as u8).is_some());
        let gathers = (0..classes.len()).any(|class| policy.gathering(class as u8).is_some());
        let gathered = vec![Gathered::NOTHING; if gathers { hot.len() } else { 0 }];
        let classes = Box::new(std::array::from_fn(|i| classes[i.min(classes.len() - 1)].clone()));
        Channels {
            policy,
            classes,
            coupled,
            woken: Vec::new(),
            directed,
            heard: Vec::new(),
            gathered,
            hot,
            accounts,
            credits: CreditPool::new(),
            since: 0,
        }
    }

    /// Gives the class of a channel.
    #[inline]
    pub fn class(&self, channel: usize) -> &Class {
        &self.classes[self.hot[channel].class as usize]
    }

    /// Sends a packet from time `start` on and gives the time of its last bit; `t` is when that was decided.
    #[inline]
    pub fn send(&mut self, channel: usize, flits: u16, start: u64, t: u64, others_wait: bool) -> u64 {
        let hot = &mut self.hot[channel];
        let end = start + self.classes[hot.class as usize].duration(flits, hot.narrow, &mut hot.remainder);
        hot.free_at = end;
        hot.packets += 1;
        hot.flits += u64::from(flits);
        if hot.has(Channel::SLEEPS) {
            self.idle_after(channel, t, end, others_wait);
        }
        end
    }

    /// Takes the credits that have come back by time `t`, and gives the channel.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "nobody could foretell the branches")]
    pub fn collect_credits(&mut self, channel: usize, t: u64) -> &Channel {
        let hot = &mut self.hot[channel];
        let due = hot.credit_at[0] <= t;
        hot.take_first(due);
        // Where there is a list, both places before it are taken.
        if (hot.credit_at[0] <= t) | ((hot.credit_head != NONE) & (hot.credit_at[1] == u64::MAX)) {
            self.credits.collect(hot, t);
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
        let hot = &mut self.hot[channel];
        let wanted = hot.has(Channel::WANTS_CREDIT);
        hot.flags &= !Channel::WANTS_CREDIT;
        let credit = Credit { at, next: NONE, flits, vc };
        if hot.keep(credit) { wanted } else { self.list_credit(channel, credit, now) || wanted }
    }

    /// Puts a credit into its place behind others; tells whether it overtakes some.
    #[inline(never)]
    fn list_credit(&mut self, channel: usize, credit: Credit, now: u64) -> bool {
        self.collect_credits(channel, now);
        let hot = &mut self.hot[channel];
        !hot.keep(credit) && self.credits.put(hot, credit)
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

    /// Takes all credits of a channel that have come back by time `t`, after one has been taken.
    #[inline(never)]
    fn collect(&mut self, hot: &mut Channel, t: u64) {
        loop {
            if hot.credit_head != NONE {
                self.advance(hot);
            }
            if hot.credit_at[0] > t {
                return;
            }
            hot.take_first(true);
        }
    }

    /// Moves the first credit of a channel's list, which is not empty, to the channel.
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
