//! Networks: the closed set of topologies, and the flat tables that each compiles to.

mod aries;
mod bisection;
mod dragonfly;
mod dragonfly_plus;
mod failures;
mod field;
pub mod graph;
pub mod groups;
mod hypercube;
mod hyperx;
mod ideal;
pub mod lattice;
pub mod levels;
mod metrics;
mod network;
mod percs;
mod racks;
mod search;
mod slim_fly;
pub mod torus;
mod tree;
mod xgft;

use std::ops::RangeInclusive;

use crate::model::units::BitRate;

pub use aries::Aries;
pub use bisection::{Basis, Bisection};
pub use dragonfly::{Arrangement, Dragonfly};
pub use dragonfly_plus::DragonflyPlus;
pub use failures::{Damaged, Failures};
pub use graph::{Graph, Trunk, Ways};
pub use hypercube::Hypercube;
pub use hyperx::{Full, HyperX};
pub use ideal::Ideal;
pub use metrics::Metrics;
pub use network::{End, Geometry, Network, NetworkBuilder};
pub use percs::Percs;
pub use racks::Racks;
pub use search::{Searched, search};
pub use slim_fly::SlimFly;
pub use torus::{PerDimension, Ties, Torus};
pub use tree::ThinTree;
pub use xgft::Xgft;

/// A topology with its parameters. One variant per file of this folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopologySpec {
    /// A k-ary n-cube, sizes free per dimension.
    Torus(Torus),
    /// A torus without the wrap-around links.
    Mesh(Torus),
    /// A mesh of size 2 in every dimension.
    Hypercube(Hypercube),
    /// A k-ary n-tree: a thin tree with as many ports up as down.
    Tree(ThinTree),
    /// A tree whose switches have fewer ports up than down.
    ThinTree(ThinTree),
    /// An extended generalised fat tree.
    Xgft(Xgft),
    /// Racks under a 4-ary 2-tree.
    Racks(Racks),
    /// Groups of switches, each joined with each.
    Dragonfly(Dragonfly),
    /// Groups of leaf and spine switches.
    DragonflyPlus(DragonflyPlus),
    /// Supernodes of four drawers.
    Percs(Percs),
    /// Groups of rows and columns of switches.
    Aries(Aries),
    /// Every pair of switches.
    Full(Full),
    /// Every pair of switches that differ in one coordinate.
    HyperX(HyperX),
    /// A graph of diameter 2.
    SlimFly(SlimFly),
    /// Any graph.
    Graph(Graph),
    /// Any kind, of which links or switches have failed.
    Damaged(Damaged),
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
    /// What was asked for does not fit together.
    #[error("{what}: {cure}")]
    Refused {
        /// The experiment key.
        key: String,
        /// What is wrong.
        what: String,
        /// What to do.
        cure: String,
    },
    /// The network does not fit the tables.
    #[error("the network would have {what}; the most is {most}: make it smaller")]
    TooLarge {
        /// What there is too much of.
        what: String,
        /// The limit.
        most: u64,
    },
}

