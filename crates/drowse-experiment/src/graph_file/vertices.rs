//! What all formats of graphs say: vertices, and links between them.

use std::collections::HashMap;
use std::ops::Range;

use drowse_core::topology::graph::MAX_SWITCHES;
use drowse_core::topology::{Graph, TableKind, Trunk};

use super::attributes::{Described, Links, is_cosmetic, unknown};
use super::left_out::LeftOut;
use super::{Word, Wrong, number, parts, shown};
use crate::wording::meant;

/// The class of links that have none.
const CLASS: &str = "link";
/// The most ports of a switch.
const MAX_PORTS: u32 = 4096;

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Vertices {
    all: Vec<Vertex>,
    by_name: HashMap<String, usize>,
    edges: Vec<Edge>,
    /// The file is a map of a network, drawn for people: what is no part of the network is left out and counted.
    is_map: bool,
    left_out: LeftOut,
}

#[derive(Debug)]
struct Vertex {
    name: String,
    /// Where it is named first.
    span: Range<usize>,
    /// It is a compute node, no switch.
    is_node: bool,
    /// Compute nodes of a switch beside those that are vertices, where the file says how many.
    nodes: Option<u32>,
    /// It stands for a link with several ends, and has no compute nodes.
    is_hyperedge: bool,
    /// What a map says that it is, until all of it is read.
    kind: Option<String>,
}

/// Links between two vertices.
#[derive(Debug)]
struct Edge {
    ends: [usize; 2],
    span: Range<usize>,
    described: Described,
}

/// Attributes of vertices that say something of the network.
const KNOWN: [&str; 6] = ["nodes", "kind", "type", "role", "host", "hyperedge"];

/// Words for a compute node, and for a switch.
const NODE: [&str; 7] = ["node", "host", "server", "compute", "terminal", "endpoint", "nic"];
const SWITCH: [&str; 8] = ["switch", "router", "core", "spine", "aggregation", "edge", "leaf", "tor"];

impl Vertices {
    /// Returns what a map says before any of it is read.
    pub fn of_map() -> Self {
        Vertices { is_map: true, ..Vertices::default() }
    }

    /// Returns a vertex by its name, a new one if it has not been named before.
    pub fn named(&mut self, (name, span): &Word<'_>) -> usize {
        if let Some(&known) = self.by_name.get(*name) {
            return known;
        }
        let new = self.all.len();
        self.by_name.insert((*name).to_owned(), new);
        let vertex = Vertex {
            name: (*name).to_owned(),
            span: span.clone(),
            is_node: false,
            nodes: None,
            is_hyperedge: false,
            kind: None,
        };
        self.all.push(vertex);
        new
    }

    /// Returns a vertex that must have been named before.
    pub fn known(&self, (name, span): &Word<'_>) -> Result<usize, Wrong> {
        self.by_name.get(*name).copied().ok_or_else(|| {
            // Naming the nearest of very many would take long.
            let names: Vec<&str> = self.all.iter().take(1000).map(|vertex| vertex.name.as_str()).collect();
            let help = format!("{}every end of an edge is a node of the file", meant(name, &names));
            Wrong::new(span, format!("there is no node `{}`", shown(name)), help)
        })
    }

    /// Returns whether a name has been used.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Returns whether the file has said how many compute nodes a switch has.
    pub fn says_nodes(&self, vertex: usize) -> bool {
        self.all[vertex].nodes.is_some()
    }

    /// Takes an attribute of a vertex.
    pub fn set(&mut self, vertex: usize, name: &str, value: &Word<'_>) -> Result<(), Wrong> {
        match name {
            "nodes" => self.all[vertex].nodes = Some(number(value, "nodes", 0, 4096)?),
            // On maps the type is free text, until all vertices have one of the known words.
            "type" if self.is_map => self.all[vertex].kind = Some(value.0.to_owned()),
            "kind" | "type" | "role" => {
                self.all[vertex].is_node = is_node(value.0).ok_or_else(|| {
                    let message = format!("`{}` is no kind of vertex", shown(value.0));
                    Wrong::new(&value.1, message, "write kind = node for a compute node, or switch")
                })?;
            }
            "host" => self.all[vertex].is_node = truth(value, "this is a host", "host")?,
            "hyperedge" => self.all[vertex].is_hyperedge = truth(value, "this is a link of several ends", "hyperedge")?,
            cosmetic if is_cosmetic(cosmetic) => {}
            other => return Err(unknown(other, "a vertex", &KNOWN, &value.1)),
        }
        Ok(())
    }

