//! The scheduler of a machine between two windows.
//!
//! Shards report the ends of ranks, and are told which jobs start. The nodes of a job are free a delay after its end,
//! and a window is at most as long as that delay. So whatever the partitions are, all is known that a decision depends
//! on before any shard has gone past its time.

use std::sync::Arc;

use crate::engine::endpoint::rank_end::RankEnd;
use crate::model::units::Time;
use crate::workload::scheduler::{Scheduler, Start};

/// A scheduler, and what it knows of the run.
#[derive(Debug)]
pub struct Scheduling {
    scheduler: Scheduler,
    clock: u64,
    /// By job: ranks that have not ended, and when the last one so far has.
    left: Vec<(u32, Time)>,
    /// By job: when it has started.
    started: Vec<Option<Time>>,
    /// Starts that the shards do not know of.
    untold: Vec<Start>,
}

impl Scheduling {
    /// Prepares a run on an empty machine.
    pub fn new(scheduler: Scheduler, Time(clock): Time) -> Self {
        let left = scheduler.requests().iter().map(|request| (request.ranks, Time::ZERO)).collect();
        let started = vec![None; scheduler.requests().len()];
        Scheduling { scheduler, clock, left, started, untold: Vec::new() }
    }

    /// Returns the most buckets of a window.
    pub fn patience(&self) -> u64 {
        self.delay() / self.clock
    }

    fn delay(&self) -> u64 {
        self.scheduler.rules().delay.0
    }

    /// Notes ranks that have ended, in any order.
    pub fn note(&mut self, ends: &[RankEnd]) {
        for &RankEnd { job, at } in ends {
            let (left, last) = &mut self.left[job as usize];
            *left -= 1;
            *last = at.max(*last);
            if *left == 0 {
                self.scheduler.ended(job, *last);
            }
        }
    }

    /// Decides all that can be decided, when the next bucket in which something happens on the shards is `next`.
    /// Returns that bucket, with the starts of jobs included.
    pub fn decide(&mut self, mut next: u64) -> u64 {
        let first_from = |Time(at): Time| at.div_ceil(self.clock);
        next = self.untold.iter().map(|start| first_from(start.at)).fold(next, u64::min);
        while let Some(at) = self.scheduler.next() {
            // What ends a job from bucket `next` on frees its nodes after this time.
            let known = next.saturating_mul(self.clock).saturating_add(self.delay()).saturating_sub(self.clock);
            if at.0 > known {
                break;
            }
            let starts = self.scheduler.decide(at);
            if !starts.is_empty() {
                next = next.min(first_from(at));
            }
            starts.iter().for_each(|start| self.started[start.job as usize] = Some(start.at));
            self.untold.extend(starts);
        }
        next
    }

    /// Returns whether no job is to start before one ends.
    pub fn is_idle(&self) -> bool {
        self.untold.is_empty() && self.scheduler.next().is_none()
    }

    /// Takes the starts that the shards are to know of.
    pub fn take_starts(&mut self) -> Option<Arc<[Start]>> {
        (!self.untold.is_empty()).then(|| std::mem::take(&mut self.untold).into())
    }

    /// Returns when each job has started.
    pub fn started(&self) -> &[Option<Time>] {
        &self.started
    }

    /// Returns the scheduler.
    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }
}
