//! Regular networks are recognised from their graphs alone, and cables that differ are named.

use drowse_core::topology::{Graph, PerDimension, TableKind, TopologySpec, Torus, Trunk, Xgft};
use drowse_fabric::recognise;

fn graph(spec: &TopologySpec) -> Graph {
    Graph::of(&spec.build().expect("a network"), TableKind::Shortest, |_| true)
}

fn xgft(children: &[u32], parents: &[u32], links: &[u32]) -> TopologySpec {
    TopologySpec::Xgft(Xgft { children: children.to_vec(), parents: parents.to_vec(), links: links.to_vec() })
}

fn torus(dims: &[u32], trunk: u32, nodes: u32) -> TopologySpec {
    TopologySpec::Torus(Torus::new(dims.to_vec(), PerDimension::All(trunk), nodes))
}

/// Numbers the switches of a graph anew, so that only its links tell what it is.
fn shuffled(graph: &Graph) -> Graph {
    let switches = graph.nodes.len() as u32;
    // A step that has no factor in common with the number reaches all.
    let step = (2..=2 * switches).find(|step| (2..=switches).all(|it| !switches.is_multiple_of(it) || step % it != 0));
    let place = |old: u32| (old * step.expect("a step") + 3) % switches;
    let mut nodes = vec![0; switches as usize];
    (0..).zip(&graph.nodes).for_each(|(old, &of_old)| nodes[place(old) as usize] = of_old);
    let trunks = graph.trunks.iter().map(|trunk| Trunk { ends: trunk.ends.map(place), ..*trunk }).collect();
    Graph { nodes, trunks, names: Vec::new(), ..graph.clone() }
}

#[test]
fn trees_are_recognised_in_any_order() {
    for (children, parents, links, section) in [
        (&[12, 8][..], &[4][..], &[][..], "kind = \"xgft\"\nchildren = [12, 8]\nparents = [4]\n"),
        (&[4, 6], &[3], &[2], "kind = \"xgft\"\nchildren = [4, 6]\nparents = [3]\nlinks = [2]\n"),
        (&[3, 4, 5], &[2, 3], &[], "kind = \"xgft\"\nchildren = [3, 4, 5]\nparents = [2, 3]\n"),
        (
            &[2, 3, 2, 3],
            &[2, 2, 1],
            &[1, 2, 1],
            "kind = \"xgft\"\nchildren = [2, 3, 2, 3]\nparents = [2, 2, 1]\nlinks = [1, 2, 1]\n",
        ),
    ] {
        let graph = graph(&xgft(children, parents, links));
        for graph in [graph.clone(), shuffled(&graph)] {
            let found = recognise(&graph).unwrap_or_else(|| panic!("{section} is not recognised"));
            assert_eq!((found.section.as_deref(), found.deviations), (Some(section), Vec::new()));
        }
    }
}

#[test]
fn cables_that_differ_are_named() {
    let mut tree = graph(&xgft(&[12, 8], &[4], &[2]));
    tree.names = (0..8).map(|leaf| format!("leaf{leaf}")).chain((0..4).map(|spine| format!("spine{spine}"))).collect();
    let cable =
        |tree: &mut Graph, ends: [u32; 2]| tree.trunks.iter().position(|trunk| trunk.ends == ends).expect("a cable");
    let [missing, narrow] = [[2, 9], [5, 11]].map(|ends| cable(&mut tree, ends));
    tree.trunks[narrow].links = 1;
    tree.trunks.remove(missing);
    tree.trunks.push(Trunk { ends: [8, 9], class: 0, links: 1 });
    tree.nodes[3] = 11;
    let found = recognise(&tree).expect("almost a tree");
    assert_eq!(found.section.as_deref(), Some("kind = \"xgft\"\nchildren = [12, 8]\nparents = [4]\nlinks = [2]\n"));
    assert_eq!(found.words, "a tree of 2 levels of switches (8, 4 from the bottom) with 12 nodes each");
    assert_eq!(
        found.deviations,
        [
            "leaf2 to spine1: no link, 2 expected",
            "leaf5 to spine3: 1 link, 2 expected",
            "spine0 to spine1: 1 link, 0 expected",
            "leaf3: 11 nodes, 12 expected"
        ]
    );
}

#[test]
fn grids_are_recognised_by_their_numbers() {
    for (spec, section) in [
        (torus(&[5, 4], 2, 3), "kind = \"torus\"\ndims = [5, 4]\ntrunk = 2\nnodes = 3\n"),
        (torus(&[3, 2, 4], 1, 1), "kind = \"torus\"\ndims = [3, 2, 4]\n"),
        (torus(&[8], 1, 1), "kind = \"torus\"\ndims = [8]\n"),
    ] {
        let found = recognise(&graph(&spec)).expect("a grid");
        assert_eq!((found.section.as_deref(), found.deviations), (Some(section), Vec::new()));
    }
    let mut cut = graph(&torus(&[6, 5], 1, 1));
    cut.trunks.remove(7);
    assert_eq!(recognise(&cut).expect("almost a torus").deviations.len(), 1);
}

#[test]
fn what_is_not_regular_is_not_forced_into_a_shape() {
    let trunks = [[0, 1], [0, 2], [1, 3], [3, 4], [4, 5], [5, 0], [2, 6], [6, 1], [1, 5]];
    let trunks = trunks.map(|ends| Trunk { ends, class: 0, links: 1 }).to_vec();
    let nodes = vec![1, 2, 3, 0, 1, 0, 4];
    assert_eq!(recognise(&Graph { classes: vec!["link".into()], nodes, trunks, ..Graph::default() }), None);
}
