//! `--set path=value`: what it changes, and its errors.

use drowse_core::topology::TopologySpec;

use crate::support::{NETWORK, TRAFFIC, overridden, wrong_with};

fn experiment() -> String {
    format!("{NETWORK}{TRAFFIC}")
}

fn wrong_set(overrides: &[&str]) -> String {
    wrong_with(&experiment(), overrides)
}

#[test]
fn values_are_toml_or_text() {
    let sets = ["network.dims=[8]", "switch.clock=2 ns", "switch.packet=\"64 B\"", "power.policy={kind=\"always-on\"}"];
    let case = overridden(&experiment(), &sets);
    let TopologySpec::Torus(torus) = &case.system.topology else { panic!("a torus") };
    assert_eq!(torus.dims, [8]);
    assert_eq!(case.system.config.switch.clock.0, 2_000);
    assert_eq!(case.system.config.switch.packet_flits, 4);
}

#[test]
fn an_override_replaces_whole_values() {
    let text = format!("{NETWORK}[power]\npolicy = {{ kind = \"stall-timer\", deep = \"5 us\" }}\n{TRAFFIC}");
    assert!(!overridden(&text, &[]).is_always_on());
    assert!(overridden(&text, &["power.policy={kind = \"always-on\"}"]).is_always_on());
}

#[test]
fn the_last_override_counts() {
    assert_eq!(overridden(&experiment(), &["seed=2", "seed=3"]).system.config.seed, 3);
}

#[test]
fn tables_of_lists_are_numbered() {
    let text = format!("{NETWORK}[[link]]\nclass = \"node\"\nlatency = \"5 ns\"\n{TRAFFIC}");
    let case = overridden(&text, &["link.0.latency=7 ns"]);
    assert_eq!(case.system.config.classes[0].latency.0, 7_000);
    assert_eq!(case.system.config.classes[1].latency.0, 10_000);
}

#[test]
fn the_experiment_is_kept_with_its_overrides() {
    let case = overridden(&experiment(), &["network.trunk=2", "switch.clock=2 ns"]);
    insta::assert_snapshot!(case.experiment, @r#"
    [network]
    dims = [4, 4]
    kind = "torus"
    trunk = 2

    [switch]
    clock = "2 ns"

    [traffic]
    load = 0.3
    measure = "1000 cycles"
    warmup = "100 cycles"
    "#);
}

#[test]
fn a_misspelt_path() {
    insta::assert_snapshot!(wrong_set(&["network.dmis=[4, 4]"]), @r#"
    --set network.dmis: error: unknown key `network.dmis`
      | network.dmis = [4, 4]
      |         ^^^^
    help: did you mean `dims`? keys known here: dims, trunk, nodes, rings_of_two, ties, kind, failed, routing
    "#);
}

#[test]
fn a_value_out_of_range() {
    insta::assert_snapshot!(wrong_set(&["seed=3", "traffic.load=1.5"]), @r#"
    --set traffic.load: error: `traffic.load` = 1.5 is out of range
      | traffic.load = 1.5
      |                ^^^
    help: write a share of a node's injection bandwidth: above 0.0, at most 1.0
    "#);
}

#[test]
fn a_value_that_should_be_toml() {
    insta::assert_snapshot!(wrong_set(&["network.dims=[4, x]"]), @r#"
    --set network.dims: error: this is no TOML: string values must be quoted, expected literal string
      | network.dims = [4, x]
      |                    ^
    help: see https://toml.io for the syntax
    "#);
}

#[test]
fn a_value_of_the_wrong_type() {
    insta::assert_snapshot!(wrong_set(&["network.trunk=four"]), @r#"
    --set network.trunk: error: `network.trunk`: string "four" has the wrong type
      | network.trunk = "four"
      |                 ^^^^^^
    help: write a whole number such as 4, or a list with one per dimension such as [1, 4]
    "#);
}

#[test]
fn no_value() {
    insta::assert_snapshot!(wrong_set(&["traffic.load"]), @r#"
    --set traffic.load: error: there is no `=`
    help: write --set path=value, such as --set network.trunk=2
    "#);
}

#[test]
fn no_name() {
    insta::assert_snapshot!(wrong_set(&["network.=4"]), @r#"
    --set network.=4: error: `network.` is no path of a key
    help: join key names by dots, such as power.policy.deep; number the tables of a list from 0: job.0.trace
    "#);
}

#[test]
fn a_key_of_a_value() {
    insta::assert_snapshot!(wrong_set(&["traffic.load.share=4"]), @r#"
    --set traffic.load.share: error: no table `load` holds such a key
      | traffic.load.share = 4
      | ^^^^^^^^^^^^^^^^^^^^^^
    help: give the path of one key; number the tables of a list from 0, such as job.0.trace
    "#);
}

#[test]
fn an_item_of_a_list_of_numbers() {
    insta::assert_snapshot!(wrong_set(&["network.dims.0=4"]), @r#"
    --set network.dims.0: error: no table `dims` holds such a key
      | network.dims.0 = 4
      | ^^^^^^^^^^^^^^^^^^
    help: give the path of one key; number the tables of a list from 0, such as job.0.trace
    "#);
}

#[test]
fn a_value_that_smuggles_in_another_key() {
    insta::assert_snapshot!(wrong_set(&["network.trunk=[1, 1]\nnetwork.nodes=2"]), @r#"
    --set network.trunk: error: this sets more than one key
      | network.trunk = [1, 1]
      | ^^^^^^^^^^^^^^^^^^^^^^
    help: use one --set per key
    "#);
}

#[test]
fn an_error_in_the_file_stays_there_with_overrides() {
    let text = format!("{NETWORK}nods = 4\n{TRAFFIC}");
    insta::assert_snapshot!(wrong_with(&text, &["seed=3"]), @r#"
    x.toml:4:1: error: unknown key `network.nods`
     4 | nods = 4
       | ^^^^
    help: did you mean `nodes`? keys known here: dims, trunk, nodes, rings_of_two, ties, kind, failed, routing
    "#);
}
