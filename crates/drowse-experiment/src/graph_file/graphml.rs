//! GraphML (Brandes et al. 2002): one undirected graph without graphs in nodes, hyperedges or ports.
//!
//! Data are found by the names of their keys (`attr.name`): `nodes` (compute nodes of a switch) and `kind` (node or switch) of nodes,
//! `class` and `links` of edges. Others are of no interest.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Wrong;
use super::vertices::{Links, Vertices};
use super::xml::{Attribute, Part, Parts};

/// What a key names.
struct Key {
    name: String,
    /// The value where none is given, and its place.
    default: Option<(String, Range<usize>)>,
}

/// What data are read into.
enum Target {
    Vertex(usize),
    Edge([usize; 2], Links),
}

/// A reader of GraphML.
struct Reader<'t> {
    parts: Parts<'t>,
    keys: BTreeMap<String, Key>,
    vertices: Vertices,
    /// Edges, to be read when all nodes are known.
    edges: Vec<(Vec<Attribute<'t>>, Range<usize>, Vec<Datum>)>,
}

/// The value of a key: the key, the text and its place.
type Datum = (String, String, Range<usize>);

/// Reads GraphML.
pub(super) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let mut reader =
        Reader { parts: Parts::new(text), keys: BTreeMap::new(), vertices: Vertices::default(), edges: Vec::new() };
    while let Some((part, span)) = reader.parts.next()? {
        match part {
            Part::Open { name: "graphml", .. } => return reader.document(),
            Part::Open { .. } => return Err(Wrong::new(&span, "this is no GraphML", "it begins with <graphml>")),
            Part::Close | Part::Text(_) => {}
        }
    }
    Err(Wrong::new(&(0..0), "this file holds no GraphML", "it begins with <graphml>"))
}

impl<'t> Reader<'t> {
    fn document(mut self) -> Result<Vertices, Wrong> {
        let mut graphs = 0;
        while let Some((part, span)) = self.parts.next()? {
            match part {
                Part::Open { name: "key", attributes } => self.key(&attributes, &span)?,
                Part::Open { name: "graph", attributes } => {
                    graphs += 1;
                    if graphs > 1 {
                        return Err(Wrong::new(&span, "this file has two graphs", "keep one"));
                    }
                    undirected(&attributes, "edgedefault", "directed")?;
                    self.graph()?;
                }
                Part::Open { .. } => {
                    self.text()?;
                }
                Part::Close | Part::Text(_) => {}
            }
        }
        for (attributes, span, data) in std::mem::take(&mut self.edges) {
            let known = |name| required(&attributes, name, &span).and_then(|word| self.vertices.known(&word));
            let ends = [known("source")?, known("target")?];
            self.set(Target::Edge(ends, Links::default()), &span, &data)?;
        }
        Ok(self.vertices)
    }

