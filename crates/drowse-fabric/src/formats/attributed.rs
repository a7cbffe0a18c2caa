//! Graphs whose vertices and edges have attributes, as networkx and others keep them: GML and node-link JSON.
//!
//! Attributes are the same as in GraphML, and so are the names of those that are understood. In a directed graph each
//! link stands twice, once in each direction, with the same attributes.

use std::collections::{HashMap, HashSet};

use crate::document::{Key, Kind, Value};
use crate::model::attributes::{Links, is_cosmetic};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, shown};

/// A graph as a file has it.
pub(crate) struct Attributed<'v> {
    pub nodes: Vec<&'v Value>,
    pub edges: Vec<&'v Value>,
    pub is_directed: bool,
    /// Nodes have no ids, and edges name them by their numbers from 0 on.
    pub by_number: bool,
    /// The attribute that names nodes where all have different ones; else their ids do.
    pub name: Option<&'static str>,
}

impl<'v> Attributed<'v> {
    /// Makes vertices and links of it.
    pub fn vertices(&self) -> Result<Vertices, Wrong> {
        let mut vertices = Vertices::of_map();
        let labels = self.labels();
        for (number, node) in self.nodes.iter().enumerate() {
            let vertex = if self.by_number {
                vertices.named(&(&number.to_string(), node.span.clone()))
            } else {
                vertices.named(&new_id(node, &vertices)?)
            };
            if let Some(labels) = &labels {
                vertices.call(vertex, labels[number]);
            }
            attributes(node, &["id"], &mut |name, value| vertices.set(vertex, name, value))?;
        }
        let mut pairs: HashMap<[usize; 2], Both<'v>> = HashMap::new();
        for edge in &self.edges {
            let end = |name: &str| vertices.known(&edge.need(name, "an edge")?.text(name)?);
            let ends = [end("source")?, end("target")?];
            let mut links = Links::default();
            let mut said = Vec::new();
            attributes(edge, &["source", "target"], &mut |name, value| {
                if !is_cosmetic(name) {
                    said.push(format!("{name} {}", value.0));
                }
                links.set(name, value)
            })?;
            said.sort_unstable();
            let [a, b] = ends;
            if !self.is_directed
                || pairs.entry([a.min(b), a.max(b)]).or_default().is_first(a > b, edge, said.join("\n"))
            {
                vertices.link(ends, &edge.span, links)?;
            }
        }
        pairs.values().filter_map(Both::differing).min_by_key(|edge| edge.span.start).map_or(Ok(vertices), |edge| {
            let message = "this edge leads one way, and no edge with the same attributes leads back";
            Err(edge.wrong(message, "links go both pairs: write both edges, or an undirected graph"))
        })
    }

    /// Returns the labels of all nodes, if they are there and all different.
    fn labels(&self) -> Option<Vec<&'v str>> {
        let name = self.name?;
        let label = |node: &&'v Value| match &node.get(name)?.kind {
            Kind::Scalar(text) => Some(text.as_str()),
            _ => None,
        };
        let labels = self.nodes.iter().map(label).collect::<Option<Vec<&str>>>()?;
        let different: HashSet<&str> = labels.iter().copied().collect();
        (different.len() == labels.len()).then_some(labels)
    }
}

/// The edges between two vertices of a directed graph by their direction, with what they say.
#[derive(Default)]
struct Both<'v> {
    edges: [Vec<(String, &'v Value)>; 2],
    /// Whether the first of them leads to the earlier vertex.
    first: Option<bool>,
}

impl<'v> Both<'v> {
    /// Adds an edge, and returns whether it leads as the first one does.
    fn is_first(&mut self, back: bool, edge: &'v Value, said: String) -> bool {
        self.edges[usize::from(back)].push((said, edge));
        *self.first.get_or_insert(back) == back
    }

    /// Returns an edge that none in the other direction is like.
    fn differing(&self) -> Option<&'v Value> {
        let mut sorted = [0, 1].map(|direction| self.edges[direction].iter().collect::<Vec<_>>());
        sorted.iter_mut().for_each(|edges| edges.sort_by(|a, b| a.0.cmp(&b.0)));
        let [there, back] = &sorted;
        let odd = (0..there.len().max(back.len()))
            .find(|&at| there.get(at).map(|edge| &edge.0) != back.get(at).map(|edge| &edge.0))?;
        there.get(odd).or(back.get(odd)).map(|edge| edge.1)
    }
}

/// Returns the id of a node, which no other may have.
fn new_id<'n>(node: &'n Value, known: &Vertices) -> Result<Word<'n>, Wrong> {
    let id = node.need("id", "a node")?.text("id")?;
    if known.has(id.0) {
        let message = format!("two nodes have the id `{}`", shown(id.0));
        return Err(Wrong::new(&id.1, message, "give each an id of its own"));
    }
    Ok(id)
}

/// Takes the attributes of a node or edge but for some; those of pictures may hold any values.
fn attributes(
    value: &Value,
    but: &[&str],
    set: &mut dyn FnMut(&str, &Word<'_>) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    for (key, inner) in value.map("a node or edge")? {
        let is_none = inner.kind == Kind::Empty || but.contains(&key.name.as_str()) || is_cosmetic(&key.name);
        // GML marks lists of one value so.
        if is_none || key.name == "_networkx_list_start" {
            continue;
        }
        let word = match &inner.kind {
            Kind::Scalar(text) => (text.as_str(), inner.span.clone()),
            _ => ("", key.span.clone()),
        };
        set(&key.name, &word).map_err(|wrong| at_name(wrong, key, inner))?;
    }
    Ok(())
}

/// Says that a name is not known at the name rather than at its value.
fn at_name(wrong: Wrong, key: &Key, value: &Value) -> Wrong {
    let is_name = wrong.span == value.span && wrong.message.contains("is not known here");
    if is_name { Wrong { span: key.span.clone(), ..wrong } } else { wrong }
}
