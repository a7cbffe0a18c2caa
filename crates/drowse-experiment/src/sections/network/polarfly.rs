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
    /// Number of elements of the field that the graph is made of: a power of a prime.
    #[schemars(extend("examples" = [5]), extend("x-hint" = "a power of a prime"), range(min = 2, max = 127))]
    q: u32,
    /// Compute nodes of each switch. Default: half of q + 1, rounded up.
    #[schemars(extend("examples" = [4]), range(min = 1, max = 2048))]
    nodes: Option<u32>,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "minimal"))]
    routing: GraphRouting,
    /// Paths between every two switches. Only used with `routing = "k-shortest"`.
    #[schemars(extend("default" = 4), range(min = 1, max = 64))]
    paths: Option<u32>,
}

impl KindKeys for PolarFlyKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let PolarFlyKeys { q, nodes, routing, paths } = self;
        let (routing, tables) = tables::of(keys, routing.into(), paths)?;
        Ok((TopologySpec::PolarFly(PolarFly { q, nodes, tables }), routing))
    }
}
