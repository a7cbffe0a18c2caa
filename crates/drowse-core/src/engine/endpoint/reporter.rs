//! Notifications of ranks to the runtime system: their iterations and messages.

use rustc_hash::FxHashSet;

use crate::model::ids::NodeId;
use crate::model::units::Time;
use crate::power::runtime::{CommandKind, Notification, NotificationKind, Rules};

/// Collects what ranks report of their iterations and messages.
#[derive(Clone, Debug)]
pub struct Reporter {
    rules: Rules,
    /// By job.
    jobs: Vec<JobCommands>,
    /// What has happened since the events were last taken.
    pub events: Vec<Notification>,
}

/// The nodes between which a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodePair {
    /// The node that sends.
    pub from: u32,
    /// The node that receives.
    pub to: u32,
}

#[derive(Clone, Debug, Default)]
struct JobCommands {
    /// The first iteration that it learns from, or has learned from last.
    first: u32,
    /// The first iteration in which it follows a schedule.
    schedule: Option<u32>,
    /// Pairs of nodes that have been reported.
    pairs: FxHashSet<NodePair>,
}

impl Reporter {
    /// Creates a reporter for `jobs` jobs.
    pub fn new(rules: Rules, jobs: usize) -> Self {
        Reporter { rules, jobs: vec![JobCommands::default(); jobs], events: Vec::new() }
    }

    fn tell(&mut self, at: u64, what: NotificationKind) {
        self.events.push(Notification { at: Time(at), what });
    }

    /// Reports that a rank of a job begins an iteration, and returns how long calls of the runtime system keep it busy:
    /// one when it has learned, and in each iteration of a schedule one to turn links off and one to turn them on.
    pub fn iteration(&mut self, job: u32, rank: u32, number: u32, t: u64) -> Time {
        self.tell(t, NotificationKind::Iteration { rank, number });
        let orders = &self.jobs[job as usize];
        let learns = number.checked_sub(orders.first) == Some(self.rules.learn.get());
        let follows = orders.schedule.is_some_and(|from| number >= from);
        let calls = u64::from(learns) + if follows { 2 } else { 0 };
        Time(self.rules.overhead.0.saturating_mul(calls))
    }

    /// Reports that a rank has ended.
    pub fn finished(&mut self, rank: u32, t: u64) {
        self.tell(t, NotificationKind::Finished { rank });
    }

    /// Notes a message between two nodes from a rank that has begun `iterations`; reports the first of each pair.
    pub fn message(&mut self, job: u32, iterations: u32, nodes: NodePair, t: u64) {
        let NodePair { from, to } = nodes;
        let orders = &mut self.jobs[job as usize];
        if let Some(iteration) = iterations.checked_sub(1).filter(|&iteration| iteration >= orders.first)
            && orders.pairs.insert(nodes)
        {
            self.tell(t, NotificationKind::Pair { job, iteration, from: NodeId(from), to: NodeId(to) });
        }
    }

    pub fn command(&mut self, order: CommandKind) {
        match order {
            CommandKind::Learn { job, first } => {
                self.jobs[job as usize] = JobCommands { first, ..JobCommands::default() }
            }
            CommandKind::Schedule { job, from } => self.jobs[job as usize].schedule = from,
            // Ranks have nothing to do with commands to links.
            _ => {}
        }
    }
}
