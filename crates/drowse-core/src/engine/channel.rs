//! One direction of a link: when it is free, and what credits its sender holds; how it sleeps is in [`super::sleep`].
//!
//! A channel is owned by the port or NIC that sends on it.

use std::hint::select_unpredictable;

use crate::model::ids::ChannelId;
use crate::power::Policy;

use super::class::Class;
use super::directed::Heard;
use super::gather::Gathered;
use super::packet::NONE;
use super::sleep::{Account, sleep_after};
use super::waiting::MoreWords;

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
    credits: [u16; 8],
    /// The flits and virtual channels of the first two credits.
    credit_flits: [u16; 2],
    credit_vc: [u8; 2],
    /// The virtual channels that have credits for a full packet, one bit each.
    full: u8,
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
    /// The first 64 input queues of its switch whose head waits for it, one bit each.
    pub(super) waiting: u64,
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
    /// The link class.
    pub class: u8,
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

    /// Returns the flags of a channel that crosses a dateline: that of the dimension whose bit is set.
    pub fn crossing(dateline: u16) -> u8 {
        if dateline == 0 { 0 } else { (dateline.trailing_zeros() as u8 + 1) << Self::DATELINE_SHIFT }
    }

    /// Returns the bit of the dimension whose dateline it crosses, or 0.
    #[inline]
    pub fn dateline(&self) -> u16 {
        (1 << (self.flags >> Self::DATELINE_SHIFT)) >> 1
    }

    /// Makes a channel that has been on and idle from the start.
    fn new(idle: &IdleChannel, packet_flits: u16, sleep_at: u64) -> Self {
        let IdleChannel { class, flags, credits, peer, .. } = *idle;
        let mut channel = Channel {
            free_at: 0,
            awake_at: 0,
            sleep_at,
            credit_at: [u64::MAX; 2],
            credits,
            credit_flits: [0; 2],
            credit_vc: [0; 2],
            full: 0,
            flags,
            alarm: u64::MAX,
            idle_since: 0,
            packets: 0,
            flits: 0,
            waiting: 0,
            credit_head: NONE,
            credit_tail: NONE,
            peer,
            wakes: 0,
            delayed_messages: 0,
            next_reader: 0,
            narrow: 0,
            class,
        };
        (0..8).for_each(|vc| channel.add_credits(vc, 0, packet_flits));
        channel
    }

    /// Returns the credits of a virtual channel.
    pub fn credits(&self, vc: usize) -> u16 {
        self.credits[vc]
    }

    /// Adds to the credits of a virtual channel, or takes them away by adding what overflows; `full` is a full packet.
    #[inline]
    fn add_credits(&mut self, vc: u8, flits: u16, full: u16) {
        let credits = &mut self.credits[usize::from(vc & 7)];
        *credits = credits.wrapping_add(flits);
        self.full = self.full & !(1 << (vc & 7)) | u8::from(*credits >= full) << (vc & 7);
    }

    /// Takes the credits of a packet; `full` is a full packet.
    #[inline]
    pub fn spend(&mut self, vc: u8, flits: u16, full: u16) {
        self.add_credits(vc, flits.wrapping_neg(), full);
    }

    /// Breaks the rule that keeps rings from deadlock.
    #[cfg(test)]
    pub fn forget_dateline(&mut self) {
        self.flags &= (1 << Self::DATELINE_SHIFT) - 1;
    }

    /// Returns the credits of all virtual channels.
    #[inline]
    pub fn total_credits(&self) -> u32 {
        self.credits.iter().map(|&credits| u32::from(credits)).sum()
    }

    /// Returns whether a flag is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Returns whether the channel is on at time `t`.
    #[inline]
    pub fn is_on(&self, t: u64) -> bool {
        self.awake_at <= t && t < self.sleep_at
    }

    /// Takes a credit that comes back at time `at`, after those on their way; `false` if it must go into the list behind.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "nobody could foretell the branches")]
    fn keep(&mut self, at: u64, flits: u16, vc: u8) -> bool {
        let [first, second] = self.credit_at;
        let fits = (second == u64::MAX) & ((first <= at) | (first == u64::MAX));
        if fits {
            let place = usize::from(first != u64::MAX);
            (self.credit_at[place], self.credit_flits[place], self.credit_vc[place]) = (at, flits, vc);
        }
        fits
    }

    /// Takes the first credit on its way, if it is `due`; the second becomes the first. `full` is a full packet.
    #[inline]
    fn take_first(&mut self, due: bool, full: u16) {
        let [first, second] = self.credit_at;
        self.add_credits(self.credit_vc[0], select_unpredictable(due, self.credit_flits[0], 0), full);
        self.credit_at = [select_unpredictable(due, second, first), select_unpredictable(due, u64::MAX, second)];
        self.credit_flits[0] = self.credit_flits[usize::from(due)];
        self.credit_vc[0] = self.credit_vc[usize::from(due)];
    }

    fn keep_again(&mut self, Credit { at, flits, vc, .. }: Credit) -> bool {
        self.keep(at, flits, vc)
    }

    /// Returns the first or second credit on its way.
    fn kept(&self, place: usize) -> Option<Credit> {
        let at = self.credit_at[place];
        let credit = Credit { at, next: NONE, flits: self.credit_flits[place], vc: self.credit_vc[place] };
        (at != u64::MAX).then_some(credit)
    }

    /// Returns the virtual channels of a set, one bit each, that have credits for so many flits; `full` is a full packet.
    #[inline]
    pub fn roomy(&self, vcs: u8, flits: u16, full: u16) -> u8 {
        if flits == full { vcs & self.full } else { self.roomy_for(vcs, flits) }
    }

    #[inline(never)]
    fn roomy_for(&self, vcs: u8, flits: u16) -> u8 {
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
    /// What is left of serialisation times below a picosecond, in units of the class's denominator, indexed by channel; empty where
    /// nothing ever is.
    remainders: Vec<u64>,
    /// Which input queues wait for an output, beyond the first 64 of a switch.
    pub more_waiting: MoreWords,
    /// Flits of a full packet.
    pub packet_flits: u16,
    /// Since when is counted what channels do.
    pub(super) since: u64,
}

