//! `drowse network`.

use crate::support::{drowse, json_of};

#[test]
fn the_table_of_a_network() {
    let ended = drowse(&["network", "examples/torus-1d-16x.toml"]);
    assert_eq!(ended.code, Some(0));
    insta::assert_snapshot!(ended.stdout, @r#"
    1D-16X: 64 nodes on a ring of 4 switches with 16-wide trunks

    network
      nodes                                 64
      switches                               4
      ports of a switch                     48
      ports of the network                 192
      links                                128
      links between switches                64
      links, node                           64
      links, dim-0                          64
      ports, reference network = 1       0.428

    distances (channels between switches)
      diameter                               2
      mean, a node with itself included  1.000
      mean, different nodes              1.016
      bisection, links                      32
      bisection, one direction           320.0 GB/s

    time of a hop
      onto node, dim-0                   51.60 ns
      in whole clock cycles              52.80 ns
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
