//! A trace as programs, one per task.

use std::sync::Arc;

use drowse_core::workload::communicators::Communicators;

use super::calls::Call;
use super::record::Message;
use crate::info::TraceInfo;

/// The programs of all tasks, and what is said of them.
pub(super) struct Program {
    pub tasks: Vec<Vec<Step>>,
    pub messages: Vec<Message>,
    /// The call of each part of a collective, by the part's place, and the rank in its communicator.
    pub parts: Vec<(u32, u32)>,
    pub calls: Vec<Call>,
    pub communicators: Arc<Communicators>,
    /// The name in messages.
    pub label: String,
    pub info: TraceInfo,
    pub fingerprint: u64,
}

/// A step of a task: computes for a time, then does one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub nanoseconds: u64,
    pub does: Does,
}

/// What a step does, by the places of messages and parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Send(u32),
    Receive(u32),
    /// Posts a receive for which only the end of the program waits.
    Post(u32),
    /// Calls a collective.
    Call(u32),
    /// Starts a collective that goes on beside the program.
    Start(u32),
    /// Waits for it.
    Await(u32),
}
