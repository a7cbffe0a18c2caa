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
    /// File of the graph, relative to the experiment's folder: a list of edges, GraphML or DOT.
    #[schemars(extend("examples" = ["graph.txt"]), extend("x-hint" = "a list of edges, GraphML or DOT"))]
    file: String,
    /// Compute nodes of each switch for which the file does not say a number. Default: what the format says.
    #[schemars(extend("examples" = [1]), range(max = 4096))]
    nodes: Option<u32>,
    /// How packets are routed. Default: `minimal`, or `up-down` where shortest paths have more channels than a port has
    /// virtual channels.
    #[serde(default)]
    #[schemars(extend("default" = "minimal"))]
    routing: GraphRouting,
    /// Paths between every two switches. Only used with `routing = "k-shortest"`.
    #[schemars(extend("default" = 4), range(min = 1, max = 64))]
    paths: Option<u32>,
}

impl KindKeys for GraphKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        self.resolve_noting(keys, &mut Vec::new())
    }

    fn resolve_noting(self, keys: &Keys, notes: &mut Vec<String>) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let GraphKeys { file, nodes, routing, paths } = self;
        let (routing, tables) = tables::of(keys, routing.into(), paths)?;
        if nodes.is_some_and(|nodes| nodes > 4096) {
            let message = format!("`network.nodes` = {} is out of range", nodes.unwrap_or_default());
            return Err(keys.error("network.nodes", message, "a switch has 0 to 4096 nodes"));
        }
        let (graph, of_file) = graph_file::read(&keys.source().resolve(&file), keys, nodes, tables)?;
        notes.extend(of_file);
        Ok((TopologySpec::Graph(graph), routing))
    }
}
