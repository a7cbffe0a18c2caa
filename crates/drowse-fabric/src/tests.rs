//! Tests of all formats of graphs together.

use proptest::prelude::*;

use drowse_core::topology::{Graph, TableKind};

use crate::formats::{self, dot, edges, graphml};
use crate::model::vertices::Vertices;
use crate::{Options, Wrong, class_bandwidth, class_latency};

fn parse(text: &str) -> [Result<Graph, Wrong>; 3] {
    [edges::parse(text), graphml::parse(text), dot::parse(text)].map(|parsed| Ok(graph(parsed?, None)?.0))
}

fn graph(vertices: Vertices, nodes: Option<u32>) -> Result<(Graph, Vec<String>), Wrong> {
    vertices.fabric(nodes, TableKind::Shortest).map(|fabric| (fabric.graph, fabric.notes))
}

fn refused(text: &str) -> String {
    let [_, graphml, dot] = parse(text);
    let wrong = if text.starts_with('<') { graphml } else { dot }.expect_err("an error");
    format!("{}: {} ({})", &text[wrong.span], wrong.message, wrong.help)
}

/// A graph as networkx and the Internet Topology Zoo write it.
const ZOO: &str = "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
    <key attr.name=\"Latitude\" attr.type=\"double\" for=\"node\" id=\"d1\"/><key attr.name=\"label\" for=\"node\" id=\"d2\"/>\n\
    <key attr.name=\"role\" for=\"node\" id=\"d3\"/><key attr.name=\"LinkSpeed\" for=\"edge\" id=\"d4\"/>\n\
    <key attr.name=\"LinkSpeedUnits\" for=\"edge\" id=\"d5\"/><key attr.name=\"LinkSpeedRaw\" for=\"edge\" id=\"d6\"/>\n\
    <key attr.name=\"LinkLabel\" for=\"edge\" id=\"d7\"/><key attr.name=\"delay\" for=\"edge\" id=\"d8\"/>\n\
    <graph edgedefault=\"undirected\">\n\
    <node id=\"0\"><data key=\"d1\">52.5</data><data key=\"d2\">A</data></node><node id=\"1\"/><node id=\"2\"/>\n\
    <node id=\"3\"><data key=\"d3\">host</data></node><edge source=\"3\" target=\"0\"/>\n\
    <edge source=\"0\" target=\"1\"><data key=\"d4\">10</data><data key=\"d5\">G</data>\
    <data key=\"d6\">10000000000.0</data><data key=\"d7\">OC-192</data></edge>\n\
    <edge source=\"1\" target=\"2\"><data key=\"d6\">2500000000</data><data key=\"d8\">1500 ns</data></edge>\n\
    <edge source=\"2\" target=\"0\"/></graph></graphml>";

#[test]
fn bandwidths_and_hosts_are_understood() {
    let [_, graph, _] = parse(ZOO);
    let graph = graph.expect("GraphML");
    assert_eq!((graph.nodes, graph.names), (vec![1, 0, 0], vec!["0".into(), "1".into(), "2".into()]));
    assert_eq!(graph.classes, ["10Gb/s", "2500Mb/s-1500ns", "link"]);
    let dot = "graph { a [type=switch]; h [type=host]; a -- h; a -- b [bandwidth=\"10 Gbps\", latency=\"1.5 us\", color=red] }";
    let [_, _, graph] = parse(dot);
    let graph = graph.expect("DOT");
    assert_eq!((graph.nodes, graph.classes), (vec![1, 0], vec!["10Gb/s-1500ns".to_owned()]));
    assert_eq!(class_bandwidth("10Gb/s-1500ns").map(|rate| rate.0), Some(10_000_000_000));
    assert_eq!(class_latency("10Gb/s-1500ns").map(|time| time.0), Some(1_500_000));
    assert_eq!((class_bandwidth("link"), class_latency("dim-0")), (None, None));
}

#[test]
fn what_is_not_understood_is_refused() {
    let edge = |attribute: &str| refused(&format!("graph {{ a -- b [{attribute}] }}"));
    for (attribute, told) in [
        ("bandwidth=10", "`10` has no unit"),
        ("bandwidth=fast", "`fast` is not a number with a unit"),
        ("LinkSpeed=10", "`LinkSpeed` has no unit"),
        ("LinkSpeedUnits=G", "`LinkSpeedUnits` stands without"),
        ("LinkSpeedRaw=0.5", "`0.5` is no number of bits a second"),
        ("latency=3", "`3` has no unit"),
        ("weight=3", "`weight` of an edge is not known"),
        ("bandwith=\"1 Gb/s\"", "did you mean `bandwidth`?"),
        ("class=fast, bandwidth=\"1 Gb/s\"", "a class and a bandwidth"),
        ("bandwidth=\"1 Gb/s\", capacity=\"2 Gb/s\"", "two bandwidths"),
    ] {
        assert!(edge(attribute).contains(told), "{attribute}: {}", edge(attribute));
    }
    let node = |attribute: &str| refused(&format!("graph {{ a -- b; a [{attribute}] }}"));
    assert!(node("cores=4").contains("`cores` of a vertex is not known"), "{}", node("cores=4"));
    assert!(node("role=printer").contains("`printer` is no kind of vertex"), "{}", node("role=printer"));
}

#[test]
fn hostile_documents_are_refused() {
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><graphml>&b;</graphml>";
    assert!(refused(bomb).contains("document types are not read here"), "{}", refused(bomb));
    let deep = format!("<graphml>{}", "<a>".repeat(200_000));
    assert!(parse(&deep)[1].is_err());
    let closed = format!("<graphml>{}{}</graphml>", "<a>".repeat(200_000), "</a>".repeat(200_000));
    answers(&closed);
}