    fn key(&mut self, attributes: &[Attribute<'t>], span: &Range<usize>) -> Result<(), Wrong> {
        let (id, _) = required(attributes, "id", span)?;
        let name = attribute(attributes, "attr.name").map_or(id, |(name, _)| name).to_owned();
        let id = id.to_owned();
        let mut default = None;
        while let Some((part, _)) = self.parts.next()? {
            match part {
                Part::Open { name: "default", .. } => default = Some(self.text()?).filter(|(text, _)| !text.is_empty()),
                Part::Open { .. } => {
                    self.text()?;
                }
                Part::Close => break,
                Part::Text(_) => {}
            }
        }
        self.keys.insert(id, Key { name, default });
        Ok(())
    }

    fn graph(&mut self) -> Result<(), Wrong> {
        while let Some((part, span)) = self.parts.next()? {
            match part {
                Part::Open { name: "node", attributes } => {
                    let id = required(&attributes, "id", &span)?;
                    if self.vertices.has(id.0) {
                        let message = format!("two nodes have the id `{}`", id.0);
                        return Err(Wrong::new(&id.1, message, "give each an id of its own"));
                    }
                    let vertex = self.vertices.named(&id);
                    let data = self.data()?;
                    self.set(Target::Vertex(vertex), &span, &data)?;
                }
                Part::Open { name: "edge", attributes } => {
                    undirected(&attributes, "directed", "true")?;
                    let data = self.data()?;
                    self.edges.push((attributes, span, data));
                }
                Part::Open { name: name @ "hyperedge", .. } => return Err(refused(name, &span)),
                Part::Open { .. } => {
                    self.text()?;
                }
                Part::Close => break,
                Part::Text(_) => {}
            }
        }
        Ok(())
    }

    /// Reads the data of a node or edge up to its end.
    fn data(&mut self) -> Result<Vec<Datum>, Wrong> {
        let mut data = Vec::new();
        while let Some((part, span)) = self.parts.next()? {
            match part {
                Part::Open { name: "data", attributes } => {
                    let key = required(&attributes, "key", &span)?;
                    if !self.keys.contains_key(key.0) {
                        let message = format!("there is no key `{}`", key.0);
                        return Err(Wrong::new(&key.1, message, "declare it by <key> before the graph"));
                    }
                    let key = key.0.to_owned();
                    let (text, place) = self.text()?;
                    data.push((key, text, place));
                }
                Part::Open { name: name @ ("graph" | "port"), .. } => return Err(refused(name, &span)),
                Part::Open { .. } => {
                    self.text()?;
                }
                Part::Close => break,
                Part::Text(_) => {}
            }
        }
        Ok(data)
    }

    /// Returns the text of the element that has begun, up to its end, without the blanks around it.
    fn text(&mut self) -> Result<(String, Range<usize>), Wrong> {
        let (mut depth, mut text, mut place) = (1, String::new(), 0..0);
        while depth > 0 {
            let Some((part, span)) = self.parts.next()? else { break };
            place = if place.end == 0 { span.clone() } else { place };
            match part {
                Part::Open { .. } => depth += 1,
                Part::Close => depth -= 1,
                Part::Text(more) => text.push_str(&more),
            }
        }
        Ok((text.trim().to_owned(), place))
    }

    /// Applies data, and the defaults of those keys that are not given.
    fn set(&mut self, mut target: Target, span: &Range<usize>, data: &[Datum]) -> Result<(), Wrong> {
        let given = |id: &String| data.iter().any(|(key, ..)| key == id);
        let defaults = self.keys.iter().filter(|(id, _)| !given(id));
        let defaults =
            defaults.filter_map(|(_, key)| key.default.clone().map(|(text, place)| (&key.name, text, place)));
        let own = data.iter().map(|(key, text, place)| (&self.keys[key].name, text.clone(), place.clone()));
        for (name, text, place) in own.chain(defaults) {
            match &mut target {
                Target::Vertex(vertex) => self.vertices.set(*vertex, name, &(&text, place))?,
                Target::Edge(_, links) => links.set(name, &(&text, place))?,
            }
        }
        if let Target::Edge(ends, links) = target {
            self.vertices.link(ends, span, links);
        }
        Ok(())
    }
}

fn attribute<'a>(attributes: &'a [Attribute<'_>], name: &str) -> Option<(&'a str, Range<usize>)> {
    let found = attributes.iter().find(|(known, ..)| *known == name);
    found.map(|(_, value, span)| (value.as_ref(), span.clone()))
}

fn required<'a>(
    attributes: &'a [Attribute<'_>],
    name: &str,
    span: &Range<usize>,
) -> Result<(&'a str, Range<usize>), Wrong> {
    let wrong = || Wrong::new(span, format!("`{name}` is missing"), format!("write {name}=\"...\""));
    attribute(attributes, name).ok_or_else(wrong)
}

/// Refuses edges that lead one way.
fn undirected(attributes: &[Attribute<'_>], name: &str, wrong: &str) -> Result<(), Wrong> {
    match attribute(attributes, name) {
        Some((value, span)) if value == wrong => {
            let help = "links go both ways: write edgedefault=\"undirected\", and each edge once";
            Err(Wrong::new(&span, "this graph is directed", help))
        }
        _ => Ok(()),
    }
}

fn refused(name: &str, span: &Range<usize>) -> Wrong {
    Wrong::new(span, format!("<{name}> is not read here"), "write nodes and edges only")
}
