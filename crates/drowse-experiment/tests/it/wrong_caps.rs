//! Errors of `power.policy` with `kind = "cap"`.

use crate::support::{TRAFFIC, wrong};

/// Returns the message of a cap on a torus with two links between neighbours.
fn wrong_cap(keys: &str) -> String {
    wrong(&format!(
        "[network]\nkind = \"torus\"\ndims = [4, 4]\ntrunk = 2\n[power]\npolicy = {{ kind = \"cap\"{keys} }}\n{TRAFFIC}"
    ))
}

#[test]
fn no_cap() {
    insta::assert_snapshot!(wrong_cap(""), @r#"
    x.toml:6:10: error: `power.policy.cap` is missing
     6 | policy = { kind = "cap" }
       |          ^^^^^^^^^^^^^^^^
    help: write cap = "12 kW", for four fifths of what all draw: 0.8
    "#);
}

#[test]
fn a_cap_without_a_unit() {
    insta::assert_snapshot!(wrong_cap(", cap = \"12\""), @r#"
    x.toml:6:32: error: `power.policy.cap`: `12` has no unit that is known here (known: W, kW, MW, GW); write it like "20 MW"
     6 | policy = { kind = "cap", cap = "12" }
       |                                ^^^^
    "#);
}

#[test]
fn a_share_of_more_than_all() {
    insta::assert_snapshot!(wrong_cap(", cap = 12"), @r#"
    x.toml:6:32: error: 12 is no share of the power of a network
     6 | policy = { kind = "cap", cap = 12 }
       |                                ^^
    help: write a share above 0 and at most 1, such as 0.8, or a power in quotes, such as "12 kW"
    "#);
}

#[test]
fn a_cap_below_the_floor() {
    insta::assert_snapshot!(wrong_cap(", cap = \"300 W\""), @r#"
    x.toml:6:32: error: a cap of 300.0 W is below 399.6 W, what switches and links may draw where only those are on that must be
     6 | policy = { kind = "cap", cap = "300 W" }
       |                                ^^^^^^^
    help: write at least "400 W"; with all links on it is 540.0 W
    "#);
}

#[test]
fn a_reaction_longer_than_a_window() {
    insta::assert_snapshot!(wrong_cap(", cap = 0.9, window = \"10 us\", reaction = \"20 us\""), @r#"
    x.toml:6:66: error: the reaction takes 20 us, and a window only 10 us
     6 | policy = { kind = "cap", cap = 0.9, window = "10 us", reaction = "20 us" }
       |                                                                  ^^^^^^^
    help: write a time of at most a window
    "#);
}

#[test]
fn lanes_that_are_not_halved() {
    insta::assert_snapshot!(wrong_cap(", cap = 0.9, lanes = 3"), @r#"
    x.toml:6:45: error: `power.policy.lanes` = 3 is out of range
     6 | policy = { kind = "cap", cap = 0.9, lanes = 3 }
       |                                             ^
    help: write 2, 4, 8 or 16, or leave it out
    "#);
}

#[test]
fn links_without_others_beside_them() {
    let text = "[network]\nkind = \"torus\"\ndims = [4, 4]\n[power]\npolicy = { kind = \"cap\", cap = 0.9 }\n";
    insta::assert_snapshot!(wrong(&format!("{text}{TRAFFIC}")), @r#"
    x.toml:5:19: error: no link has others beside it, so that none can go off under a cap
     5 | policy = { kind = "cap", cap = 0.9 }
       |                   ^^^^^
    help: write lanes = 4, so that links narrow, or parallel links (such as network.trunk = 2)
    "#);
}

#[test]
fn two_caps() {
    let class = "\n[[power.class]]\nclass = \"dim-1\"\npolicy = { kind = \"cap\", cap = 0.95 }";
    let text = "[network]\nkind = \"torus\"\ndims = [4, 4]\ntrunk = 2\n[power]\npolicy = { kind = \"cap\", cap = 0.9 }";
    insta::assert_snapshot!(wrong(&format!("{text}{class}\n{TRAFFIC}")), @r#"
    x.toml:9:32: error: this is another cap, and there is one for the whole network
     9 | policy = { kind = "cap", cap = 0.95 }
       |                                ^^^^
    help: write the same cap for all classes
    "#);
}