/// One graph in three formats: a square of switches a, b, c and d with a double link, two nodes on a, one on c.
const EDGES: &str = "# a square\na b fast 2\nb c\nc d\na d fast\nswitch a 2\nnode n c\n";
const DOT: &str = "/* a square */ strict graph \"G\" {\n  graph [label=square]; rankdir = LR\n  edge [class=fast]\n\
    a [nodes=2, shape=box]; a -- b [links=2]\n  edge [class=link]; b -- c -- d; n [kind=node]; c -- n // its link\n\
    a -- d [class=\"fast\"]; a -- d\n}\n";
const GRAPHML: &str = "<?xml version=\"1.0\"?>\n<!-- a square -->\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
    <key id=\"k0\" for=\"node\" attr.name=\"nodes\" attr.type=\"int\"/>\n\
    <key id=\"k1\" for=\"node\" attr.name=\"kind\"/>\n\
    <key id=\"k2\" for=\"edge\" attr.name=\"class\"><default>fast</default></key>\n\
    <key id=\"k3\" for=\"edge\" attr.name=\"links\"/><key id=\"k4\" for=\"all\" attr.name=\"color\"/>\n\
    <graph id=\"G\" edgedefault=\"undirected\">\n<node id=\"a\"><data key=\"k0\"> 2 </data></node><node id=\"b\"/>\n\
    <edge source=\"a\" target=\"b\"><data key=\"k3\">2</data><data key=\"k4\">&lt;&#x72;ed></data></edge>\n\
    <node id=\"c\"/><node id=\"d\"/><node id=\"n\"><data key=\"k1\">node</data></node>\n\
    <edge source=\"b\" target=\"c\"><data key=\"k2\">link</data></edge>\n\
    <edge source=\"c\" target=\"d\"><data key=\"k2\">link</data></edge>\n\
    <edge source=\"a\" target=\"d\"/><edge source=\"n\" target=\"c\"/>\n</graph></graphml>\n";

#[test]
fn three_formats_say_the_same() {
    let [edges, _, _] = parse(EDGES);
    let edges = edges.expect("edges");
    assert_eq!(edges.nodes, [2, 0, 1, 0]);
    assert_eq!(edges.names, ["a", "b", "c", "d"]);
    assert_eq!(edges.classes, ["fast", "link"]);
    let trunks: Vec<_> = edges.trunks.iter().map(|trunk| (trunk.ends, trunk.class, trunk.links)).collect();
    assert_eq!(trunks, [([0, 1], 0, 2), ([1, 2], 1, 1), ([2, 3], 1, 1), ([0, 3], 0, 1)]);
    assert_eq!(parse(GRAPHML)[1].as_ref().expect("GraphML"), &edges);
    assert_eq!(parse(DOT)[2].as_ref().expect("DOT"), &edges);
}

#[test]
fn nodes_of_which_nothing_is_said() {
    let nodes = |given| graph(edges::parse("a b\n")?, given).map(|(graph, _)| graph);
    assert_eq!(nodes(None).expect("a graph").nodes, [1, 1]);
    assert_eq!(nodes(Some(3)).expect("a graph").nodes, [3, 3]);
    let some = graph(edges::parse("a b\nswitch b 0\n").expect("edges"), Some(2));
    assert_eq!(some.expect("a graph").0.nodes, [2, 0]);
}

proptest! {
    /// Whatever a file holds, the answer is a graph or a message that points into it.
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        answers(&String::from_utf8_lossy(&bytes));
    }

    /// Pieces cut out and put in, so that more of the readers is reached.
    #[test]
    fn damaged_files(which in 0..17usize, start in 0..1100usize, length in 0..30usize, piece in "[-<>/\"=\\[\\]{};&#a-d0-9 \n\\\\é]{0,8}") {
        let text = [EDGES, GRAPHML, DOT, ZOO, HEADED].into_iter().chain(OTHERS).nth(which).unwrap_or(EDGES);
        let at = |byte: usize| (byte.min(text.len())..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let (start, end) = (at(start), at(start + length));
        answers(&format!("{}{piece}{}", &text[..start], &text[end..]));
    }
}

/// Files of other formats, for recognisers.
const OTHERS: [&str; 12] = [
    include_str!("../tests/data/networks/adjacency.txt"),
    include_str!("../tests/data/networks/booksim-anynet.txt"),
    include_str!("../tests/data/networks/htsim.topo"),
    include_str!("../tests/data/networks/ibsim.net"),
    include_str!("../tests/data/networks/labels.tgf"),
    include_str!("../tests/data/networks/metis.graph"),
    include_str!("../tests/data/networks/node-link.json"),
    include_str!("../tests/data/networks/ns3-topology.txt"),
    include_str!("../tests/data/networks/opensm.sl2vl"),
    include_str!("../tests/data/networks/simgrid-platform.xml"),
    include_str!("../tests/data/networks/slurm-topology.conf"),
    include_str!("../tests/data/networks/square.dot"),
];
/// A list of edges with a header.
const HEADED: &str =
    "# columns: a b bandwidth(Gb/s) class - links latency\na b 10 - x 2 -\nb c - near x 1 -\nswitch a 3\n";

fn answers(text: &str) {
    let of_format =
        formats::of(text).parse(text, &Options::default()).and_then(|vertices| Ok(graph(vertices, None)?.0));
    for wrong in parse(text).into_iter().chain([of_format]).filter_map(Result::err) {
        assert!(wrong.span.start <= wrong.span.end && !wrong.message.is_empty() && !wrong.help.is_empty());
        assert!(wrong.message.len() < 400 && wrong.help.len() < 600, "{}", wrong.message);
        assert!(text.get(wrong.span.clone()).is_some(), "a place of the text, between characters: {:?}", wrong.span);
    }
    crate::model::speed::in_text(text);
}
