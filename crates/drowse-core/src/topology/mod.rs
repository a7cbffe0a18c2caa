//! Networks: the closed set of topologies, and the flat tables that each compiles to.

mod metrics;
mod network;
pub mod torus;

pub use metrics::Metrics;
pub use network::{End, Geometry, Network, NetworkBuilder};
pub use torus::{PerDimension, Torus};

/// A topology with its parameters. One variant per file of this folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopologySpec {
    /// A k-ary n-cube, sizes free per dimension.
    Torus(Torus),
    /// A torus without the wrap-around links.
    Mesh(Torus),
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
    #[error("the network would have {what}; the most is {most}: make dims, trunk or nodes smaller")]
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
        }
    }

    /// Compiles the topology to flat tables.
    pub fn build(&self) -> Result<Network, NetworkError> {
        match self {
            TopologySpec::Torus(torus) => torus.build(true),
            TopologySpec::Mesh(mesh) => mesh.build(false),
        }
    }

    /// Gives distances and bisection by arithmetic, without building the network.
    pub fn metrics(&self) -> Metrics {
        match self {
            TopologySpec::Torus(torus) => torus.metrics(true),
            TopologySpec::Mesh(mesh) => mesh.metrics(false),
        }
    }
}
