//! `kind = "polarfly"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{PolarFly, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::routing::GraphRouting;
use super::tables;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// A PolarFly (Lakhotia et al. 2022): a graph of diameter 2 with q^2 + q + 1 switches of q + 1 links, some of q.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolarFlyKeys {
    /// Elements of the field that the graph is made of: a power of a prime, 2 to 127.
    q: u32,
    /// Compute nodes of each switch, 1 to 2048. Default: half of q + 1, rounded up.
    nodes: Option<u32>,
    /// How packets are routed. Default `minimal`.
    #[serde(default)]
    routing: GraphRouting,
    /// Paths between every two switches, 1 to 64 (`routing = "k-shortest"` only). Default 4.
    paths: Option<u32>,
}

impl KindKeys for PolarFlyKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let PolarFlyKeys { q, nodes, routing, paths } = self;
        let (routing, tables) = tables::of(keys, routing.into(), paths)?;
        Ok((TopologySpec::PolarFly(PolarFly { q, nodes, tables }), routing))
    }
}
