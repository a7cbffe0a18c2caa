//! Binary hypercubes: switch `s` is joined with each switch whose number differs from its own in one bit.
//!
//! Bit `d` of a switch's number is its coordinate in dimension `d`, so a hypercube is a mesh of size 2 in every
//! dimension and is routed like one.

use serde::Deserialize;

use super::error::{NetworkError, check_range};
use super::member::Topology;
use super::metrics::Metrics;
use super::network::Network;
use super::per_dimension::PerDimension;
use super::torus::Torus;

/// The largest dimension.
pub const MAX_DIMENSION: u32 = 16;

/// A binary hypercube: 2^dimension switches, each joined with those whose numbers differ in one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hypercube {
    /// Number of dimensions: the links of each switch to others.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [6]), range(min = 1, max = 16)))]
    pub dimension: u32,
    /// Compute nodes of each switch.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    #[serde(default = "super::one")]
    pub nodes: u32,
}

impl Hypercube {
    /// Refuses parameters that are out of range; all others fit the tables.
    fn check(self) -> Result<(), NetworkError> {
        check_range("network.dimension", self.dimension, 1..=MAX_DIMENSION, "a hypercube has 1 to 16 dimensions")?;
        check_range("network.nodes", self.nodes, 1..=4096, "a switch has 1 to 4096 nodes")
    }
}

impl Topology for Hypercube {
    fn kind(&self) -> &'static str {
        "hypercube"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.check()?;
        Ok((u64::from(self.dimension) + u64::from(self.nodes)) << self.dimension)
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.check()?;
        let dims = vec![2; self.dimension as usize];
        Ok(Torus::new(dims, PerDimension::All(1), self.nodes).compile(&vec![1; self.dimension as usize], false))
    }

    fn metrics(&self) -> Option<Metrics> {
        let nodes = f64::from(self.nodes) * f64::from(1u32 << self.dimension);
        let mean = f64::from(self.dimension) / 2.0;
        // The bits of two numbers differ in half of the places on average.
        let distinct = mean * nodes / (nodes - 1.0);
        Some(Metrics { diameter: self.dimension, mean_distance: mean, mean_distance_distinct: distinct })
    }
}
