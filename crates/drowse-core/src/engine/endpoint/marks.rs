//! Marks of iterations, where some may be extrapolated: what ranks do from one mark to a later one, and at which they
//! are held.

use crate::engine::extrapolation::{Pace, Sampled};
use crate::measure::{CriticalPath, RankTimes};

use super::rank::{PROGRAM, Rank};

/// What is told of the ranks of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// They start; their iterations repeat after so many, or 0, and they are stopped at a time.
    Started { job: u32, every: u32, limit: u64 },
    /// All have come to the first mark of a sample.
    Began { job: u32 },
    /// All have ended a sample.
    Sampled { job: u32 },
    /// All are held, the first one since a time.
    Held { job: u32, from: u64 },
    /// The last one has ended.
    Ended { job: u32 },
}

/// What a rank has done up to a mark.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub at: u64,
    pub times: RankTimes,
    pub path: CriticalPath,
    pub messages: u64,
    pub bytes: u64,
    pub operations: u64,
}

/// The marks of a rank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfRank {
    /// The mark at which a sample began, and the last one of it.
    pub first: Option<(u32, Done)>,
    pub last: Option<(u32, Done)>,
    /// Since when it is held.
    pub held: Option<u64>,
}

/// The marks of a job.
#[derive(Clone, Debug, Default)]
struct OfJob {
    /// The place of its first rank, and how many it has.
    first: u32,
    ranks: u32,
    /// Ranks that have not ended.
    left: u32,
    /// Marks of a sample, and the first mark at which one may begin; `None` where nobody follows.
    follows: Option<(u32, u32)>,
    /// Ranks that have begun and ended the present sample.
    began: u32,
    ended: u32,
    /// The mark at which ranks are held, how many are, and since when the first one is.
    hold_at: Option<u32>,
    held: u32,
    from: u64,
}

/// The marks of all jobs.
#[derive(Debug)]
pub struct Marks {
    jobs: Vec<OfJob>,
    pub(super) ranks: Vec<OfRank>,
    /// What has not been taken.
    pub told: Vec<Told>,
}

impl Marks {
    /// Follows none of so many jobs yet.
    pub fn new(jobs: usize) -> Self {
        Marks { jobs: vec![OfJob::default(); jobs], ranks: Vec::new(), told: Vec::new() }
    }

    /// Notes that the ranks of a job start, which have the next places.
    pub(super) fn started(&mut self, job: u32, ranks: u32, every: u32, limit: u64) {
        let first = self.ranks.len() as u32;
        self.ranks.resize(self.ranks.len() + ranks as usize, OfRank::default());
        self.jobs[job as usize] = OfJob { first, ranks, left: ranks, ..OfJob::default() };
        self.told.push(Told::Started { job, every, limit });
    }

    /// Notes that a rank of a job has ended.
    pub(super) fn ended(&mut self, job: u32) {
        let of = &mut self.jobs[job as usize];
        of.left = of.left.saturating_sub(1);
        if of.left == 0 {
            self.told.push(Told::Ended { job });
        }
    }

    /// Returns the places of the ranks of a job.
    pub(super) fn places(&self, job: u32) -> std::ops::Range<usize> {
        let of = &self.jobs[job as usize];
        of.first as usize..(of.first + of.ranks) as usize
    }

    /// Notes that a rank comes to its next mark at time `t`; returns whether it is held there.
    pub(super) fn mark(&mut self, place: usize, rank: &Rank, t: u64) -> bool {
        let (number, job) = (rank.iterations, rank.job);
        let (of, marks) = (&mut self.jobs[job as usize], &mut self.ranks[place]);
        if of.hold_at.is_some_and(|at| number >= at) {
            marks.held = Some(t);
            of.from = if of.held == 0 { t } else { of.from };
            of.held += 1;
            if of.held == of.left {
                self.told.push(Told::Held { job, from: of.from });
            }
            return true;
        }
        let Some((unit, _)) = of.follows.filter(|&(_, from)| number >= from) else { return false };
        match marks.first {
            None => {
                marks.first = Some((number, Done::of(rank, t)));
                of.began += 1;
                if of.began == of.left {
                    self.told.push(Told::Began { job });
                }
            }
            Some((first, _)) if (number - first).is_multiple_of(unit) => {
                if marks.last.replace((number, Done::of(rank, t))).is_none() {
                    of.ended += 1;
                    if of.ended == of.left {
                        self.told.push(Told::Sampled { job });
                    }
                }
            }
            Some(_) => {}
        }
        false
    }

    /// Follows a job in samples of so many marks, from a mark on.
    pub(super) fn follow(&mut self, job: u32, unit: u32, from: u32) {
        let places = self.places(job);
        self.ranks[places].iter_mut().for_each(|marks| (marks.first, marks.last) = (None, None));
        let of = &mut self.jobs[job as usize];
        (of.follows, of.began, of.ended) = (Some((unit.max(1), from)), 0, 0);
    }

    /// Begins the next samples of a job where the last ones ended.
    pub fn follow_on(&mut self, job: u32) {
        let places = self.places(job);
        self.ranks[places].iter_mut().for_each(|marks| marks.first = marks.last.take().or(marks.first));
        self.jobs[job as usize].ended = 0;
    }

    /// Holds the ranks of a job at a mark.
    pub(super) fn hold(&mut self, job: u32, at: u32) {
        let of = &mut self.jobs[job as usize];
        (of.hold_at, of.held) = (Some(at), 0);
    }

    /// Ends the hold of a job.
    pub(super) fn let_go(&mut self, job: u32) {
        self.jobs[job as usize].hold_at = None;
    }

    /// Returns what its ranks have sampled of a job that has so many iterations left.
    pub fn sampled(&self, job: u32, left: u64) -> Sampled {
        let mut paces = self.ranks[self.places(job)].iter().filter_map(OfRank::pace);
        let pace = paces.next().unwrap_or(Pace { time: 0, marks: 1 });
        let spread = paces.map(|other| pace.difference(other)).max().unwrap_or(0);
        Sampled { pace, spread, left }
    }
}

impl Done {
    fn of(rank: &Rank, at: u64) -> Self {
        let (times, path, operations) = (rank.times, rank.path(PROGRAM), rank.operations_begun());
        Done { at, times, path, messages: rank.messages, bytes: rank.bytes, operations }
    }
}

impl OfRank {
    /// Returns how long its iterations took.
    pub fn pace(&self) -> Option<Pace> {
        let ((first, began), (last, ended)) = self.first.zip(self.last)?;
        Some(Pace { time: ended.at - began.at, marks: last - first })
    }
}
