//! What the runtime system knows of one job.

use std::collections::BTreeSet;

use super::detection::Detection;
use super::iterations::{Begun, IterationTimes, Iterations};
use super::schedule::{Gap, Notes, Schedule};
use crate::measure::runtime::{JobRecord, Mean};
use crate::model::ids::{ChannelId, NodeId};
use crate::model::units::Time;
use crate::power::policy::{Mode, Rules};

/// A job as the runtime system sees it.
#[derive(Clone, Debug)]
pub struct Job {
    /// The nodes of its ranks, each once, ascending.
    pub nodes: Vec<NodeId>,
    /// How far its ranks are.
    pub iterations: Iterations,
    /// It learns from the iterations from this one on; `None` while it knows its pattern.
    pub learns_from: Option<u32>,
    /// The pairs of nodes that communicate, as far as is known.
    pub pairs: BTreeSet<(NodeId, NodeId)>,
    /// The channels that packets of its pairs may take, ascending; empty before it has learned.
    pub channels: Vec<ChannelId>,
    /// By channel: the places among its nodes of those whose packets may take it; only kept for a schedule.
    pub users: Vec<Vec<u32>>,
    /// What it records while it learns.
    pub notes: Notes,
    /// Idle periods of channels while it learns.
    pub gaps: Vec<Gap>,
    /// The gaps of the iterations that it learned from are known when all ranks have begun this iteration; `None` where
    /// that has happened.
    pub schedules_at: Option<u32>,
    /// When its channels are off.
    pub schedule: Schedule,
    /// The lengths of its iterations since commands have taken effect.
    pub times: IterationTimes,
    /// When the last rank began the first iteration that it learns from.
    learns_since: Time,
    /// Messages to switches that have not come yet.
    pub notifying: u64,
    /// How nodes learn that these have come, where that takes messages.
    pub detection: Option<Detection>,
    /// How often it has marked its channels.
    pub rounds: u32,
    /// What is reported of it.
    pub record: JobRecord,
}

impl Job {
    /// Creates a job with a rank on each of these nodes; it has not started.
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
            times: IterationTimes::new(learn.max(2)),
            learns_since: Time::ZERO,
            notifying: 0,
            detection: None,
            rounds: 0,
            record: JobRecord::default(),
        }
    }

    /// Returns the place of a node among the job's.
    pub fn place(&self, node: NodeId) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }

    /// Returns whether it has ever known its pattern.
    pub fn has_learned(&self) -> bool {
        self.record.learned_at.is_some()
    }

    /// Returns whether idle periods that end now become part of a schedule.
    pub fn wants_gaps(&self) -> bool {
        let learns = self.learns_from.is_some_and(|first| self.iterations.seen() > first);
        learns || self.schedules_at.is_some()
    }

    /// Records a pair of nodes that communicates; returns whether the pattern has changed.
    pub fn add_pair(&mut self, iteration: u32, pair: (NodeId, NodeId)) -> bool {
        let Some(first) = self.learns_from else { return !self.pairs.contains(&pair) };
        if iteration >= first {
            self.pairs.insert(pair);
        }
        false
    }

    /// Learns anew from the first iteration that no rank has begun yet, and returns that iteration. Links stay as they
    /// are meanwhile. The cost of the change is measured against the iterations learned from before.
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

    /// Records an iteration that all ranks have begun; returns whether the job knows its pattern with it.
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
        self.record.learned = Mean { count: learn, sum: begun.last.saturating_sub(self.learns_since) };
        if self.has_learned() {
            self.record.relearned += 1;
        }
        self.record.learned_at.get_or_insert(begun.last);
        self.schedules_at = (rules.mode == Mode::Scheduled).then(|| begun.number.saturating_add(1));
        true
    }
}
