//! Networks: the closed set of topologies, and the flat tables that each compiles to.

mod ideal;
pub mod levels;
mod metrics;
mod network;
mod racks;
pub mod torus;
mod tree;

use std::ops::RangeInclusive;

pub use ideal::Ideal;
pub use metrics::Metrics;
pub use network::{End, Geometry, Network, NetworkBuilder};
pub use racks::Racks;
pub use torus::{PerDimension, Torus};
pub use tree::ThinTree;

/// A topology with its parameters. One variant per file of this folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopologySpec {
    /// A k-ary n-cube, sizes free per dimension.
    Torus(Torus),
    /// A torus without the wrap-around links.
    Mesh(Torus),
    /// A k-ary n-tree: a thin tree with as many ports up as down.
    Tree(ThinTree),
    /// A tree whose switches have fewer ports up than down.
    ThinTree(ThinTree),
    /// Racks under a 4-ary 2-tree.
    Racks(Racks),
    /// No network at all: a latency and a bandwidth for each message.
    Ideal(Ideal),
}

/// Why a network cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// A parameter is out of its range.
    #[error("{key} = {value}: {reason}")]
    OutOfRange {
        /// The experiment key.
        key: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        reason: &'static str,
    },
    /// The network does not fit the 32-bit tables.
    #[error("the network would have {what}; the most is {most}: make it smaller")]
    TooLarge {
        /// What there is too much of.
        what: String,
        /// The limit.
        most: u64,
    },
}

impl TopologySpec {
    /// Gives the word that selects this topology in an experiment file (`network.kind`).
    pub const fn kind(&self) -> &'static str {
        match self {
            TopologySpec::Torus(_) => "torus",
            TopologySpec::Mesh(_) => "mesh",
            TopologySpec::Tree(_) => "tree",
            TopologySpec::ThinTree(_) => "thin-tree",
            TopologySpec::Racks(_) => "racks",
            TopologySpec::Ideal(_) => "ideal",
        }
    }

    /// Gives the number of switch ports, those to nodes included, without building the network; a mesh may have a few less.
    pub fn ports(&self) -> Result<u64, NetworkError> {
        match self {
            TopologySpec::Torus(torus) | TopologySpec::Mesh(torus) => torus.ports(),
            TopologySpec::Tree(tree) => tree.shape(TREE_KEYS)?.ports(),
            TopologySpec::ThinTree(tree) => tree.shape(THIN_TREE_KEYS)?.ports(),
            TopologySpec::Racks(racks) => racks.shape()?.ports(),
            TopologySpec::Ideal(_) => Ok(0),
        }
    }

    /// Compiles the topology to flat tables.
    pub fn build(&self) -> Result<Network, NetworkError> {
        match self {
            TopologySpec::Torus(torus) => torus.build(true),
            TopologySpec::Mesh(mesh) => mesh.build(false),
            TopologySpec::Tree(tree) => tree.shape(TREE_KEYS).map(levels::Shape::build),
            TopologySpec::ThinTree(tree) => tree.shape(THIN_TREE_KEYS).map(levels::Shape::build),
            TopologySpec::Racks(racks) => racks.shape().map(levels::Shape::build),
            TopologySpec::Ideal(ideal) => ideal.build(),
        }
    }

    /// Gives distances and bisection by arithmetic, without building the network; `None` where there are no channels.
    pub fn metrics(&self) -> Option<Metrics> {
        match self {
            TopologySpec::Torus(torus) => Some(torus.metrics(true)),
            TopologySpec::Mesh(mesh) => Some(mesh.metrics(false)),
            TopologySpec::Tree(tree) => tree.shape(TREE_KEYS).ok().map(|shape| shape.metrics()),
            TopologySpec::ThinTree(tree) => tree.shape(THIN_TREE_KEYS).ok().map(|shape| shape.metrics()),
            TopologySpec::Racks(racks) => racks.shape().ok().map(|shape| shape.metrics()),
            TopologySpec::Ideal(_) => None,
        }
    }

    /// Gives the number of ports that each switch is built with where all are alike, plugged or not: what a switch costs
    /// (R of paper 002).
    pub fn switch_ports(&self) -> Option<u32> {
        match self {
            TopologySpec::Tree(tree) | TopologySpec::ThinTree(tree) => Some(tree.switch_ports()),
            _ => None,
        }
    }
}

const TREE_KEYS: [&str; 3] = ["network.k", "network.k", "network.n"];
const THIN_TREE_KEYS: [&str; 3] = ["network.down", "network.up", "network.levels"];

/// Refuses a parameter that is out of its range.
fn check_range(
    key: &'static str,
    value: u32,
    range: RangeInclusive<u32>,
    reason: &'static str,
) -> Result<(), NetworkError> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(NetworkError::OutOfRange { key, value: value.to_string(), reason })
    }
}
