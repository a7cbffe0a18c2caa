//! A job that runs: how fast its iterations are, and whether its ranks are held.

use super::counts::Counts;
use super::ratio::Ratio;

/// How long some iterations took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The time from a mark of a rank to a later one.
    pub time: u64,
    /// How many marks later that was.
    pub marks: u32,
}

impl Pace {
    /// Returns the time that so many iterations take.
    pub fn time_of(self, iterations: u64) -> u64 {
        Ratio::new(iterations, self.marks.into()).of(self.time)
    }

    /// Returns how many times `unit` iterations take a time or less.
    pub fn units_within(self, time: u64, unit: u32) -> u64 {
        let whole = u128::from(self.time) * u128::from(unit);
        u64::try_from(u128::from(time) * u128::from(self.marks) / whole.max(1)).unwrap_or(u64::MAX)
    }

    /// Returns how many times `unit` iterations take a time or more, to a picosecond.
    pub fn units_after(self, time: u64, unit: u32) -> u64 {
        let whole = u128::from(self.time) * u128::from(unit);
        u64::try_from((u128::from(time) * u128::from(self.marks)).div_ceil(whole.max(1))).unwrap_or(u64::MAX)
    }

    /// Returns by how much iterations of another pace take longer or shorter, in billionths of these.
    pub fn difference(self, other: Pace) -> u64 {
        let own = u128::from(self.time) * u128::from(other.marks);
        let theirs = u128::from(other.time) * u128::from(self.marks);
        u64::try_from(own.abs_diff(theirs) * 1_000_000_000 / own.max(1)).unwrap_or(u64::MAX)
    }
}

/// A sample of all ranks of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// How long iterations took at its first rank.
    pub pace: Pace,
    /// By how much other ranks differ from that at most, in billionths.
    pub spread: u64,
    /// How many iterations are left that repeat.
    pub left: u64,
}

/// Whether the ranks of a job are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// They go on.
    Runs,
    /// They are to be held at a mark, and then released at once if that is `void`.
    Asked { void: bool },
    /// All are held.
    Held(Hold),
}

/// All ranks of a job are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    /// Since when the first one is.
    pub from: u64,
    /// Since when the last one is.
    pub to: u64,
    /// How many iterations can be left out.
    pub left: u64,
}

/// A channel that a job was the first of its group to use, and what it has done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    pub channel: u32,
    /// Up to the beginning of the present sample.
    pub base: Counts,
    /// In the last sample.
    pub sample: Option<Counts>,
}

/// A job that runs.
#[derive(Clone, Debug)]
pub(super) struct Running {
    pub group: u32,
    pub channels: Vec<Used>,
    /// Iterations of a sample; 0 where it is not known that they repeat.
    pub unit: u32,
    /// When its ranks are stopped.
    pub limit: u64,
    pub state: State,
    /// Counts the changes of its state.
    pub version: u32,
    /// Its ranks have come to the first mark of the present sample.
    pub began: bool,
    /// All of them have come to its end.
    pub ended: bool,
    /// The last two samples.
    pub sample: Option<Sampled>,
    pub before: Option<Sampled>,
    /// How long that of its channels took.
    pub length: u64,
}

impl Running {
    /// Starts a job whose iterations repeat after so many.
    pub fn new(group: u32, every: u32, limit: u64) -> Self {
        Running {
            group,
            channels: Vec::new(),
            unit: every,
            limit,
            state: State::Runs,
            version: 0,
            began: false,
            ended: false,
            sample: None,
            before: None,
            length: 0,
        }
    }

    /// Takes a channel that has done so much until the present sample began.
    pub fn takes(&mut self, channel: u32, base: Counts) {
        self.channels.push(Used { channel, base, sample: None });
    }

    /// Forgets what it has sampled.
    pub fn forget(&mut self) {
        (self.began, self.ended, self.sample, self.before) = (false, false, None, None);
        self.channels.iter_mut().for_each(|used| used.sample = None);
    }

    /// Changes its state.
    pub fn enter(&mut self, state: State) {
        self.state = state;
        self.version = self.version.wrapping_add(1);
    }

