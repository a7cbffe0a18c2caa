//! Graphs as networkx and others write them: GML, node-link JSON, adjacency lists, tables.

use drowse_fabric::{Fabric, Options};

use crate::support::{counts, fabric, file, refused};

fn read(text: &str) -> Fabric {
    fabric(text, &Options::default())
}

/// networkx has read `renam.graphml` and written the other two.
#[test]
fn one_map_in_three_formats() {
    let map = read(&file("renam.graphml"));
    assert_eq!(counts(&map), [5, 5, 4]);
    for name in ["renam.gml", "renam.json"] {
        assert_eq!(read(&file(name)).graph, map.graph, "{name}");
    }
}

#[test]
fn a_ring_in_five_formats() {
    let ring = read("# columns: a b bandwidth(Gb/s)\n0 1 10\n0 3 10\n1 2 10\n2 3 10\nswitch 2\n");
    let facts = |fabric: &Fabric| {
        let names = |end: u32| fabric.graph.names[end as usize].clone();
        let sorted = |[a, b]: [String; 2]| if a < b { [a, b] } else { [b, a] };
        let ends = fabric.graph.trunks.iter().map(|trunk| (sorted(trunk.ends.map(names)), trunk.links));
        (ends.collect::<Vec<_>>(), fabric.graph.classes.clone())
    };
    for name in ["graph.gml", "node-link.json", "edges.csv"] {
        assert_eq!(facts(&read(&file(name))), facts(&ring), "{name}");
    }
    // An adjacency list has no bandwidths.
    assert_eq!(facts(&read(&file("adjacency.txt"))).0, facts(&ring).0);
}

#[test]
fn directed_graphs_whose_edges_lead_there_and_back() {
    let gml = "Creator \"me\"\ngraph\n[ directed 1 # both\n node [ id 1 label \"a &amp; b\" ] node [ id 2 label \
        \"&#233;\" kind \"switch\" ]\n\
        node [ id 3 label \"n\" kind \"node\" ] edge [ source 1 target 2 links 2 ] edge [ source 2 target 1 links 2 ]\n\
        edge [ source 3 target 1 ] edge [ source 1 target 3 ] ]\n";
    let graph = read(gml);
    assert_eq!(
        (counts(&graph), graph.graph.names.join(" "), graph.graph.node_names.join(" ")),
        ([2, 1, 2], "a & b é".into(), "n".into())
    );
    let json = "{\"directed\": true, \"nodes\": [{\"name\": \"a\"}, {\"name\": \"b\", \"x\": [1]}], \"links\": [\
        {\"source\": 0, \"target\": 1, \"bandwidth\": \"1 Gb/s\"}, {\"source\": 1, \"target\": 0, \"bandwidth\": \
        \"1 Gb/s\"}]}";
    let graph = read(json);
    assert_eq!((counts(&graph), graph.graph.names.join(" ")), ([2, 2, 1], "a b".to_owned()));
    refused(
        &Options::default(),
        &[
            (
                &json.replacen("1 Gb/s", "2 Gb/s", 1),
                "{\"source\": 0, \"target\": 1, \"bandwidth\": \"2 Gb/s\"}",
                "leads one way",
            ),
            (&gml.replacen("links 2", "links 3", 1), "edge [", "leads one way"),
        ],
    );
}

#[test]
fn lists_of_neighbours() {
    // The four vertices of `neighbours.txt` are all joined but for b and d; each link stands at both ends.
    let list = read(&file("neighbours.txt"));
    assert_eq!((counts(&list), list.graph.names.join(" ")), ([4, 4, 5], "a b c d".to_owned()));
    // As networkx writes two parallel links.
    assert_eq!(counts(&read("a b b\nb c\nc\n")), [3, 3, 3]);
    refused(
        &Options::default(),
        &[
            ("a b b\nb a c\nc\n", "b", "stands 2 times at one end and 1 times"),
            ("a a b\nb\n", "a", "its own neighbour"),
        ],
    );
}

#[test]
fn tables_with_columns_in_any_order() {
    let table = read("\"class\";src;dst;links\nlong;a;b;2\nshort;\"b\";c;\n");
    assert_eq!((counts(&table), table.graph.classes.join(" ")), ([3, 3, 3], "long short".to_owned()));
    let table = read(&file("from-to.txt"));
    assert_eq!((counts(&table), table.graph.classes.join(" ")), ([3, 3, 2], "10Gb/s".to_owned()));
    assert_eq!(counts(&read("from\tto\tlatency(us)\na\tb\t1.5\nb\tc\t-\n")), [3, 3, 2]);
}

#[test]
fn wrong_graphs_are_refused_at_their_word() {
    refused(
        &Options::default(),
        &[
            ("source target weight\na b 10\n", "weight", "nothing says what the column `weight` is"),
            ("0,1,10\n1,2,10\n", "0,1,10", "names no columns source and target"),
            ("source,target\na,b\nb,a\n", "b,a", "linked by a line before"),
            ("source,target,links\na,b,x\n", "x", "no number of links"),
            ("source,target,bandwidth\na,b,10\n", "10", "has no unit"),
            ("source,target,links\na,,1\n", "", "has no name"),
            ("graph [ node [ id 1 ] node [ id 1 ] ]", "1", "two nodes have the id"),
            ("graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "2", "there is no node `2`"),
            ("graph [ node [ id 1 ]", "[", "not closed"),
            ("graph [ node [ id 1 cores 4 ] ]", "cores", "`cores` of a vertex"),
            ("graph [ ] graph [ ]", "graph [", "has 2 graphs"),
            ("graph [ node [ id \"1 ] ]", "\"", "quote is not closed"),
            ("graph [ 5 6 ]", "5", "no name of a value"),
            ("{\"nodes\": [{\"id\": 0}], \"links\": [{\"source\": 0, \"target\": 1}]}", "1", "there is no node `1`"),
            (
                "{\"nodes\": [{\"id\": 0}], \"links\": [{\"source\": 0}]}",
                "{\"source\": 0}",
                "`target` of an edge is missing",
            ),
            ("{\"nodes\": {}, \"links\": []}", "{}", "nodes is no list"),
            ("{\"nodes\": [], \"links\": [], \"vertices\": []}", "vertices", "`vertices` of this graph"),
            (
                "{\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"links\": [{\"source\": 0, \"target\": 1, \"weight\": 3}]}",
                "weight",
                "`weight` of an edge is not known",
            ),
        ],
    );
}

/// The file is a ring of five vertices, each edge of which stands with both its ends.
#[test]
fn metis_graphs() {
    let ring = read(&file("metis.graph"));
    assert_eq!((counts(&ring), ring.graph.names.join(" ")), ([5, 5, 5], "1 2 3 4 5".to_owned()));
    let ends = |fabric: &Fabric| fabric.graph.trunks.iter().map(|trunk| trunk.ends).collect::<Vec<_>>();
    assert_eq!(ends(&ring), [[0, 1], [0, 4], [1, 2], [2, 3], [3, 4]]);
    // Comments begin with a percent sign, and a vertex may have no edge: here the file is cut.
    let lines = "% a path\n3 2\n2\n1 3\n2\n";
    assert_eq!(ends(&read(lines)), [[0, 1], [1, 2]]);
    refused(
        &Options::default(),
        &[
            ("4 2\n2\n1 3\n2\n", "4 2", "there are 4 vertices, and lines of 3"),
            ("2 2\n1 2\n1 2\n", "1", "its own neighbour"),
        ],
    );
}
