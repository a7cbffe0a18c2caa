//! The scheduler of a machine: which job starts when, and on which nodes.
//!
//! It is a plain state machine that knows no simulation: its caller reports when jobs end, asks when it wants to decide
//! next, and is told which jobs start. Its decisions depend on the jobs and these times only.
//!
//! Kinds: first come, first served; EASY backfilling (Lifka 1995; Mu'alem and Feitelson 2001), in which a later job may
//! overtake only if the first of the queue starts no later by the users' estimates; the oblivious scheduler of Andújar et
//! al. 2019, section 3.3, which draws among the jobs that fit; each job alone on the machine; and starts as a log has them.
//! No job is moved or interrupted.

mod free_nodes;
mod machine;
mod replay;
mod request;
mod select;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::model::rng::{Purpose, Stream};
use crate::model::units::Time;

use free_nodes::FreeNodes;
pub use free_nodes::{FreePeriod, FreeTimes, Suspend};
pub use machine::Allocation;
use machine::{Machine, Nodes};
use replay::Replay;
pub use request::{NeverFits, Replayed, Request, Start};

/// How the next job is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// In the order of arrival; a job that does not fit holds up those behind it.
    FirstComeFirstServed,
    /// The same, but a job that fits may overtake if that does not delay the first that waits, by the users' estimates.
    EasyBackfilling,
    /// At random among those that fit (Andújar et al. 2019).
    RandomSelectable,
    /// In the order of arrival, each alone on the machine: what jobs are compared with.
    Alone,
    /// When they did by their log.
    Replay,
}

/// How a machine is scheduled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// How the next job is selected.
    pub kind: Kind,
    /// Which nodes it gets.
    pub allocation: Allocation,
    /// Jobs do not share nodes.
    pub whole_nodes: bool,
    /// Time from the end of a job until its nodes are free.
    pub delay: Time,
    /// Whether nodes without a job are turned off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspend: Option<Suspend>,
    /// Seed of random selections and allocations.
    pub seed: u64,
}

/// The state of a scheduled machine.
#[derive(Clone, Debug)]
pub struct Scheduler {
    rules: Rules,
    requests: Vec<Request>,
    machine: Machine,
    cores: u64,
    /// Jobs that have not arrived, the next one last.
    coming: Vec<u32>,
    /// Jobs that wait, in the order of arrival.
    queue: Vec<u32>,
    /// Jobs that hold nodes, in the order of their starts.
    running: Vec<Running>,
    /// When the nodes of ended jobs become free, and their jobs.
    frees: BTreeSet<(Time, u32)>,
    /// Draws among jobs that fit.
    stream: Stream,
    /// The starts of jobs, where they are those of a log.
    replay: Option<Replay>,
    /// Nodes without a job.
    free: FreeNodes,
}

/// A job that holds nodes.
#[derive(Clone, Debug)]
struct Running {
    job: u32,
    /// When its nodes become free by the user's estimate.
    expected: Time,
    nodes: Nodes,
}

impl Scheduler {
    /// Prepares an empty machine of so many nodes with so many cores each; fails if a job can never start.
    pub fn new(rules: Rules, nodes: u32, cores: u32, requests: Vec<Request>) -> Result<Self, NeverFits> {
        let machine = Machine::new(nodes, cores, rules.allocation.clone(), rules.whole_nodes, rules.seed);
        if let Some((job, _)) = (0..).zip(&requests).find(|(_, request)| !machine.fits(request)) {
            return Err(NeverFits { job });
        }
        let mut coming: Vec<u32> = (0..requests.len() as u32).collect();
        coming.sort_by_key(|&job| std::cmp::Reverse((requests[job as usize].arrival, job)));
        let stream = Stream::new(rules.seed, Purpose::Scheduling, 0);
        let cores = u64::from(nodes) * u64::from(cores);
        let (queue, running, frees) = (Vec::new(), Vec::new(), BTreeSet::new());
        let free = FreeNodes::new(nodes, rules.suspend, false);
        Ok(Scheduler { rules, requests, machine, cores, coming, queue, running, frees, stream, replay: None, free })
    }

    /// Does so for jobs that start when they did, each of which is told; fails if too few nodes are free for one then.
    pub fn replaying(
        rules: Rules,
        nodes: u32,
        cores: u32,
        requests: Vec<Request>,
        jobs: &[Replayed],
    ) -> Result<Self, NeverFits> {
        let mut scheduler = Scheduler::new(rules, nodes, cores, requests)?;
        scheduler.coming.clear();
        scheduler.free = FreeNodes::new(nodes, scheduler.rules.suspend, true);
        let plan = Replay::plan(scheduler.machine.clone(), &mut scheduler.free, &scheduler.requests, jobs)?;
        scheduler.replay = Some(plan);
        Ok(scheduler)
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the jobs, in the order of their numbers.
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// Returns the cores of the machine.
    pub fn cores(&self) -> u64 {
        self.cores
    }

    /// Returns the cores that a job holds while it runs.
    pub fn held(&self, job: usize) -> u64 {
        self.requests.get(job).map_or(0, |request| self.machine.held(request))
    }

    /// Returns the next time at which a job arrives or nodes become free; `None` where neither is to come.
    pub fn next(&self) -> Option<Time> {
        if let Some(replay) = &self.replay {
            return replay.next();
        }
        let arrival = self.coming.last().map(|&job| self.requests[job as usize].arrival);
        let free = self.frees.first().map(|&(at, _)| at);
        arrival.into_iter().chain(free).min()
    }

    /// Notes that a job has ended.
    pub fn ended(&mut self, job: u32, at: Time) {
        if self.replay.is_some() {
            return;
        }
        self.frees.insert((at.saturating_add(self.rules.delay), job));
    }

    /// Handles what has happened up to a time, and returns the jobs that start then. Times never decrease, and none of
    /// [`Scheduler::next`] is passed over.
    pub fn decide(&mut self, now: Time) -> Vec<Start> {
        if let Some(replay) = &mut self.replay {
            return replay.take(now);
        }
        while let Some(job) = self.coming.pop_if(|job| self.requests[*job as usize].arrival <= now) {
            self.queue.push(job);
        }
        while let Some(&(at, job)) = self.frees.first().filter(|(at, _)| *at <= now) {
            self.frees.remove(&(at, job));
            self.release(job, at);
        }
        self.select(now)
    }

    /// Frees the nodes of a job.
    fn release(&mut self, job: u32, at: Time) {
        if let Some(place) = self.running.iter().position(|running| running.job == job) {
            let nodes = self.running.remove(place).nodes;
            self.machine.free(&nodes);
            self.free.give_back(nodes.taken(), at);
        }
    }

    /// Returns for how long nodes were without a job, until the end of a run; of jobs that are replayed, by the log.
    pub fn free_times(&self, end: Time) -> FreeTimes {
        self.free.until(end)
    }

    /// Returns the same times one by one.
    pub fn free_periods(&self, end: Time) -> impl Iterator<Item = FreePeriod> {
        self.free.periods(end)
    }

    /// Returns when the nodes of a job that gets these now become free, by its estimate.
    fn expected(&self, job: u32, nodes: &Nodes, now: Time) -> Time {
        let starts = now.saturating_add(self.free.delay(nodes.taken(), now));
        starts.saturating_add(self.requests[job as usize].estimate).saturating_add(self.rules.delay)
    }

    fn request(&self, job: u32) -> Request {
        self.requests[job as usize]
    }
}
