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

/// A dragonfly (Kim et al. 2008): groups of switches, each joined with each.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DragonflyKeys {
    /// Compute nodes of each switch, 1 to 4096.
    p: u32,
    /// Switches of each group, 1 to 2048.
    a: u32,
    /// Global links of each switch, 1 to 2048.
    h: u32,
    /// Groups, 1 to a * h + 1.
    groups: u32,
    /// Which global port leads to which group. Default `palmtree`.
    #[serde(default)]
    arrangement: Arrangement,
    /// How packets are routed. Default `minimal`.
    #[serde(default)]
    routing: GroupRouting,
}

/// A Dragonfly+ (Shpiner et al. 2017), also Megafly: groups of leaf switches with nodes and spine switches with global links.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DragonflyPlusKeys {
    /// Compute nodes of each leaf switch, 1 to 4096.
    nodes: u32,
    /// Leaf switches of each group, 1 to 1024.
    leaves: u32,
    /// Spine switches of each group, 1 to 1024.
    spines: u32,
    /// Global links of each spine switch, 1 to 2048.
    h: u32,
    /// Groups, 1 to spines * h + 1.
    groups: u32,
    /// Which global port leads to which group. Default `palmtree`.
    #[serde(default)]
    arrangement: Arrangement,
    /// How packets are routed. Default `minimal`.
    #[serde(default)]
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
