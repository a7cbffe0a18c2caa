//! Errors of graphs, their files, and of what has failed.

use std::fs;
use std::sync::Arc;

use drowse_core::topology::TopologySpec;
use drowse_experiment::{Diagnostic, Source, System};

use crate::support::{TRAFFIC, wrong};

/// Resolves a network whose graph stands in a file, in a folder of its own.
fn resolve(name: &str, file: &[u8], more: &str) -> Result<System, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), file).unwrap();
    let text = format!("[network]\nkind = \"graph\"\nfile = \"{name}\"\n{more}");
    let source = Source::new(&folder.path().join("x.toml"), text, &[])
        .and_then(|source| drowse_experiment::system(&Arc::new(source)));
    let here = format!("{}/", folder.path().display());
    source.map_err(|error: Diagnostic| error.to_string().replace(&here, ""))
}

fn wrong_file(name: &str, file: &str) -> String {
    resolve(name, file.as_bytes(), "").expect_err("an error")
}

#[test]
fn files_are_found_beside_the_experiment() {
    let system = resolve("g.txt", b"a b\nb c\n", "").unwrap();
    assert_eq!((system.network.switches(), system.network.nodes, system.network.detail(2)), (3, 3, "c".into()));
    let TopologySpec::Graph(graph) = &system.topology else { panic!("not a graph") };
    assert_eq!(graph.trunks.len(), 2);
}

#[test]
fn bandwidths_of_a_file_are_those_of_its_links() {
    let file = b"graph { a -- b [bandwidth=\"40 Gbps\", delay=\"2 us\"]; b -- c }";
    let links = |more: &str| {
        let system = resolve("g.dot", file, more).unwrap();
        assert_eq!(system.network.classes, ["node", "40Gb/s-2us", "link"]);
        [1, 2].map(|class| {
            (system.config.classes[class].bandwidth.0 / 1_000_000_000, system.config.classes[class].latency.0)
        })
    };
    assert_eq!(links(""), [(40, 2_000_000), (80, 10_000)]);
    assert_eq!(links("[link]\nbandwidth = \"5 Gb/s\"\nlatency = \"1 ns\"\n"), [(40, 2_000_000), (5, 1_000)]);
    let own = "[[link]]\nclass = \"40Gb/s-2us\"\nbandwidth = \"20 Gb/s\"\n";
    assert_eq!(links(own), [(20, 2_000_000), (80, 10_000)]);
}

/// A topology of Slurm: what it does not say stands in the experiment, or is asked for.
#[test]
fn links_of_a_tree_of_slurm() {
    let file = b"SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=c Switches=a,b\n";
    let system = resolve("topology.conf", file, "uplinks = 2\nspeed = \"200 Gb/s\"\n").unwrap();
    assert_eq!((system.network.switches(), system.network.nodes, system.network.switch_links()), (3, 4, 4));
    assert_eq!(system.network.classes, ["node", "200Gb/s"]);
    assert_eq!(system.config.classes[1].bandwidth.0, 200_000_000_000);
    for (more, told) in [
        ("", "topology.conf:3:23: error: Slurm does not say how many links there are between a switch and its parent"),
        ("uplinks = 0\n", "x.toml:4:11: error: `network.uplinks` = 0 is out of range"),
        ("speed = \"fast\"\n", "x.toml:4:9: error: `network.speed`: `fast` is not a number with a unit"),
    ] {
        let error = resolve("topology.conf", file, more).expect_err("an error");
        assert!(error.starts_with(told), "{error}");
    }
    let error = resolve("g.txt", b"a b\n", "uplinks = 1\n").expect_err("an error");
    assert!(error.contains("says itself how many links there are"), "{error}");
}

