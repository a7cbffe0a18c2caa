//! Errors of `[network]` and of the file as a whole.

use drowse_experiment::network_kinds;

use crate::support::wrong;

/// Returns what is said of a wrong kind, with one word for the list of all kinds.
fn wrong_kind(text: &str) -> String {
    wrong(text).replace(&network_kinds().collect::<Vec<_>>().join(", "), "KINDS")
}

#[test]
fn a_misspelt_key() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "torus"
dmis = [4, 4]
"#), @r#"
    x.toml:3:1: error: unknown key `network.dmis`
     3 | dmis = [4, 4]
       | ^^^^
    help: did you mean `dims`? keys known here: dims, trunk, nodes, rings_of_two, ties, kind, failed, routing
    "#);
}

#[test]
fn a_misspelt_kind() {
    insta::assert_snapshot!(wrong_kind(r#"[network]
kind = "torsu"
dims = [4, 4]
"#), @r#"
    x.toml:2:8: error: `network.kind` = "torsu" is not known
     2 | kind = "torsu"
       |        ^^^^^^^
    help: did you mean `torus`? this version knows: KINDS
    "#);
}

#[test]
fn a_kind_of_another_version() {
    insta::assert_snapshot!(wrong_kind(r#"[network]
kind = "omega"
k = 4
"#), @r#"
    x.toml:2:8: error: `network.kind` = "omega" is not known
     2 | kind = "omega"
       |        ^^^^^^^
    help: this version knows: KINDS
    "#);
}

#[test]
fn a_missing_key() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "torus"
"#), @r#"
    x.toml:1:1: error: `network.dims` is missing
     1 | [network]
       | ^^^^^^^^^
    help: write dims = [4, 4]
    "#);
}

#[test]
fn a_missing_kind() {
    insta::assert_snapshot!(wrong("[network]\ndims = [4, 4]\n"), @r#"
    x.toml:1:1: error: `network.kind` is missing
     1 | [network]
       | ^^^^^^^^^
    help: write kind = "torus"
    "#);
}

#[test]
fn a_missing_network() {
    insta::assert_snapshot!(wrong(r#"title = "nothing"
"#), @r#"
    x.toml: error: `network` is missing
    help: write [network] with kind = "torus" and dims = [4, 4]
    "#);
}

#[test]
fn a_negative_size() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "torus"
dims = [4, -4]
"#), @r#"
    x.toml:3:12: error: `network.dims.1`: integer `-4` is out of range
     3 | dims = [4, -4]
       |            ^^
    help: write a whole number, 0 to 4294967295
    "#);
}

#[test]
fn a_size_of_one() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "torus"
dims = [4, 1]
"#), @r#"
    x.toml:3:8: error: `network.dims` = [4, 1] is out of range
     3 | dims = [4, 1]
       |        ^^^^^^
    help: each dimension has 2 to 65535 switches
    "#);
}

#[test]
fn a_number_for_a_list() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "torus"
dims = 4
"#), @r#"
    x.toml:3:8: error: `network.dims`: integer `4` has the wrong type
     3 | dims = 4
       |        ^
    help: write a list
    "#);
}

#[test]
fn a_text_for_a_trunk() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "mesh"
dims = [4, 4]
trunk = "4"
"#), @r#"
    x.toml:4:9: error: `network.trunk`: string "4" has the wrong type
     4 | trunk = "4"
       |         ^^^
    help: write a whole number such as 4, or a list with one per dimension such as [1, 4]
    "#);
}

#[test]
fn a_trunk_for_three_dimensions_of_two() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "torus"
dims = [4, 4]
trunk = [1, 2, 3]
"#), @r#"
    x.toml:4:9: error: `network.trunk` = [1, 2, 3] is out of range
     4 | trunk = [1, 2, 3]
       |         ^^^^^^^^^
    help: give one number, or one per dimension of dims
    "#);
}

#[test]
fn a_routing_of_another_version() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "torus"
dims = [4, 4]
routing = "valiant"
"#), @r#"
    x.toml:4:11: error: `network.routing` = "valiant" is not known
     4 | routing = "valiant"
       |           ^^^^^^^^^
    help: this version knows: adaptive, dimension-order
    "#);
}

#[test]
fn a_network_too_large() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "torus"
dims = [65535, 65535, 65535]
"#), @r#"
    x.toml:3:8: error: the network would have 1970234644037625 ports
     3 | dims = [65535, 65535, 65535]
       |        ^^^^^^^^^^^^^^^^^^^^^
    help: the most is 1073741823; make dims, trunk or nodes smaller
    "#);
}

#[test]
fn a_table_that_does_not_close() {
    insta::assert_snapshot!(wrong(r#"[network
kind = "torus"
"#), @r#"
    x.toml:1:9: error: this is no TOML: unclosed table, expected `]`
     1 | [network
       |         ^
    help: see https://toml.io for the syntax
    "#);
}

#[test]
fn a_key_twice() {
    insta::assert_snapshot!(wrong(r#"[network]
kind = "torus"
kind = "mesh"
"#), @r#"
    x.toml:3:1: error: this is no TOML: duplicate key
     3 | kind = "mesh"
       | ^^^^
    help: see https://toml.io for the syntax
    "#);
}

#[test]
fn a_value_for_a_table() {
    insta::assert_snapshot!(wrong(r#"network = "torus"
"#), @r#"
    x.toml:1:11: error: `network` is a string, not a table
     1 | network = "torus"
       |           ^^^^^^^
    help: write a table; write kind = "torus"
    "#);
}

#[test]
fn an_unknown_table() {
    insta::assert_snapshot!(wrong(r#"[netwrk]
kind = "torus"

[network]
kind = "torus"
dims = [4]
"#), @r#"
    x.toml:1:2: error: unknown key `netwrk`
     1 | [netwrk]
       |  ^^^^^^
    help: did you mean `network`? keys known here: title, seed, sweep, search, job, traffic, scheduler, network, switch, link, node, power, cost, simulation, transport, preset
    "#);
}

#[test]
fn a_negative_seed() {
    insta::assert_snapshot!(wrong(r#"seed = -1
[network]
kind = "torus"
dims = [4]
"#), @r#"
    x.toml:1:8: error: `seed`: integer `-1` is out of range
     1 | seed = -1
       |        ^^
    help: write a whole number, 0 or more
    "#);
}

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(wrong(""), @r#"
    x.toml: error: `network` is missing
    help: write [network] with kind = "torus" and dims = [4, 4]
    "#);
}
