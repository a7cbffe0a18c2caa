//! What moves through the network: packets, or flows.

use serde::{Deserialize, Serialize};

use super::extrapolate::Extrapolate;

/// What moves through the network (`simulation.unit`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Packets: queues, credits and arbiters of every switch are simulated.
    #[default]
    Packet,
    /// Flows: a message moves as a whole at a rate that follows from the messages with which it shares links.
    Flow(FlowModel),
}

impl Unit {
    /// Returns whether packets move, as they do where nothing else is said.
    pub fn is_packet(&self) -> bool {
        *self == Unit::Packet
    }

    /// Returns how flows share links and wait, if it is flows that move.
    pub fn flows(&self) -> Option<FlowModel> {
        if let Unit::Flow(model) = *self { Some(model) } else { None }
    }

    /// Returns the same without extrapolated iterations.
    #[must_use]
    pub fn simulated_whole(self) -> Self {
        match self {
            Unit::Packet => Unit::Packet,
            Unit::Flow(model) => Unit::Flow(FlowModel { extrapolate: None, ..model }),
        }
    }

    /// Returns when iterations of jobs are extrapolated, if some may be.
    pub fn extrapolates(&self) -> Option<Extrapolate> {
        self.flows().and_then(|model| model.extrapolate)
    }
}

/// How flows share links, and how they wait for each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FlowModel {
    /// How a full link is shared.
    pub fairness: Fairness,
    /// Who waits behind a message that waits for a link to wake.
    pub blocking: Blocking,
    /// When iterations of jobs are extrapolated; `None`: all are simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extrapolate: Option<Extrapolate>,
}

/// How the flows on a full link share it (`simulation.fairness`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Fairness {
    /// Equally among the inputs that have flows for it, and then among the flows of each, as round-robin arbiters
    /// share.
    #[default]
    Port,
    /// Equally among all flows (max-min fairness; Bertsekas and Gallager 1992, section 6.5.2).
    Flow,
}

/// Who waits behind a message that waits for a link to wake (`simulation.blocking`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Blocking {
    /// Nobody, as with virtual output queues.
    #[default]
    None,
    /// Messages that come to the same switch by the same channel, on the same virtual channel, as in input queues.
    Head,
}
