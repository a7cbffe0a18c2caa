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
    insta::assert_snapshot!(wrong_cap(""), @"");
}

#[test]
fn a_cap_without_a_unit() {
    insta::assert_snapshot!(wrong_cap(", cap = \"12\""), @"");
}

#[test]
fn a_share_of_more_than_all() {
    insta::assert_snapshot!(wrong_cap(", cap = 12"), @"");
}

#[test]
fn a_cap_below_the_floor() {
    insta::assert_snapshot!(wrong_cap(", cap = \"1 kW\""), @"");
}

#[test]
fn a_reaction_longer_than_a_window() {
    insta::assert_snapshot!(wrong_cap(", cap = 0.9, window = \"10 us\", reaction = \"20 us\""), @"");
}

#[test]
fn lanes_that_are_not_halved() {
    insta::assert_snapshot!(wrong_cap(", cap = 0.9, lanes = 3"), @"");
}

#[test]
fn links_without_others_beside_them() {
    let text = "[network]\nkind = \"torus\"\ndims = [4, 4]\n[power]\npolicy = { kind = \"cap\", cap = 0.9 }\n";
    insta::assert_snapshot!(wrong(&format!("{text}{TRAFFIC}")), @"");
}

#[test]
fn two_caps() {
    let class = "\n[[power.class]]\nclass = \"dim-1\"\npolicy = { kind = \"cap\", cap = 0.95 }";
    let text = "[network]\nkind = \"torus\"\ndims = [4, 4]\ntrunk = 2\n[power]\npolicy = { kind = \"cap\", cap = 0.9 }";
    insta::assert_snapshot!(wrong(&format!("{text}{class}\n{TRAFFIC}")), @"");
}
