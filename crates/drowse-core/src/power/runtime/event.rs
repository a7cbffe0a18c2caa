//! What the runtime system hears, and what it commands.

use crate::model::ids::{ChannelId, NodeId};
use crate::model::units::Time;

/// Something that has happened; events are heard in the order of their fields, which does not depend on who tells of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// When.
    pub at: Time,
    /// What.
    pub what: Happened,
}

/// What has happened, in the order in which it is heard at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Happened {
    /// A rank of a job, in such an iteration, has sent the first message from its node to another since the job's ranks
    /// [began to learn](Order::Learn).
    Pair {
        /// The job.
        job: u32,
        /// The iteration in which its sender is.
        iteration: u32,
        /// The node that sends.
        from: NodeId,
        /// The node that receives.
        to: NodeId,
    },
    /// A channel was idle until now, for twice its transition delay or longer.
    Gap {
        /// The channel.
        channel: ChannelId,
        /// When its last bit was sent.
        since: Time,
    },
    /// A packet has woken a channel that was off.
    Woken {
        /// The channel.
        channel: ChannelId,
    },
    /// A rank begins an iteration.
    Iteration {
        /// The rank, in the whole simulation.
        rank: u32,
        /// The iteration, from 0.
        number: u32,
    },
    /// A rank has ended.
    Finished {
        /// The rank, in the whole simulation.
        rank: u32,
    },
}

/// A command; it reaches whom it concerns at the first clock edge at or after its time, when all that happens by then has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// When.
    pub at: Time,
    /// What.
    pub order: Order,
}

/// What is commanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A channel goes on or off.
    Channel {
        /// The channel.
        channel: ChannelId,
        /// On, not off.
        on: bool,
    },
    /// Nodes forget to which others a job's ranks have sent, and these follow no schedule: the job learns anew from an iteration on.
    Learn {
        /// The job.
        job: u32,
        /// The first iteration that is learned from.
        first: u32,
    },
    /// The ranks of a job turn links off and on in every iteration from one on, and pay for it, or do so no more.
    Schedule {
        /// The job.
        job: u32,
        /// The first iteration.
        from: Option<u32>,
    },
}
