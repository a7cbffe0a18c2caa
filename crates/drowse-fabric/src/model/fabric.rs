//! A network as a file describes it, and what to know of it.

use drowse_core::model::units::{BitRate, Time};
use drowse_core::topology::Graph;

/// A network that a file describes.
#[derive(Clone, Debug, Default)]
pub struct Fabric {
    /// Its switches and the links between them.
    pub graph: Graph,
    /// The names of its compute nodes, by number; an empty text for one that the file counts and does not name.
    pub node_names: Vec<String>,
    /// What the file says of the links of compute nodes.
    pub node_link: NodeLink,
    /// The ports at both ends of each link of each trunk, as the file numbers them; empty where it does not.
    pub ports: Vec<Vec<[u16; 2]>>,
    /// The port of its switch that each compute node is on, as the file numbers them; empty where it does not.
    pub node_ports: Vec<u16>,
    /// The section `[network]` that builds the same network without the file, where its shape is a regular one.
    pub shape: Option<String>,
    /// What of the file is not simulated, or not as it stands there.
    pub notes: Vec<String>,
}

/// What a file says of the links of compute nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeLink {
    /// The bandwidth of one direction.
    pub bandwidth: Option<BitRate>,
    /// The latency of the wire.
    pub latency: Option<Time>,
}
