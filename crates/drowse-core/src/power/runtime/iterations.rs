//! The iterations of a job: when all of its ranks have begun each, and how long they take.

use std::collections::VecDeque;

use crate::model::units::Time;

/// An iteration that all ranks have begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The iteration.
    pub number: u32,
    /// When the first rank began it.
    pub first: Time,
    /// When the last one did.
    pub last: Time,
}

/// How far the ranks of a job are.
#[derive(Clone, Debug)]
pub struct Iterations {
    /// Ranks that have not ended.
    running: u32,
    /// The first iteration that some rank has yet to begin.
    next: u32,
    /// From that one on, those that some rank has begun: when, and how many ranks have yet to.
    open: VecDeque<(Time, u32)>,
}

impl Iterations {
    /// Takes a job of so many ranks, none of which has begun an iteration.
    pub fn new(ranks: u32) -> Self {
        Iterations { running: ranks, next: 0, open: VecDeque::new() }
    }

    /// Returns the number of iterations that some rank has begun, which is that of the first that none has.
    pub fn seen(&self) -> u32 {
        self.next + self.open.len() as u32
    }

    /// Returns whether all ranks have ended.
    pub fn are_over(&self) -> bool {
        self.running == 0
    }

    /// Lets a rank begin its next iteration; gives that iteration if all ranks have begun it now.
    pub fn begin(&mut self, number: u32, at: Time) -> Option<Begun> {
        let place = (number - self.next) as usize;
        if place == self.open.len() {
            self.open.push_back((at, self.running));
        }
        self.open[place].1 -= 1;
        self.complete(at)
    }

    /// Lets a rank end that has begun so many iterations, and gives those that no rank is waited for any more.
    pub fn finish(&mut self, begun: u32, at: Time) -> impl Iterator<Item = Begun> {
        self.running -= 1;
        let skipped = begun.saturating_sub(self.next) as usize;
        self.open.iter_mut().skip(skipped).for_each(|(_, waiting)| *waiting -= 1);
        std::iter::from_fn(move || self.complete(at))
    }

    fn complete(&mut self, last: Time) -> Option<Begun> {
        let (first, _) = self.open.pop_front_if(|(_, waiting)| *waiting == 0)?;
        self.next += 1;
        Some(Begun { number: self.next - 1, first, last })
    }
}

/// Mean length of iterations, from when the last rank begins one to when the last rank begins the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mean {
    /// The iterations.
    pub count: u32,
    /// How long they took together.
    pub sum: Time,
}

impl Mean {
    /// Returns the length of one.
    pub fn length(self) -> Option<Time> {
        (self.count > 0).then(|| Time(self.sum.0 / u64::from(self.count)))
    }

    /// Returns whether iterations are longer than others by more than a share, in billionths.
    pub fn exceeds(self, other: Mean, billionths: u64) -> bool {
        let product = |mean: Mean, count: u32| u128::from(mean.sum.0) * u128::from(count);
        let bound = 1_000_000_000 + u128::from(billionths);
        product(self, other.count) * 1_000_000_000 > product(other, self.count).saturating_mul(bound)
    }
}

/// Watches how long iterations are since something was changed.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Only iterations count that begin after it; [`Time::NEVER`] for none.
    since: Time,
    /// When the last rank began the latest of them, as many as are looked at and one more.
    begins: VecDeque<Time>,
    /// How many are looked at.
    look_at: u32,
    /// All that have been watched.
    pub all: Mean,
}

impl Watch {
    /// Prepares to look at so many iterations at a time, but watches none.
    pub fn new(look_at: u32) -> Self {
        Watch { since: Time::NEVER, begins: VecDeque::new(), look_at, all: Mean::default() }
    }

    /// Watches only iterations that begin from a time on.
    pub fn restart(&mut self, since: Time) {
        self.since = since;
        self.begins.clear();
    }

    /// Takes down an iteration that all ranks have begun; gives the mean of the latest, once there are enough.
    pub fn begin(&mut self, begun: Begun) -> Option<Mean> {
        if begun.first < self.since {
            return None;
        }
        if let Some(&before) = self.begins.back() {
            self.all.count += 1;
            self.all.sum += begun.last.saturating_sub(before);
        }
        self.begins.push_back(begun.last);
        if self.begins.len() as u32 <= self.look_at {
            return None;
        }
        let before = self.begins.pop_front()?;
        Some(Mean { count: self.look_at, sum: begun.last.saturating_sub(before) })
    }
}
