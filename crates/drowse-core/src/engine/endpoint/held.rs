//! Ranks that are held at a mark, and go on some iterations later.

use crate::engine::event::Events;
use crate::engine::extrapolation::{Follow, Pace, Ratio, Released, Sampled};
use crate::measure::{CriticalPath, RankTimes};
use crate::model::units::Time;
use crate::workload::operation::Repeats;

use super::marks::{Marks, OfRank};
use super::rank::{PROGRAM, Rank};
use super::ranks::{Ranks, goes_on};

impl Ranks {
    /// Follows the marks of iterations from now on, of which some may be extrapolated.
    pub fn follow_marks(&mut self) {
        self.marks = Some(Box::new(Marks::new(self.jobs.len())));
    }

    /// Notes that the ranks of a job start at a time.
    pub(super) fn marks_start(&mut self, job: u32, ranks: u32, start: Time) {
        let Some(marks) = &mut self.marks else { return };
        let running = &self.jobs[job as usize];
        let limit = running.limit.map_or(u64::MAX, |limit| start.saturating_add(limit).0);
        marks.started(job, ranks, running.repeats().map_or(0, |repeats| repeats.every), limit);
    }

    /// Notes that a rank comes to a mark at time `t`; returns whether it is held there.
    #[cold]
    pub(super) fn is_held(&mut self, number: u32, t: u64) -> bool {
        let place = self.positions[number as usize] as usize;
        let rank = &mut self.ranks[place];
        let held = self.marks.as_mut().is_some_and(|marks| marks.mark(place, rank, t));
        if held {
            // It comes to the mark again when it goes on.
            rank.take_back(PROGRAM);
        }
        held
    }

    /// Follows the marks of a job as it is said.
    pub fn follow(&mut self, follow: Follow) {
        match follow {
            Follow::On { job } => self.marks.iter_mut().for_each(|marks| marks.follow_on(job)),
            Follow::Anew { job, unit, after } => {
                let from = self.next_mark(job).saturating_add(after);
                self.marks.iter_mut().for_each(|marks| marks.follow(job, unit, from));
            }
        }
    }

    /// Holds the ranks of a job at the next mark to which none of them has come.
    pub fn hold(&mut self, job: u32) {
        let at = self.next_mark(job);
        self.marks.iter_mut().for_each(|marks| marks.hold(job, at));
    }

    /// Returns the number of the first mark to which no rank of a job has come.
    fn next_mark(&self, job: u32) -> u32 {
        let places = self.marks.as_ref().map(|marks| marks.places(job)).unwrap_or_default();
        self.ranks[places].iter().map(|rank| rank.iterations).max().unwrap_or(0)
    }

    /// Returns the numbers of the first ranks of all jobs.
    pub fn first_ranks(&self) -> &[u32] {
        &self.first_ranks
    }

    /// Returns what the ranks of a job have sampled.
    pub fn sampled(&self, job: u32) -> Sampled {
        let sampled = Sampled { pace: Pace { time: 0, marks: 1 }, spread: 0, left: 0 };
        self.marks.as_ref().map_or(sampled, |marks| marks.sampled(job, self.iterations_left(job)))
    }

    /// Returns how many iterations of a job are left that repeat.
    pub fn iterations_left(&self, job: u32) -> u64 {
        self.jobs[job as usize].repeats().map_or(0, |Repeats { left, .. }| left)
    }

    /// Lets the ranks of a job go on that are held, at time `t` at the earliest.
    pub fn release(&mut self, events: &mut Events, released: &Released, t: u64) {
        let Released { job, iterations, by } = *released;
        let Some(mut marks) = self.marks.take() else { return };
        if iterations > 0 {
            self.jobs[job as usize].leave_out(iterations);
        }
        for place in marks.places(job) {
            let of = &mut marks.ranks[place];
            let Some(since) = of.held.take() else { continue };
            let at = since.saturating_add(by.0).max(t);
            let rank = &mut self.ranks[place];
            if rank.is_finished() {
                continue;
            }
            if by > Time::ZERO {
                rank.skip(of, iterations, at - since);
            }
            events.put_rank(goes_on(at, rank.first_rank + rank.member.rank, PROGRAM), rank.group);
        }
        marks.let_go(job);
        self.marks = Some(marks);
    }
}

