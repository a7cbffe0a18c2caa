//! `kind = "slim-fly"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{SlimFly, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::routing::GraphRouting;
use super::tables;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// A Slim Fly (Besta and Hoefler 2014): a graph of diameter 2 with 2 q^2 switches.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlimFlyKeys {
    /// Elements of the field that the graph is made of: a power of a prime, 3 to 89.
    q: u32,
    /// Compute nodes of each switch, 1 to 2048. Default: half of its links to others, rounded up.
    nodes: Option<u32>,
    /// How packets are routed. Default `minimal`.
    #[serde(default)]
    routing: GraphRouting,
    /// Paths between every two switches, 1 to 64 (`routing = "k-shortest"` only). Default 4.
    paths: Option<u32>,
}

impl KindKeys for SlimFlyKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let SlimFlyKeys { q, nodes, routing, paths } = self;
        let (routing, tables) = tables::of(keys, routing.into(), paths)?;
        Ok((TopologySpec::SlimFly(SlimFly { q, nodes, tables }), routing))
    }
}
