//! Node-link data in JSON: `nodes` with `id`, and `links` or `edges` with `source` and `target`, of networkx and d3.

use super::attributed::Attributed;
use crate::document::{Value, json};
use crate::model::vertices::Vertices;
use crate::model::wrong::Wrong;
use crate::recognise::text::Text;

/// JSON with `"nodes"` and `"links"` or `"edges"`.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    text.is_json_with(&["nodes", "links"]) || text.is_json_with(&["nodes", "edges"])
}

/// Reads a graph.
pub(crate) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let document = json::parse(text)?;
    document.check(&["directed", "multigraph", "graph", "nodes", "links", "edges", "name", "version"], "this graph")?;
    let edges = match (document.get("links"), document.get("edges")) {
        (Some(links), Some(_)) => return Err(links.wrong("this graph has both links and edges", "keep one")),
        (Some(list), None) | (None, Some(list)) => list,
        (None, None) => return Err(document.wrong("this graph has no links", "write \"links\": [...]")),
    };
    let nodes: Vec<_> = document.need("nodes", "this graph")?.list("nodes")?.iter().collect();
    let is_directed = document.get("directed").is_some_and(Value::is_true);
    let by_number = nodes.iter().all(|node| node.get("id").is_none());
    Attributed {
        nodes,
        edges: edges.list("links")?.iter().collect(),
        is_directed,
        by_number,
        name: by_number.then_some("name"),
    }
    .vertices()
}
