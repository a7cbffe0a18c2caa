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
    insta::assert_snapshot!(wrong_search("[search]\nminimize = \"energi\""), @r#"
    x.toml:12:12: error: no figure is named `energi`
     12 | minimize = "energi"
        |            ^^^^^^^^
    help: did you mean `energy`? short names: energy, slowdown, slowdown-of-fastest, job-slowdown, saved, edp, time, latency, power, cost; all others are columns of cases.csv
    "#);
}

#[test]
fn a_condition_on_a_figure_that_is_not_known() {
    insta::assert_snapshot!(wrong_search("[search]\nwhere = \"latency.message.men_ns < 900\""), @r#"
    x.toml:12:9: error: no figure is named `latency.message.men_ns`
     12 | where = "latency.message.men_ns < 900"
        |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: did you mean `latency.message.mean_ns`? short names: energy, slowdown, slowdown-of-fastest, job-slowdown, saved, edp, time, latency, power, cost; all others are columns of cases.csv
    "#);
}

#[test]
fn a_slowdown_without_baseline() {
    insta::assert_snapshot!(wrong_search("[search]\nwhere = \"slowdown <= 1%\""), @r#"
    x.toml:12:9: error: `slowdown` needs a baseline, and this sweep has none
     12 | where = "slowdown <= 1%"
        |         ^^^^^^^^^^^^^^^^
    help: write baseline = "always-on" into [sweep]
    "#);
}

#[test]
fn a_condition_without_a_number() {
    insta::assert_snapshot!(wrong_search("[search]\nwhere = \"latency < 900 and power <\""), @r#"
    x.toml:12:9: error: `search.where`, character 26: a number is wanted here
     12 | where = "latency < 900 and power <"
        |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write 0.01 or 1%
    "#);
}

#[test]
fn an_answer_for_a_key_that_is_not_varied() {
    insta::assert_snapshot!(wrong_search("[search]\nby = [\"network.trunc\"]"), @r#"
    x.toml:12:7: error: no key of the sweep is named `network.trunc`
     12 | by = ["network.trunc"]
        |       ^^^^^^^^^^^^^^^
    help: did you mean `network.trunk`? keys of this sweep: traffic.load, network.trunk
    "#);
}

#[test]
fn a_key_that_is_not_known() {
    insta::assert_snapshot!(wrong_search("[search]\nminimise = \"energy\""), @r#"
    x.toml:12:1: error: unknown key `search.minimise`
     12 | minimise = "energy"
        | ^^^^^^^^
    help: did you mean `minimize`? keys known here: minimize, where, by, margin, unit, verify, pairs
    "#);
}

#[test]
fn a_margin_that_is_no_share() {
    insta::assert_snapshot!(wrong_search("[search]\nmargin = 5"), @r#"
    x.toml:12:10: error: `search.margin` = 5 is no share
     12 | margin = 5
        |          ^
    help: write a number from 0.0 to 1.0
    "#);
}

#[test]
fn a_search_that_is_no_table() {
    insta::assert_snapshot!(wrong_search("[[search]]\nminimize = \"energy\""), @r#"
    x.toml:11:1: error: `search` is not a table
     11 | [[search]]
        | ^^^^^^^^^^
    help: write a table, such as [search] with minimize = "energy" and where = "slowdown <= 1%"
    "#);
}
