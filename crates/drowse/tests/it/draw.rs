//! `drowse network --format svg|dot`: as many elements as the network has parts, and nothing that varies.

use crate::support::{drowse, json_of};

/// Networks of every layout, each small.
const NETWORKS: [&str; 16] = [
    "network = { kind = 'torus', dims = [5] }",
    "network = { kind = 'torus', dims = [4, 3], trunk = [3, 1], nodes = 2 }",
    "network = { kind = 'torus', dims = [3, 3, 3] }",
    "network = { kind = 'mesh', dims = [2, 3, 2, 3, 2] }",
    "network = { kind = 'hypercube', dimension = 5 }",
    "network = { kind = 'torus', dims = [4, 4], trunk = 2, nodes = 2, routing = 'up-down', failed = { switches = [5], links = [[0, 1]], fraction = 0.1 } }",
    "network = { kind = 'tree', k = 3, n = 3 }",
    "network = { kind = 'xgft', children = [20, 4, 2], parents = [2, 3], links = [2, 1] }",
    "network = { kind = 'racks', racks = 5, nodes_per_rack = 3 }",
    "network = { kind = 'dragonfly', p = 2, a = 4, h = 2, groups = 9 }",
    "network = { kind = 'dragonfly-plus', nodes = 2, leaves = 2, spines = 3, h = 2, groups = 4 }",
    "network = { kind = 'percs', supernodes = 2 }",
    "network = { kind = 'aries', groups = 1 }",
    "network = { kind = 'full', switches = 7, nodes = 3 }",
    "network = { kind = 'slim-fly', q = 5, nodes = 2 }",
    "network = { kind = 'hyperx', dims = [4, 3, 3], widths = [1, 2, 1], nodes = 2 }",
];

/// Describes a network in a file of its own, in a format.
fn shown(network: &str, format: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.toml");
    std::fs::write(&file, format!("title = \"<A & \\\"B\\\">\"\n{network}\n")).unwrap();
    let ended = drowse(&["network", file.to_str().unwrap(), "--format", format]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{network}");
    ended.stdout
}

/// Returns the numbers of a text.
fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap()).collect()
}

#[test]
fn a_picture_has_all_parts_of_the_network() {
    for network in NETWORKS {
        let counts: serde_json::Value = serde_json::from_str(&shown(network, "json")).unwrap();
        let count = |key: &str| counts[key].as_u64().unwrap();
        let (svg, dot) = (shown(network, "svg"), shown(network, "dot"));
        let shows_nodes = svg.contains("class=\"nodes\"");
        // Trees of more than 16 nodes below a switch, and no others here, are drawn without nodes.
        assert_eq!(shows_nodes, !network.contains("20"), "{network}");
        let nodes = if shows_nodes { count("nodes") } else { 0 };
        let links = counts["links"]["switch"].as_u64().unwrap() + nodes;
        let circles = count("switches") + nodes;
        let found = |text: &str, part: &str| text.matches(part).count() as u64;
        assert_eq!([found(&svg, "<path "), found(&svg, "<circle ")], [links, circles], "{network}");
        assert_eq!([found(&dot, " -- "), found(&dot, "pos=")], [links, circles], "{network}");
        assert!(!dot.contains(&format!("s{}", count("switches"))), "{network}");
        assert_eq!(svg, shown(network, "svg"), "the same bytes each time");
    }
}

/// Everything lies within the picture, and no switch on another.
#[test]
fn a_picture_can_be_seen() {
    for network in NETWORKS {
        let svg = shown(network, "svg");
        let size = numbers(svg.split("viewBox=\"").nth(1).unwrap().split('"').next().unwrap());
        let mut switches: Vec<[f64; 3]> = Vec::new();
        for line in svg.lines().filter(|line| line.starts_with("<circle") || line.starts_with("<path")) {
            let numbers = numbers(line.split_once(' ').unwrap().1);
            if line.starts_with("<circle") {
                let [x, y, radius] = numbers[..] else { panic!("{line}") };
                assert!(
                    x >= radius && x + radius <= size[2] && y >= radius && y + radius <= size[3],
                    "{network}: {line}"
                );
                let apart = |other: &[f64; 3]| ((x - other[0]).powi(2) + (y - other[1]).powi(2)).sqrt();
                assert!(switches.iter().all(|other| apart(other) >= radius + other[2]), "{network}: {line}");
                if radius > 3.0 {
                    switches.push([x, y, radius]);
                }
            }
        }
    }
}

/// What means something in XML, or ends a text of DOT, is escaped.
#[test]
fn titles_are_escaped() {
    assert!(shown(NETWORKS[0], "svg").contains("<title>&lt;A &amp; &quot;B&quot;&gt;</title>"));
    assert!(shown(NETWORKS[0], "dot").starts_with("graph \"<A & \\\"B\\\">\" {\n"));
}

#[test]
fn a_small_network_in_dot() {
    insta::assert_snapshot!(shown("network = { kind = 'mesh', dims = [2], trunk = 2 }", "dot"), @r##"
    graph "<A & \"B\">" {
      layout=neato; inputscale=72; outputorder=edgesfirst; splines=true; label="<A & \"B\">\n2 switches, 2 nodes, 2 links between switches\nnode (#8c8c8c): 2 links, dim-0 (#0072b2): 2 links";
      node [shape=circle, fixedsize=true, width=0.19, label="", style=filled, fillcolor=white];
      s0 [pos="0.0,0.0!"];
      s1 [pos="90.0,0.0!"];
      edge [class="dim-0", color="#0072b2"];
      s0 -- s1;
      s0 -- s1;
      node [shape=point, width=0.07, fillcolor="#555555"];
      edge [class="node", color="#8c8c8c"];
      n0 [pos="12.0,-12.0!"];
      s0 -- n0;
      n1 [pos="102.0,-12.0!"];
      s1 -- n1;
    }
    "##);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let refused = |arguments: &[&str]| {
        let ended = drowse(&[&["network"], arguments].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
        ended.stderr
    };
    insta::assert_snapshot!(refused(&["examples/thin-tree.toml", "--format", "svg"]), @"error: a picture shows at most 512 switches, not 960; draw a smaller network of the same kind");
    let full = ["examples/full.toml", "--set", "network.switches=200", "--format", "dot"];
    insta::assert_snapshot!(refused(&full), @"error: a picture shows at most 16384 links between switches, not 19900; draw a smaller network of the same kind");
    insta::assert_snapshot!(refused(&["examples/cg-ideal.toml", "--format", "svg"]), @"error: an ideal network has no switches and links to draw");
    insta::assert_snapshot!(refused(&["examples/hyperx.toml", "--format", "dot", "--check"]), @"error: --check has no picture: leave it out, or choose --format table or json");
    // The same networks can be described.
    assert_eq!(json_of(&drowse(&["network", "examples/thin-tree.toml", "--format", "json"]))["switches"], 960);
}
