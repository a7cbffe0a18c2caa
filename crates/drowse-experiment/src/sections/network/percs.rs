//! `kind = "percs"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Percs, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::routing::GroupRouting;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// PERCS, the network of IBM's Power 775 (Arimilli et al. 2010): supernodes of 32 nodes,
/// every two of which are joined.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PercsKeys {
    /// Number of supernodes.
    #[schemars(extend("examples" = [4]), range(min = 1, max = 512))]
    supernodes: u32,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "minimal"))]
    routing: GroupRouting,
}

impl KindKeys for PercsKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        Ok((TopologySpec::Percs(Percs { supernodes: self.supernodes }), self.routing.into()))
    }
}
