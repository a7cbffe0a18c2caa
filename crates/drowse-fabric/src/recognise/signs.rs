//! What formats of networks are recognised by: one function each, from a text to whether it is of that format.
//!
//! A sign is something that a file of the format has and a list of edges that is read here cannot have.

use std::collections::HashSet;

use super::text::{Text, is_of_word, is_whole, starts, words};

/// Graphviz: `graph NAME {`, and its kin.
pub(crate) fn dot(text: &Text<'_>) -> bool {
    let (word, rest) = first_word(text.whole);
    let (word, rest) = if word.eq_ignore_ascii_case("strict") { first_word(rest) } else { (word, rest) };
    let is_graph = ["graph", "digraph"].into_iter().any(|kind| word.eq_ignore_ascii_case(kind));
    let rest = skip_comments(rest);
    let name = match rest.strip_prefix('"') {
        Some(quoted) => quoted.find('"').map_or(rest.len(), |end| end + 2),
        None => rest.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(rest.len()),
    };
    is_graph && skip_comments(&rest[name..]).starts_with('{')
}

/// Returns the first word of a DOT text, and what follows.
fn first_word(text: &str) -> (&str, &str) {
    let text = skip_comments(text);
    text.split_at(text.find(|c| !is_of_word(c)).unwrap_or(text.len()))
}

/// Returns what comes behind blanks and comments of DOT.
fn skip_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let end = match text {
            line if line.starts_with("//") || line.starts_with('#') => line.find('\n'),
            block if block.starts_with("/*") => block.find("*/").map(|end| end + 2),
            other => return other,
        };
        text = &text[end.unwrap_or(text.len())..];
    }
}

pub(crate) fn graphml(text: &Text<'_>) -> bool {
    text.root() == Some("graphml")
}

pub(crate) fn gexf(text: &Text<'_>) -> bool {
    text.root() == Some("gexf")
}

pub(crate) fn sst_sdl(text: &Text<'_>) -> bool {
    text.root() == Some("sdl")
}

pub(crate) fn sndlib(text: &Text<'_>) -> bool {
    let xml = text.root() == Some("network") && text.whole.contains("<networkStructure");
    xml || text.first().starts_with("?SNDlib native format")
}

pub(crate) fn xml(text: &Text<'_>) -> bool {
    text.first().starts_with('<')
}

/// BookSim: `topology = torus;`.
pub(crate) fn booksim_settings(text: &Text<'_>) -> bool {
    let is_set = |rest: &str| rest.starts_with('=') && rest.contains(';');
    let keys = ["topology", "routing_function", "num_vcs", "vc_buf_size", "traffic", "injection_rate", "sim_type"];
    keys.into_iter().any(|key| text.has_line(key, is_set))
}

/// htsim: who sends to whom.
pub(crate) fn htsim_connections(text: &Text<'_>) -> bool {
    text.has_line("Nodes", is_whole) && text.has_line("Connections", is_whole)
}

/// ASTRA-sim's analytical networks of its first version.
pub(crate) fn astra_sim_old(text: &Text<'_>) -> bool {
    text.is_json_with(&["topology-name"]) || text.is_json_with(&["topologies-per-dim"])
}

/// CODES and ROSS: `LPGROUPS { MODELNET_GRP { ...`.
pub(crate) fn codes(text: &Text<'_>) -> bool {
    (text.begins("LPGROUPS") || text.begins("PARAMS")) && text.whole.contains('{')
}

/// CODES of 2026: `fabric:` within `topology:`.
pub(crate) fn codes_yaml(text: &Text<'_>) -> bool {
    text.begins("schema_version:") && text.begins("topology:")
}

/// SST: a program in Python that joins components.
pub(crate) fn sst(text: &Text<'_>) -> bool {
    text.begins("import sst") || text.begins("from sst")
}

/// SST: what `sst --output-json` writes.
pub(crate) fn sst_json(text: &Text<'_>) -> bool {
    text.is_json_with(&["components", "links"])
}

/// SuperSim: settings in JSON.
pub(crate) fn supersim(text: &Text<'_>) -> bool {
    text.is_json_with(&["network", "topology"]) && text.is_json_with(&["workload"])
}

pub(crate) fn python(text: &Text<'_>) -> bool {
    let is_import = |line: &&str| {
        let words = words(line);
        matches!(words[..], ["import", ..] if words.len() == 2 || words.contains(&"as"))
            || matches!(words[..], ["from", _, "import", ..])
            || line.starts_with("def ") && line.ends_with(':')
    };
    text.lines.iter().any(is_import) && text.whole.contains(['(', '='])
}

/// Cytoscape: `"elements"` that have nodes.
pub(crate) fn cytoscape(text: &Text<'_>) -> bool {
    text.is_json_with(&["elements", "nodes"])
}

/// networkx: neighbours of each node.
pub(crate) fn adjacency_json(text: &Text<'_>) -> bool {
    text.is_json_with(&["adjacency", "nodes"])
}

pub(crate) fn json(text: &Text<'_>) -> bool {
    text.is_json()
}

/// networkx: a line ends with a dictionary of attributes.
pub(crate) fn networkx_edges(text: &Text<'_>) -> bool {
    let is_edge = |line: &&str| line.ends_with('}') && line.contains(" {") && !line.starts_with('{');
    text.lines.iter().any(is_edge)
}

/// Pajek: `*Vertices 4`.
pub(crate) fn pajek(text: &Text<'_>) -> bool {
    let heads = ["*vertices", "*network", "*edges", "*arcs"];
    text.lines.iter().any(|line| heads.into_iter().any(|head| starts(line, head)))
}

pub(crate) fn leda(text: &Text<'_>) -> bool {
    text.first().starts_with("LEDA.GRAPH")
}

pub(crate) fn matrix_market(text: &Text<'_>) -> bool {
    text.first().starts_with("%%MatrixMarket")
}

/// DIMACS: `p edge 4 5`, then `e 1 2`.
pub(crate) fn dimacs(text: &Text<'_>) -> bool {
    text.has_line("p", |rest| words(rest).len() == 3 && words(rest)[1..].iter().all(|word| is_whole(word)))
}

pub(crate) fn graph6(text: &Text<'_>) -> bool {
    text.first().starts_with(">>graph6<<") || text.first().starts_with(">>sparse6<<")
}

/// UCINET: `dl n = 4`.
pub(crate) fn ucinet(text: &Text<'_>) -> bool {
    starts(text.first(), "dl") && text.first()[2..].contains('=')
}

/// Trivial Graph Format: vertices with labels, a line `#`, edges.
pub(crate) fn trivial(text: &Text<'_>) -> bool {
    let mut lines = text.whole.lines().map(str::trim);
    let vertices: Vec<Vec<&str>> = lines.by_ref().take_while(|line| *line != "#").map(words).collect();
    let names: HashSet<&str> = vertices.iter().filter_map(|words| words.first().copied()).collect();
    let is_label = |words: &Vec<&str>| words.len() == 2 && !names.contains(words[1]);
    let mut edges = lines.map(words).filter(|words| !words.is_empty()).peekable();
    vertices.iter().any(is_label)
        && vertices.iter().all(|words| words.len() < 2 || is_label(words))
        && edges.peek().is_some()
        && edges.all(|words| words.len() >= 2 && names.contains(words[0]) && names.contains(words[1]))
}
