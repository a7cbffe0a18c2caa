//! What the runtime system knows of one job.

use std::collections::BTreeSet;

use super::iterations::{Begun, Iterations, Mean, Watch};
use super::schedule::{Gap, Notes, Schedule};
use super::{Mode, Rules};
use crate::model::ids::{ChannelId, NodeId};
use crate::model::units::Time;

/// A job as the runtime system sees it.
#[derive(Clone, Debug)]
pub struct Job {
    /// The nodes of its ranks, each once, ascending.
    pub nodes: Vec<NodeId>,
    /// How far its ranks are.
    pub iterations: Iterations,
    /// It learns from the iterations from this one on; `None` while it knows its pattern.
    pub learns_from: Option<u32>,
    /// The pairs of nodes that it knows to communicate, or has seen so far.
    pub pairs: BTreeSet<(NodeId, NodeId)>,
    /// The channels that packets of its pairs may take, ascending; empty before it has learned.
    pub channels: Vec<ChannelId>,
    /// The places among its nodes of those whose packets may take each of these channels, where that is asked for.
    pub users: Vec<Vec<u32>>,
    /// What it takes down while it learns.
    pub notes: Notes,
    /// Idle periods of channels while it learns.
    pub gaps: Vec<Gap>,
    /// The iteration that all must have begun before the gaps of what was learned from are known; `None` where that is past.
    pub schedules_at: Option<u32>,
    /// When its channels rest.
    pub schedule: Schedule,
    /// Its iterations since commands have taken effect.
    pub watch: Watch,
    /// When the last rank began the first iteration that it learns from.
    learns_since: Time,
    /// What has been told of it.
    pub told: JobRecord,
}

/// What the runtime system tells of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobRecord {
    /// Iterations that some rank has begun.
    pub iterations: u32,
    /// When it first knew its pattern.
    pub learned_at: Option<Time>,
    /// How often it has learned anew, since its pattern had changed.
    pub relearned: u32,
    /// Notifications sent to switches on the way (Totoni et al. 2014, section 4.1, step 4), all together.
    pub notifications: u64,
    /// The iterations that it has learned from last.
    pub learned: Mean,
    /// Those since commands have taken effect.
    pub after: Mean,
}

impl Job {
    /// Takes a job with a rank on each of these nodes that has not started.
    pub fn new(ranks: &[NodeId], rules: &Rules) -> Self {
        let nodes: Vec<NodeId> = ranks.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let learn = rules.learn.get();
        Job {
            notes: Notes::new(0, learn, if rules.mode == Mode::Scheduled { nodes.len() } else { 0 }),
            nodes,
            iterations: Iterations::new(ranks.len() as u32),
            learns_from: Some(0),
            pairs: BTreeSet::new(),
            channels: Vec::new(),
            users: Vec::new(),
            gaps: Vec::new(),
            schedules_at: None,
            schedule: Schedule::default(),
            watch: Watch::new(learn.max(2)),
            learns_since: Time::ZERO,
            told: JobRecord::default(),
        }
    }

    /// Returns the place of a node among the job's.
    pub fn place(&self, node: NodeId) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }

    /// Returns whether it has ever known its pattern.
    pub fn has_learned(&self) -> bool {
        self.told.learned_at.is_some()
    }

    /// Returns whether it makes a schedule of idle periods that end now.
    pub fn wants_gaps(&self) -> bool {
        let learns = self.learns_from.is_some_and(|first| self.iterations.seen() > first);
        learns || self.schedules_at.is_some()
    }

    /// Hears of a pair of nodes; tells whether that means that the pattern has changed.
    pub fn hear_pair(&mut self, iteration: u32, pair: (NodeId, NodeId)) -> bool {
        let Some(first) = self.learns_from else { return !self.pairs.contains(&pair) };
        if iteration >= first {
            self.pairs.insert(pair);
        }
        false
    }

    /// Learns anew from the first iteration that no rank has begun yet, and gives that; links are left as they are meanwhile, and what the
    /// change costs is measured against what was learned before.
    pub fn learn_anew(&mut self, rules: &Rules) -> u32 {
        let first = self.iterations.seen();
        self.learns_from = Some(first);
        self.pairs.clear();
        self.gaps.clear();
        let nodes = if rules.mode == Mode::Scheduled { self.nodes.len() } else { 0 };
        self.notes = Notes::new(first, rules.learn.get(), nodes);
        (self.schedule, self.schedules_at) = (Schedule::default(), None);
        first
    }

    /// Takes down an iteration that all ranks have begun; tells whether the job knows its pattern with it.
    pub fn has_learned_by(&mut self, begun: Begun, rules: &Rules) -> bool {
        let Some(first) = self.learns_from else { return false };
        if begun.number == first {
            self.learns_since = begun.last;
        }
        let learn = rules.learn.get();
        if begun.number != first.saturating_add(learn) {
            return false;
        }
        self.learns_from = None;
        self.told.learned = Mean { count: learn, sum: begun.last.saturating_sub(self.learns_since) };
        if self.has_learned() {
            self.told.relearned += 1;
        }
        self.told.learned_at.get_or_insert(begun.last);
        self.schedules_at = (rules.mode == Mode::Scheduled).then(|| begun.number.saturating_add(1));
        true
    }
}
