//! What a scheduler is asked for, and what it answers.

use std::sync::Arc;

use crate::model::ids::NodeId;
use crate::model::units::Time;

/// A job that asks for nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// When it enters the queue.
    pub arrival: Time,
    /// Its ranks, each of which needs a core.
    pub ranks: u32,
    /// The whole nodes that it holds, if these are more than its ranks need; they are spread over all of them. Only where
    /// jobs share no nodes.
    pub nodes: u32,
    /// How long the user says that it will run; only backfilling asks.
    pub estimate: Time,
}

/// A job that starts when it did, whatever others do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// When it starts.
    pub start: Time,
    /// When its nodes are free for others, by the log: no earlier than it starts.
    pub end: Time,
    /// The nodes that it had, where that is known.
    pub nodes: Option<Arc<[NodeId]>>,
}

/// A job that starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its number among the requests.
    pub job: u32,
    /// When.
    pub at: Time,
    /// The node of each rank.
    pub nodes: Vec<NodeId>,
}

/// A job does not even fit the empty machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeverFits {
    /// Its number.
    pub job: u32,
}
