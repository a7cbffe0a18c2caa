//! Topologies of Slurm: trees, rings and tori, and what it has beside them.

use drowse_core::model::units::BitRate;
use drowse_fabric::{Options, class_bandwidth};

use crate::support::{counts, fabric, file, refused, same_as_its_section, uplinks, wrong};

#[test]
fn a_tree_has_the_links_that_the_caller_says() {
    // Four leaves of 24 nodes below one spine; six links each are 24.
    let fabric = fabric(&file("slurm-topology.conf"), &uplinks(6));
    assert_eq!(counts(&fabric), [5, 96, 24]);
    assert_eq!(fabric.graph.names, ["leaf1", "leaf2", "leaf3", "leaf4", "spine"]);
    assert_eq!((fabric.graph.node_names[0].as_str(), fabric.graph.node_names[95].as_str()), ("node001", "node096"));
    assert_eq!(fabric.shape.as_deref(), Some("kind = \"xgft\"\nchildren = [24, 4]\nparents = [1]\nlinks = [6]\n"));
    same_as_its_section(&fabric);
}

#[test]
fn the_speed_of_the_caller_is_that_of_all_links() {
    let speed = Some(BitRate(200_000_000_000));
    let fabric = fabric(&file("slurm-topology.conf"), &Options { speed, ..uplinks(1) });
    assert_eq!(fabric.graph.classes, ["200Gb/s"]);
    assert_eq!((class_bandwidth("200Gb/s"), fabric.graph.node_link.bandwidth), (speed, speed));
}

#[test]
fn what_scontrol_prints_is_the_same_tree() {
    let conf = "SWITCHNAME=s0 nodes=tux[0-1]\n\nSwitchName = s1 Nodes=\"tux[2-3]\" # right\nSwitchName=top \\\n \
        Switches=s[0-1] LinkSpeed=100\n";
    let printed = "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=tux[0-1]\nSwitchName=s1 Level=0 LinkSpeed=1 Nodes=tux[2-3]\n\
        SwitchName=top Level=1 LinkSpeed=1 Nodes=tux[0-3] Switches=s[0-1]\n";
    let (conf, printed) = (fabric(conf, &uplinks(2)), fabric(printed, &uplinks(2)));
    assert_eq!((&conf.graph, &conf.graph.node_names), (&printed.graph, &printed.graph.node_names));
    assert!(conf.notes.iter().any(|note| note.contains("LinkSpeed: 1")), "{:?}", conf.notes);
    assert!(!printed.notes.iter().any(|note| note.contains("LinkSpeed")), "{:?}", printed.notes);
}

/// The shape of the first test case of Slurm's test 133.1, smaller: leaves at two depths.
#[test]
fn a_tree_that_is_not_regular_has_no_section() {
    let text = "SwitchName=root Switches=im[0],grp[3-4]\nSwitchName=im0 Switches=grp[1-2]\n\
        SwitchName=grp1 Nodes=a[1-2]\nSwitchName=grp2 Nodes=b[1-2]\nSwitchName=grp3 Nodes=c[1-2]\nSwitchName=grp4 \
        Nodes=d[1-2]\n";
    let fabric = fabric(text, &uplinks(1));
    // Six switches, a tree: five links.
    assert_eq!((counts(&fabric), fabric.shape.is_none()), ([6, 8, 5], true));
}

#[test]
fn trees_rings_and_tori_of_yaml() {
    let tree = fabric(&file("slurm-topology.yaml"), &uplinks(1));
    assert_eq!((counts(&tree), tree.graph.node_names.len()), ([3, 16, 2], 16));
    same_as_its_section(&tree);
    let ring = "- topology: r\n  ring:\n    rings:\n      - ring: r0\n        nodes: n[01-08]\n";
    let ring = fabric(ring, &uplinks(2));
    // Eight nodes, each a switch, in a ring of double links.
    assert_eq!((counts(&ring), ring.graph.names[7].as_str()), ([8, 8, 16], "n08"));
    same_as_its_section(&ring);
    assert_eq!(ring.graph, fabric("RingName=r0 Nodes=n[01-08] RingSize=8\n", &uplinks(2)).graph);
}

const TORUS: &str = "- topology: a\n  flat: true\n- topology: b\n  cluster_default: true\n  torus3d:\n    toruses:\n\
    \x20     - name: pod1\n        dims: { x: 4, y: 3, z: 2 }\n        nodes: node[01-24]\n        placements:\n\
    \x20         - dims: { x: 2, y: 2, z: 1 }\n";

