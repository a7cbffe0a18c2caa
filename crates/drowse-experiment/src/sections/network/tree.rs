//! `kind = "tree"` and `kind = "thin-tree"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{ThinTree, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::routing::TreeRouting;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// A k-ary n-tree of k^n nodes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeKeys {
    /// Ports down of each switch, and as many up.
    #[schemars(extend("examples" = [4]), range(min = 2, max = 2048))]
    k: u32,
    /// Number of levels of switches.
    #[schemars(extend("examples" = [3]), range(min = 1, max = 16))]
    n: u32,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "adaptive"))]
    routing: TreeRouting,
}

/// A thin tree, whose switches have fewer ports up than down (Navaridas et al. 2010).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThinTreeKeys {
    /// Ports down of each switch.
    #[schemars(extend("examples" = [8]), range(min = 2, max = 2048))]
    down: u32,
    /// Ports up of each switch.
    #[schemars(extend("examples" = [4]), range(min = 1, max = 2048))]
    up: u32,
    /// Number of levels of switches.
    #[schemars(extend("examples" = [4]), range(min = 1, max = 16))]
    levels: u32,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "adaptive"))]
    routing: TreeRouting,
}

impl KindKeys for TreeKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let tree = ThinTree { down: self.k, up: self.k, levels: self.n };
        Ok((TopologySpec::Tree(tree), self.routing.into()))
    }
}

impl KindKeys for ThinTreeKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let tree = ThinTree { down: self.down, up: self.up, levels: self.levels };
        Ok((TopologySpec::ThinTree(tree), self.routing.into()))
    }
}
