//! `kind = "graph"`: any graph, from a file.

use drowse_core::topology::{TableKind, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::make::Make;
use crate::diagnostic::Diagnostic;
use crate::graph_file;
use crate::keys::Keys;
use crate::node::Node;

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
}

/// Reads the keys, and returns what reads the file.
pub fn read(node: Node<'_>, keys: &Keys) -> Result<Box<Make>, Diagnostic> {
    let graph: GraphKeys = node.read(keys)?;
    Ok(Box::new(move |keys, tables, notes| graph.read_file(keys, tables, notes)))
}

impl GraphKeys {
    fn read_file(&self, keys: &Keys, tables: TableKind, notes: &mut Vec<String>) -> Result<TopologySpec, Diagnostic> {
        if let Some(nodes) = self.nodes.filter(|&nodes| nodes > 4096) {
            let message = format!("`network.nodes` = {nodes} is out of range");
            return Err(keys.error("network.nodes", message, "a switch has 0 to 4096 nodes"));
        }
        let (graph, of_file) = graph_file::read(&keys.source().resolve(&self.file), keys, self.nodes, tables)?;
        notes.extend(of_file);
        Ok(TopologySpec::Graph(graph))
    }
}
