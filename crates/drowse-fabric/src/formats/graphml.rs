//! GraphML (Brandes et al. 2002): one undirected graph without graphs in nodes, hyperedges or ports.
//!
//! Data are found by the names of their keys (`attr.name`): `nodes` (compute nodes of a switch) and `kind` (node or
//! switch; also `type`, `role` and `host`) of nodes; `class`, `links`, `bandwidth` and `latency` of edges, the latter
//! also in the spellings of the Internet Topology Zoo (`LinkSpeed`, `LinkSpeedUnits`, `LinkSpeedRaw`, `LinkLabel`).
//! Data of the graph as a whole are not of the network. Elements and attributes that the format does not have are
//! refused, and so are document types, and with them all entities but those of XML itself.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use roxmltree::Node;

use super::xml::{self, elements, required, start};
use crate::model::attributes::{Links, is_cosmetic};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, shown};

/// What a key names.
struct Key<'d> {
    name: &'d str,
    /// It holds a drawing program's pictures.
    is_picture: bool,
}

/// The value of a key where none is given.
struct Default<'d> {
    id: &'d str,
    name: &'d str,
    /// The elements that it is for: `node`, `edge`, `all` and others.
    of: &'d str,
    text: String,
    place: Range<usize>,
}

/// The keys of a document by their ids, and those defaults that say something of the network.
#[derive(std::default::Default)]
struct Keys<'d> {
    by_id: HashMap<&'d str, Key<'d>>,
    defaults: Vec<Default<'d>>,
}

/// Reads GraphML.
pub(crate) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let document = xml::document(text, false, "write GraphML: <graphml>, and in it <graph> with nodes and edges")?;
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        return Err(Wrong::new(&start(root), "this is no GraphML", "it begins with <graphml>"));
    }
    check(root, &[], &["desc", "key", "data", "graph"])?;
    let keys = keys(root)?;
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

fn keys<'d>(root: Node<'d, '_>) -> Result<Keys<'d>, Wrong> {
    let (mut keys, mut known) = (Keys::default(), HashSet::new());
    for node in elements(root, "key") {
        check(node, &["id", "for", "attr.name", "attr.type"], &["desc", "default"])?;
        let (id, place) = required(node, "id")?;
        let name = node.attribute("attr.name").unwrap_or(id);
        let is_picture = node.attributes().any(|attribute| attribute.name() == "yfiles.type");
        if keys.by_id.insert(id, Key { name, is_picture }).is_some() {
            let message = format!("two keys have the id `{}`", shown(id));
            return Err(Wrong::new(&place, message, "give each an id of its own"));
        }
        let Some(default) = elements(node, "default").next().filter(|_| !is_picture && !is_cosmetic(name)) else {
            continue;
        };
        let ((text, place), of) = (text(default)?, node.attribute("for").unwrap_or("all"));
        if text.is_empty() {
            continue;
        }
        if !known.insert((name, of)) {
            let message = format!("another key `{}` of the same elements has a default", shown(name));
            return Err(Wrong::new(&place, message, "keep one"));
        }
        keys.defaults.push(Default { id, name, of, text, place });
    }
    Ok(keys)
}

fn read_graph(graph: Node<'_, '_>, keys: &Keys<'_>) -> Result<Vertices, Wrong> {
    check(graph, &["id", "edgedefault"], &["desc", "data", "node", "edge"])?;
    let mut vertices = Vertices::of_map();
    for node in elements(graph, "node") {
        check(node, &["id"], &["desc", "data"])?;
        let id = required(node, "id")?;
        if vertices.has(id.0) {
            let message = format!("two nodes have the id `{}`", shown(id.0));
            return Err(Wrong::new(&id.1, message, "give each an id of its own"));
        }
        let vertex = vertices.named(&id);
        data(node, keys, &mut |name, value| vertices.set(vertex, name, value))?;
    }
    // Edges are read when all nodes are known.
    for edge in elements(graph, "edge") {
        check(edge, &["id", "source", "target", "directed"], &["desc", "data"])?;
        undirected(edge, "directed", "true")?;
        let ends = [vertices.known(&required(edge, "source")?)?, vertices.known(&required(edge, "target")?)?];
        let mut links = Links::default();
        data(edge, keys, &mut |name, value| links.set(name, value))?;
        vertices.link(ends, &start(edge), links)?;
    }
    Ok(vertices)
}

/// Applies the data of a node or edge, and the defaults of those keys that are not given.
fn data(
    element: Node<'_, '_>,
    keys: &Keys<'_>,
    set: &mut dyn FnMut(&str, &Word<'_>) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let mut given = HashSet::new();
    for datum in elements(element, "data") {
        let (id, place) = required(datum, "key")?;
        let Some(key) = keys.by_id.get(id) else {
            let message = format!("there is no key `{}`", shown(id));
            return Err(Wrong::new(&place, message, "declare it by <key> before the graph"));
        };
        if !given.insert(id) {
            return Err(Wrong::new(&place, format!("`{}` is given twice", shown(key.name)), "write it once"));
        }
        if key.is_picture {
            continue;
        }
        let (text, place) = text(datum)?;
        if !text.is_empty() {
            set(key.name, &(&text, place))?;
        }
    }
    let of = element.tag_name().name();
    let is_missing = |default: &&Default<'_>| (default.of == of || default.of == "all") && !given.contains(default.id);
    keys.defaults
        .iter()
        .filter(is_missing)
        .try_for_each(|default| set(default.name, &(&default.text, default.place.clone())))
}

/// Refuses what the format does not have at this place: attributes, elements and text; those that drawing programs or
/// parsers add say nothing of the network.
fn check(element: Node<'_, '_>, attributes: &[&str], inner: &[&str]) -> Result<(), Wrong> {
    const ADDED: [&str; 2] = ["parse.", "yfiles."];
    let name = element.tag_name().name();
    for attribute in element.attributes().filter(|attribute| attribute.namespace().is_none()) {
        let is_added = ADDED.iter().any(|added| attribute.name().starts_with(added));
        if !is_added && !attributes.contains(&attribute.name()) {
            let message = format!("the attribute `{}` of <{name}> is not read here", shown(attribute.name()));
            let help = "values stand in <data key=\"...\">; keys are declared by <key>";
            return Err(Wrong::new(&attribute.range(), message, help));
        }
    }
    let is_text = ["data", "default"].contains(&name);
    for child in element.children() {
        if child.is_element() && !inner.contains(&child.tag_name().name()) {
            let message = format!("<{}> within <{name}> is not read here", shown(child.tag_name().name()));
            let help = "write one graph of nodes and edges, without graphs in nodes, ports and hyperedges";
            return Err(Wrong::new(&start(child), message, help));
        }
        if !is_text && child.is_text() && child.text().is_some_and(|text| !text.trim().is_empty()) {
            return Err(Wrong::new(&child.range(), format!("this text within <{name}> has no meaning"), "remove it"));
        }
    }
    Ok(())
}

/// Returns the text of an element without the blanks around it, and its place.
fn text(node: Node<'_, '_>) -> Result<(String, Range<usize>), Wrong> {
    check(node, &["key", "id"], &[])?;
    let texts: String = node.children().filter(Node::is_text).filter_map(|inner| inner.text()).collect();
    let place = node.first_child().map_or_else(|| start(node), |child| child.range());
    Ok((texts.trim().to_owned(), place))
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
