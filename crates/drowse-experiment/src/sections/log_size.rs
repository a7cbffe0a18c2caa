//! How many nodes each job of a log holds.

use super::log_cut::{Cut, CutJob};
use crate::job_log::{JobLog, LogJob, Size, Wrong};

/// The machine, and how processors become its nodes.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Its nodes.
    pub nodes: u32,
    /// Cores of each.
    pub cores: u32,
    /// How many processors of the log are a node, where that is written.
    pub processors: Option<u32>,
}

/// The nodes of each job.
pub struct Sized {
    pub nodes: Vec<u32>,
    /// Where sizes are in processors: how many are nodes, as a fraction, and who says so.
    pub rule: Option<(u64, u64, &'static str)>,
}

impl Sizes {
    /// Returns how many processors are how many nodes by a log, and who says so.
    fn rule(&self, log: &JobLog) -> (u64, u64, &'static str) {
        match (self.processors, log.machine) {
            (Some(processors), _) => (u64::from(processors), 1, "scheduler.log.processors_per_node"),
            (None, Some((processors, nodes))) => (processors, nodes, "MaxProcs / MaxNodes of the log"),
            (None, None) => (u64::from(self.cores), 1, "node.cores; the log does not say"),
        }
    }

    /// Returns the nodes of a job, and refuses one that has more than there are.
    pub fn nodes_of(&self, log: &JobLog, job: &LogJob) -> Result<u32, Wrong> {
        let (processors, nodes, _) = self.rule(log);
        let count = match job.size {
            Size::Nodes(count) => u128::from(count),
            Size::Processors(count) => (u128::from(count) * u128::from(nodes)).div_ceil(u128::from(processors)),
        };
        let fits = u32::try_from(count).ok().filter(|&count| count <= self.nodes);
        fits.ok_or_else(|| {
            let message = format!("job {} had {count} nodes, and this network has {}", job.id, self.nodes);
            Wrong::new(&job.place, message, "make [network] larger, or remove the job")
        })
    }

    /// Returns the nodes of each job, and refuses one that has more than there are.
    pub fn of(&self, cut: &Cut) -> Result<Sized, Wrong> {
        let of = |job: &CutJob| self.nodes_of(&cut.log, &job.job);
        let in_processors = cut.jobs.iter().any(|job| matches!(job.job.size, Size::Processors(_)));
        let rule = in_processors.then(|| self.rule(&cut.log));
        Ok(Sized { nodes: cut.jobs.iter().map(of).collect::<Result<_, _>>()?, rule })
    }
}
