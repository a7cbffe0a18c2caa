//! `kind = "hypercube"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Hypercube, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::routing::GridRouting;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// A binary hypercube: 2^dimension switches, each joined with those whose numbers differ in one bit.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HypercubeKeys {
    /// Number of dimensions: the links of each switch to others.
    #[schemars(extend("examples" = [6]), range(min = 1, max = 16))]
    dimension: u32,
    /// Compute nodes of each switch.
    #[schemars(extend("default" = 1), range(min = 1, max = 4096))]
    nodes: Option<u32>,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "adaptive"))]
    routing: GridRouting,
}

impl KindKeys for HypercubeKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let hypercube = Hypercube { dimension: self.dimension, nodes: self.nodes.unwrap_or(1) };
        Ok((TopologySpec::Hypercube(hypercube), self.routing.into()))
    }
}