    /// Returns the time that the iterations of a sample take.
    pub fn unit_time(&self) -> u64 {
        self.sample.map_or(0, |sampled| sampled.pace.time_of(self.unit.into()))
    }

    /// Returns how many of `left` iterations can be left out: whole samples, and two of them are simulated at the end.
    pub fn room(&self, left: u64) -> u64 {
        let unit = u64::from(self.unit.max(1));
        (left / unit).saturating_sub(2) * unit
    }

    /// Returns until when it goes on as now from time `t` on, if it has `left` iterations.
    pub fn until(&self, t: u64, left: u64) -> u64 {
        let time = self.sample.map_or(0, |sampled| sampled.pace.time_of(self.room(left)));
        t.saturating_add(time).min(self.limit.saturating_sub(3 * self.unit_time()))
    }

    /// Returns how many iterations it leaves out that ends a hold at time `t` or soon after, and how long they take.
    pub fn skips(&self, hold: Hold, t: u64) -> (u64, u64) {
        let passed = t.saturating_sub(hold.from);
        let Some(Sampled { pace, .. }) = self.sample else { return (0, passed) };
        let units = pace.units_after(passed, self.unit.max(1));
        let iterations = units.min(hold.left / u64::from(self.unit.max(1))) * u64::from(self.unit.max(1));
        (iterations, pace.time_of(iterations).max(passed))
    }

    /// Returns when a hold ends that is to end at a time or before.
    pub fn hold_ends(&self, hold: Hold, by: u64) -> u64 {
        let Some(Sampled { pace, .. }) = self.sample else { return hold.from };
        let units = pace.units_within(by.saturating_sub(hold.to), self.unit.max(1));
        let iterations = units.saturating_mul(u64::from(self.unit.max(1))).min(self.room(hold.left));
        hold.from + pace.time_of(iterations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Running {
        let mut job = Running::new(0, 2, 1_000);
        job.sample = Some(Sampled { pace: Pace { time: 40, marks: 4 }, spread: 0, left: 50 });
        job
    }

    /// Iterations of 10 in pairs, two pairs of which are kept; ranks are stopped at 1,000, and three pairs before that
    /// are simulated.
    #[test]
    fn rooms_by_hand() {
        assert_eq!((job().unit_time(), job().room(51), job().room(3)), (20, 46, 0));
        assert_eq!((job().until(100, 51), job().until(700, 51)), (560, 940));
    }

    /// Held from 100 to 107. A hold that is to end by 180 ends three pairs later; one that somebody ends at 141 ends
    /// when the third pair has.
    #[test]
    fn holds_by_hand() {
        let hold = Hold { from: 100, to: 107, left: 50 };
        assert_eq!(job().hold_ends(hold, 180), 160);
        assert_eq!(job().skips(hold, 160), (6, 60));
        assert_eq!(job().skips(hold, 141), (6, 60));
        assert_eq!(job().skips(Hold { left: 3, ..hold }, 141), (2, 41), "the time passes, whatever is left");
        assert_eq!(job().skips(hold, 100), (0, 0));
    }

    /// Iterations of ten and a half picoseconds: a thousand pairs of them take 21,000, and are found again in that.
    #[test]
    fn fractions_of_picoseconds_add_up() {
        let pace = Pace { time: 21, marks: 2 };
        assert_eq!(
            (pace.time_of(2_001), pace.units_after(21_010, 1), pace.units_after(21_011, 1)),
            (21_010, 2_001, 2_002)
        );
        assert_eq!(
            (pace.units_within(21_010, 1), pace.units_within(21_011, 1), pace.units_within(20_999, 2)),
            (2_000, 2_001, 999)
        );
    }

    #[test]
    fn paces_are_compared_by_iteration() {
        let pace = |time, marks| Pace { time, marks };
        assert_eq!(pace(100, 10).difference(pace(202, 20)), 10_000_000);
        assert_eq!(pace(100, 10).difference(pace(198, 20)), 10_000_000);
        assert_eq!(pace(0, 10).difference(pace(0, 10)), 0);
    }
}
