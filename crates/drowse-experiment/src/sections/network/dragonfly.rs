//! `kind = "dragonfly"` and `kind = "dragonfly-plus"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Dragonfly, DragonflyPlus, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::arrangement::Arrangement;
use super::kind::KindKeys;
use super::routing::GroupRouting;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// A dragonfly (Kim et al. 2008): all switches of a group are joined with each other, and so are all groups.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DragonflyKeys {
    /// Compute nodes of each switch.
    #[schemars(extend("examples" = [4]), extend("x-hint" = "the nodes of a switch"), range(min = 1, max = 4096))]
    p: u32,
    /// Switches of each group.
    #[schemars(extend("examples" = [8]), extend("x-hint" = "the switches of a group"), range(min = 1, max = 2048))]
    a: u32,
    /// Global links of each switch.
    #[schemars(extend("examples" = [4]), extend("x-hint" = "the global links of a switch"), range(min = 1, max = 2048))]
    h: u32,
    /// Number of groups, at most a * h + 1.
    #[schemars(extend("examples" = [9]), range(min = 1, max = 8192))]
    groups: u32,
    /// Which global port leads to which group.
    #[serde(default)]
    #[schemars(extend("default" = "palmtree"))]
    arrangement: Arrangement,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "minimal"))]
    routing: GroupRouting,
}

/// A Dragonfly+ (Shpiner et al. 2017), also called Megafly: groups of leaf switches with nodes and of spine switches
/// with global links.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DragonflyPlusKeys {
    /// Compute nodes of each leaf switch.
    #[schemars(extend("examples" = [8]), extend("x-hint" = "the nodes of a leaf switch"), range(min = 1, max = 4096))]
    nodes: u32,
    /// Leaf switches of each group.
    #[schemars(extend("examples" = [8]), range(min = 1, max = 1024))]
    leaves: u32,
    /// Spine switches of each group.
    #[schemars(extend("examples" = [8]), range(min = 1, max = 1024))]
    spines: u32,
    /// Global links of each spine switch.
    #[schemars(extend("examples" = [4]), extend("x-hint" = "the global links of a switch"), range(min = 1, max = 2048))]
    h: u32,
    /// Number of groups, at most spines * h + 1.
    #[schemars(extend("examples" = [9]), range(min = 1, max = 8192))]
    groups: u32,
    /// Which global port leads to which group.
    #[serde(default)]
    #[schemars(extend("default" = "palmtree"))]
    arrangement: Arrangement,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "minimal"))]
    routing: GroupRouting,
}

impl KindKeys for DragonflyKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let DragonflyKeys { p, a, h, groups, arrangement, routing } = self;
        let dragonfly = Dragonfly { p, a, h, groups, arrangement: arrangement.into() };
        Ok((TopologySpec::Dragonfly(dragonfly), routing.into()))
    }
}

impl KindKeys for DragonflyPlusKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let DragonflyPlusKeys { nodes, leaves, spines, h, groups, arrangement, routing } = self;
        let dragonfly = DragonflyPlus { nodes, leaves, spines, h, groups, arrangement: arrangement.into() };
        Ok((TopologySpec::DragonflyPlus(dragonfly), routing.into()))
    }
}
