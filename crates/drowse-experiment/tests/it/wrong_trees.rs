//! Errors of trees, racks, the ideal network and presets.

use crate::support::{TRAFFIC, wrong};

/// Returns the message of an experiment whose beginning is wrong.
fn wrong_network(beginning: &str) -> String {
    wrong(&format!("{beginning}{TRAFFIC}"))
}

#[test]
fn a_tree_without_k() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "tree"
n = 3
"#), @r#"
    x.toml:1:1: error: `network.k` is missing
     1 | [network]
       | ^^^^^^^^^
    help: write k = 4
    "#);
}

#[test]
fn a_tree_of_no_levels() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "tree"
k = 4
n = 0
"#), @r#"
    x.toml:4:5: error: `network.n` = 0 is out of range
     4 | n = 0
       |     ^
    help: a tree has 1 to 16 levels of switches
    "#);
}

#[test]
fn a_thin_tree_without_ports_up() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "thin-tree"
down = 4
up = 0
levels = 3
"#), @r#"
    x.toml:4:6: error: `network.up` = 0 is out of range
     4 | up = 0
       |      ^
    help: a switch has 1 to 2048 ports up
    "#);
}

#[test]
fn a_tree_beyond_all_tables() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "tree"
k = 64
n = 6
"#), @r#"
    x.toml:4:5: error: the network would have 755914244096 ports
     4 | n = 6
       |     ^
    help: the most is 1073741823; make k or n smaller
    "#);
}

#[test]
fn trees_have_no_dimensions() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "tree"
k = 4
n = 3
routing = "dimension-order"
"#), @r#"
    x.toml:5:11: error: `network.routing` = "dimension-order" is not known
     5 | routing = "dimension-order"
       |           ^^^^^^^^^^^^^^^^^
    help: this version knows: adaptive, random, d-mod-k
    "#);
}

#[test]
fn trees_have_no_escape_channels() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "tree"
k = 4
n = 3
[switch]
vcs = { adaptive = 2, escape = 2 }
"#), @r#"
    x.toml:6:20: error: packets on this network use no `adaptive` VCs
     6 | vcs = { adaptive = 2, escape = 2 }
       |                    ^
    help: packets cannot wait in a circle here and use any VC: write vcs = { any = 1 }, or more
    "#);
}

#[test]
fn too_many_channels_for_any_purpose() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "tree"
k = 4
n = 3
[switch]
vcs = { any = 9 }
"#), @r#"
    x.toml:6:15: error: `switch.vcs.any` = 9 is out of range
     6 | vcs = { any = 9 }
       |               ^
    help: write 1 to 8 VCs of a port
    "#);
}

#[test]
fn more_racks_than_leaf_ports() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "racks"
racks = 17
nodes_per_rack = 8
"#), @r#"
    x.toml:3:9: error: `network.racks` = 17 is out of range
     3 | racks = 17
       |         ^^
    help: the 16 leaf ports of the 4-ary 2-tree take 1 to 16 / uplinks racks
    "#);
}

#[test]
fn uplinks_that_do_not_divide() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "racks"
racks = 4
nodes_per_rack = 8
uplinks = 3
"#), @r#"
    x.toml:5:11: error: `network.uplinks` = 3 is out of range
     5 | uplinks = 3
       |           ^
    help: a top-of-rack switch has 1, 2 or 4 links to its switch of level 1
    "#);
}

#[test]
fn a_fat_tree_without_children() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "xgft"
parents = [4]
"#), @r#"
    x.toml:1:1: error: `network.children` is missing
     1 | [network]
       | ^^^^^^^^^
    help: write children = [16, 16, 4], from the nodes of a switch up to the top
    "#);
}

#[test]
fn a_fat_tree_with_parents_of_the_top() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "xgft"
children = [4, 4]
parents = [2, 2]
"#), @r#"
    x.toml:4:11: error: `network.parents` = [2, 2] is out of range
     4 | parents = [2, 2]
       |           ^^^^^^
    help: give one number for each level of switches but the top: one less than children
    "#);
}

#[test]
fn a_fat_tree_beyond_all_tables() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "xgft"
children = [64, 64, 64, 64, 64]
parents = [64, 64, 64, 64]
"#), @r#"
    x.toml:3:12: error: the network would have 9663676416 ports
     3 | children = [64, 64, 64, 64, 64]
       |            ^^^^^^^^^^^^^^^^^^^^
    help: the most is 1073741823; make children, parents or links smaller
    "#);
}

#[test]
fn a_hypercube_of_no_dimension() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "hypercube"
dimension = 0
"#), @r#"
    x.toml:3:13: error: `network.dimension` = 0 is out of range
     3 | dimension = 0
       |             ^
    help: a hypercube has 1 to 16 dimensions
    "#);
}

#[test]
fn an_ideal_network_without_nodes() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "ideal"
latency = "1 us"
bandwidth = "10 GB/s"
"#), @r#"
    x.toml:1:1: error: `network.nodes` is missing
     1 | [network]
       | ^^^^^^^^^
    help: write nodes = 64, as many as the ranks need
    "#);
}

#[test]
fn an_ideal_network_with_dimensions() {
    insta::assert_snapshot!(wrong_network(r#"[network]
kind = "ideal"
nodes = 4
dims = [4]
latency = "1 us"
bandwidth = "10 GB/s"
"#), @r#"
    x.toml:4:1: error: unknown key `network.dims`
     4 | dims = [4]
       | ^^^^
    help: keys known here: nodes, latency, bandwidth, kind, failed
    "#);
}

#[test]
fn a_misspelt_preset() {
    insta::assert_snapshot!(wrong_network(r#"preset = "inse"
[network]
kind = "tree"
k = 4
n = 3
"#), @r#"
    x.toml:1:10: error: `preset` = "inse" is not known
     1 | preset = "inse"
       |          ^^^^^^
    help: did you mean `insee`? this version knows: andujar-2019, navaridas-2010, insee, saravanan-2018, slingshot, infiniband-ndr, ethernet-51t, tofu-d, bxi
    "#);
}

#[test]
fn presets_of_old_names() {
    insta::assert_snapshot!(wrong_network("preset = \"thin-trees\"\n[network]\nkind = \"tree\"\nk = 4\nn = 3\n"), @r#"
    x.toml:1:10: error: the preset "thin-trees" is now called "navaridas-2010"
     1 | preset = "thin-trees"
       |          ^^^^^^^^^^^^
    help: write preset = "navaridas-2010"
    "#);
    let told = wrong_network("preset = \"perfbound\"\n[network]\nkind = \"tree\"\nk = 4\nn = 3\n");
    assert!(told.contains("the preset \"perfbound\" is now called \"saravanan-2018\""), "{told}");
}

#[test]
fn a_preset_that_is_no_text() {
    insta::assert_snapshot!(wrong_network(r#"preset = 3
[network]
kind = "tree"
k = 4
n = 3
"#), @r#"
    x.toml:1:10: error: `preset` has the wrong type
     1 | preset = 3
       |          ^
    help: write a text in quotes
    "#);
}
