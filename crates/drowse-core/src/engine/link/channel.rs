//! One direction of a link: when it is free, and what credits its sender holds. How it sleeps is in [`super::sleep`].
//!
//! A channel is owned by the port or NIC that sends on it.

use std::hint::select_unpredictable;

use crate::model::ids::ChannelId;

use crate::engine::event::NONE;

/// The fields of a channel that packets use: what they read is in the first cache line, what sending one changes in the
/// second.
#[derive(Clone, Debug)]
#[repr(C, align(128))]
pub struct Channel {
    /// When the last bit of the last packet is sent.
    pub free_at: u64,
    /// When the last waking ends or ended; before it, the channel cannot send.
    pub awake_at: u64,
    /// When the channel leaves the state on unless it is requested before; [`u64::MAX`] while a packet waits for it.
    pub sleep_at: u64,
    /// When the first two credits under way return, oldest first; [`u64::MAX`] where there is none.
    pub(super) credit_at: [u64; 2],
    /// Flits that may be sent on each virtual channel.
    pub(super) credits: [u16; 8],
    /// The flits and virtual channels of the first two credits.
    pub(super) credit_flits: [u16; 2],
    pub(super) credit_vc: [u8; 2],
    /// The virtual channels that have credits for a full packet, one bit each.
    pub(super) full: u8,
    /// Some of the bits below.
    pub flags: u8,

    /// The earliest bucket with a wakeup for this output; [`u64::MAX`] where there is none.
    pub wakeup_at: u64,
    /// Start of the idle period, perhaps still to come; [`u64::MAX`] while a packet waits for the channel.
    pub idle_since: u64,
    /// Packets sent.
    pub packets: u64,
    /// Flits sent.
    pub flits: u64,
    /// The first 64 input queues of its switch whose head waits for it, one bit each.
    pub waiting: u64,
    /// The other credits under way: a list in the [`CreditPool`](super::credit_pool::CreditPool).
    pub(super) credit_head: u32,
    pub(super) credit_tail: u32,
    /// The input port to which it leads, or one [`crate::engine::partition::REMOTE`].
    pub peer: u32,
    /// How often it was woken.
    pub wakes: u32,
    /// Messages whose first packet waited for a wake.
    pub delayed_messages: u32,
    /// How many grants the output's arbiter has counted; or where a round-robin one looks first among the read ports.
    pub arbiter: u16,
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
    /// A packet waits for credits: wake it when one returns.
    pub const WANTS_CREDIT: u8 = 4;
    /// Belongs to a governed trunk: goes off and on by command only, and no packet wakes it.
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

    /// Creates a channel that has been on and idle from the start.
    pub(super) fn new(idle: &IdleChannel, packet_flits: u16, sleep_at: u64) -> Self {
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
            wakeup_at: u64::MAX,
            idle_since: 0,
            packets: 0,
            flits: 0,
            waiting: 0,
            credit_head: NONE,
            credit_tail: NONE,
            peer,
            wakes: 0,
            delayed_messages: 0,
            arbiter: 0,
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
    pub(super) fn add_credits(&mut self, vc: u8, flits: u16, full: u16) {
        let credits = &mut self.credits[usize::from(vc & 7)];
        *credits = credits.wrapping_add(flits);
        self.full = self.full & !(1 << (vc & 7)) | u8::from(*credits >= full) << (vc & 7);
    }

    /// Has somebody who looks at the channel find that there is something to collect, and who notes a credit that there is
    /// no place for it: for senders that pause when they are told to.
    pub(super) fn always_collect(&mut self) {
        (self.credit_at, self.credit_flits) = ([0; 2], [0; 2]);
    }

    /// Sets the credits of a virtual channel; `full` is a full packet.
    pub(super) fn set_credits(&mut self, vc: u8, flits: u16, full: u16) {
        self.credits[usize::from(vc & 7)] = 0;
        self.add_credits(vc, flits, full);
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

    /// Returns the virtual channels that have credits for a full packet, one bit each.
    #[inline]
    pub fn full_vcs(&self) -> u8 {
        self.full
    }

    /// Returns whether no virtual channel has a credit.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.full == 0 && self.total_credits() == 0
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

    /// Notes a credit that returns at time `at`, after those under way; `false` if it must go into the list behind.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "no predictor could guess the branches")]
    pub(super) fn keep(&mut self, at: u64, flits: u16, vc: u8) -> bool {
        let [first, second] = self.credit_at;
        let fits = (second == u64::MAX) & ((first <= at) | (first == u64::MAX));
        if fits {
            let place = usize::from(first != u64::MAX);
            (self.credit_at[place], self.credit_flits[place], self.credit_vc[place]) = (at, flits, vc);
        }
        fits
    }

    /// Collects the first credit under way if it is `due`; the second becomes the first. `full` is a full packet.
    #[inline]
    pub(super) fn take_first(&mut self, due: bool, full: u16) {
        let [first, second] = self.credit_at;
        self.add_credits(self.credit_vc[0], select_unpredictable(due, self.credit_flits[0], 0), full);
        self.credit_at = [select_unpredictable(due, second, first), select_unpredictable(due, u64::MAX, second)];
        self.credit_flits[0] = self.credit_flits[usize::from(due)];
        self.credit_vc[0] = self.credit_vc[usize::from(due)];
    }

    pub(super) fn keep_again(&mut self, Credit { at, flits, vc, .. }: Credit) -> bool {
        self.keep(at, flits, vc)
    }

    /// Returns the first or second credit under way.
    pub(super) fn kept(&self, place: usize) -> Option<Credit> {
        let at = self.credit_at[place];
        let credit = Credit { at, next: NONE, flits: self.credit_flits[place], vc: self.credit_vc[place] };
        (at != u64::MAX).then_some(credit)
    }

    /// Returns the virtual channels of a set, one bit each, that have credits for `flits`; `full` is a full packet.
    #[inline]
    pub fn with_credits(&self, vcs: u8, flits: u16, full: u16) -> u8 {
        if flits == full { vcs & self.full } else { self.with_credits_for(vcs, flits) }
    }

    #[inline(never)]
    fn with_credits_for(&self, vcs: u8, flits: u16) -> u8 {
        let mut left = vcs;
        let mut with_credits = 0;
        while left != 0 {
            let vc = left.trailing_zeros() & 7;
            left &= left - 1;
            with_credits |= u8::from(self.credits[vc as usize] >= flits) << vc;
        }
        with_credits
    }
}

/// What a channel is before anything has happened.
#[derive(Clone, Copy, Debug)]
pub struct IdleChannel {
    /// Its number in the whole network.
    pub id: ChannelId,
    /// The link class.
    pub class: u8,
    /// It is the way through a crossbar to the output queues before a channel of that class.
    pub crosses: bool,
    /// The flags of [`Channel::flags`].
    pub flags: u8,
    /// Flits that may be sent on each virtual channel.
    pub credits: [u16; 8],
    /// The input port to which it leads.
    pub peer: u32,
}

/// A credit under way.
#[derive(Clone, Copy, Debug)]
pub struct Credit {
    pub(super) at: u64,
    pub(super) next: u32,
    pub(super) flits: u16,
    pub(super) vc: u8,
}
