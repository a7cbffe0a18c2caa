//! `kind = "graph"`: any graph, from a file.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::TopologySpec;
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::routing::GraphRouting;
use super::tables;
use crate::diagnostic::Diagnostic;
use crate::graph_file;
use crate::keys::Keys;

/// Any graph, read from a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphKeys {
    /// The file, a list of edges, GraphML or DOT; its path is relative to that of the experiment.
    file: String,
    /// Compute nodes of each switch of which the file says nothing, 0 to 4096. Default: what the format says.
    nodes: Option<u32>,
    /// How packets are routed. Default `minimal`.
    #[serde(default)]
    routing: GraphRouting,
    /// Paths between every two switches, 1 to 64 (`routing = "k-shortest"` only). Default 4.
    paths: Option<u32>,
}

impl KindKeys for GraphKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let GraphKeys { file, nodes, routing, paths } = self;
        let (routing, tables) = tables::of(keys, routing.into(), paths)?;
        if nodes.is_some_and(|nodes| nodes > 4096) {
            let message = format!("`network.nodes` = {} is out of range", nodes.unwrap_or_default());
            return Err(keys.error("network.nodes", message, "a switch has 0 to 4096 nodes"));
        }
        let graph = graph_file::read(&keys.source().resolve(&file), keys, nodes, tables)?;
        Ok((TopologySpec::Graph(graph), routing))
    }
}
