//! GML (Himsolt 1997), as networkx and the Internet Topology Zoo write it.

use super::attributed::Attributed;
use crate::document::{Kind, Value, gml};
use crate::model::vertices::Vertices;
use crate::model::wrong::Wrong;
use crate::recognise::text::Text;

/// `graph [`, perhaps on two lines.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    let opened = text.lines.windows(2).any(|lines| lines[0] == "graph" && lines[1].starts_with('['));
    opened || text.has_line("graph", |rest| rest.starts_with('['))
}

/// Reads a graph.
pub(crate) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let document = gml::parse(text)?;
    let graphs: Vec<&Value> = all(&document, "graph");
    let [graph] = graphs[..] else {
        let place = graphs.get(1).map_or(&document, |second| second);
        return Err(place.wrong(format!("this file has {} graphs", graphs.len()), "keep one: graph [ ... ]"));
    };
    let is_directed =
        graph.get("directed").is_some_and(|value| matches!(&value.kind, Kind::Scalar(text) if text == "1"));
    Attributed {
        nodes: all(graph, "node"),
        edges: all(graph, "edge"),
        is_directed,
        by_number: false,
        name: Some("label"),
    }
    .vertices()
}

/// Returns all values of a name.
fn all<'v>(value: &'v Value, name: &str) -> Vec<&'v Value> {
    let Kind::Map(members) = &value.kind else { return Vec::new() };
    members.iter().filter(|(key, _)| key.name == name).map(|(_, value)| value).collect()
}
