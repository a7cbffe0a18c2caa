//! The iterations of a job: when all of its ranks have begun each, and how long they take.

use std::collections::VecDeque;

use crate::measure::runtime::Mean;
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
    /// From that one on, the iterations that some rank has begun: when, and the number of ranks that have yet to.
    open: VecDeque<(Time, u32)>,
}

impl Iterations {
    /// Creates a job of `ranks` ranks, none of which has begun an iteration.
    pub fn new(ranks: u32) -> Self {
        Iterations { running: ranks, next: 0, open: VecDeque::new() }
    }

    /// Returns the number of iterations that some rank has begun: the index of the first that no rank has begun.
    pub fn seen(&self) -> u32 {
        self.next + self.open.len() as u32
    }

    /// Returns whether all ranks have ended.
    pub fn are_over(&self) -> bool {
        self.running == 0
    }

    /// Begins the next iteration of a rank; returns that iteration if all ranks have begun it now.
    pub fn begin(&mut self, number: u32, at: Time) -> Option<Begun> {
        let place = (number - self.next) as usize;
        if place == self.open.len() {
            self.open.push_back((at, self.running));
        }
        self.open[place].1 -= 1;
        self.complete(at)
    }

    /// Ends a rank that has begun `begun` iterations; returns the iterations that all other ranks have begun.
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

/// Measures how long iterations take since something was changed.
#[derive(Clone, Debug)]
pub struct IterationTimes {
    /// Only iterations count that begin after it; [`Time::NEVER`] for none.
    since: Time,
    /// When the last rank began each of the latest iterations: one more than `look_at`.
    begins: VecDeque<Time>,
    /// Number of iterations in a mean.
    look_at: u32,
    /// All that have been measured.
    pub all: Mean,
}

impl IterationTimes {
    /// Prepares means of `look_at` iterations, but measures none yet.
    pub fn new(look_at: u32) -> Self {
        IterationTimes { since: Time::NEVER, begins: VecDeque::new(), look_at, all: Mean::default() }
    }

    /// Measures only iterations that begin at or after a time.
    pub fn restart(&mut self, since: Time) {
        self.since = since;
        self.begins.clear();
    }

    /// Records an iteration that all ranks have begun; returns the mean of the latest once there are enough.
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
