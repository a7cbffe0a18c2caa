//! What is written is read as the same network.

use drowse_core::model::units::{BitRate, Time};
use drowse_core::topology::{Graph, TableKind, Trunk};
use drowse_fabric::{Fabric, NodeLink, Options, write};
use proptest::prelude::*;

use crate::support::{fabric, file, uplinks};

fn read(text: &str) -> Fabric {
    fabric(text, &Options::default())
}

/// Asserts that each format keeps a network that is read from a file.
fn is_kept(net: &Fabric) {
    let [list, xml, json] = [write::edges(net), write::graphml(net), write::node_link(net)];
    for (name, written) in [("edges", &list), ("GraphML", &xml), ("JSON", &json)] {
        // A list of edges has no columns for links of nodes.
        let back = Graph { node_link: net.graph.node_link, ..read(&written.text).graph };
        assert_eq!(back, net.graph, "{name}:\n{}", written.text);
    }
    for written in [&xml, &json] {
        assert_eq!(read(&written.text).graph.node_link, net.graph.node_link, "{}", written.text);
        assert!(written.notes.is_empty(), "{:?}", written.notes);
    }
    assert_eq!(list.notes.is_empty(), net.graph.node_link == NodeLink::default(), "{:?}", list.notes);
}

#[test]
fn trees_are_kept() {
    is_kept(&read(&file("htsim.topo")));
    is_kept(&fabric(&file("slurm-topology.conf"), &uplinks(6)));
    is_kept(&read(&file("booksim-anynet.txt")));
}

#[test]
fn the_text_of_a_list() {
    let net = read("# columns: a b bandwidth latency links\na b 10Gb/s 5us 2\nb c - - 1\nswitch a 3\nnode n c\n");
    let text = "# columns: a b bandwidth latency links\nswitch a 3\nswitch b 0\nswitch c 0\na b 10Gb/s 5us 2\nb c - - 1\nnode n c\n";
    assert_eq!(write::edges(&net).text, text);
    let net = read("a b long\nb c fast\n");
    let text = "# columns: a b class links\nswitch a 1\nswitch b 1\nswitch c 1\na b long 1\nb c fast 1\n";
    assert_eq!(write::edges(&net).text, text);
}

/// Accelerators of a ring are switches and nodes of the same name.
#[test]
fn names_that_stand_twice_are_counted() {
    let ring = read(&file("astra-sim.json"));
    for written in [write::edges(&ring), write::graphml(&ring), write::node_link(&ring)] {
        let back = read(&written.text);
        let expected = Graph { node_names: Vec::new(), node_link: back.graph.node_link, ..ring.graph.clone() };
        assert_eq!(back.graph, expected);
        assert!(written.notes[0].ends_with("which are counted only: 4"), "{:?}", written.notes);
    }
    let odd = read("graph { \"a b\" -- \"c;d\"; \"c;d\" -- \"switch-0\" }");
    let written = write::edges(&odd);
    assert_eq!(read(&written.text).graph.names, ["switch-0x", "switch-1", "switch-0"]);
    assert!(written.notes[0].ends_with("called by numbers: 2"), "{:?}", written.notes);
}

/// Classes by what they are named after.
const CLASSES: [&str; 5] = ["10Gb/s", "2500Mb/s-1500ns", "link", "5us", "long"];

/// A network of so many switches, each but the first joined with an earlier one, and some more links.
fn network(joins: &[(usize, usize, u32)], nodes: &[u32], named: &[bool], link: NodeLink) -> Fabric {
    let mut net = Fabric { graph: Graph { node_link: link, ..Graph::default() }, ..Fabric::default() };
    let mut classes: Vec<String> = Vec::new();
    let mut trunks: Vec<Trunk> = Vec::new();
    for (at, &(with, class, links)) in joins.iter().enumerate() {
        let class = CLASSES[class % CLASSES.len()].to_owned();
        let class = classes.iter().position(|known| *known == class).unwrap_or_else(|| {
            classes.push(class);
            classes.len() - 1
        });
        trunks.push(Trunk { ends: [at as u32 + 1, (with % (at + 1)) as u32], class: class as u8, links });
    }
    for switch in 0..=joins.len() {
        let number = nodes[switch % nodes.len()];
        let is_named = named[switch % named.len()];
        net.graph.names.push(if switch % 3 == 0 { format!("é{switch}.x") } else { format!("s{switch}") });
        net.graph.nodes.push(number);
        net.graph
            .node_names
            .extend((0..number).map(|at| if is_named { format!("n{switch}-{at}") } else { String::new() }));
    }
    if net.graph.node_names.iter().all(String::is_empty) {
        net.graph.node_names.clear();
        net.graph.node_link = NodeLink::default();
    }
    net.graph = Graph { classes, trunks, tables: TableKind::Shortest, ..net.graph };
    net
}

proptest! {
    #[test]
    fn random_networks_are_kept(
        joins in prop::collection::vec((0..100usize, 0..5usize, 1..5u32), 1..20),
        nodes in prop::collection::vec(0..4u32, 1..7),
        named in prop::collection::vec(any::<bool>(), 1..5),
        rate in prop::option::of(1_000..1u64 << 50),
        time in prop::option::of(0..1u64 << 39),
    ) {
        let link = NodeLink { bandwidth: rate.map(BitRate), latency: time.map(Time) };
        is_kept(&network(&joins, &nodes, &named, link));
    }
}