impl Rank {
    /// Lets so many iterations pass in some time, in which it does what it has done in a sample.
    fn skip(&mut self, sample: &OfRank, iterations: u64, by: u64) {
        let (Some((first, began)), Some((last, ended))) = (sample.first, sample.last) else { return };
        let times = ended.times.minus(began.times);
        self.times = self.times.plus(fill(times, Ratio::new(by, times.total().0), by));
        let path = path(began.path, ended.path, by);
        let counts = Ratio::new(iterations, u64::from(last - first));
        self.messages = self.messages.saturating_add(counts.of(ended.messages - began.messages));
        self.bytes = self.bytes.saturating_add(counts.of(ended.bytes - began.bytes));
        self.skip_operations(counts.of(ended.operations - began.operations));
        self.counted += by;
        self.last_spent.0 += by;
        self.busy_until += by;
        self.processor.moves(by, path);
        for activity in &mut self.activities {
            activity.working_since += by;
            activity.ended_by.at += by;
            activity.path = activity.path + path;
        }
    }
}

/// Returns times of which each is so many times as long, and which together are `by`.
fn fill(times: RankTimes, factor: Ratio, by: u64) -> RankTimes {
    let mut times = times.each(|Time(time)| Time(factor.of(time)));
    let (split, waits) = (times.waits.total(), times.sending + times.receiving + times.collectives);
    // What is lost to rounding: a few picoseconds.
    times.waits.partner_working += waits.saturating_sub(split);
    times.receiving += split.saturating_sub(waits);
    let rest = Time(by).saturating_sub(times.total());
    times.computing += rest;
    times
}

/// Returns the critical path through a time, in the proportions in which it grew in a sample.
fn path(began: CriticalPath, ended: CriticalPath, by: u64) -> CriticalPath {
    let grown = CriticalPath {
        computing: ended.computing.saturating_sub(began.computing),
        overhead: ended.overhead.saturating_sub(began.overhead),
        memory: ended.memory.saturating_sub(began.memory),
        network: ended.network.saturating_sub(began.network),
        waking: ended.waking.saturating_sub(began.waking),
    };
    let factor = Ratio::new(by, grown.total().0);
    let part = |time: Time| Time(factor.of(time.0));
    let mut path = CriticalPath {
        computing: part(grown.computing),
        overhead: part(grown.overhead),
        memory: part(grown.memory),
        network: part(grown.network),
        waking: part(grown.waking),
    };
    path.computing += Time(by).saturating_sub(path.total());
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Waits;

    /// A sample of 10 grows to 45: each part to four and a half times, and what rounding loses is computed.
    #[test]
    fn parts_fill_the_time() {
        let waits = Waits { network: Time(3), ..Waits::default() };
        let times = RankTimes { computing: Time(7), receiving: Time(3), waits, ..RankTimes::default() };
        let filled = fill(times, Ratio::new(45, 10), 45);
        assert_eq!((filled.computing, filled.receiving, filled.waits.network), (Time(32), Time(13), Time(13)));
        assert_eq!((filled.total(), filled.waits.total()), (Time(45), filled.receiving));
        // Of nothing, all is computed.
        assert_eq!(fill(RankTimes::default(), Ratio::new(5, 0), 5).computing, Time(5));
    }

    /// The path through computing may have given way to one through the network.
    #[test]
    fn a_path_grows_as_before() {
        let began = CriticalPath { computing: Time(50), ..CriticalPath::NOTHING };
        let ended = CriticalPath { computing: Time(40), network: Time(20), ..CriticalPath::NOTHING };
        let grown = path(began, ended, 30);
        assert_eq!((grown.computing, grown.network), (Time::ZERO, Time(30)));
    }
}
