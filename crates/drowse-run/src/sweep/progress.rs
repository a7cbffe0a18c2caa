//! How far a sweep has come, and the time that is left by what its cases have cost so far.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::cost::{Measured, side_by_side};
use crate::cancel::Cancel;

/// How far a sweep has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// So many of all cases have been checked.
    Checked(u64),
    /// All are checked; so many were found done, and so many will be run.
    Planned {
        /// Cases whose results are there.
        done: u64,
        /// Cases that will be run.
        missing: u64,
    },
    /// Cases are running.
    Running(Running),
}

/// How far the missing cases have come.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    /// Cases to run.
    pub missing: u64,
    /// Those that have been run, or tried.
    pub ran: u64,
    /// Those of them that could not finish.
    pub failed: u64,
    /// The share that is done of each running case, the one that began first in front; `None` where it is unknown.
    pub shares: Vec<Option<f64>>,
    /// The seconds that are left; `None` where nothing is known yet.
    pub left_s: Option<f64>,
}

/// Is told how far a sweep has come, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Progress) + Sync);

/// Who looks on while a sweep runs, and may stop it.
#[derive(Clone)]
pub struct Watch<'a> {
    /// Is told how far it has come.
    pub observer: Observer<'a>,
    /// Stops it; cases that have finished are kept.
    pub cancel: Cancel,
}

impl Default for Watch<'_> {
    /// Nobody looks on.
    fn default() -> Self {
        Watch::new(&|_| ())
    }
}

impl<'a> Watch<'a> {
    /// Makes one that is told, and stops nothing.
    pub fn new(observer: Observer<'a>) -> Self {
        Watch { observer, cancel: Cancel::default() }
    }

    /// Tells how far the sweep has come.
    pub(crate) fn tell(&self, progress: Progress) {
        (self.observer)(progress);
    }
}

/// The time left is not estimated from what has run for less than this, in seconds.
const FIRST_GUESS_S: f64 = 3.0;

/// Follows the cases that run, and tells the observer.
pub struct Monitor<'o> {
    observer: Observer<'o>,
    threads: usize,
    state: Mutex<State>,
}

struct State {
    missing: u64,
    ran: u64,
    failed: u64,
    /// The work of cases that have not begun.
    queued: f64,
    /// Cases that have run, now or in an earlier call.
    measured: Measured,
    running: Vec<Case>,
    /// The number of the next case.
    next: u64,
}

/// A running case.
struct Case {
    number: u64,
    work: f64,
    begun: Instant,
    share: Option<f64>,
}

/// A running case at one moment.
#[derive(Clone, Copy, Debug)]
struct Seen {
    work: f64,
    seconds: f64,
    share: Option<f64>,
}

impl<'o> Monitor<'o> {
    /// Begins, with the work of each missing case and with what others have cost before.
    pub fn new(
        works: impl ExactSizeIterator<Item = f64>,
        measured: Measured,
        threads: usize,
        observer: Observer<'o>,
    ) -> Self {
        let missing = works.len() as u64;
        let state = State { missing, ran: 0, failed: 0, queued: works.sum(), measured, running: Vec::new(), next: 0 };
        Monitor { observer, threads, state: Mutex::new(state) }
    }

    /// Notes that a case begins; returns the number by which it goes on.
    pub fn begin(&self, work: f64) -> u64 {
        self.change(|state| {
            state.queued = (state.queued - work).max(0.0);
            let number = state.next;
            state.next += 1;
            state.running.push(Case { number, work, begun: Instant::now(), share: None });
            number
        })
    }

    /// Notes which share of a running case is done.
    pub fn advance(&self, number: u64, share: Option<f64>) {
        self.change(|state| {
            let case = state.running.iter_mut().find(|case| case.number == number);
            case.into_iter().for_each(|case| case.share = share);
        });
    }

    /// Notes that a case has ended.
    pub fn end(&self, number: u64, failed: bool) {
        self.change(|state| {
            let Some(place) = state.running.iter().position(|case| case.number == number) else { return };
            let case = state.running.remove(place);
            state.ran += 1;
            state.failed += u64::from(failed);
            // One that fails at once says nothing of how long the others take.
            if !failed {
                state.measured.add(case.work, case.begun.elapsed().as_secs_f64());
            }
        });
    }

