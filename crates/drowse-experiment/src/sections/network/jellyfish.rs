//! `kind = "jellyfish"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Jellyfish, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::routing::GraphRouting;
use super::tables;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// A Jellyfish (Singla et al. 2012): a random regular graph.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JellyfishKeys {
    /// Number of switches.
    #[schemars(extend("examples" = [16]), range(min = 3, max = 16384))]
    switches: u32,
    /// Links of each switch, each to another switch.
    #[schemars(extend("examples" = [4]), range(min = 2, max = 2048))]
    degree: u32,
    /// Compute nodes of each switch.
    #[schemars(extend("default" = 1), range(min = 1, max = 2048))]
    nodes: Option<u32>,
    /// Seed of the random links.
    #[schemars(extend("default" = 1))]
    seed: Option<u64>,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "minimal"))]
    routing: GraphRouting,
    /// Paths between every two switches. Only used with `routing = "k-shortest"`.
    #[schemars(extend("default" = 4), range(min = 1, max = 64))]
    paths: Option<u32>,
}

impl KindKeys for JellyfishKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let JellyfishKeys { switches, degree, nodes, seed, routing, paths } = self;
        let (routing, tables) = tables::of(keys, routing.into(), paths)?;
        let (nodes, seed) = (nodes.unwrap_or(1), seed.unwrap_or(1));
        Ok((TopologySpec::Jellyfish(Jellyfish { switches, degree, nodes, seed, tables }), routing))
    }
}
