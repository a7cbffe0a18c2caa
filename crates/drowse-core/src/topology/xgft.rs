//! Extended generalised fat trees, tapered ones included (Öhring et al., "On generalized fat trees", IPPS 1995), with
//! parallel links as in Zahavi's PGFT ("Fat-tree routing and node ordering providing contention free traffic for MPI
//! global collectives", JPDC 2012).
//!
//! XGFT(h; m_1 ... m_h; w_1 ... w_h) has h levels of switches above the nodes: a switch of level i has m_i children and
//! each of its children has w_i parents; p_i parallel links lead to each. Nodes have one link here, so that w_1 = p_1 =
//! 1 and neither is written.

use serde::Deserialize;

use super::error::{NetworkError, check_range};
use super::geometry::levels::Shape;
use super::member::Topology;
use super::metrics::Metrics;
use super::network::Network;
use super::tree::MAX_LEVELS;

/// An extended generalised fat tree (Öhring et al. 1995), with parallel links (Zahavi 2012).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Xgft {
    /// Children of a switch of each level: first the nodes of a lowest switch, last the children
    /// of a top switch. Each is 1 to 2048.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[16, 16, 4]]),
        extend("x-hint" = "from the nodes of a switch up to the top")))]
    pub children: Vec<u32>,
    /// Parents of a switch of each level but the top, 1 to 2048: one number less than `children`.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[4, 4]]), extend("x-hint" = "one less than children")))]
    pub parents: Vec<u32>,
    /// Parallel links to each of these parents, 1 to 256 at each level. Default: 1 at each level.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[1, 2]])))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<u32>,
}

impl Xgft {
    /// Returns the parallel links of each level.
    fn all_links(&self) -> Vec<u32> {
        if self.links.is_empty() { vec![1; self.parents.len()] } else { self.links.clone() }
    }

    /// Checks the parameters and returns the shape.
    fn shape(&self) -> Result<Shape, NetworkError> {
        let wrong = |key, list: &[u32], reason| NetworkError::OutOfRange { key, value: format!("{list:?}"), reason };
        let levels = self.children.len();
        if !(1..=MAX_LEVELS as usize).contains(&levels) {
            return Err(wrong("network.children", &self.children, "give 1 to 16 levels of switches"));
        }
        let links = self.all_links();
        for (key, list) in [("network.parents", &self.parents), ("network.links", &links)] {
            if list.len() != levels - 1 {
                return Err(wrong(
                    key,
                    list,
                    "give one number for each level of switches but the top: one less than children",
                ));
            }
        }
        for &children in &self.children {
            check_range("network.children", children, 1..=2048, "a switch has 1 to 2048 children")?;
        }
        for &parents in &self.parents {
            check_range("network.parents", parents, 1..=2048, "a switch has 1 to 2048 parents")?;
        }
        for &links in &links {
            check_range("network.links", links, 1..=256, "a trunk has 1 to 256 links")?;
        }
        let below = |l: usize| u64::from(self.children[l]) * if l == 0 { 1 } else { u64::from(links[l - 1]) };
        let above = |l: usize| self.parents.get(l).map_or(0, |&parents| u64::from(parents) * u64::from(links[l]));
        if (0..levels).any(|l| below(l) + above(l) > u64::from(u16::MAX)) {
            return Err(wrong(
                "network.children",
                &self.children,
                "a switch has at most 65535 ports, parallel links counted",
            ));
        }
        let leaf_switches = self.children[1..].iter().map(|&m| u64::from(m)).try_fold(1, u64::checked_mul);
        let leaf_switches = leaf_switches.and_then(|switches| u32::try_from(switches).ok());
        let leaf_switches = leaf_switches.ok_or_else(|| NetworkError::TooLarge {
            what: "over 2^32 switches".into(),
            most: u64::from(u32::MAX) / 4,
        })?;
        let shape =
            Shape { down: self.children.clone(), up: self.parents.clone(), trunk: links.clone(), leaf_switches };
        shape.ports().map(|_| shape)
    }
}

impl Topology for Xgft {
    fn kind(&self) -> &'static str {
        "xgft"
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
