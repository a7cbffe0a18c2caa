//! What the runtime system or a governor is notified of, and what it commands.

use serde::{Deserialize, Serialize};

use crate::model::ids::{ChannelId, NodeId};
use crate::model::units::{Bytes, Time};

/// A notification of the runtime system. Notifications are ordered by their fields, which do not depend on the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Notification {
    /// When it happened.
    pub at: Time,
    /// What happened.
    pub what: NotificationKind,
}

/// What happened, in the order of handling at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NotificationKind {
    /// A rank of a job has sent the first message from its node to another since the job's ranks
    /// [began to learn](CommandKind::Learn).
    Pair {
        /// The job.
        job: u32,
        /// The iteration of the sender.
        iteration: u32,
        /// The node that sends.
        from: NodeId,
        /// The node that receives.
        to: NodeId,
    },
    /// A channel was idle until now, for as long as it takes to go off and on, or longer.
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
    /// A rank has waited, or has gone on for a while: what a governor is told.
    WakeDelay {
        /// The rank, in the whole simulation.
        rank: u32,
        /// By how much it is later than it would be if no link had to wake.
        wake_delay: Time,
    },
    /// A rank has ended.
    Finished {
        /// The rank, in the whole simulation.
        rank: u32,
    },
    /// A message of the runtime system [has come](CommandKind::Notify).
    Notified(Telling),
    /// Ports of a bundle that were commanded on or off have gone on, or sleep, at some time: what the governor of a cap
    /// is told.
    Moved {
        /// The channel of its first port.
        channel: ChannelId,
        /// How many ports, or lanes.
        ports: u32,
        /// When they have; perhaps still to come.
        until: Time,
    },
    /// A window has ended in which a bundle had something to do: what the governor of a cap is told.
    Load {
        /// The channel of its first port.
        channel: ChannelId,
        /// How long its ports were busy, and how long what waits would keep one port busy.
        load: Time,
    },
}

/// A message from one node of a job to another, or to the first node of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Telling {
    /// The job.
    pub job: u32,
    /// How often the job had learned before.
    pub round: u32,
    /// The node that sends.
    pub from: NodeId,
    /// The node that receives.
    pub to: NodeId,
    /// What it says.
    pub says: Says,
}

/// What such a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Says {
    /// Some channels of the switch are used.
    Used,
    /// So many notifications have been sent and received here and below: to the parent.
    Counted,
    /// Not all have come, count again: to the children.
    Again,
    /// All have come: to the children.
    Over,
}

/// A command of the runtime system. It takes effect at the first clock edge at or after its time, after everything else
/// that happens by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// When it arrives.
    pub at: Time,
    /// What is commanded.
    pub what: CommandKind,
}

/// What is commanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// All channels that a governor governs go on, or may sleep.
    All {
        /// On.
        on: bool,
    },
    /// All channels that a governor governs may lose a share of their time to waking, in billionths.
    Allow {
        /// The share.
        billionths: u32,
    },
    /// A channel goes on or off.
    Channel {
        /// The channel.
        channel: ChannelId,
        /// On, not off.
        on: bool,
    },
    /// So many ports of a bundle are on from now on, or lanes.
    Level {
        /// The channel of its first port.
        channel: ChannelId,
        /// How many.
        on: u32,
    },
    /// Nodes forget the nodes to which a job's ranks have sent, and the ranks follow no schedule. The job learns anew
    /// from an iteration on.
    Learn {
        /// The job.
        job: u32,
        /// The first iteration that is learned from.
        first: u32,
    },
    /// The ranks of a job turn links off and on in every iteration from one on, and pay for it, or stop to do so.
    Schedule {
        /// The job.
        job: u32,
        /// The first iteration.
        from: Option<u32>,
    },
    /// A node sends a message of the runtime system.
    Notify {
        /// From whom, to whom, and what it says.
        telling: Telling,
        /// The length of the message.
        bytes: Bytes,
    },
}
