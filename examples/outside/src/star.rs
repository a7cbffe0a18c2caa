//! `network.kind = "star"`: switches with nodes, around one that has none.

use std::sync::Arc;

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{
    Graph, Network, NetworkError, Other, Routing, TableKind, Topology, TopologyKeys, TopologySpec, Trunk,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// A star: switches with compute nodes, each joined with one in the middle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Star {
    /// Switches with nodes.
    #[schemars(extend("examples" = [8]), range(min = 2, max = 1000))]
    arms: u32,
    /// Compute nodes of each.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 64))]
    nodes: u32,
}

fn one() -> u32 {
    1
}

impl TopologyKeys for Star {
    const KIND: &'static str = "star";
    const ROUTINGS: &'static [Routing] =
        &[Routing { kind: RoutingKind::UpDown, alias: None, what: "By way of the switch in the middle." }];

    fn topology(self, _tables: TableKind) -> TopologySpec {
        TopologySpec::Other(Other(Arc::new(self)))
    }
}

impl Topology for Star {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        let (arms, nodes) = (u64::from(self.arms), u64::from(self.nodes));
        Ok(arms * (nodes + 2))
    }

    fn build(&self) -> Result<Network, NetworkError> {
        let ranges = [("network.arms", self.arms, 2, 1000), ("network.nodes", self.nodes, 1, 64)];
        if let Some((key, value, least, most)) =
            ranges.into_iter().find(|(_, value, least, most)| value < least || value > most)
        {
            let what = format!("`{key}` = {value} is out of range");
            return Err(NetworkError::Refused { key: key.into(), what, cure: format!("write {least} to {most}") });
        }
        let trunks = (1..=self.arms).map(|arm| Trunk { ends: [0, arm], class: 0, links: 1 }).collect();
        let nodes = (0..=self.arms).map(|switch| if switch == 0 { 0 } else { self.nodes }).collect();
        let (classes, names) = (vec!["arm".to_owned()], Vec::new());
        Graph { classes, nodes, names, trunks, tables: TableKind::UpDown, ..Graph::default() }.build()
    }
}
