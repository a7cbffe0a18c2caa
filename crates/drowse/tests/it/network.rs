//! `drowse network`.

use std::fs;

use crate::support::{drowse, drowse_in, json_of, root};

#[test]
fn the_table_of_a_network() {
    let ended = drowse(&["network", "examples/torus-1d-16x.toml"]);
    assert_eq!(ended.code, Some(0));
    insta::assert_snapshot!(ended.stdout, @r#"
    1D-16X: 64 nodes on a ring of 4 switches with 16-wide trunks

    network
      nodes                                  64
      switches                                4
      ports of a switch                      48
      ports of the network                  192
      links                                 128
      links between switches                 64
      trunks                                  4
      links of the widest trunk              16
      channels between switches             128
      links of class node                    64
      links of class dim-0                   64
      ports, reference network = 1        0.428

    distances (channels between switches)
      diameter                                2
      mean over all pairs of nodes        1.000
      mean over pairs of different nodes  1.016

    bisection
      links                                  32
      bandwidth, one direction            320.0 GB/s

    cost of the switches (Navaridas et al. 2010)
      ports of each switch                   48
      each costs 1                            4
      each costs its ports                  192
      each costs its ports squared        9,216

    time of a hop
      onto any link                       51.60 ns
      in whole clock cycles               52.80 ns

    memory of a run (estimated; without traces, packets and messages)
      network                             3.750 KiB
      simulation                          47.50 KiB
    "#);
}

#[test]
fn the_json_of_a_network() {
    let json = json_of(&drowse(&["network", "examples/torus-2d-4x.toml", "--format", "json"]));
    assert_eq!((&json["ports"], &json["radix"]), (&320.into(), &20.into()));
    assert_eq!(json["links"]["by_class"]["dim-1"], 64);
    assert_eq!(json["port_ratio"], 320.0 / 448.0, "exact, not cut as in the table");
    assert_eq!(json["hop"]["dim-0"]["rounded_ns"], 51.2);
}

#[test]
fn overrides_change_the_network() {
    let arguments = ["network", "examples/torus-2d-4x.toml", "--set", "network.trunk=2", "--format", "json"];
    assert_eq!(json_of(&drowse(&arguments))["ports"], 16 * (8 + 4));
}

#[test]
fn a_proof_in_one_line() {
    let ended = drowse(&["network", "examples/torus-1d-16x.toml", "--check"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let last = ended.stdout.lines().last().unwrap();
    insta::assert_snapshot!(last, @"Deadlock-free: the channel dependency graph (10 vertices, 4 edges) is acyclic.");
    let json = json_of(&drowse(&["network", "examples/torus-1d-16x.toml", "--check", "--format", "json"]));
    assert_eq!((&json["deadlock"]["proven"], &json["deadlock"]["circle"]), (&true.into(), &serde_json::Value::Null));
}

/// An 8x8 torus with two links in each trunk has 256; a failed switch takes 8 of them, three are named, and of the 245
/// others 5 % are 12. What runs on the rest is warned that nodes have other numbers.
#[test]
fn what_has_failed_is_told() {
    let json = json_of(&drowse(&["network", "examples/failed-links.toml", "--format", "json"]));
    assert_eq!(json["failed"], serde_json::json!({ "links": 8 + 3 + 12, "switches": 1, "nodes": 2 }));
    assert_eq!((&json["links"]["switch"], &json["nodes"]), (&(256 - 23).into(), &126.into()));
    let ended =
        drowse(&["run", "examples/failed-links.toml", "--set", "traffic.measure=100 cycles", "--format", "json"]);
    let run: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let warnings = run["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning.as_str().unwrap().starts_with("nodes are renumbered: 2 are lost")));
}

/// Every example's routing is free of deadlock.
#[test]
fn every_example_is_proven() {
    let mut checked = 0;
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let ended = drowse(&["network", path.to_str().unwrap(), "--check"]);
            assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{}", path.display());
            // Of routes that stand there, both kinds of packets are told.
            let followed = ended.stdout.matches(": no circle, whatever the lanes").count() == 2;
            assert!(followed || ended.stdout.contains("\nDeadlock-free: "), "{}", ended.stdout);
            checked += 1;
        }
    }
    assert!(checked >= 8, "only {checked} examples were found");
}

/// What is too large to be checked is refused, and said to be.
#[test]
fn a_network_too_large_to_be_checked() {
    let size = "network.dims=[32, 32, 32]";
    let ended = drowse(&["network", "examples/torus-3d-1x.toml", "--set", size, "--check"]);
    assert_eq!(ended.code, Some(2));
    insta::assert_snapshot!(ended.stderr, @"error: the check follows packets to every destination through every switch, here 8589934592 states of packets; it takes at most 536870912: check a smaller network of the same kind");
}

/// 800 Gb/s with packets of 128 B and a clock of 1.6 ns is 640 Gb/s: `network` and `run` say so, in tables and JSON.
#[test]
fn links_that_no_traffic_can_fill_are_named() {
    let sets =
        ["--set", "link.bandwidth=\"800 Gb/s\"", "--set", "network.dims=[4]", "--set", "switch.buffer=\"64 KiB\""];
    let of = |command: &str, format: &str| {
        drowse(&[&[command, "examples/uniform-torus.toml", "--format", format][..], &sets].concat())
    };
    let warning = "links of \"node\", \"dim-0\" carry at most 640 of 800 Gb/s: a switch sends one packet of 128 B on a link \
                   per clock cycle of 1.6 ns; write switch.packet = \"160 B\" or a shorter switch.clock";
    for command in ["network", "run"] {
        assert_eq!(json_of(&of(command, "json"))["warnings"][0], warning, "{command}");
        let table = of(command, "table").stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(table.contains(&format!("warning: {warning}")), "{command}: {table}");
    }
}

/// Routes that stand there are followed, whether the command names their tables or the experiment does.
#[test]
fn tables_may_be_named_by_the_experiment() {
    let machine = root().join("examples/machine.toml");
    let [topology, tables] = ["topo", "lft"].map(|ending| root().join(format!("examples/machine/fabric.{ending}")));
    let [machine, topology, tables] = [&machine, &topology, &tables].map(|path| path.to_str().unwrap());
    let sound = |arguments: &[&str]| {
        let ended = drowse(&[&["network", "--check", "--format", "json"], arguments].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        json_of(&ended)["sound"].clone()
    };
    let followed = sound(&[machine]);
    assert_eq!(followed["pairs"], 96 * 95);
    assert_eq!(followed, sound(&[topology, "--tables", tables]));
}

/// Without tables, a proof is about a routing of Drowse.
#[test]
fn a_check_says_by_which_routing() {
    let topology = root().join("examples/machine/fabric.topo");
    let ended = drowse(&["network", topology.to_str().unwrap(), "--check"]);
    let said = ended.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("of Drowse. For the routes of a subnet's own tables add --tables."), "{said}");
    let torus = drowse(&["network", "examples/torus-3d-4x.toml", "--check"]).stdout;
    assert!(!torus.contains("--tables"), "{torus}");
}

/// Errors of the options name these, and files as they were given.
#[test]
fn errors_of_tables_are_told_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let example = |name: &str| root().join("examples").join(name);
    for name in ["fabric.topo", "fabric.lft"] {
        fs::copy(example(&format!("machine/{name}")), folder.path().join(name)).unwrap();
    }
    let lines = fs::read_to_string(folder.path().join("fabric.lft")).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    fs::write(folder.path().join("empty.lft"), "").unwrap();
    fs::write(folder.path().join("wrong.lft"), [&lines[..19], &["garbage here"], &lines[19..]].concat().join("\n"))
        .unwrap();
    let refused = |file: &str, tables: &str| {
        let ended = drowse_in(folder.path(), &["network", file, "--tables", tables, "--check"]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        ended.stderr
    };
    let empty = refused("fabric.topo", "empty.lft");
    assert!(empty.starts_with("empty.lft: error: there is no forwarding table in this file"), "{empty}");
    let wrong = refused("fabric.topo", "wrong.lft");
    assert!(wrong.starts_with("wrong.lft:20:1: error: ") && wrong.contains("20 | garbage here"), "{wrong}");
    let torus = example("torus-3d-4x.toml");
    let torus = refused(torus.to_str().unwrap(), "fabric.lft");
    assert!(
        torus.starts_with("--tables fabric.lft: error: forwarding tables go with a network from a file"),
        "{torus}"
    );
    assert!(!torus.contains("network.tables"), "{torus}");
    let none = refused("fabric.topo", "none.lft");
    assert!(none.starts_with("none.lft: error: it cannot be read"), "{none}");
}