impl TopologySpec {
    /// Returns the word that selects this topology in an experiment file (`network.kind`).
    pub const fn kind(&self) -> &'static str {
        match self {
            TopologySpec::Torus(_) => "torus",
            TopologySpec::Mesh(_) => "mesh",
            TopologySpec::Hypercube(_) => "hypercube",
            TopologySpec::Tree(_) => "tree",
            TopologySpec::ThinTree(_) => "thin-tree",
            TopologySpec::Xgft(_) => "xgft",
            TopologySpec::Racks(_) => "racks",
            TopologySpec::Dragonfly(_) => "dragonfly",
            TopologySpec::DragonflyPlus(_) => "dragonfly-plus",
            TopologySpec::Percs(_) => "percs",
            TopologySpec::Aries(_) => "aries",
            TopologySpec::Full(_) => "full",
            TopologySpec::HyperX(_) => "hyperx",
            TopologySpec::SlimFly(_) => "slim-fly",
            TopologySpec::Graph(_) => "graph",
            TopologySpec::Damaged(damaged) => damaged.whole.kind(),
            TopologySpec::Ideal(_) => "ideal",
        }
    }

    /// Returns the number of switch ports, those to nodes included, without building the network; a mesh may have a few less.
    pub fn ports(&self) -> Result<u64, NetworkError> {
        match self {
            TopologySpec::Torus(torus) | TopologySpec::Mesh(torus) => torus.ports(),
            TopologySpec::Hypercube(hypercube) => hypercube.ports(),
            TopologySpec::Tree(tree) => tree.shape(TREE_KEYS)?.ports(),
            TopologySpec::ThinTree(tree) => tree.shape(THIN_TREE_KEYS)?.ports(),
            TopologySpec::Xgft(tree) => tree.shape()?.ports(),
            TopologySpec::Racks(racks) => racks.shape()?.ports(),
            TopologySpec::Dragonfly(dragonfly) => dragonfly.ports(),
            TopologySpec::DragonflyPlus(dragonfly) => dragonfly.ports(),
            TopologySpec::Percs(percs) => percs.ports(),
            TopologySpec::Aries(aries) => aries.ports(),
            TopologySpec::Full(full) => full.hyperx()?.ports(),
            TopologySpec::HyperX(hyperx) => hyperx.ports(),
            TopologySpec::SlimFly(slim_fly) => slim_fly.graph()?.ports(),
            TopologySpec::Graph(graph) => graph.ports(),
            TopologySpec::Damaged(damaged) => damaged.whole.ports(),
            TopologySpec::Ideal(_) => Ok(0),
        }
    }

    /// Compiles the topology to flat tables.
    pub fn build(&self) -> Result<Network, NetworkError> {
        match self {
            TopologySpec::Torus(torus) => torus.build(true),
            TopologySpec::Mesh(mesh) => mesh.build(false),
            TopologySpec::Hypercube(hypercube) => hypercube.build(),
            TopologySpec::Tree(tree) => tree.shape(TREE_KEYS).map(levels::Shape::build),
            TopologySpec::ThinTree(tree) => tree.shape(THIN_TREE_KEYS).map(levels::Shape::build),
            TopologySpec::Xgft(tree) => tree.shape().map(levels::Shape::build),
            TopologySpec::Racks(racks) => racks.shape().map(levels::Shape::build),
            TopologySpec::Dragonfly(dragonfly) => dragonfly.build(),
            TopologySpec::DragonflyPlus(dragonfly) => dragonfly.build(),
            TopologySpec::Percs(percs) => percs.build(),
            TopologySpec::Aries(aries) => aries.build(),
            TopologySpec::Full(full) => full.build(),
            TopologySpec::HyperX(hyperx) => hyperx.build(),
            TopologySpec::SlimFly(slim_fly) => slim_fly.graph()?.build(),
            TopologySpec::Graph(graph) => graph.build(),
            TopologySpec::Damaged(damaged) => damaged.graph()?.build(),
            TopologySpec::Ideal(ideal) => ideal.build(),
        }
    }

    /// Returns the bytes of the tables by which a network of so many ports is routed, at most; 0 where arithmetic suffices.
    pub fn routing_bytes(&self, ports: u64) -> u64 {
        match self {
            TopologySpec::SlimFly(SlimFly { q, ways, .. }) => ways.bytes(2 * u64::from(*q) * u64::from(*q)),
            TopologySpec::Graph(graph) => graph.ways.bytes(u64::from(graph.switches())),
            TopologySpec::Damaged(damaged) => damaged.ways.bytes(ports.min(u64::from(graph::MAX_SWITCHES))),
            _ => 0,
        }
    }

    /// Returns distances by arithmetic, without building the network; `None` where there are no channels, or no closed form:
    /// [`search()`] finds those.
    pub fn metrics(&self) -> Option<Metrics> {
        match self {
            TopologySpec::Torus(torus) => Some(torus.metrics(true)),
            TopologySpec::Mesh(mesh) => Some(mesh.metrics(false)),
            TopologySpec::Hypercube(hypercube) => Some(hypercube.metrics()),
            TopologySpec::Tree(tree) => tree.shape(TREE_KEYS).ok().map(|shape| shape.metrics()),
            TopologySpec::ThinTree(tree) => tree.shape(THIN_TREE_KEYS).ok().map(|shape| shape.metrics()),
            TopologySpec::Xgft(tree) => tree.shape().ok().map(|shape| shape.metrics()),
            TopologySpec::Racks(racks) => racks.shape().ok().map(|shape| shape.metrics()),
            TopologySpec::Full(full) => full.hyperx().ok().map(|hyperx| hyperx.metrics()),
            TopologySpec::HyperX(hyperx) => Some(hyperx.metrics()),
            TopologySpec::SlimFly(slim_fly) => Some(slim_fly.metrics()),
            _ => None,
        }
    }

    /// Returns the bandwidth that the channels of a class have in the machine that the topology is of; `None` where it is of none.
    pub fn bandwidth(&self, class: &str) -> Option<BitRate> {
        let known: &[(&str, BitRate)] = match self {
            TopologySpec::Percs(_) => &Percs::BANDWIDTHS,
            TopologySpec::Aries(_) => &Aries::BANDWIDTHS,
            TopologySpec::Damaged(damaged) => return damaged.whole.bandwidth(class),
            _ => &[],
        };
        known.iter().find(|(name, _)| *name == class).map(|(_, rate)| *rate)
    }

    /// Returns the number of ports that each switch is built with where all are alike, plugged or not: what a switch costs
    /// (R of Navaridas et al. 2010).
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

/// Refuses a network of so many switches of so many ports if it does not fit the 32-bit tables; gives the number of ports.
fn check_size(switches: u128, ports: u64) -> Result<u64, NetworkError> {
    let most = u64::from(u32::MAX) / 4;
    let all = switches.saturating_mul(u128::from(ports));
    match u64::try_from(all) {
        Ok(all) if all < most => Ok(all),
        _ => Err(NetworkError::TooLarge { what: format!("{all} ports"), most }),
    }
}
