//! Racks of nodes under a 4-ary 2-tree: the three levels of switches of Saravanan and Carpenter 2018, section 5.
//!
//! Each rack has one top-of-rack switch (level 0) with its nodes. Top-of-rack switches take the 16 leaf ports of a
//! 4-ary 2-tree, one or more each, in order: level 1 has up to four switches of four ports down and four up, level 2
//! four switches. The paper does not say how its 8 racks use 16 leaf ports; the default, one uplink to a rack, leaves
//! half of them unplugged, with two switches of level 1. Messages cross 2, 4 or 6 links, as the paper's example has it.

use serde::Deserialize;

use super::error::{NetworkError, check_range};
use super::geometry::levels::Shape;
use super::member::Topology;
use super::metrics::Metrics;
use super::network::Network;

/// Ports down, and up, of the switches above the racks.
const ARITY: u32 = 4;

/// Racks of nodes under a 4-ary 2-tree (Saravanan and Carpenter 2018).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Racks {
    /// Number of racks, at most 16 / uplinks.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [8]), range(min = 1, max = 16)))]
    pub racks: u32,
    /// Compute nodes of each rack.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [16]), range(min = 1, max = 2048)))]
    pub nodes_per_rack: u32,
    /// Parallel links from each top-of-rack switch up.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = [1, 2, 4])))]
    #[serde(default = "super::one")]
    pub uplinks: u32,
}

impl Racks {
    /// Checks the parameters and returns the shape.
    fn shape(&self) -> Result<Shape, NetworkError> {
        let uplinks = self.uplinks;
        if ![1, 2, 4].contains(&uplinks) {
            let reason = "a top-of-rack switch has 1, 2 or 4 links to its switch of level 1";
            return Err(NetworkError::OutOfRange { key: "network.uplinks", value: uplinks.to_string(), reason });
        }
        let reason = "the 16 leaf ports of the 4-ary 2-tree take 1 to 16 / uplinks racks";
        check_range("network.racks", self.racks, 1..=ARITY * ARITY / uplinks, reason)?;
        check_range("network.nodes_per_rack", self.nodes_per_rack, 1..=2048, "a rack has 1 to 2048 nodes")?;
        let below = ARITY / uplinks;
        let switches = self.racks.div_ceil(below);
        // Switches of level 2 have something to join only where level 1 has several.
        let levels = if self.racks == 1 { 1 } else { 2 + usize::from(switches > 1) };
        let shape = Shape {
            down: [self.nodes_per_rack, below, ARITY][..levels].to_vec(),
            up: [1, ARITY][..levels - 1].to_vec(),
            trunk: [uplinks, 1][..levels - 1].to_vec(),
            leaf_switches: self.racks,
        };
        shape.ports().map(|_| shape)
    }
}

impl Topology for Racks {
    fn kind(&self) -> &'static str {
        "racks"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.shape()?.ports()
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.shape().map(Shape::build)
    }

    fn metrics(&self) -> Option<Metrics> {
        self.shape().ok().map(|shape| shape.metrics())
    }
}
