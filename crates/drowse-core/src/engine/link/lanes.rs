//! Links that narrow: how many of a channel's lanes are on, and the account of it.
//!
//! Lanes that go off carry nothing from then on; those that go on carry something once they are awake. Meanwhile the
//! channel goes on sending over the others. Times are counted for each lane, and divided by their number at the end: a
//! channel with half of its lanes off for a while has slept half of that.

use crate::measure::ChannelRecord;
use crate::model::units::Time;
use crate::power::{Change, LinkState, SleepStates};

/// The lanes of a channel.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    /// As a power of two.
    all: u8,
    /// How often they have been halved.
    pub narrow: u8,
    /// Lanes that sleep or go to sleep.
    off: u32,
    /// Until when lanes are going on or off.
    moving_until: u64,
    /// When lanes have gone off that the account does not yet know of: all since some last went on, so that a run may
    /// have ended before.
    shed: [u64; 4],
    sheds: u8,
    account: Account,
}

/// What lanes have done up to a time.
#[derive(Clone, Copy, Debug)]
struct Account {
    settled: u64,
    /// Lanes that sleep or go to sleep.
    off: u32,
    /// Lanes that go on or off, which of the two, and until when.
    moving: u32,
    state: LinkState,
    until: u64,
    /// Time of lanes in the states entering, shallow, deep and waking.
    asleep: [u128; 4],
    /// How often lanes went on.
    wakes: u64,
}

impl Account {
    fn settle(&mut self, t: u64) {
        let Some(passed) = t.checked_sub(self.settled) else { return };
        let moved = passed.min(self.until.saturating_sub(self.settled));
        let entering = self.state == LinkState::Entering;
        let mut add = |state: LinkState, lanes: u32, time: u64| {
            self.asleep[state as usize - 1] += u128::from(lanes) * u128::from(time);
        };
        add(self.state, self.moving, moved);
        add(LinkState::Deep, self.off - if entering { self.moving } else { 0 }, moved);
        add(LinkState::Deep, self.off, passed - moved);
        self.settled = t;
    }
}

impl Lanes {
    /// Creates `lanes` lanes, a power of two of at most 16, all on.
    pub fn new(lanes: u8) -> Self {
        let account =
            Account { settled: 0, off: 0, moving: 0, state: LinkState::Waking, until: 0, asleep: [0; 4], wakes: 0 };
        let all = lanes.trailing_zeros() as u8;
        Lanes { all, narrow: 0, off: 0, moving_until: 0, shed: [0; 4], sheds: 0, account }
    }

    /// Returns the number of lanes, and of those that are on or going on.
    pub fn count(&self) -> (u32, u32) {
        let all = 1 << self.all;
        (all, all - self.off)
    }

    /// Returns whether lanes are going on or off.
    pub fn is_moving(&self, t: u64) -> bool {
        t < self.moving_until
    }

    /// Returns the time up to which the account is complete: when lanes last went on.
    pub fn settled(&self) -> u64 {
        self.account.settled
    }

    /// Halves or doubles the lanes that are on at time `t`; returns when additional lanes can carry something.
    pub fn resize(&mut self, change: Change, t: u64, states: &SleepStates) -> Option<u64> {
        let on = self.count().1;
        match change {
            Change::Fewer if on > 1 => {
                self.shed[usize::from(self.sheds)] = t;
                self.sheds += 1;
                self.off += on / 2;
                self.narrow += 1;
                self.moving_until = t + states.deep.enter.0;
                None
            }
            Change::More if self.off >= on => {
                self.settle(t, states);
                self.off -= on;
                self.moving_until = t + states.deep.wake.0;
                let wakes = self.account.wakes + 1;
                let (state, until) = (LinkState::Waking, self.moving_until);
                self.account = Account { off: self.off, moving: on, state, until, wakes, ..self.account };
                Some(until)
            }
            _ => None,
        }
    }

    /// Puts the lanes that have gone on to use.
    pub fn widen(&mut self) {
        self.narrow -= 1;
    }

    /// Completes the account up to time `t`.
    fn settle(&mut self, t: u64, states: &SleepStates) {
        let known = self.shed[..usize::from(self.sheds)].partition_point(|&at| at < t);
        for &at in &self.shed[..known] {
            self.account.settle(at);
            let on = (1 << self.all) - self.account.off;
            let (state, until) = (LinkState::Entering, at + states.deep.enter.0);
            self.account = Account { off: self.account.off + on / 2, moving: on / 2, state, until, ..self.account };
        }
        self.shed.copy_within(known.., 0);
        self.sheds -= known as u8;
        self.account.settle(t);
    }

    /// Begins to count anew at time `t`.
    pub fn count_from(&mut self, t: u64, states: &SleepStates) {
        self.settle(t, states);
        (self.account.asleep, self.account.wakes) = ([0; 4], 0);
    }

    /// Puts what the lanes have done up to time `t` into the record of a channel that was on.
    pub fn record(&mut self, t: u64, states: &SleepStates, record: &mut ChannelRecord) {
        self.settle(t, states);
        let [on, asleep @ ..] = &mut record.residency;
        for (time, lanes) in asleep.iter_mut().zip(self.account.asleep) {
            *time = Time((lanes >> self.all) as u64);
            on.0 -= time.0;
        }
        record.wakes = self.account.wakes;
    }
}
