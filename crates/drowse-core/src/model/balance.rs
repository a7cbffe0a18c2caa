//! How packets are spread over the outputs that routing permits (`switch.balance`), and in which order nodes take them
//! (`node.order`).

use serde::{Deserialize, Serialize};

use super::units::Time;

/// How a packet chooses among the outputs that routing permits: parallel links, the up-links of a tree, the outputs of
/// all minimal paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Balance {
    /// It takes an output that is free, and looks at all of them again at each clock edge; on trees with adaptive
    /// routing the one with the most credits.
    #[default]
    Adaptive,
    /// The hash of its flow names the output: all packets of a flow take one path (equal-cost multipath, ECMP).
    FlowHash(Hash),
    /// As [`Balance::FlowHash`] until no packet of the flow has come to the switch for so long; the next one begins a
    /// flowlet, which draws an output of its own (Vanini et al. 2017, LetFlow).
    Flowlet(Hash, Time),
    /// Each packet draws its output.
    SprayRandom,
    /// Packets take the outputs in turn. Where the turn begins is drawn for each round.
    SprayRoundRobin,
    /// It takes the output with the shortest queue when it heads its own, and keeps to it.
    SprayQueue,
}

impl Balance {
    /// Returns whether it is what packets do where nothing is said.
    pub fn is_adaptive(&self) -> bool {
        *self == Balance::Adaptive
    }

    /// Returns the word that selects it in an experiment file (`switch.balance`).
    pub const fn name(self) -> &'static str {
        match self {
            Balance::Adaptive => "adaptive",
            Balance::FlowHash(_) => "flow-hash",
            Balance::Flowlet(..) => "flowlet",
            Balance::SprayRandom => "spray-random",
            Balance::SprayRoundRobin => "spray-round-robin",
            Balance::SprayQueue => "spray-queue",
        }
    }

    /// Returns what is hashed, where something is.
    pub const fn hash(self) -> Option<Hash> {
        match self {
            Balance::FlowHash(hash) | Balance::Flowlet(hash, _) => Some(hash),
            _ => None,
        }
    }

    /// Returns whether all packets of a flow take one path.
    pub const fn keeps_flows(self) -> bool {
        matches!(self, Balance::FlowHash(_))
    }

    /// Returns whether a choice changes what later packets of a switch choose, so that it must be made in their order.
    pub const fn remembers(self) -> bool {
        matches!(self, Balance::Flowlet(..) | Balance::SprayRoundRobin)
    }
}

/// What a switch hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hash {
    /// What is one flow.
    pub flow: FlowOf,
    /// The seeds of the switches.
    pub seeds: HashSeeds,
}

/// What is one flow (experiment key `switch.flow`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FlowOf {
    /// All that a node sends to another: one connection for each pair of nodes.
    #[default]
    Pair,
    /// Each message: a connection, or a source port, of its own.
    Message,
}

/// The seeds by which switches hash (experiment key `switch.hash_seeds`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HashSeeds {
    /// Each switch has one of its own.
    #[default]
    Own,
    /// All have the same: what a switch has chosen, the next chooses, too, and other links stay unused (polarisation).
    Equal,
}

/// In which order a node takes the packets of another node (experiment key `node.order`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As they come. Reordering is counted where `switch.balance` is written.
    #[default]
    Any,
    /// As they come, and reordering is counted.
    Counted,
    /// As they were sent: the NIC holds what has come too early until all before it has come.
    InSequence,
}

impl Order {
    /// Returns whether it is what nodes do where nothing is said.
    pub fn is_any(&self) -> bool {
        *self == Order::Any
    }
}
