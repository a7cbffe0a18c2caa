//! Links that narrow: how many of a channel's lanes are on, and the account of it.
//!
//! Lanes that go off carry nothing from then on; those that go on carry something once they are awake. Meanwhile the
//! channel goes on sending over the others. Times are counted for each lane, and divided by their number at the end: a
//! channel with half of its lanes off for a while has slept half of that.

use crate::measure::ChannelRecord;
use crate::measure::over_time::LinksOverTime;
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
    fn count_until(&mut self, t: u64) {
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

    /// Returns until when lanes are going on or off.
    pub fn moving_until(&self) -> u64 {
        self.moving_until
    }

    /// Lets all lanes but so many, a power of two, sleep from the start of a run.
    pub fn begin_with(&mut self, on: u32) {
        let all = self.count().0;
        self.off = all - on.clamp(1, all);
        self.narrow = self.all - (all - self.off).trailing_zeros() as u8;
        self.account.off = self.off;
    }

    /// Returns the time up to which the account is complete: when lanes last went on.
    pub fn settled(&self) -> u64 {
        self.account.settled
    }

    /// Halves or doubles the lanes that are on at time `t`; returns when additional lanes can carry something. Nothing
    /// happens while lanes go on or off: the two ends of a link may agree on more than one change before the first.
    pub fn resize(&mut self, change: Change, t: u64, states: &SleepStates) -> Option<u64> {
        let on = self.count().1;
        match change {
            _ if self.is_moving(t) => None,
            Change::Fewer(_) if on > 1 => {
                self.shed[usize::from(self.sheds)] = t;
                self.sheds += 1;
                self.off += on / 2;
                self.narrow += 1;
                self.moving_until = t + states.deep.enter.0;
                None
            }
            Change::More(_) if self.off >= on => {
                self.count_until(t, states);
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
    fn count_until(&mut self, t: u64, states: &SleepStates) {
        let known = self.shed[..usize::from(self.sheds)].partition_point(|&at| at < t);
        for &at in &self.shed[..known] {
            self.account.count_until(at);
            let on = (1 << self.all) - self.account.off;
            let (state, until) = (LinkState::Entering, at + states.deep.enter.0);
            self.account = Account { off: self.account.off + on / 2, moving: on / 2, state, until, ..self.account };
        }
        self.shed.copy_within(known.., 0);
        self.sheds -= known as u8;
        self.account.count_until(t);
    }

    /// Completes the account up to time `t`, one interval after the other, and records what the channel has done.
    pub fn account_by_interval(&mut self, t: u64, states: &SleepStates, group: u16, over_time: &mut LinksOverTime) {
        let shares = |lanes: &Lanes| lanes.account.asleep.map(|time| (time >> lanes.all) as u64);
        while self.account.settled < t {
            let (from, before) = (self.account.settled, shares(self));
            self.count_until(over_time.end_of(from, t).min(t), states);
            let mut spent = shares(self);
            spent.iter_mut().zip(before).for_each(|(after, before)| *after -= before);
            over_time.asleep(group, from, &spent);
        }
    }

    /// Begins to count anew at time `t`.
    pub fn count_from(&mut self, t: u64, states: &SleepStates) {
        self.count_until(t, states);
        (self.account.asleep, self.account.wakes) = ([0; 4], 0);
    }

    /// Puts what the lanes have done up to time `t` into the record of a channel that was on.
    pub fn record(&mut self, t: u64, states: &SleepStates, record: &mut ChannelRecord) {
        self.count_until(t, states);
        let [on, asleep @ ..] = &mut record.residency;
        for (time, lanes) in asleep.iter_mut().zip(self.account.asleep) {
            *time = Time((lanes >> self.all) as u64);
            on.0 -= time.0;
        }
        record.wakes = self.account.wakes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::power::SleepState;

    /// Lanes take 40 ps to go off and 80 ps to go on.
    fn states() -> SleepStates {
        let state = SleepState { power: 0.1, enter: Time(40), wake: Time(80) };
        SleepStates::new(state, state)
    }

    /// Returns the times in the states on to waking; lanes have no further states.
    fn record(mut lanes: Lanes, t: u64, on: u64) -> ([u64; 5], u64) {
        let mut record = ChannelRecord::default();
        record.residency[0] = Time(on);
        lanes.record(t, &states(), &mut record);
        (std::array::from_fn(|state| record.residency[state].0), record.wakes)
    }

    /// Four lanes: halved at 400 and 800 ps, doubled at 1,600 and 2,000 ps; what they cannot do changes nothing.
    fn halved_and_doubled() -> Lanes {
        let mut lanes = Lanes::new(4);
        let count = |lanes: &Lanes| (lanes.count(), lanes.narrow);
        assert_eq!((lanes.resize(Change::More(1), 100, &states()), count(&lanes)), (None, ((4, 4), 0)));
        assert_eq!((lanes.resize(Change::None, 200, &states()), count(&lanes)), (None, ((4, 4), 0)));
        assert!(!lanes.is_moving(200));
        assert_eq!((lanes.resize(Change::Fewer(1), 400, &states()), count(&lanes)), (None, ((4, 2), 1)));
        assert_eq!([439, 440].map(|t| lanes.is_moving(t)), [true, false]);
        assert_eq!((lanes.resize(Change::More(1), 439, &states()), count(&lanes)), (None, ((4, 2), 1)));
        assert_eq!((lanes.resize(Change::Fewer(1), 800, &states()), count(&lanes)), (None, ((4, 1), 2)));
        assert_eq!((lanes.resize(Change::Fewer(1), 1_200, &states()), count(&lanes)), (None, ((4, 1), 2)));
        assert_eq!((lanes.resize(Change::More(1), 1_600, &states()), count(&lanes)), (Some(1_680), ((4, 2), 2)));
        assert_eq!([1_679, 1_680].map(|t| lanes.is_moving(t)), [true, false]);
        assert_eq!((lanes.resize(Change::More(1), 1_679, &states()), count(&lanes)), (None, ((4, 2), 2)));
        assert_eq!(lanes.settled(), 1_600);
        lanes.widen();
        assert_eq!((lanes.resize(Change::More(1), 2_000, &states()), count(&lanes)), (Some(2_080), ((4, 4), 1)));
        lanes.widen();
        assert_eq!((lanes.resize(Change::More(1), 2_400, &states()), count(&lanes)), (None, ((4, 4), 0)));
        lanes
    }

    /// By hand, in lanes times ps: entering 2 x 40 and 1 x 40; waking 1 x 80 and 2 x 80; deep 2 x 360 up to 800, 2 x 40
    /// while the third enters, 3 x 760 up to 1,600, 2 x 400 up to 2,000. A quarter of each is the channel's.
    #[test]
    fn lanes_by_hand() {
        let (entering, waking, deep) = ((80 + 40) / 4, (80 + 160) / 4, (720 + 80 + 2_280 + 800) / 4);
        let on = 4_000 - entering - waking - deep;
        assert_eq!(record(halved_and_doubled(), 4_000, 4_000), ([on, entering, 0, deep, waking], 2));
    }

    /// A run may end, or begin to count, while lanes are off.
    #[test]
    fn counting_begins_and_ends_anywhere() {
        let mut lanes = Lanes::new(4);
        lanes.resize(Change::Fewer(1), 400, &states());
        lanes.resize(Change::Fewer(1), 800, &states());
        // What happens at 800 ps is after the end at 600: two lanes enter for 40 ps and sleep for 160.
        assert_eq!(record(lanes, 600, 600), ([500, 20, 0, 80, 0], 0));
        assert_eq!(record(lanes, 820, 820), ([820 - 25 - 190, 25, 0, 190, 0], 0));
        lanes.count_from(820, &states());
        // Half of the third lane's way is left; then three sleep.
        assert_eq!(record(lanes, 1_040, 220), ([220 - 5 - 160, 5, 0, 160, 0], 0));
        lanes.resize(Change::More(1), 1_240, &states());
        lanes.count_from(1_280, &states());
        assert_eq!(record(lanes, 1_680, 400), ([400 - 10 - 200, 0, 0, 200, 10], 0));
    }
}
