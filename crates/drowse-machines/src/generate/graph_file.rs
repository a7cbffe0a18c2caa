//! Draws a connected graph of switches, in any of the formats of graphs.

use std::collections::BTreeMap;
use std::fmt::Write;

use toml::Table;

use super::edge::{Edge, name};
use super::{int, put, subnet};
use crate::draw::Draw;
use crate::machine::Machine;

/// Draws a file and the keys that name it.
pub fn draw(draw: &mut Draw, keys: &mut Table, machine: &mut Machine) {
    let switches = draw.within(2..=10);
    let mut edges: Vec<Edge> = Vec::new();
    for switch in 1..switches {
        let other = draw.below(switch);
        edges.push(edge(draw, [other, switch]));
    }
    for _ in 0..draw.below(2 * switches) {
        let a = draw.below(switches);
        let b = (a + draw.within(1..=switches - 1)) % switches;
        edges.push(edge(draw, [a, b]));
    }
    // At least one switch has nodes.
    let nodes: Vec<u64> = (0..switches).map(|switch| if switch == 0 { 2 } else { draw.below(3) }).collect();
    match draw.below(8) {
        0 | 1 => return subnet::draw(draw, keys, machine, &nodes, &edges),
        2 => return slurm(draw, keys, machine),
        _ => {}
    }
    let (ending, text) = match draw.below(3) {
        0 => ("txt", edge_list(&nodes, &edges)),
        1 => ("dot", dot(&nodes, &edges)),
        _ => ("graphml", graphml(&nodes, &edges)),
    };
    let file = format!("graph.{ending}");
    put(keys, "file", file.clone());
    machine.add_file(file, text);
    if draw.chance(30) {
        put(keys, "nodes", int(draw.within(1..=2)));
    }
}

/// Draws a tree of Slurm, whose links are not counted in the file.
fn slurm(draw: &mut Draw, keys: &mut Table, machine: &mut Machine) {
    let leaves = draw.within(2..=4);
    let mut text = format!("SwitchName=top Switches=s[0-{}]\n", leaves - 1);
    let mut first = 0;
    for leaf in 0..leaves {
        let nodes = draw.within(1..=3);
        let _ = writeln!(text, "SwitchName={} Nodes=n[{first}-{}]", name(leaf), first + nodes - 1);
        first += nodes;
    }
    put(keys, "file", "topology.conf");
    machine.add_file("topology.conf", text);
    put(keys, "uplinks", int(draw.within(1..=3)));
    if draw.chance(60) {
        put(keys, "speed", draw.bandwidth());
    }
}

fn edge(draw: &mut Draw, ends: [u64; 2]) -> Edge {
    let class = draw.pick(&[None, None, Some("near"), Some("far")]);
    Edge { ends, class, links: draw.pick(&[1, 1, 2, 3]) }
}

fn edge_list(nodes: &[u64], edges: &[Edge]) -> String {
    let mut text = String::new();
    for (switch, nodes) in (0..).zip(nodes) {
        let _ = writeln!(text, "switch {} {nodes}", name(switch));
    }
    let _ = writeln!(text, "# columns: a b class links");
    for (([a, b], class), links) in merged(edges) {
        let _ = writeln!(text, "{} {} {} {links}", name(a), name(b), class.unwrap_or("-"));
    }
    text
}

/// Adds up the links of the same class between the same switches, which a list of edges names once.
fn merged(edges: &[Edge]) -> BTreeMap<([u64; 2], Option<&'static str>), u64> {
    let mut merged = BTreeMap::new();
    for Edge { ends: [a, b], class, links } in edges {
        *merged.entry(([*a.min(b), *a.max(b)], *class)).or_default() += links;
    }
    merged
}

fn dot(nodes: &[u64], edges: &[Edge]) -> String {
    let mut text = String::from("graph machine {\n");
    for (switch, nodes) in (0..).zip(nodes) {
        let _ = writeln!(text, "  {} [nodes={nodes}];", name(switch));
    }
    for Edge { ends: [a, b], class, links } in edges {
        let class = class.map_or(String::new(), |class| format!("class={class}, "));
        let _ = writeln!(text, "  {} -- {} [{class}links={links}];", name(*a), name(*b));
    }
    text + "}\n"
}

fn graphml(nodes: &[u64], edges: &[Edge]) -> String {
    let mut text = String::from("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    for (key, domain, kind) in [("nodes", "node", "int"), ("class", "edge", "string"), ("links", "edge", "int")] {
        let _ = writeln!(text, "<key id=\"{key}\" for=\"{domain}\" attr.name=\"{key}\" attr.type=\"{kind}\"/>");
    }
    text += "<graph edgedefault=\"undirected\">\n";
    for (switch, nodes) in (0..).zip(nodes) {
        let _ = writeln!(text, "<node id=\"{}\"><data key=\"nodes\">{nodes}</data></node>", name(switch));
    }
    for Edge { ends: [a, b], class, links } in edges {
        let class = class.map_or(String::new(), |class| format!("<data key=\"class\">{class}</data>"));
        let links = format!("<data key=\"links\">{links}</data>");
        let _ = writeln!(text, "<edge source=\"{}\" target=\"{}\">{class}{links}</edge>", name(*a), name(*b));
    }
    text + "</graph>\n</graphml>\n"
}
