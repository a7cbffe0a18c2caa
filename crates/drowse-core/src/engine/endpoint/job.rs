//! A job while it runs: its ranks may be on several shards, which draw from one program.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::model::ids::NodeId;
use crate::model::units::Time;
use crate::workload::Job;
use crate::workload::algorithms::Algorithms;
use crate::workload::by_node::ByNode;
use crate::workload::communicators::Communicators;
use crate::workload::operation::{Operation, OperationSource, Repeats, SourceError};

/// A job whose program all shards draw from.
///
/// A rank draws some hundred operations at a time, and what it gets depends on what it has drawn before only. So it
/// does not matter in which order ranks come, and seldom does one wait for another.
pub struct RunningJob {
    /// Its name in results.
    pub name: String,
    /// Its number of ranks.
    pub ranks: u32,
    /// The node of each rank; of none where a scheduler gives the job its nodes.
    pub placement: Vec<NodeId>,
    /// When the ranks start; where a scheduler starts the job, when it arrives.
    pub start: Time,
    /// How often it runs its program; `None` of a job that starts again until all others have ended.
    pub repetitions: Option<u64>,
    /// How long its ranks may run; they are stopped then.
    pub limit: Option<Time>,
    /// The communicators of its program.
    pub communicators: Arc<Communicators>,
    /// The algorithms of its collectives that are named.
    pub algorithms: Algorithms,
    /// Its ranks by node, once it has nodes, if its collectives follow them.
    by_node: OnceLock<ByNode>,
    source: Mutex<Box<dyn OperationSource>>,
}

impl RunningJob {
    /// Takes a job that has not started.
    pub fn new(job: Job) -> Self {
        let Job { name, source, placement, start } = job;
        RunningJob {
            name,
            ranks: source.ranks(),
            placement,
            start,
            repetitions: source.repetitions(),
            limit: source.limit(),
            communicators: source.communicators(),
            algorithms: source.algorithms(),
            by_node: OnceLock::new(),
            source: Mutex::new(source),
        }
    }

    /// Returns whether it starts again when its last rank has ended, until all others have.
    pub fn is_again(&self) -> bool {
        self.repetitions.is_none()
    }

    /// Takes the nodes of its ranks, which are the same wherever it is placed.
    pub fn place(&self, nodes: &[NodeId]) {
        if self.algorithms.follow_nodes() {
            self.by_node.get_or_init(|| ByNode::new(&self.communicators, nodes));
        }
    }

    /// Returns its ranks by node, if its collectives follow them.
    pub fn by_node(&self) -> Option<&ByNode> {
        self.by_node.get()
    }

    /// Appends the next operations of a rank.
    pub fn refill(&self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).refill(rank, operations)
    }

    /// Returns how the operations that ranks have not read repeat.
    pub fn repeats(&self) -> Option<Repeats> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).repeats()
    }

    /// Leaves out the next iterations of all ranks.
    pub fn leave_out(&self, iterations: u64) {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).leave_out(iterations);
    }

    /// Reads all that is left of some ranks, which have run elsewhere, where that makes the warnings whole.
    pub fn read_for_warnings(&self, ranks: impl Iterator<Item = u32>) -> Result<(), SourceError> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        if !source.warns_of_what_is_read() {
            return Ok(());
        }
        let mut read = Vec::new();
        for rank in ranks {
            source.refill(rank, &mut read)?;
            while !read.is_empty() {
                read.clear();
                source.refill(rank, &mut read)?;
            }
        }
        Ok(())
    }

    /// Returns what the user must know of the program once it has run.
    pub fn warnings(&self) -> Vec<String> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).warnings()
    }
}
