//! GraphML, which `formats::graphml` reads, and drawing programs.

use super::names::Names;
use super::{Said, Written, measures, without_node_link};
use crate::model::fabric::Fabric;

/// The keys of nodes and edges.
const KEYS: [(&str, &str, &str); 6] = [
    ("node", "nodes", "int"),
    ("node", "kind", "string"),
    ("edge", "class", "string"),
    ("edge", "links", "int"),
    ("edge", "bandwidth", "string"),
    ("edge", "latency", "string"),
];

/// Writes GraphML: switches, the compute nodes that have names, and all links with what is said of them.
pub fn graphml(fabric: &Fabric) -> Written {
    let graph = &fabric.graph;
    let Names { switches, counted, named, mut notes } = Names::of(fabric, is_plain);
    let mut text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
            .to_owned();
    for (of, name, kind) in KEYS {
        let key = format!("  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>\n");
        text.push_str(&key);
    }
    text += "  <graph edgedefault=\"undirected\">\n";
    for (name, nodes) in switches.iter().zip(&counted) {
        element(&mut text, &format!("node id=\"{}\"", escaped(name)), &[("nodes", nodes.to_string())]);
    }
    for (name, _) in &named {
        element(&mut text, &format!("node id=\"{}\"", escaped(name)), &[("kind", "node".to_owned())]);
    }
    let ends = |a: &str, b: &str| format!("edge source=\"{}\" target=\"{}\"", escaped(a), escaped(b));
    for trunk in &graph.trunks {
        let [a, b] = trunk.ends.map(|end| switches[end as usize].as_str());
        let mut data = Said::of(&graph.classes[usize::from(trunk.class)]).pairs();
        if trunk.links > 1 {
            data.push(("links", trunk.links.to_string()));
        }
        element(&mut text, &ends(a, b), &data);
    }
    for (name, switch) in &named {
        element(&mut text, &ends(&switches[*switch], name), &measures(fabric.graph.node_link));
    }
    text += "  </graph>\n</graphml>\n";
    if named.is_empty() {
        without_node_link(fabric, &mut notes);
    }
    Written { text, notes }
}

/// Adds an element with its data.
fn element(text: &mut String, head: &str, data: &[(&str, String)]) {
    let name = head.split(' ').next().unwrap_or_default();
    let datum = |(key, value): &(&str, String)| format!("<data key=\"{key}\">{}</data>", escaped(value));
    let data = data.iter().map(datum).collect::<Vec<String>>().concat();
    text.push_str(&["    <", head, ">", &data, "</", name, ">\n"].concat());
}

/// Returns whether XML can have all characters of a name, and a parser keeps them as they are.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}'))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
