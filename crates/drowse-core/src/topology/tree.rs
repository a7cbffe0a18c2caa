//! k-ary n-trees and thin trees (Navaridas et al. 2010, section III).
//!
//! A k-ary n-tree joins k^n nodes by n levels of k^(n-1) switches with k ports down and k ports up. A thin tree k:k',n
//! has k' ports up only, so a level has the share k'/k of the switches of the one below it: k^(n-1-l) k'^l switches at
//! level l.

use serde::Deserialize;

use super::error::{NetworkError, check_range};
use super::geometry::levels::Shape;
use super::member::Topology;
use super::metrics::Metrics;
use super::network::Network;

/// The largest number of levels.
pub const MAX_LEVELS: u32 = 16;

const TREE_KEYS: [&str; 3] = ["network.k", "network.k", "network.n"];
const THIN_TREE_KEYS: [&str; 3] = ["network.down", "network.up", "network.levels"];

/// A thin tree, whose switches have fewer ports up than down (Navaridas et al. 2010).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ThinTree {
    /// Ports down of each switch.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [8]), range(min = 2, max = 2048)))]
    pub down: u32,
    /// Ports up of each switch.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), range(min = 1, max = 2048)))]
    pub up: u32,
    /// Number of levels of switches.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), range(min = 1, max = 16)))]
    pub levels: u32,
}

/// A k-ary n-tree of k^n nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KAryTree {
    /// Ports down of each switch, and as many up.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), range(min = 2, max = 2048)))]
    pub k: u32,
    /// Number of levels of switches.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [3]), range(min = 1, max = 16)))]
    pub n: u32,
}

impl ThinTree {
    /// Checks the parameters, named by their keys, and returns the shape.
    fn shape(&self, keys: [&'static str; 3]) -> Result<Shape, NetworkError> {
        check_range(keys[0], self.down, 2..=2048, "a switch has 2 to 2048 ports down")?;
        check_range(keys[1], self.up, 1..=2048, "a switch has 1 to 2048 ports up")?;
        check_range(keys[2], self.levels, 1..=MAX_LEVELS, "a tree has 1 to 16 levels of switches")?;
        let leaf_switches = self.down.checked_pow(self.levels - 1).ok_or(NetworkError::TooLarge {
            what: format!("{}^{} nodes", self.down, self.levels),
            most: u64::from(u32::MAX) / 4,
        })?;
        let shape = Shape {
            down: vec![self.down; self.levels as usize],
            up: vec![self.up; self.levels as usize - 1],
            trunk: vec![1; self.levels as usize - 1],
            leaf_switches,
        };
        shape.ports().map(|_| shape)
    }
}

impl Topology for ThinTree {
    fn kind(&self) -> &'static str {
        "thin-tree"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.shape(THIN_TREE_KEYS)?.ports()
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.shape(THIN_TREE_KEYS).map(Shape::build)
    }

    fn metrics(&self) -> Option<Metrics> {
        self.shape(THIN_TREE_KEYS).ok().map(|shape| shape.metrics())
    }

    fn switch_ports(&self) -> Option<u32> {
        // At the top, those up are not plugged.
        Some(self.down + self.up)
    }
}

/// A k-ary n-tree, with its own keys: a thin tree with as many ports up as down.
#[derive(Debug)]
pub(super) struct AsKAryTree<'a>(pub &'a ThinTree);

impl Topology for AsKAryTree<'_> {
    fn kind(&self) -> &'static str {
        "tree"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.0.shape(TREE_KEYS)?.ports()
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.0.shape(TREE_KEYS).map(Shape::build)
    }

    fn metrics(&self) -> Option<Metrics> {
        self.0.shape(TREE_KEYS).ok().map(|shape| shape.metrics())
    }

    fn switch_ports(&self) -> Option<u32> {
        // At the top, those up are not plugged.
        Some(self.0.down + self.0.up)
    }
}
