//! `kind = "racks"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Racks, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::routing::TreeRouting;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// Racks of nodes under a 4-ary 2-tree (Saravanan and Carpenter 2018).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RacksKeys {
    /// Number of racks, at most 16 / uplinks.
    #[schemars(extend("examples" = [8]), range(min = 1, max = 16))]
    racks: u32,
    /// Compute nodes of each rack.
    #[schemars(extend("examples" = [16]), range(min = 1, max = 2048))]
    nodes_per_rack: u32,
    /// Parallel links from each top-of-rack switch up.
    #[schemars(extend("default" = 1), extend("enum" = [1, 2, 4]))]
    uplinks: Option<u32>,
    /// How packets are routed.
    #[schemars(extend("default" = "d-mod-k"))]
    routing: Option<TreeRouting>,
}

impl KindKeys for RacksKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let RacksKeys { racks, nodes_per_rack, uplinks, routing } = self;
        // The routes of Saravanan and Carpenter 2018 are static.
        let routing = routing.map_or(RoutingKind::DModK, RoutingKind::from);
        Ok((TopologySpec::Racks(Racks { racks, nodes_per_rack, uplinks: uplinks.unwrap_or(1) }), routing))
    }
}