    /// Takes the types of a map's vertices for their kinds if all are words for a node or a switch, and some for a
    /// switch. Else they are free text.
    fn read_types(&mut self) {
        let kinds: Vec<Option<bool>> =
            self.all.iter().filter_map(|vertex| vertex.kind.as_deref().map(is_node)).collect();
        if kinds.contains(&Some(false)) && !kinds.contains(&None) {
            let of = |vertex: &mut Vertex| vertex.is_node |= vertex.kind.as_deref().and_then(is_node) == Some(true);
            self.all.iter_mut().for_each(of);
            return;
        }
        let first = self.all.iter().find_map(|vertex| vertex.kind.clone().filter(|kind| is_node(kind).is_none()));
        if let Some(first) = first.or_else(|| self.all.iter().find_map(|vertex| vertex.kind.clone())) {
            self.left_out.types(kinds.len(), &first);
        }
    }

    /// Adds links between two vertices.
    pub fn link(&mut self, ends: [usize; 2], span: &Range<usize>, links: Links) -> Result<(), Wrong> {
        self.edges.push(Edge { ends, span: span.clone(), described: links.finish()? });
        Ok(())
    }

    /// Makes the graph, and says what of the file is not in it; `nodes` are those of a switch of which the file says
    /// nothing.
    pub fn graph(mut self, nodes: Option<u32>, tables: TableKind) -> Result<(Graph, Vec<String>), Wrong> {
        self.read_types();
        let silent = self.all.iter().all(|vertex| !vertex.is_node && vertex.nodes.is_none());
        let nodes = nodes.unwrap_or(u32::from(silent));
        let switches: Vec<usize> = (0..self.all.len()).filter(|&vertex| !self.all[vertex].is_node).collect();
        if let Some(&first) = switches.get(MAX_SWITCHES as usize) {
            let message = format!("this file has {} switches", switches.len());
            let help = format!("routing by tables takes at most {MAX_SWITCHES}: use a smaller graph");
            return Err(Wrong::new(&self.all[first].span, message, help));
        }
        let mut number = vec![None; self.all.len()];
        (0..).zip(&switches).for_each(|(place, &vertex)| number[vertex] = Some(place));
        let hosted = |vertex: &Vertex| vertex.nodes.unwrap_or(if vertex.is_hyperedge { 0 } else { nodes });
        let mut graph = Graph {
            classes: Vec::new(),
            nodes: switches.iter().map(|&vertex| hosted(&self.all[vertex])).collect(),
            names: switches.iter().map(|&vertex| self.all[vertex].name.clone()).collect(),
            trunks: Vec::new(),
            tables,
        };
        self.all.iter().filter(|vertex| vertex.is_hyperedge).for_each(|_| self.left_out.hyperedge());
        let edges = std::mem::take(&mut self.edges);
        self.add_links(&edges, &number, &mut graph)?;
        if self.is_map {
            self.left_out.part = parts::keep_largest(&mut graph);
        } else {
            self.check_parts(&switches, &graph)?;
        }
        Ok((graph, self.left_out.notes(self.is_map)))
    }

