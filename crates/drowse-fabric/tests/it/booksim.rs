//! Anynet files of BookSim.

use drowse_fabric::{Fabric, Options};

use crate::support::{counts, fabric, file, refused};

fn read(text: &str) -> Fabric {
    fabric(text, &Options::default())
}

#[test]
fn the_example_of_booksim() {
    // Routers 0, 1 and 2 in a triangle with three nodes each.
    let net = read(&file("booksim-anynet.txt"));
    assert_eq!((counts(&net), net.graph.names.join(" ")), ([3, 9, 3], "router0 router1 router2".to_owned()));
    assert_eq!((net.graph.classes.clone(), net.graph.nodes.clone()), (vec!["link".to_owned()], vec![3, 3, 3]));
    assert_eq!((net.graph.node_names[8].as_str(), net.notes.len()), ("node8", 0));
}

#[test]
fn latencies_are_classes() {
    let net = read("router 0 node 0 router 1 15 router 2\nrouter 1 node 1 2 router 0 15\nnode 2 router 2\n");
    assert_eq!((counts(&net), net.graph.classes.join(" ")), ([3, 3, 2], "15-cycles 1-cycles".to_owned()));
    assert_eq!(net.notes.len(), 2, "{:?}", net.notes);
    assert!(net.notes[1].ends_with("which is not simulated: 1"), "{:?}", net.notes);
    // A pair that stands twice is one link; the way back of a line without a number is one cycle.
    assert_eq!(counts(&read("router 0 router 1 router 1\nrouter 1 router 0 1 node 0\n")), [2, 1, 1]);
}

#[test]
fn wrong_files_are_refused_at_their_word() {
    refused(
        &Options::default(),
        &[
            ("router 0 router 1 15 node 0\n", "router 1", "15 cycles one way and 1 back"),
            ("router 0 node 0\nrouter 1 node 0 router 0\n", "node 0", "joined with two routers"),
            ("router 0 node 1 router 1\n", "node 1", "no node 0"),
            ("router 0 router 1 1 7\n", "7", "has no number"),
            ("router 0 router 1\nrouter 1 switch 0\n", "switch", "neither router nor node"),
            ("router 0 router 1\nrouter x router 0\n", "x", "no number of router"),
            ("router 0 router 0\n", "router 0", "joined with itself"),
            ("node 0 node 1\n", "node 1", "joined with a node"),
            ("router 0 router 1\nrouter\n", "router", "names nothing"),
        ],
    );
}
