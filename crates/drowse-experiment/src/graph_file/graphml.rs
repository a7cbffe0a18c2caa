//! GraphML (Brandes et al. 2002): one undirected graph without graphs in nodes, hyperedges or ports.
//!
//! Data are found by the names of their keys (`attr.name`): `nodes` (compute nodes of a switch) and `kind` (node or
//! switch; also `type`, `role` and `host`) of nodes; `class`, `links`, `bandwidth` and `latency` of edges, the latter
//! also in the spellings of the Internet Topology Zoo (`LinkSpeed`, `LinkSpeedUnits`, `LinkSpeedRaw`). Document types
//! are refused, and with them all entities but those of XML itself.

use std::collections::BTreeMap;
use std::ops::Range;

use roxmltree::{Document, Error, Node, ParsingOptions};

use super::attributes::Links;
use super::vertices::Vertices;
use super::{Word, Wrong};

/// What a key names.
struct Key<'d> {
    name: &'d str,
    /// The elements that it is for: `node`, `edge`, `all` and others.
    of: &'d str,
    /// The value where none is given, and its place.
    default: Option<(String, Range<usize>)>,
    /// It holds a drawing program's pictures.
    is_picture: bool,
}

/// The keys of a document by their ids.
type Keys<'d> = BTreeMap<&'d str, Key<'d>>;

/// Reads GraphML.
pub(super) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let document =
        Document::parse_with_options(text, ParsingOptions::default()).map_err(|error| no_xml(text, &error))?;
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        return Err(Wrong::new(&start(root), "this is no GraphML", "it begins with <graphml>"));
    }
    let keys = elements(root, "key").map(key).collect::<Result<Keys<'_>, Wrong>>()?;
    let mut graphs = elements(root, "graph");
    let Some(graph) = graphs.next() else {
        return Err(Wrong::new(&start(root), "this file has no graph", "write <graph edgedefault=\"undirected\">"));
    };
    if let Some(second) = graphs.next() {
        return Err(Wrong::new(&start(second), "this file has two graphs", "keep one"));
    }
    undirected(graph, "edgedefault", "directed")?;
    read_graph(graph, &keys)
}

fn key<'d>(node: Node<'d, '_>) -> Result<(&'d str, Key<'d>), Wrong> {
    let (id, _) = required(node, "id")?;
    let name = node.attribute("attr.name").unwrap_or(id);
    let default = elements(node, "default").next().map(text).filter(|(text, _)| !text.is_empty());
    let of = node.attribute("for").unwrap_or("all");
    Ok((id, Key { name, of, default, is_picture: node.attribute("yfiles.type").is_some() }))
}

fn read_graph(graph: Node<'_, '_>, keys: &Keys<'_>) -> Result<Vertices, Wrong> {
    let mut vertices = Vertices::default();
    for node in elements(graph, "node") {
        let id = required(node, "id")?;
        if vertices.has(id.0) {
            let message = format!("two nodes have the id `{}`", id.0);
            return Err(Wrong::new(&id.1, message, "give each an id of its own"));
        }
        let vertex = vertices.named(&id);
        data(node, keys, &mut |name, value| vertices.set(vertex, name, value))?;
    }
    // Edges are read when all nodes are known.
    for edge in elements(graph, "edge") {
        undirected(edge, "directed", "true")?;
        let ends = [vertices.known(&required(edge, "source")?)?, vertices.known(&required(edge, "target")?)?];
        let mut links = Links::default();
        data(edge, keys, &mut |name, value| links.set(name, value))?;
        vertices.link(ends, &start(edge), links)?;
    }
    match graph.children().find(|inner| inner.tag_name().name() == "hyperedge") {
        Some(hyperedge) => Err(refused(hyperedge)),
        None => Ok(vertices),
    }
}

