//! `drowse network --format svg|dot`: as many elements as the network has parts, and nothing that varies.

use crate::support::drowse;

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
        let svg = without_legend(&svg);
        let shows_nodes = svg.contains("class=\"nodes\"");
        // Trees of more than 16 nodes below a switch, and no others here, are drawn without nodes.
        assert_eq!(shows_nodes, !network.contains("20"), "{network}");
        let nodes = if shows_nodes { count("nodes") } else { 0 };
        let links = counts["links"]["switch"].as_u64().unwrap() + nodes;
        let circles = count("switches") + nodes;
        let found = |text: &str, part: &str| text.matches(part).count() as u64;
        assert_eq!([found(svg, "<path "), found(svg, "<circle ")], [links, circles], "{network}");
        assert_eq!([found(&dot, " -- "), found(&dot, "pos=")], [links, circles], "{network}");
        assert!(!dot.contains(&format!("s{}", count("switches"))), "{network}");
        assert_eq!(svg, without_legend(&shown(network, "svg")), "the same bytes each time");
    }
}

/// Returns a picture up to its legend, which has lines of its own.
fn without_legend(svg: &str) -> &str {
    svg.split("<g class=\"legend\">").next().unwrap()
}

/// Everything lies within the picture, and no switch on another.
#[test]
fn a_picture_can_be_seen() {
    for network in NETWORKS {
        let svg = shown(network, "svg");
        let size = numbers(svg.split("viewBox=\"").nth(1).unwrap().split('"').next().unwrap());
        let mut switches: Vec<[f64; 3]> = Vec::new();
        for line in without_legend(&svg).lines().filter(|line| line.starts_with("<circle") || line.starts_with("<path"))
        {
            let numbers = numbers(line.split_once(' ').unwrap().1.split(" fill").next().unwrap());
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
    insta::assert_snapshot!(refused(&["examples/cg-ideal.toml", "--format", "svg"]), @"error: an ideal network has no switches and links to draw");
    insta::assert_snapshot!(refused(&["examples/hyperx.toml", "--format", "dot", "--check"]), @"error: --check has no picture: leave it out, or choose --format table or json");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.svg");
    assert!(refused(&["examples/cg-ideal.toml", "--output", file.to_str().unwrap()]).contains("ideal"));
    assert!(!file.exists(), "no empty file");
    insta::assert_snapshot!(refused(&["examples/hyperx.toml", "--parts", "blocks"]), @"error: --parts needs a picture: --format svg, pdf, png or dot");
}

/// A picture in blocks: its edges as class and count, and its blocks as counts of switches, nodes and links within.
fn blocks(network: &str) -> (Vec<(String, u64)>, Vec<[u64; 3]>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.toml");
    std::fs::write(&file, format!("{network}\n")).unwrap();
    let ended = drowse(&["network", file.to_str().unwrap(), "--format", "dot", "--parts", "blocks"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{network}");
    let after = |line: &str, start: &str| line.split(start).nth(1).unwrap().split('"').next().unwrap().to_owned();
    let edges = ended.stdout.lines().filter(|line| line.contains(" -- "));
    let edges = edges.map(|line| (after(line, "class=\""), after(line, "label=\"").parse().unwrap()));
    let of_block = |line: &str| {
        let label = after(line, "label=\"");
        let count = |what: &str| {
            let part = label.split("\\n").skip(1).find(|part| part.contains(what));
            part.map_or(0, |part| part.split(' ').next().unwrap().replace(',', "").parse().unwrap())
        };
        [count("switch"), count("node"), count("within")]
    };
    let parts = ended.stdout.lines().filter(|line| line.starts_with("  b") && line.contains("pos="));
    (edges.collect(), parts.map(of_block).collect())
}

/// 33 groups of 8 switches with 4 nodes each: 8 * 7 / 2 links within a group, and one between any two groups.
#[test]
fn groups_are_blocks() {
    let (edges, parts) = blocks("network = { kind = 'dragonfly', p = 4, a = 8, h = 4, groups = 33 }");
    assert_eq!(parts, vec![[8, 32, 28]; 33]);
    assert_eq!(edges.len(), 33 * 32 / 2);
    assert!(edges.iter().all(|(class, links)| class == "global" && *links == 1));
}

/// A torus of 16 x 16 in 64 boxes of 2 x 2: 4 links within each, 2 to each of 4 neighbours.
#[test]
fn neighbours_of_a_grid_are_blocks() {
    let (edges, parts) = blocks("network = { kind = 'torus', dims = [16, 16] }");
    assert_eq!(parts, vec![[4, 4, 4]; 64]);
    assert_eq!(edges.len(), 64 * 4 / 2);
    assert!(edges.iter().all(|(_, links)| *links == 2));
}

/// Whatever the blocks are, nothing is lost: switches, nodes and links are those of the network.
#[test]
fn blocks_hold_the_whole_network() {
    let large = [
        "network = { kind = 'xgft', children = [16, 24, 20], parents = [8, 4], links = [2, 1] }",
        "network = { kind = 'jellyfish', switches = 600, degree = 6, nodes = 2 }",
        "network = { kind = 'slim-fly', q = 17, nodes = 3 }",
        "network = { kind = 'torus', dims = [12, 12, 12], failed = { switches = [5, 900], links = [[0, 1]] }, routing = 'up-down' }",
    ];
    for network in NETWORKS.into_iter().chain(large) {
        let counts: serde_json::Value = serde_json::from_str(&shown(network, "json")).unwrap();
        let (edges, parts) = blocks(network);
        let sum = |of: usize| parts.iter().map(|part| part[of]).sum::<u64>();
        let between: u64 = edges.iter().map(|(_, links)| links).sum();
        assert_eq!(
            [sum(0), sum(1), sum(2) + between],
            [&counts["switches"], &counts["nodes"], &counts["links"]["switch"]].map(|count| count.as_u64().unwrap()),
            "{network}"
        );
        assert!(parts.len() <= 64 && parts.iter().all(|part| part[0] > 0), "{network}");
    }
}

/// What is too large to be seen switch by switch is drawn in blocks, of which none hides another.
#[test]
fn networks_of_any_size_are_drawn() {
    for network in [
        "network = { kind = 'dragonfly', p = 2, a = 12, h = 5, groups = 50 }",
        "network = { kind = 'xgft', children = [16, 24, 20], parents = [8, 4] }",
        "network = { kind = 'full', switches = 200, nodes = 3 }",
    ] {
        let svg = shown(network, "svg");
        let boxes: Vec<[f64; 4]> = without_legend(svg.split("<g class=\"blocks\">").nth(1).unwrap())
            .lines()
            .filter(|line| line.starts_with("<rect"))
            .map(|line| numbers(line.split(" fill").next().unwrap()).try_into().unwrap())
            .collect();
        assert!(boxes.len() > 10, "{network}");
        let apart = |a: &[f64; 4], b: &[f64; 4]| a[0] + a[2] <= b[0] || a[1] + a[3] <= b[1];
        for (number, one) in boxes.iter().enumerate() {
            assert!(boxes[..number].iter().all(|other| apart(one, other) || apart(other, one)), "{network}");
        }
    }
}
