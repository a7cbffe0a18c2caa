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
    /// Links of each switch to others, 1 to 16.
    dimension: u32,
    /// Compute nodes of each switch, 1 to 4096. Default 1.
    nodes: Option<u32>,
    /// How packets are routed. Default `adaptive`.
    #[serde(default)]
    routing: GridRouting,
}

impl KindKeys for HypercubeKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let hypercube = Hypercube { dimension: self.dimension, nodes: self.nodes.unwrap_or(1) };
        Ok((TopologySpec::Hypercube(hypercube), self.routing.into()))
    }
}
