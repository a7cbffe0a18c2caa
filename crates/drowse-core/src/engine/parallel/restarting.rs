//! Jobs that start again whenever their last rank has ended, until the run ends.
//!
//! A job starts a fixed time after the end of its last rank, and a window is at most as long as that. So all shards know
//! of a start before they have gone past it, whatever the partitions are.

use std::sync::Arc;

use super::ending::CYCLES;
use crate::engine::endpoint::again::Restart;
use crate::engine::endpoint::job::RunningJob;
use crate::engine::endpoint::rank_end::RankEnd;
use crate::engine::event::outstanding::Group;
use crate::model::units::Time;

/// The jobs of a run that start again.
#[derive(Debug, Default)]
pub struct Restarting {
    clock: u64,
    /// By job; `None` for those that end.
    jobs: Vec<Option<Repeated>>,
    /// By job.
    groups: Vec<Group>,
    /// Starts that the shards do not know of.
    untold: Vec<Restart>,
}

/// A job that starts again.
#[derive(Clone, Debug)]
struct Repeated {
    ranks: u32,
    /// Ranks that have not ended the present repetition.
    left: u32,
    /// When the last one so far has.
    last: Time,
    /// Repetitions that have ended.
    ended: u64,
    /// When the last of them has.
    ended_at: Time,
}

impl Restarting {
    /// Prepares a run of jobs.
    pub fn new(jobs: &[RunningJob], Time(clock): Time) -> Self {
        let repeated = |&RunningJob { ranks, .. }: &RunningJob| Repeated {
            ranks,
            left: ranks,
            last: Time::ZERO,
            ended: 0,
            ended_at: Time::ZERO,
        };
        let groups = Group::of_jobs(jobs.iter().map(RunningJob::is_again));
        let jobs = jobs.iter().map(|job| job.is_again().then(|| repeated(job))).collect();
        Restarting { clock, jobs, groups, untold: Vec::new() }
    }

    /// Notes the end of a rank; returns whether its job starts again.
    pub fn note(&mut self, end: &RankEnd) -> bool {
        let Some(Some(job)) = self.jobs.get_mut(end.job as usize) else { return false };
        job.left -= 1;
        job.last = job.last.max(end.at);
        if job.left == 0 {
            job.left = job.ranks;
            (job.ended, job.ended_at) = (job.ended + 1, job.last);
            let bucket = job.last.0.div_ceil(self.clock).saturating_add(CYCLES);
            self.untold.push(Restart { job: end.job, at: Time(bucket.saturating_mul(self.clock)) });
        }
        true
    }

    /// Returns the bucket of the first start that shards do not know of.
    pub fn next(&self) -> u64 {
        self.untold.iter().map(|restart| restart.at.0.div_ceil(self.clock)).min().unwrap_or(u64::MAX)
    }

    /// Returns the group of a job whose ranks wait in vain, by what is still to happen to each: nothing is, and it is not
    /// about to start again.
    pub fn stuck(&self, outstanding: &[i64]) -> Option<Group> {
        let rests = |(job, group): &(u32, Group)| {
            *group != Group::ENDING
                && outstanding[group.index()] == 0
                && self.untold.iter().all(|restart| restart.job != *job)
        };
        (0..).zip(self.groups.iter().copied()).find(rests).map(|(_, group)| group)
    }

    /// Takes the starts that the shards are to know of.
    pub fn take(&mut self) -> Option<Arc<[Restart]>> {
        (!self.untold.is_empty()).then(|| std::mem::take(&mut self.untold).into())
    }

    /// Returns the repetitions of a job that had ended at a time, the end of the others; `None` for those that end. The
    /// run goes on for no longer after that than a job waits to start again, so that one at most has ended later.
    pub fn whole(&self, job: usize, until: Time) -> Option<u64> {
        let job = self.jobs.get(job)?.as_ref()?;
        Some(job.ended - u64::from(job.ended_at > until))
    }
}
