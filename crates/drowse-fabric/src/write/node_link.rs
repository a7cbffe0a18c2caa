//! Node-link JSON, which `formats::node_link` reads, and networkx.

use serde_json::{Map, Value, json};

use super::names::Names;
use super::{Said, Written, measures, without_node_link};
use crate::model::fabric::Fabric;

/// Writes node-link data as networkx since 3.4 has them, with `edges`.
pub fn node_link(fabric: &Fabric) -> Written {
    let graph = &fabric.graph;
    let Names { switches, counted, named, mut notes } = Names::of(fabric, |name| !name.is_empty());
    let of_switch = |(name, nodes): (&String, &u32)| json!({ "id": name, "nodes": nodes });
    let mut nodes: Vec<Value> = switches.iter().zip(&counted).map(of_switch).collect();
    nodes.extend(named.iter().map(|(name, _)| json!({ "id": name, "kind": "node" })));
    let mut edges = Vec::new();
    for trunk in &graph.trunks {
        let [a, b] = trunk.ends.map(|end| switches[end as usize].as_str());
        let mut edge = edge(a, b, Said::of(&graph.classes[usize::from(trunk.class)]).pairs());
        if trunk.links > 1 {
            edge.insert("links".to_owned(), json!(trunk.links));
        }
        edges.push(Value::Object(edge));
    }
    let of_node = |(name, switch): &(String, usize)| {
        Value::Object(edge(&switches[*switch], name, measures(fabric.graph.node_link)))
    };
    edges.extend(named.iter().map(of_node));
    let all = json!({ "directed": false, "multigraph": true, "graph": {}, "nodes": nodes, "edges": edges });
    if named.is_empty() {
        without_node_link(fabric, &mut notes);
    }
    Written { text: format!("{all}\n"), notes }
}

fn edge(a: &str, b: &str, said: Vec<(&'static str, String)>) -> Map<String, Value> {
    let ends = [("source", a.to_owned()), ("target", b.to_owned())];
    ends.into_iter().chain(said).map(|(name, value)| (name.to_owned(), Value::String(value))).collect()
}
