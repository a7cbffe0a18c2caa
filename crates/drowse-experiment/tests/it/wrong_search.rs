//! Errors of `[search]`.

use drowse_experiment::Sweep;

use crate::support::{NETWORK, TRAFFIC, source};

/// Returns the message of a search over a load and two trunks.
fn wrong_search(search: &str) -> String {
    let sweep = "[sweep]\n\"traffic.load\" = { from = 0.1, to = 0.9, step = 0.1 }\n\"network.trunk\" = [1, 2]\n";
    let source = source(&format!("{NETWORK}{TRAFFIC}{sweep}{search}\n"), &[]).unwrap();
    Sweep::new(&source).err().expect("an error").to_string()
}

#[test]
fn a_figure_that_is_not_known() {
    insta::assert_snapshot!(wrong_search("[search]\nminimize = \"energi\""), @"");
}

#[test]
fn a_condition_on_a_figure_that_is_not_known() {
    insta::assert_snapshot!(wrong_search("[search]\nwhere = \"latency.message.men_ns < 900\""), @"");
}

#[test]
fn a_slowdown_without_baseline() {
    insta::assert_snapshot!(wrong_search("[search]\nwhere = \"slowdown <= 1%\""), @"");
}

#[test]
fn a_condition_without_a_number() {
    insta::assert_snapshot!(wrong_search("[search]\nwhere = \"latency < 900 and power <\""), @"");
}

#[test]
fn an_answer_for_a_key_that_is_not_varied() {
    insta::assert_snapshot!(wrong_search("[search]\nby = [\"network.trunc\"]"), @"");
}

#[test]
fn a_key_that_is_not_known() {
    insta::assert_snapshot!(wrong_search("[search]\nminimise = \"energy\""), @"");
}

#[test]
fn a_margin_that_is_no_share() {
    insta::assert_snapshot!(wrong_search("[search]\nmargin = 5"), @"");
}

#[test]
fn a_search_that_is_no_table() {
    insta::assert_snapshot!(wrong_search("[[search]]\nminimize = \"energy\""), @"");
}
