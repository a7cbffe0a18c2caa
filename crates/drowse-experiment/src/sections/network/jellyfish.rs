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
    /// Switches, 3 to 16384.
    switches: u32,
    /// Links of each switch to others, 2 to 2048, each to another switch.
    degree: u32,
    /// Compute nodes of each switch, 1 to 2048. Default 1.
    nodes: Option<u32>,
    /// The seed of the draw of links. Default 1.
    seed: Option<u64>,
    /// How packets are routed. Default `minimal`.
    #[serde(default)]
    routing: GraphRouting,
    /// Paths between every two switches, 1 to 64 (`routing = "k-shortest"` only). Default 4.
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
