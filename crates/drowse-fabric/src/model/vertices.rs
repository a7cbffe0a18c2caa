//! What all formats of graphs say: vertices, and links between them.

use std::collections::HashMap;
use std::ops::Range;

use drowse_core::model::units::BitRate;
use drowse_tables::nearest::meant;

use super::attributes::{Described, Links, is_cosmetic, unknown};
use super::fabric::Address;
use super::left_out::LeftOut;
use super::wrong::{Word, Wrong, number, shown};

/// What a file says.
#[derive(Debug, Default)]
pub(crate) struct Vertices {
    pub(super) all: Vec<Vertex>,
    by_name: HashMap<String, usize>,
    pub(super) edges: Vec<Edge>,
    /// The file is a map of a network, drawn for people: what is no part of the network is left out and counted.
    pub(super) is_map: bool,
    pub(super) left_out: LeftOut,
    /// The section `[network]` that builds the same network without the file.
    pub(super) shape: Option<String>,
    /// What a reader has to say of the file.
    pub(super) notes: Vec<String>,
    /// The bandwidth of links of which the file says none.
    pub(super) speed: Option<BitRate>,
}

#[derive(Debug)]
pub(super) struct Vertex {
    /// What it is called in results, which may be another name than the one by which the file refers to it.
    pub name: String,
    /// Where it is named first.
    pub span: Range<usize>,
    /// It is a compute node, no switch.
    pub is_node: bool,
    /// Compute nodes of a switch beside those that are vertices, where the file says how many.
    pub nodes: Option<u32>,
    /// It stands for a link with several ends, and has no compute nodes.
    pub is_hyperedge: bool,
    /// What a map says that it is, until all of it is read.
    kind: Option<String>,
    /// LID and GUID, where the file has them.
    pub address: Address,
}

/// Links between two vertices.
#[derive(Debug)]
pub(super) struct Edge {
    pub ends: [usize; 2],
    pub span: Range<usize>,
    pub described: Described,
}

/// Attributes of vertices that say something of the network.
const KNOWN: [&str; 6] = ["nodes", "kind", "type", "role", "host", "hyperedge"];

/// Words for a compute node, and for a switch.
const NODE: [&str; 7] = ["node", "host", "server", "compute", "terminal", "endpoint", "nic"];
const SWITCH: [&str; 8] = ["switch", "router", "core", "spine", "aggregation", "edge", "leaf", "tor"];

impl Vertices {
    /// Returns what a program's description of a machine says before any of it is read: that links have no bandwidth is told.
    pub fn of_program() -> Self {
        let mut vertices = Vertices::default();
        vertices.left_out.by_program = true;
        vertices
    }

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
            address: Address::default(),
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
    pub(super) fn read_types(&mut self) {
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

    /// Says that a vertex is a compute node.
    pub fn set_node(&mut self, vertex: usize) {
        self.all[vertex].is_node = true;
    }

    /// Says how many compute nodes a switch has beside those that are vertices.
    pub fn set_nodes(&mut self, switch: usize, nodes: u32) {
        self.all[switch].nodes = Some(nodes);
    }

    /// Takes LID and GUID of a vertex.
    pub fn set_address(&mut self, vertex: usize, address: Address) {
        self.all[vertex].address = address;
    }

    /// Calls a vertex otherwise in results than where the file refers to it.
    pub fn call(&mut self, vertex: usize, name: impl Into<String>) {
        self.all[vertex].name = name.into();
    }

    /// Takes the section `[network]` that builds the same network without the file.
    pub fn set_shape(&mut self, section: impl Into<String>) {
        self.shape = Some(section.into());
    }

    /// Adds a sentence on what of the file is not simulated, or not as it stands there.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Sets the bandwidth of all links that have neither one nor a class.
    pub fn set_speed(&mut self, speed: BitRate) {
        if self.edges.iter().all(|edge| edge.described.has_speed) {
            self.note("network.speed is not used: all links have a bandwidth in the file");
        }
        self.speed = Some(speed);
        self.edges.iter_mut().for_each(|edge| edge.described.set_speed(speed));
    }

    /// Adds links between two vertices.
    pub fn link(&mut self, ends: [usize; 2], span: &Range<usize>, links: Links) -> Result<(), Wrong> {
        self.edges.push(Edge { ends, span: span.clone(), described: links.finish()? });
        Ok(())
    }
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
