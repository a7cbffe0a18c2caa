//! `kind = "full"` and `kind = "hyperx"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Full, HyperX, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::per_dimension::PerDimension;
use super::routing::CoordinateRouting;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// A full mesh: every two switches are joined by a link.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FullKeys {
    /// Number of switches.
    #[schemars(extend("examples" = [16]), range(min = 2, max = 2048))]
    switches: u32,
    /// Compute nodes of each switch.
    #[schemars(extend("default" = 1), range(min = 1, max = 4096))]
    nodes: Option<u32>,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "minimal"))]
    routing: CoordinateRouting,
}

/// HyperX (Ahn et al. 2009) or flattened butterfly (Kim et al. 2007): every two switches of a line are joined.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HyperXKeys {
    /// Switches in each of 1 to 8 dimensions, 2 to 2048.
    #[schemars(extend("examples" = [[4, 4]]))]
    dims: Vec<u32>,
    /// Parallel links between two switches of a line, 1 to 16: one number, or one per dimension.
    #[serde(default)]
    #[schemars(extend("default" = 1))]
    widths: PerDimension,
    /// Compute nodes of each switch.
    #[schemars(extend("default" = 1), range(min = 1, max = 4096))]
    nodes: Option<u32>,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "minimal"))]
    routing: CoordinateRouting,
}

impl KindKeys for FullKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let full = Full { switches: self.switches, nodes: self.nodes.unwrap_or(1) };
        Ok((TopologySpec::Full(full), self.routing.into()))
    }
}

impl KindKeys for HyperXKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let HyperXKeys { dims, widths, nodes, routing } = self;
        let hyperx = HyperX { dims, widths: widths.0, nodes: nodes.unwrap_or(1) };
        Ok((TopologySpec::HyperX(hyperx), routing.into()))
    }
}