#[test]
fn a_torus_has_x_fastest() {
    let speed = Some(BitRate(100_000_000_000));
    let torus = fabric(TORUS, &Options { speed, ..uplinks(1) });
    // 24 places; rings of 4 in x and of 3 in y have as many links as places, those of 2 in z half as many.
    assert_eq!(counts(&torus), [24, 24, 24 + 24 + 12]);
    same_as_its_section(&torus);
    let of_first: Vec<&str> = torus
        .graph
        .trunks
        .iter()
        .filter_map(|trunk| match trunk.ends {
            [0, other] | [other, 0] => Some(torus.graph.names[other as usize].as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(of_first, ["node02", "node05", "node13", "node04", "node09"]);
    // The link of a node carries what its five links do.
    assert_eq!(torus.graph.node_link.bandwidth, Some(BitRate(500_000_000_000)));
    assert!(torus.notes.iter().any(|note| note.contains("2 topologies")), "{:?}", torus.notes);
}

#[test]
fn regions_leave_places_without_nodes() {
    let text = "- topology: t\n  torus3d:\n    toruses:\n      - name: p\n        dims: {x: 3, y: 3, z: 1}\n        \
        regions:\n\
        \x20         - {anchor: {x: 1, y: 0, z: 0}, dims: {x: 2, y: 2, z: 1}, nodes: \"n[1-4]\"}\n";
    let torus = fabric(text, &uplinks(1));
    assert_eq!((counts(&torus), torus.shape.is_none()), ([9, 4, 18], true));
    // x is fastest: place (1, 0), (2, 0), (1, 1), (2, 1).
    assert_eq!(torus.graph.nodes, [0, 1, 1, 0, 1, 1, 0, 0, 0]);
    assert!(torus.notes.iter().any(|note| note.ends_with("without compute nodes: 5")), "{:?}", torus.notes);
}

#[test]
fn links_are_never_guessed() {
    let (place, message, help) = wrong(&file("slurm-topology.conf"), &Options::default());
    assert_eq!(place, "leaf[1-4]");
    assert!(message.contains("does not say how many links") && help.contains("uplinks = 1"), "{message} {help}");
    // A single switch has no links to count.
    assert_eq!(counts(&fabric("SwitchName=s Nodes=n[1-3]\n", &Options::default())), [1, 3, 0]);
    let (_, message, _) = wrong("a b\n", &uplinks(1));
    assert!(message.contains("says itself how many links"), "{message}");
}

#[test]
fn wrong_files_are_refused_at_their_word() {
    refused(
        &uplinks(1),
        &[
            ("SwitchName=s Nodes=n[3-1]\n", "3-1", "ends before it begins"),
            ("SwitchName=s Nodes=n1 Colour=red\n", "red", "`Colour` of this line is not known"),
            ("SwitchName=s Nodes=n1 nodes\n", "nodes", "no Key=Value"),
            ("SwitchName=s Switches=t\n", "t", "no switch `t`"),
            ("SwitchName=s Nodes=n1\nSwitchName=s Nodes=n2\n", "s", "stands twice"),
            ("SwitchName=s Nodes=n1 Switches=t\nSwitchName=t Nodes=n2\n", "s", "both nodes and switches"),
            ("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1\nSwitchName=c Switches=a,b\n", "n1", "below `a` and `b`"),
            ("SwitchName=a Nodes=n1\nSwitchName=b Switches=a\nSwitchName=c Switches=a\n", "a", "below `b` and `c`"),
            ("SwitchName=a Switches=b\nSwitchName=b Switches=a\n", "a", "every switch is below another"),
            ("BlockName=b1 Nodes=n[1-4]\nBlockSizes=2\n", "b1", "kind block"),
            ("- topology: f\n  flat: true\n", "f", "kind flat"),
            ("- topology: f\n  tree: {switches: [{switch: s, node: n1}]}\n", "node", "`node` of a switch"),
            ("- topology: a\n  flat: true\n- topology: b\n  flat: true\n", "topology: b", "none is the default"),
            ("RingName=a Nodes=n[1-4]\nRingName=b Nodes=m[1-4]\n", "b", "nothing joins the 2 rings"),
            ("TorusName=a Dims=2x2x2 Nodes=n[1-8]\n", "a", "which node is at which place"),
        ],
    );
}

/// The sixth test case of Slurm's test 133.1: three parts that nothing joins.
#[test]
fn islands_are_refused_with_what_to_add() {
    let text = "SwitchName=spineA Switches=leafA1,leafA2\nSwitchName=leafA1 Nodes=node[1-8]\nSwitchName=leafA2 \
        Nodes=node[9-16]\n\
        SwitchName=spineB Switches=leafB1,leafB2\nSwitchName=leafB1 Nodes=node[17-24]\nSwitchName=leafB2 \
        Nodes=node[25-32]\n\
        SwitchName=leafC Nodes=node[33-40]\n";
    let (place, message, help) = wrong(text, &uplinks(1));
    assert_eq!(place, "spineB");
    assert!(message.contains("3 roots") && help.contains("a switch over spineA,spineB,leafC"), "{message} {help}");
    let joined = format!("{text}SwitchName=core Switches=spineA,spineB,leafC\n");
    assert_eq!(counts(&fabric(&joined, &uplinks(1))), [8, 40, 7]);
}