#[test]
fn no_such_file() {
    let text = format!("[network]\nkind = \"graph\"\nfile = \"none.txt\"\n{TRAFFIC}");
    insta::assert_snapshot!(wrong(&text), @r#"
    x.toml:3:8: error: the graph none.txt cannot be read: No such file or directory (os error 2)
     3 | file = "none.txt"
       |        ^^^^^^^^^^
    help: write the name of a list of edges, of a GraphML file or of a DOT file
    "#);
}

#[test]
fn no_text() {
    insta::assert_snapshot!(resolve("g.txt", b"a b\n\xff\xfe", "").expect_err("an error"), @r#"
    g.txt: error: this file is no text in UTF-8, from byte 4 on
    help: write a list of edges, GraphML or DOT
    "#);
}

#[test]
fn an_edge_to_itself() {
    insta::assert_snapshot!(wrong_file("g.txt", "a b\nb b\n"), @r#"
    g.txt:2:1: error: `b` is linked with itself
     2 | b b
       | ^^^
    help: a link joins two different vertices: remove it
    "#);
}

#[test]
fn parts() {
    insta::assert_snapshot!(wrong_file("g.txt", "a b # one part\nb c\nd e\nf d\n"), @r#"
    g.txt:3:1: error: there is no way from switch `d`, like `e` and 1 more, to `a`
     3 | d e
       | ^
    help: join the parts by a link, or remove what is not of the network
    "#);
}

#[test]
fn no_number() {
    insta::assert_snapshot!(wrong_file("g.txt", "a b fast x\n"), @r#"
    g.txt:1:10: error: `x` is no number of links
     1 | a b fast x
       |          ^
    help: write a whole number, 1 to 4096
    "#);
}

#[test]
fn too_many_words() {
    insta::assert_snapshot!(wrong_file("g.txt", "a b\n  a b fast 3 more\n"), @r#"
    g.txt:2:3: error: this line has too few or too many words
     2 |   a b fast 3 more
       |   ^^^^^^^^^^^^^^^
    help: write A B [CLASS [LINKS]] for links, switch A [NODES], or node N A
    "#);
}

/// Nothing of other formats is taken for names, and nothing of a line is guessed.
#[test]
fn lists_of_edges_are_strict() {
    for (text, place, told) in [
        ("a b\nb [c]\n", "2:3", "`[c]` is no name here: it has `[`"),
        ("a,b c\nc d\n", "1:1", "`a,b` is no name here: it has `,`"),
        ("a b k=v\n", "1:5", "`k=v` is no name here: it has `=`"),
        ("a -- b\n", "1:3", "`--` is no name here"),
        ("% a\nb c\n", "1:1", "`%` is no name here"),
        ("a b 10\n", "1:5", "the number `10` may be links, a bandwidth or a weight"),
        ("a b 10Gb/s\n", "1:5", "the number `10Gb/s` may be"),
        ("a b -1.5\n", "1:5", "the number `-1.5` may be"),
        ("a b\nb c\nb a\n", "3:1", "`b` and `a` are linked by a line before this one"),
        ("a b\na b fast\n", "2:1", "`a` and `b` are linked by a line before this one"),
        ("a b fast 2\na b fast 2\n", "2:1", "`a` and `b` are linked by a line before this one"),
        ("a b c\nb c\n", "1:5", "`c` is the class of a link here, and a switch elsewhere"),
        ("switch a 2\nswitch a 3\na b\n", "2:1", "the nodes of `a` have been given before"),
        ("# columns: a b speed\na b 3\n", "1:16", "`speed` is no column that is known here"),
        ("# columns: source target\na b\n", "1:11", "the first two columns are the ends of a link"),
        ("# columns: a b links links\na b 3 3\n", "1:22", "there are two columns `links`"),
        ("# columns: a b bandwidth(Go/s)\na b 3\n", "1:16", "has no unit that is known here"),
        ("# columns: a b links\na b\n", "2:1", "this line has 2 words, and the header 3 columns"),
        ("a b\n# columns: a b links\nb c 2\n", "2:11", "this header stands behind links"),
        ("# columns: a b bandwidth\na b 10\n", "2:5", "`10` has no unit"),
    ] {
        let error = wrong_file("g.txt", text);
        assert!(error.starts_with(&format!("g.txt:{place}: error: ")) && error.contains(told), "{text}: {error}");
    }
    insta::assert_snapshot!(wrong_file("g.txt", "A B 10\n"), @"
    g.txt:1:5: error: the number `10` may be links, a bandwidth or a weight
     1 | A B 10
       |     ^^
    help: say which by a line before all links: `# columns: a b links`, or bandwidth(Gb/s), or -
    ");
    insta::assert_snapshot!(wrong_file("g.txt", "0 1\n1 0\n"), @"
    g.txt:2:1: error: `1` and `0` are linked by a line before this one
     2 | 1 0
       | ^^^
    help: write each pair once, not in both directions; parallel links by their number: `# columns: a b links`
    ");
}

#[test]
fn headers_say_what_columns_are() {
    let file = b"# columns: a b class links -\na b fast 2 0.5\nb a slow 3 0.5\nb c - 1 0.5\nnode n c\n";
    let system = resolve("g.txt", file, "").unwrap();
    let TopologySpec::Graph(graph) = &system.topology else { panic!("not a graph") };
    let trunks: Vec<_> = graph.trunks.iter().map(|trunk| (trunk.ends, trunk.class, trunk.links)).collect();
    assert_eq!(graph.classes, ["fast", "slow", "link"]);
    assert_eq!(trunks, [([0, 1], 0, 2), ([1, 0], 1, 3), ([1, 2], 2, 1)]);
    let measured = b"# columns: a b bandwidth(Gb/s) latency\na b 2.5 3us\nb c 40 -\n";
    let system = resolve("g.txt", measured, "").unwrap();
    assert_eq!(system.network.classes, ["node", "2500Mb/s-3us", "40Gb/s"]);
    assert_eq!(system.config.classes[1].bandwidth.0, 2_500_000_000);
}

/// What is in a file but not in the network is refused with its place.
#[test]
fn nothing_of_graphml_vanishes() {
    let graph = |inner: &str| {
        format!("<graphml><key id=\"k\" for=\"node\" attr.name=\"nodes\"/><graph>\n{inner}</graph></graphml>")
    };
    for (inner, place, told) in [
        ("<node id=\"a\"><node id=\"b\"/></node>", "2:14", "<node> within <node> is not read here"),
        ("<node id=\"a\"><graph/></node>", "2:14", "<graph> within <node> is not read here"),
        ("<node id=\"a\"><port name=\"p\"/></node>", "2:14", "<port> within <node> is not read here"),
        ("<node id=\"a\"><bogus/></node>", "2:14", "<bogus> within <node> is not read here"),
        ("<hyperedge/>", "2:1", "<hyperedge> within <graph> is not read here"),
        ("<link/>", "2:1", "<link> within <graph> is not read here"),
        ("<node id=\"a\" nodes=\"4\"/>", "2:14", "the attribute `nodes` of <node> is not read here"),
        (
            "<node id=\"a\"/><edge source=\"a\" target=\"a\" sourceport=\"p\"/>",
            "2:43",
            "the attribute `sourceport` of <edge>",
        ),
        ("<node id=\"a\">4</node>", "2:14", "this text within <node> has no meaning"),
        ("<node id=\"a\"><data key=\"k\">1</data><data key=\"k\">2</data></node>", "2:47", "`nodes` is given twice"),
        ("<node id=\"a\"><data key=\"k\"><b>1</b></data></node>", "2:28", "<b> within <data> is not read here"),
        ("<node id=\"a\"><data key=\"q\">1</data></node>", "2:25", "there is no key `q`"),
    ] {
        let error = wrong_file("g.graphml", &graph(inner));
        assert!(error.starts_with(&format!("g.graphml:{place}: error: ")) && error.contains(told), "{inner}: {error}");
    }
    let twice = "<graphml><key id=\"k\"/><key id=\"k\"/><graph/></graphml>";
    assert!(wrong_file("g.graphml", twice).contains("two keys have the id `k`"));
    let text = "<graphml><desc>a map</desc><key id=\"k\" for=\"node\"><desc>x</desc></key><graph id=\"G\" parse.nodes=\"2\">\
        <data key=\"any\">of the graph</data><node id=\"a\"><desc>A</desc></node><node id=\"b\"/><edge id=\"e\" directed=\"false\" \
        source=\"a\" target=\"b\"/></graph></graphml>";
    assert_eq!(resolve("g.graphml", text.as_bytes(), "").unwrap().network.switches(), 2);
}

/// Each takes a moment; when each took its square, these took minutes.
#[test]
fn large_documents_are_read_in_linear_time() {
    const MANY: usize = 100_000;
    let many = |piece: &dyn Fn(usize) -> String| (0..MANY).map(piece).collect::<String>();
    let edge = "<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/>";
    let documents = [
        format!("<graphml><graph><node id=\"a\" {}/></graph></graphml>", many(&|i| format!("x{i}=\"1\" "))),
        format!(
            "<graphml>{}<graph>{edge}</graph></graphml>",
            many(&|i| format!("<key id=\"k{i}\" attr.name=\"label\"><default>x</default></key>"))
        ),
        format!(
            "<graphml><graph><node id=\"c\">{}</node></graph></graphml>",
            many(&|_| "<data key=\"k\">1</data>".into())
        ),
        format!("<graphml><graph>{edge}{}</graph></graphml>", many(&|_| "<edge source=\"a\" target=\"b\"/>".into())),
        format!("<graphml>{}", many(&|i| format!("<a xmlns:n{i}=\"u\">"))),
    ];
    let start = std::time::Instant::now();
    let read: Vec<bool> = documents.iter().map(|text| resolve("g.graphml", text.as_bytes(), "").is_ok()).collect();
    assert_eq!(read, [false, true, false, false, false]);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn a_node_on_two_switches() {
    insta::assert_snapshot!(wrong_file("g.txt", "a b\nnode n a\nn b\n"), @r#"
    g.txt:3:1: error: node `n` has more than one link
     3 | n b
       | ^^^
    help: a node has one link to one switch
    "#);
}

#[test]
fn nothing() {
    insta::assert_snapshot!(wrong_file("g.txt", "# nothing\n"), @r#"
    x.toml:1:1: error: this graph has no compute node
     1 | [network]
       | ^^^^^^^^^
    help: write how many each switch has, here or in the file
    "#);
}

#[test]
fn an_unknown_end() {
    let text = "<graphml><graph edgedefault=\"undirected\"><node id=\"n1\"/>\n<edge source=\"n1\" target=\"n2\"/></graph></graphml>";
    insta::assert_snapshot!(wrong_file("g.graphml", text), @r#"
    g.graphml:2:27: error: there is no node `n2`
     2 | <edge source="n1" target="n2"/></graph></graphml>
       |                           ^^
    help: did you mean `n1`? every end of an edge is a node of the file
    "#);
}

#[test]
fn elements_out_of_order() {
    insta::assert_snapshot!(wrong_file("g.graphml", "<graphml>\n<graph><node id=\"n1\"></graph></node></graphml>"), @r#"
    g.graphml:2:22: error: this is no XML: expected 'node' tag, not 'graph'
     2 | <graph><node id="n1"></graph></node></graphml>
       |                      ^
    help: write GraphML: <graphml>, and in it <graph> with nodes and edges
    "#);
}

#[test]
fn a_directed_graph() {
    insta::assert_snapshot!(wrong_file("g.dot", "digraph { a -> b }"), @r#"
    g.dot:1:1: error: this graph is directed
     1 | digraph { a -> b }
       | ^^^^^^^
    help: links go both ways: write graph, and -- for ->
    "#);
    insta::assert_snapshot!(wrong_file("g.dot", "graph {\n a -- b -> c }"), @r#"
    g.dot:2:9: error: this edge is directed
     2 |  a -- b -> c }
       |         ^^
    help: links go both ways: write graph for digraph, and -- for ->
    "#);
}

#[test]
fn a_kind_that_is_none() {
    insta::assert_snapshot!(wrong_file("g.dot", "graph { a [kind=pump]; a -- b }"), @r#"
    g.dot:1:17: error: `pump` is no kind of vertex
     1 | graph { a [kind=pump]; a -- b }
       |                 ^^^^
    help: write kind = node for a compute node, or switch
    "#);
}

#[test]
fn too_far_for_classes_of_hops() {
    let line: String = (0..12).fold(String::new(), |line, i| line + &format!("s{i} s{}\n", i + 1));
    let minimal = resolve("g.txt", line.as_bytes(), "routing = \"minimal\"\n");
    insta::assert_snapshot!(minimal.expect_err("an error"), @r#"
    x.toml:4:11: error: minimal routing takes up to 12 channels here, each on VCs of its own
     4 | routing = "minimal"
       |           ^^^^^^^^^
    help: a port has at most 8 VCs: write another routing, such as "up-down"
    "#);
    let written = resolve("g.txt", line.as_bytes(), "routing = \"up-down\"\n").unwrap();
    let usual = resolve("g.txt", line.as_bytes(), "").unwrap();
    assert_eq!((usual.config.routing, &usual.topology), (written.config.routing, &written.topology));
    let told =
        "routing is up-down: shortest paths have up to 12 channels here, and a port has at most 8 virtual channels";
    assert_eq!((usual.notes, written.notes), (vec![told.to_owned()], Vec::new()));
    insta::assert_snapshot!(resolve("g.txt", line.as_bytes(), "routing = \"k-shortest\"\n").expect_err("an error"), @r#"
    x.toml:1:1: error: a path from switch 9 to switch 0 has 9 channels
     1 | [network]
       | ^^^^^^^^^
    help: packets take other VCs with each channel, of at most 8: write fewer paths, or routing = "up-down"
    "#);
}

#[test]
fn more_channels_than_a_port_has() {
    let vcs = |vcs: &str| resolve("g.txt", b"a b\n", &format!("[switch]\nvcs = {vcs}\n"));
    assert!(vcs("{ any = 7 }").is_ok() && vcs("{ hop = 1, any = 0 }").is_ok());
    insta::assert_snapshot!(vcs("{ hop = 2, any = 7 }").expect_err("an error"), @"
    x.toml:5:24: error: 2 VCs of hops and 7 from and to nodes are more than 8
     5 | vcs = { hop = 2, any = 7 }
       |                        ^
    help: write any = 6 or less
    ");
}

#[test]
fn paths_without_use() {
    insta::assert_snapshot!(resolve("g.txt", b"a b\n", "paths = 3\n").expect_err("an error"), @r#"
    x.toml:4:9: error: minimal routing draws no paths
     4 | paths = 3
       |         ^
    help: leave paths out, or write routing = "k-shortest"
    "#);
    insta::assert_snapshot!(resolve("g.txt", b"a b\n", "routing = \"k-shortest\"\npaths = 65\n").expect_err("an error"), @r#"
    x.toml:5:9: error: `network.paths` = 65 is out of range
     5 | paths = 65
       |         ^^
    help: write 1 to 64 paths
    "#);
}

#[test]
fn a_field_that_there_is_not() {
    insta::assert_snapshot!(wrong(&format!("[network]\nkind = \"slim-fly\"\nq = 6\n{TRAFFIC}")), @r#"
    x.toml:3:5: error: `network.q` = 6 is out of range
     3 | q = 6
       |     ^
    help: a Slim Fly has a prime power from 3 to 89, such as 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25 or 27
    "#);
}

#[test]
fn nothing_fails_in_an_ideal_network() {
    let ideal = "[network]\nkind = \"ideal\"\nnodes = 4\nlatency = \"1 us\"\nbandwidth = \"1 GB/s\"\nfailed = { fraction = 0.1 }\n";
    let told = wrong(&format!("{ideal}{TRAFFIC}"));
    assert!(told.starts_with("x.toml:6:10: error: there is nothing in an ideal network that could fail"), "{told}");
}

fn failed(failed: &str) -> String {
    wrong(&format!("[network]\nkind = \"torus\"\ndims = [4, 4]\n{failed}\n{TRAFFIC}"))
}

#[test]
fn a_routing_that_knows_no_way_around() {
    insta::assert_snapshot!(failed("failed = { switches = [3] }"), @r#"
    x.toml:4:10: error: adaptive routing finds no path around what has failed
     4 | failed = { switches = [3] }
       |          ^^^^^^^^^^^^^^^^^^
    help: with network.failed, write one of these routings: minimal, valiant, ugal, progressive, up-down, k-shortest
    "#);
    insta::assert_snapshot!(failed("failed = { switches = [3] }\nrouting = \"dimension-order\""), @r#"
    x.toml:5:11: error: dimension-order routing finds no path around what has failed
     5 | routing = "dimension-order"
       |           ^^^^^^^^^^^^^^^^^
    help: with network.failed, write one of these routings: minimal, valiant, ugal, progressive, up-down, k-shortest
    "#);
}

#[test]
fn what_cannot_fail() {
    for (written, message) in [
        ("links = [[0, 1], [0, 2]]", "no link joins switches 0 and 2"),
        ("links = [[0, 16]]", "there is no switch 16"),
        ("links = [[0]]", "invalid length 1"),
        ("links = [[0, \"a\"]]", "there is no switch \"a\""),
        ("switches = [-1]", "`-1`"),
        ("fraction = 1.0", "is no share of links"),
        ("fraction = nan", "is no share of links"),
        (
            "links = [[0, 1], [0, 3], [0, 4], [0, 12]]",
            "no path between switches 1, 2, 3, 4, 5, 6, 7, 8 and 7 more and switch 0",
        ),
        ("count = 3", "unknown key `network.failed.count`"),
    ] {
        let told = failed(&format!("failed = {{ {written} }}\nrouting = \"minimal\""));
        assert!(told.contains(message) && told.starts_with("x.toml:4:"), "{written}: {told}");
    }
    insta::assert_snapshot!(failed("failed = { fraction = 0.6 }\nrouting = \"up-down\""), @r#"
    x.toml:4:10: error: what has failed leaves no path between switches 2, 3, 10, 11, 12, 13, 14, 15 and switches 1, 5, 8, 9, nor to 2 more parts
     4 | failed = { fraction = 0.6 }
       |          ^^^^^^^^^^^^^^^^^^
    help: let fewer links fail, or draw with another seed
    "#);
}

#[test]
fn failures_by_name() {
    let ring = b"a b\nb c\nc d\nd a\n";
    let system = resolve("g.txt", ring, "failed = { links = [[\"a\", \"b\"]] }\n").unwrap();
    assert_eq!((system.network.switch_links(), system.network.detail(1)), (3, "b".into()));
    insta::assert_snapshot!(resolve("g.txt", ring, "failed = { switches = [\"e\"] }\n").expect_err("an error"), @r#"
    x.toml:4:24: error: there is no switch "e"
     4 | failed = { switches = ["e"] }
       |                        ^^^
    help: did you mean `a`? write a name that the file of the graph has, or a number from 0
    "#);
}