    /// Adds the links to a graph; `number` are those of switches.
    fn add_links(&mut self, edges: &[Edge], number: &[Option<u32>], graph: &mut Graph) -> Result<(), Wrong> {
        let mut plugged = vec![false; self.all.len()];
        let mut ports = vec![0u32; graph.nodes.len()];
        for edge in edges {
            let [a, b] = edge.ends.map(|end| shown(&self.all[end].name));
            let refuse = |message: String, help: &str| Err(Wrong::new(&edge.span, message, help));
            if edge.ends[0] == edge.ends[1] {
                if self.is_map {
                    self.left_out.own();
                    continue;
                }
                return refuse(
                    format!("`{a}` is linked with itself"),
                    "a link joins two different vertices: remove it",
                );
            }
            match edge.ends.map(|end| number[end]) {
                [Some(a), Some(b)] => {
                    for end in [a, b] {
                        let ports = &mut ports[end as usize];
                        *ports += edge.described.links;
                        if *ports > MAX_PORTS {
                            let message = format!(
                                "switch `{}` has more than {MAX_PORTS} ports",
                                shown(&graph.names[end as usize])
                            );
                            return refuse(message, "a switch has fewer links");
                        }
                    }
                    self.left_out.link(&edge.described);
                    let class = class(&mut graph.classes, edge)?;
                    graph.trunks.push(Trunk { ends: [a, b], class, links: edge.described.links });
                }
                [None, None] => {
                    return refuse(
                        format!("`{a}` and `{b}` are nodes, not switches"),
                        "nodes are linked with switches only",
                    );
                }
                [Some(switch), None] | [None, Some(switch)] => {
                    let node = edge.ends[usize::from(number[edge.ends[0]].is_some())];
                    if std::mem::replace(&mut plugged[node], true) || edge.described.links != 1 {
                        let name = shown(&self.all[node].name);
                        return refuse(
                            format!("node `{name}` has more than one link"),
                            "a node has one link to one switch",
                        );
                    }
                    if let Some(span) = &edge.described.measured {
                        let message =
                            format!("the link of node `{}` has a bandwidth or latency", shown(&self.all[node].name));
                        let help = "links of nodes are one class: remove it, and write [[link]] class = \"node\" in the experiment";
                        return Err(Wrong::new(span, message, help));
                    }
                    graph.nodes[switch as usize] += 1;
                }
            }
        }
        let loose = self.all.iter().zip(&plugged).find(|(vertex, plugged)| vertex.is_node && !**plugged);
        match loose {
            Some((vertex, _)) => {
                let message = format!("node `{}` has no link", shown(&vertex.name));
                Err(Wrong::new(&vertex.span, message, "link it with a switch"))
            }
            None => Ok(()),
        }
    }

    /// Refuses a graph in parts.
    fn check_parts(&self, switches: &[usize], graph: &Graph) -> Result<(), Wrong> {
        if let [most, other, ..] = &graph.components()[..] {
            let [name, main] = [other, most].map(|part| shown(&graph.names[part[0] as usize]));
            let with = match other.len() {
                1 => String::new(),
                2 => format!(", like `{}`,", shown(&graph.names[other[1] as usize])),
                more => format!(", like `{}` and {} more,", shown(&graph.names[other[1] as usize]), more - 2),
            };
            let message = format!("there is no way from switch `{name}`{with} to `{main}`");
            let span = &self.all[switches[other[0] as usize]].span;
            return Err(Wrong::new(span, message, "join the parts by a link, or remove what is not of the network"));
        }
        Ok(())
    }
}

/// Returns the number of an edge's class.
fn class(classes: &mut Vec<String>, edge: &Edge) -> Result<u8, Wrong> {
    let (name, span) = edge.described.class.as_ref().map_or((CLASS, &edge.span), |(name, span)| (name.as_str(), span));
    if let Some(known) = classes.iter().position(|class| class == name) {
        return Ok(known as u8);
    }
    if name == "node" || name.is_empty() {
        let message = format!("`{name}` is no class of links between switches");
        return Err(Wrong::new(span, message, "links to nodes have the class node: write another name"));
    }
    if classes.len() == usize::from(u8::MAX) {
        return Err(Wrong::new(span, "there are more than 255 classes of links", "use fewer"));
    }
    classes.push(name.to_owned());
    Ok(classes.len() as u8 - 1)
}

/// Returns whether a word stands for a compute node rather than a switch; `None` where it is neither.
fn is_node(word: &str) -> Option<bool> {
    let word = word.to_ascii_lowercase();
    NODE.contains(&word.as_str()).then_some(true).or(SWITCH.contains(&word.as_str()).then_some(false))
}

/// Reads whether something is so.
fn truth((word, span): &Word<'_>, what: &str, name: &str) -> Result<bool, Wrong> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Ok(true),
        "false" | "0" | "no" => Ok(false),
        _ => {
            let message = format!("`{}` does not say whether {what}", shown(word));
            Err(Wrong::new(span, message, format!("write {name} = true or false")))
        }
    }
}