    /// Changes the state, and tells of it.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let (changed, running) = {
            // A thread that panicked while it held the lock left numbers that are only shown.
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            (change(&mut state), state.now(self.threads))
        };
        (self.observer)(Progress::Running(running));
        changed
    }
}

impl State {
    fn now(&self, threads: usize) -> Running {
        let seen =
            |case: &Case| Seen { work: case.work, seconds: case.begun.elapsed().as_secs_f64(), share: case.share };
        let seen: Vec<Seen> = self.running.iter().map(seen).collect();
        Running {
            missing: self.missing,
            ran: self.ran,
            failed: self.failed,
            shares: seen.iter().map(|case| case.share).collect(),
            left_s: left(self.measured, &seen, self.queued, threads),
        }
    }
}

/// Estimates the seconds that are left: what is left of the work, at the rate of what is done.
fn left(measured: Measured, running: &[Seen], queued: f64, threads: usize) -> Option<f64> {
    let known = |case: &&Seen| case.seconds >= FIRST_GUESS_S && case.share.is_some_and(|share| share > 0.0);
    let begun = running.iter().filter(known).fold(measured, |mut sum, case| {
        sum.add(case.work * case.share.unwrap_or(1.0), case.seconds);
        sum
    });
    let rate = begun.rate()?;
    let rest = |case: &Seen| match case.share {
        Some(share) => case.work * (1.0 - share),
        None => (case.work - case.seconds / rate).max(0.0),
    };
    let rests: Vec<f64> = running.iter().map(rest).collect();
    let longest = side_by_side(rests.iter().copied(), usize::MAX);
    let all = (rests.iter().sum::<f64>() + queued) / threads.max(1) as f64;
    Some(all.max(longest) * rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(work: f64, seconds: f64) -> Measured {
        let mut measured = Measured::default();
        measured.add(work, seconds);
        measured
    }

    fn seen(work: f64, seconds: f64, share: Option<f64>) -> Seen {
        Seen { work, seconds, share }
    }

    #[test]
    fn nothing_is_guessed_through_the_first_seconds() {
        let none = Measured::default();
        assert_eq!(left(none, &[], 10.0, 2), None);
        assert_eq!(left(none, &[seen(5.0, 1.0, Some(0.5))], 10.0, 1), None, "too early to tell");
        assert_eq!(left(none, &[seen(5.0, 100.0, None)], 10.0, 1), None, "nobody knows how far it is");
        // Half of 5 took 10 s: 4 s a unit, and 2.5 + 10 are left.
        assert_eq!(left(none, &[seen(5.0, 10.0, Some(0.5))], 10.0, 1), Some(50.0));
    }

    #[test]
    fn threads_share_what_is_left_but_not_one_case() {
        let before = measured(10.0, 20.0);
        assert_eq!(left(before, &[], 12.0, 1), Some(24.0));
        assert_eq!(left(before, &[], 12.0, 2), Some(12.0));
        // The last case runs alone.
        assert_eq!(left(before, &[seen(8.0, 1.0, Some(0.0))], 0.0, 4), Some(16.0));
        // A case that does not tell how far it is: 8 units are 16 s, 6 s of them have passed.
        assert_eq!(left(before, &[seen(8.0, 6.0, None)], 0.0, 1), Some(10.0));
    }

    #[test]
    fn what_runs_and_fails_is_counted() {
        let told = Mutex::new(Vec::new());
        let observer = |progress| told.lock().unwrap().push(progress);
        let monitor = Monitor::new([3.0, 2.0].into_iter(), Measured::default(), 2, &observer);
        let [first, second] = [3.0, 2.0].map(|work| monitor.begin(work));
        monitor.advance(second, Some(0.5));
        monitor.end(first, true);
        monitor.end(second, false);
        let told: Vec<_> = told.into_inner().unwrap();
        let now = |progress: &Progress| match progress {
            Progress::Running(running) => (running.ran, running.failed, running.shares.clone()),
            other => panic!("{other:?}"),
        };
        let expected = [
            (0, 0, vec![None]),
            (0, 0, vec![None, None]),
            (0, 0, vec![None, Some(0.5)]),
            (1, 1, vec![Some(0.5)]),
            (2, 1, vec![]),
        ];
        assert_eq!(told.iter().map(now).collect::<Vec<_>>(), expected);
    }
}
