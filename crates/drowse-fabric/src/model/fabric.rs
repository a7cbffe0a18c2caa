//! A network as a file describes it, and what to know of it.

use drowse_core::topology::Graph;

/// A network that a file describes.
#[derive(Clone, Debug, Default)]
pub struct Fabric {
    /// Its switches, the links between them, and its compute nodes.
    pub graph: Graph,
    /// How each switch is addressed, by number; empty where the file does not say it.
    pub switch_addresses: Vec<Address>,
    /// How each compute node is addressed, by number; empty where the file does not say it.
    pub node_addresses: Vec<Address>,
    /// The section `[network]` that builds the same network without the file, where its shape is a regular one.
    pub shape: Option<String>,
    /// What of the file is not simulated, or not as it stands there.
    pub notes: Vec<String>,
}

/// How a switch or a compute node is addressed in an InfiniBand subnet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// Its local identifier, by which tables route to it.
    pub lid: Option<u16>,
    /// Its GUID, by which tables name a switch.
    pub guid: Option<u64>,
}
