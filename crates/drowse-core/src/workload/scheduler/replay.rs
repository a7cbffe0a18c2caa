//! Jobs that start when they did: which nodes each gets is known before the run, from their starts and ends.
//!
//! At one instant nodes become free before they are taken. A job that runs longer here than it did shares its nodes for
//! a while with one that starts on them.

use crate::model::units::Time;

use super::free_nodes::FreeNodes;
use super::machine::{Machine, Nodes};
use super::request::{NeverFits, Replayed, Request, Start};

/// The starts that are to come, the next one last.
#[derive(Clone, Debug)]
pub struct Replay(Vec<(Time, u32, Nodes)>);

impl Replay {
    /// Plans the nodes of each job on a machine that is empty; fails at the first job for which too few are free.
    pub fn plan(
        mut machine: Machine,
        free: &mut FreeNodes,
        requests: &[Request],
        jobs: &[Replayed],
    ) -> Result<Self, NeverFits> {
        let moments = (0..).zip(jobs).flat_map(|(job, times)| [(times.end, false, job), (times.start, true, job)]);
        let mut moments: Vec<(Time, bool, u32)> = moments.collect();
        // A job that took no time starts before it ends.
        let is_instant = |job: u32| jobs[job as usize].start == jobs[job as usize].end;
        moments.sort_unstable_by_key(|&(at, starts, job)| (at, starts, job));
        moments.retain(|&(_, starts, job)| starts || !is_instant(job));
        let mut given: Vec<Option<Nodes>> = vec![None; jobs.len()];
        let mut starts = Vec::with_capacity(jobs.len());
        for (at, begins, job) in moments {
            let index = job as usize;
            if !begins {
                if let Some(nodes) = given[index].take() {
                    machine.free(&nodes);
                    free.give_back(nodes.taken(), at);
                }
                continue;
            }
            let nodes = match &jobs[index].nodes {
                Some(named) => machine.take_named(named, &requests[index]),
                None => machine.take(job, &requests[index]).ok_or(NeverFits { job })?,
            };
            free.take(nodes.taken(), at);
            if is_instant(job) {
                machine.free(&nodes);
                free.give_back(nodes.taken(), at);
            } else {
                given[index] = Some(nodes.clone());
            }
            starts.push((at, job, nodes));
        }
        starts.reverse();
        Ok(Replay(starts))
    }

    /// Returns when the next job starts.
    pub fn next(&self) -> Option<Time> {
        self.0.last().map(|&(at, ..)| at)
    }

    /// Takes the jobs that start up to a time.
    pub fn take(&mut self, now: Time) -> Vec<Start> {
        let mut starts = Vec::new();
        while let Some((at, job, nodes)) = self.0.pop_if(|(at, ..)| *at <= now) {
            starts.push(Start { job, at, nodes: nodes.of_ranks });
        }
        starts
    }
}