impl<'a, P: Policy> Channels<'a, P> {
    /// Makes channels that have been on and idle from the start; the two of a link sleep together if they are `coupled`.
    pub fn new(
        policy: &'a P,
        classes: &[Class],
        coupled: bool,
        packet_flits: u16,
        channels: impl Iterator<Item = IdleChannel>,
    ) -> Self {
        let some_sleep =
            P::PROBES || (0..).zip(classes).any(|(class, model)| model.states.is_some() && policy.may_sleep(class));
        // Grown step by step, they would be copied, and lie in memory twice.
        let count = channels.size_hint().0;
        let mut hot = Vec::with_capacity(count);
        let mut accounts = Vec::with_capacity(if some_sleep { count } else { 0 });
        for idle in channels {
            let IdleChannel { id, class, flags, .. } = idle;
            let mut sleep_at = u64::MAX;
            if some_sleep {
                let account = Account::new(policy.start(id, class));
                if flags & Channel::SLEEPS != 0 {
                    sleep_at = sleep_after(0, policy.timers(class, &account.policy));
                }
                accounts.push(account);
            }
            hot.push(Channel::new(&idle, packet_flits, sleep_at));
        }
        let directed = (0..classes.len()).any(|class| policy.runtime_rules(class as u8).is_some());
        let gathers = (0..classes.len()).any(|class| policy.coalescing(class as u8).is_some());
        let gathered = vec![Gathered::NOTHING; if gathers { hot.len() } else { 0 }];
        let exact = classes.iter().all(Class::is_exact);
        let remainders = vec![0; if exact { 0 } else { hot.len() }];
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
            remainders,
            more_waiting: MoreWords::default(),
            packet_flits,
            since: 0,
        }
    }

    /// Returns the class of a channel.
    #[inline]
    pub fn class(&self, channel: usize) -> &Class {
        &self.classes[self.hot[channel].class as usize]
    }

    /// Sends a packet as soon as the channel is free, from time `ready` on; `t` is when that was decided.
    #[inline(always)]
    pub fn send(&mut self, channel: usize, flits: u16, ready: u64, t: u64, others_wait: bool) -> Sent<'_> {
        if self.hot[channel].has(Channel::SLEEPS) {
            self.idle_over(channel, t);
        }
        let hot = &mut self.hot[channel];
        let class = &self.classes[hot.class as usize];
        let start = ready.max(hot.free_at);
        let end = start + class.duration(flits, hot.narrow, &mut self.remainders, channel);
        hot.free_at = end;
        hot.packets += 1;
        hot.flits += u64::from(flits);
        if hot.has(Channel::SLEEPS) {
            if others_wait {
                (hot.idle_since, hot.sleep_at) = (u64::MAX, u64::MAX);
            } else {
                hot.idle_from(self.policy, &self.accounts[channel], self.coupled, end);
            }
        }
        Sent { start, end, hot, class }
    }

    /// Takes the credits that have come back by time `t`, and gives the channel.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "nobody could foretell the branches")]
    pub fn collect_credits(&mut self, channel: usize, t: u64) -> &Channel {
        let hot = &mut self.hot[channel];
        let due = hot.credit_at[0] <= t;
        hot.take_first(due, self.packet_flits);
        // Where there is a list, both places before it are taken.
        if (hot.credit_at[0] <= t) | ((hot.credit_head != NONE) & (hot.credit_at[1] == u64::MAX)) {
            self.credits.collect(hot, t, self.packet_flits);
        }
        hot
    }

    /// Sends credits back to the channel's owner, who gets them at time `at`; tells whether somebody must be told. `now` is the
    /// time of the edge that has been reached.
    ///
    /// That is so where they are waited for, and where they overtake others: who waits for a credit that is on its way must
    /// be told of one that comes before it.
    #[inline(always)]
    pub fn return_credit(&mut self, channel: usize, vc: u8, flits: u16, at: u64, now: u64) -> bool {
        let hot = &mut self.hot[channel];
        let wanted = hot.has(Channel::WANTS_CREDIT);
        hot.flags &= !Channel::WANTS_CREDIT;
        if hot.keep(at, flits, vc) { wanted } else { self.list_credit(channel, at, flits, vc, now) || wanted }
    }

    /// Puts a credit into its place behind others; tells whether it overtakes some.
    #[inline(never)]
    fn list_credit(&mut self, channel: usize, at: u64, flits: u16, vc: u8, now: u64) -> bool {
        self.collect_credits(channel, now);
        let hot = &mut self.hot[channel];
        !hot.keep(at, flits, vc) && self.credits.put(hot, Credit { at, next: NONE, flits, vc })
    }

    /// Returns when the next credit comes back, if one is on its way.
    #[inline]
    pub fn next_credit(&self, channel: usize) -> Option<u64> {
        Some(self.hot[channel].credit_at[0]).filter(|&at| at != u64::MAX)
    }

    /// Returns all credits of a channel that are on their way back: virtual channel and flits.
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
    fn collect(&mut self, hot: &mut Channel, t: u64, full: u16) {
        loop {
            if hot.credit_head != NONE {
                self.advance(hot);
            }
            if hot.credit_at[0] > t {
                return;
            }
            hot.take_first(true, full);
        }
    }

    /// Moves the first credit of a channel's list, which is not empty, to the channel.
    fn advance(&mut self, hot: &mut Channel) {
        let slot = hot.credit_head;
        let credit = self.slots[slot as usize];
        self.slots[slot as usize].next = self.free;
        self.free = slot;
        hot.credit_head = credit.next;
        hot.keep_again(credit);
    }

    /// Puts a credit into its place among those of a channel that has two; tells whether it overtakes others, as happens with
    /// several read ports, where packets leave an input port side by side.
    #[inline(never)]
    fn put(&mut self, hot: &mut Channel, credit: Credit) -> bool {
        let Some(second) = hot.kept(1) else {
            // It comes before the only one.
            let first = hot.kept(0);
            hot.credit_at[0] = u64::MAX;
            hot.keep_again(credit);
            first.map(|first| hot.keep_again(first));
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
        if !hot.keep_again(credit) {
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