/// Applies the data of a node or edge, and the defaults of those keys that are not given.
fn data(
    element: Node<'_, '_>,
    keys: &Keys<'_>,
    set: &mut dyn FnMut(&str, &Word<'_>) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    if let Some(inner) = element.children().find(|inner| ["graph", "port"].contains(&inner.tag_name().name())) {
        return Err(refused(inner));
    }
    let mut given = Vec::new();
    for datum in elements(element, "data") {
        let (id, place) = required(datum, "key")?;
        let Some(key) = keys.get(id) else {
            return Err(Wrong::new(&place, format!("there is no key `{id}`"), "declare it by <key> before the graph"));
        };
        given.push(id);
        let (text, place) = text(datum);
        if !text.is_empty() && !key.is_picture {
            set(key.name, &(&text, place))?;
        }
    }
    let of = element.tag_name().name();
    let missing = keys.iter().filter(|(id, key)| !given.contains(id) && (key.of == of || key.of == "all"));
    let defaults = missing.filter_map(|(_, key)| Some((key, key.default.as_ref()?)));
    for (key, (text, place)) in defaults.filter(|(key, _)| !key.is_picture) {
        set(key.name, &(text, place.clone()))?;
    }
    Ok(())
}

/// Returns the elements of a name right below another; the prefix of a namespace does not matter.
fn elements<'d, 'i>(node: Node<'d, 'i>, name: &'static str) -> impl Iterator<Item = Node<'d, 'i>> {
    node.children().filter(move |inner| inner.is_element() && inner.tag_name().name() == name)
}

/// Returns the text of an element without the blanks around it, and its place.
fn text(node: Node<'_, '_>) -> (String, Range<usize>) {
    let texts: String = node.descendants().filter(Node::is_text).filter_map(|inner| inner.text()).collect();
    let place = node.first_child().map_or_else(|| start(node), |child| child.range());
    (texts.trim().to_owned(), place)
}

/// Returns the place of an element's begin.
fn start(node: Node<'_, '_>) -> Range<usize> {
    let range = node.range();
    let text = node.document().input_text().get(range.clone()).unwrap_or_default();
    range.start..range.start + text.find('>').map_or(text.len(), |end| end + 1)
}

fn required<'d>(node: Node<'d, '_>, name: &str) -> Result<Word<'d>, Wrong> {
    let found = node.attributes().find(|attribute| attribute.name() == name);
    let wrong = || Wrong::new(&start(node), format!("`{name}` is missing"), format!("write {name}=\"...\""));
    found.map(|attribute| (attribute.value(), attribute.range_value())).ok_or_else(wrong)
}

/// Refuses edges that lead one way.
fn undirected(node: Node<'_, '_>, name: &str, wrong: &str) -> Result<(), Wrong> {
    match node.attributes().find(|attribute| attribute.name() == name && attribute.value() == wrong) {
        Some(attribute) => {
            let help = "links go both ways: write edgedefault=\"undirected\", and each edge once";
            Err(Wrong::new(&attribute.range_value(), "this graph is directed", help))
        }
        None => Ok(()),
    }
}

fn refused(node: Node<'_, '_>) -> Wrong {
    let name = node.tag_name().name();
    Wrong::new(&start(node), format!("<{name}> is not read here"), "write nodes and edges only")
}

/// Says what is no XML, at its place.
fn no_xml(text: &str, error: &Error) -> Wrong {
    let position = error.pos();
    let line: usize = text.split_inclusive('\n').take(position.row.saturating_sub(1) as usize).map(str::len).sum();
    let rest = &text[line..];
    let column = rest.chars().take(position.col.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>();
    let at = line + column;
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    if matches!(error, Error::DtdDetected) {
        return Wrong::new(&(at..end), "document types are not read here", "remove <!DOCTYPE ...>");
    }
    let told = error.to_string();
    let told = told.rsplit_once(" at ").map_or(told.as_str(), |(told, _)| told);
    Wrong::new(
        &(at..end),
        format!("this is no XML: {told}"),
        "write GraphML: <graphml>, and in it <graph> with nodes and edges",
    )
}
