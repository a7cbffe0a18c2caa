//! Lists of edges, which `formats::edges` reads.

use std::collections::HashMap;

use super::names::Names;
use super::{Said, Written, without_node_link};
use crate::model::fabric::Fabric;

/// Writes a list of edges: bandwidths and latencies in columns of their own where classes are named after them, else
/// classes. Trunks between the same switches and of the same class are one line.
pub fn edges(fabric: &Fabric) -> Written {
    let graph = &fabric.graph;
    let Names { switches, counted, named, mut notes } = Names::of(fabric, is_word);
    let is_plain = graph.classes.iter().all(|class| !matches!(Said::of(class), Said::Named(_)));
    let head = if is_plain { "bandwidth latency" } else { "class" };
    let mut text = format!("# columns: a b {head} links\n");
    for (name, nodes) in switches.iter().zip(&counted) {
        line(&mut text, &["switch", name, &nodes.to_string()]);
    }
    let mut places: HashMap<([u32; 2], u8), usize> = HashMap::new();
    let mut merged: Vec<([u32; 2], u8, u32)> = Vec::new();
    for trunk in &graph.trunks {
        let [a, b] = trunk.ends;
        let at = *places.entry(([a.min(b), a.max(b)], trunk.class)).or_insert(merged.len());
        if at == merged.len() {
            merged.push((trunk.ends, trunk.class, 0));
        }
        merged[at].2 += trunk.links;
    }
    for ([a, b], class, links) in merged {
        let class = &graph.classes[usize::from(class)];
        let said = if is_plain { measured(class) } else { class.replace(|c: char| !is_of_class(c), "-") };
        let [a, b] = [a, b].map(|end| &switches[end as usize]);
        line(&mut text, &[a, b, &said, &links.to_string()]);
    }
    for (node, switch) in named {
        line(&mut text, &["node", &node, &switches[switch]]);
    }
    without_node_link(fabric, &mut notes);
    Written { text, notes }
}

/// Adds a line of words.
fn line(text: &mut String, words: &[&str]) {
    text.push_str(&words.join(" "));
    text.push('\n');
}

/// Returns the values of the columns bandwidth and latency.
fn measured(class: &str) -> String {
    let pairs = Said::of(class).pairs();
    let value = |name: &str| pairs.iter().find(|(known, _)| *known == name).map_or("-", |(_, value)| value);
    format!("{} {}", value("bandwidth"), value("latency"))
}

/// Returns whether a word is a name in a list of edges.
fn is_word(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    begins && name.chars().all(is_of_class) && !matches!(name, "switch" | "node")
}

/// Returns whether a character may stand in a name of a list of edges.
fn is_of_class(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !"=[]{}\",;<>()|'`\\#".contains(c)
}
