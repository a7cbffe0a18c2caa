//! Errors of `[sweep]`, and of its cases.

use drowse_experiment::Sweep;

use crate::support::{NETWORK, TRAFFIC, source, wrong, wrong_with};

fn experiment(sweep: &str) -> String {
    format!("{NETWORK}{TRAFFIC}[sweep]\n{sweep}\n")
}

/// Returns the first message of a sweep or of its cases.
fn wrong_sweep(sweep: &str) -> String {
    let source = source(&experiment(sweep), &[]).unwrap();
    let check = |sweep: &Sweep<'_>, number| {
        let case = sweep.case(number)?;
        sweep.baseline(number, &case).map(|_| ())
    };
    let all = Sweep::new(&source).and_then(|sweep| (0..sweep.cases()).try_for_each(|number| check(&sweep, number)));
    all.expect_err("an error").to_string()
}

#[test]
fn one_case_of_a_sweep() {
    insta::assert_snapshot!(wrong(&experiment("\"switch.clock\" = [\"1 ns\", \"2 ns\"]\nseed = [3, 4]")), @r#"
    x.toml:8:1: error: this is a sweep, and one case is wanted
     8 | [sweep]
       | ^^^^^^^
    help: run all cases by `drowse sweep FILE --out DIR`, or pick one value of each key, such as --set switch.clock='1 ns' --set seed=3
    "#);
}

#[test]
fn one_case_of_a_sweep_with_some_values_picked() {
    insta::assert_snapshot!(wrong_with(&experiment("\"network.trunk\" = [1, 2]\nseed = [3, 4]"), &["seed=3"]), @r#"
    x.toml:8:1: error: this is a sweep, and one case is wanted
     8 | [sweep]
       | ^^^^^^^
    help: run all cases by `drowse sweep FILE --out DIR`, or pick one value of each key, such as --set network.trunk=1
    "#);
}

#[test]
fn a_value_that_does_not_fit() {
    insta::assert_snapshot!(wrong_sweep("seed = [1, 2]\n\"switch.buffer\" = [\"16 KiB\", \"64 B\"]"), @r#"
    x.toml:10:30: error: a buffer of 64 B has no room for a packet in each VC
     10 | "switch.buffer" = ["16 KiB", "64 B"]
        |                              ^^^^^^
    help: 4 VCs with a packet of 8 flits each need at least 512 B
    this is case 2 of 4: seed = 1, switch.buffer = "64 B"
    "#);
}

#[test]
fn a_value_that_makes_another_key_wrong() {
    insta::assert_snapshot!(wrong_sweep("\"switch.buffer\" = [\"1 KiB\"]\n\"switch.packet\" = [\"128 B\", \"1 KiB\"]"), @r#"
    x.toml:9:20: error: a buffer of 1024 B has no room for a packet in each VC
     9 | "switch.buffer" = ["1 KiB"]
       |                    ^^^^^^^
    help: 4 VCs with a packet of 64 flits each need at least 4096 B
    this is case 2 of 2: switch.buffer = "1 KiB", switch.packet = "1 KiB"
    "#);
}

#[test]
fn a_value_of_a_range() {
    insta::assert_snapshot!(wrong_sweep("\"traffic.load\" = { from = 0.5, to = 1.5, step = 0.5 }"), @r#"
    x.toml:9:18: error: `traffic.load` = 1.5 is out of range
     9 | "traffic.load" = { from = 0.5, to = 1.5, step = 0.5 }
       |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write a share of a node's injection bandwidth: above 0.0, at most 1.0
    this is case 3 of 3: traffic.load = 1.5
    "#);
}

#[test]
fn a_misspelt_key() {
    insta::assert_snapshot!(wrong_sweep("\"network.trnk\" = [1, 2]"), @r#"
    x.toml:9:1: error: unknown key `network.trnk`
     9 | "network.trnk" = [1, 2]
       | ^^^^^^^^^^^^^^
    help: did you mean `trunk`? keys known here: dims, trunk, nodes, rings_of_two, ties, kind, failed, routing
    this is case 1 of 2: network.trnk = 1
    "#);
}

#[test]
fn no_path() {
    insta::assert_snapshot!(wrong_sweep("\"network..trunk\" = [1, 2]"), @r#"
    x.toml:9:1: error: `network..trunk` is no path of a key
     9 | "network..trunk" = [1, 2]
       | ^^^^^^^^^^^^^^^^
    help: join key names by dots, such as power.policy.deep; number the tables of a list from 0: job.0.trace
    "#);
}

#[test]
fn a_single_value() {
    insta::assert_snapshot!(wrong_sweep("seed = 3"), @r#"
    x.toml:9:8: error: `seed` has one value, and a sweep needs a list
     9 | seed = 3
       |        ^
    help: write a list such as [1, 2, 4], or a range such as { from = 1, to = 5, step = 1 }
    "#);
}

#[test]
fn no_value() {
    insta::assert_snapshot!(wrong_sweep("seed = []"), @r#"
    x.toml:9:8: error: `seed` has no value
     9 | seed = []
       |        ^^
    help: list at least one value
    "#);
}

#[test]
fn one_key_twice() {
    insta::assert_snapshot!(wrong_sweep("\"power.policy.deep\" = [\"1 us\"]\n\"power.policy\" = [{ kind = \"always-on\" }]"), @r#"
    x.toml:10:1: error: `power.policy.deep` and `power.policy` set the same key
     10 | "power.policy" = [{ kind = "always-on" }]
        | ^^^^^^^^^^^^^^
    help: vary one of them
    "#);
}

#[test]
fn a_range_without_step() {
    insta::assert_snapshot!(wrong_sweep("seed = { from = 1, to = 3 }"), @r#"
    x.toml:9:8: error: `step` of the range `seed` is missing
     9 | seed = { from = 1, to = 3 }
       |        ^^^^^^^^^^^^^^^^^^^^
    help: a range is { from = 1, to = 5, step = 1 }, or with units { from = "10 us", ... }
    "#);
}

#[test]
fn a_range_with_another_key() {
    insta::assert_snapshot!(wrong_sweep("seed = { from = 1, to = 3, stop = 3 }"), @r#"
    x.toml:9:28: error: unknown key `stop`
     9 | seed = { from = 1, to = 3, stop = 3 }
       |                            ^^^^
    help: a range is { from = 1, to = 5, step = 1 }, or with units { from = "10 us", ... }
    "#);
}

#[test]
fn a_range_of_two_units() {
    insta::assert_snapshot!(wrong_sweep("\"switch.clock\" = { from = \"1 ns\", to = \"1 us\", step = \"1 ns\" }"), @r#"
    x.toml:9:18: error: from, to and step have different units
     9 | "switch.clock" = { from = "1 ns", to = "1 us", step = "1 ns" }
       |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write all three in one unit, or list the values
    "#);
}

#[test]
fn a_range_that_leads_nowhere() {
    insta::assert_snapshot!(wrong_sweep("seed = { from = 5, to = 1, step = 1 }"), @r#"
    x.toml:9:8: error: the range is empty: its steps lead away from `to`
     9 | seed = { from = 5, to = 1, step = 1 }
       |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: exchange from and to, or change the sign of step
    "#);
}

#[test]
fn a_range_of_words() {
    insta::assert_snapshot!(wrong_sweep("seed = { from = \"one\", to = 5, step = 1 }"), @r#"
    x.toml:9:17: error: `from` is no decimal number
     9 | seed = { from = "one", to = 5, step = 1 }
       |                 ^^^^^
    help: write a decimal number of at most 18 digits without exponent; with a unit in quotes: "10 us"
    "#);
}

#[test]
fn too_many_cases() {
    insta::assert_snapshot!(
        wrong_sweep("seed = { from = 1, to = 2000, step = 1 }\n\"traffic.load\" = { from = 0.001, to = 1, step = 0.001 }"),
        @r#"
    x.toml:8:1: error: this sweep has 2000000 cases; the most is 1000000
     8 | [sweep]
       | ^^^^^^^
    help: list fewer values, or split it into several experiments
    "#
    );
}

#[test]
fn the_sweep_is_no_key() {
    insta::assert_snapshot!(wrong_sweep("\"sweep.seed\" = [[1], [2]]"), @r#"
    x.toml:9:1: error: `sweep.seed` is no path of a key
     9 | "sweep.seed" = [[1], [2]]
       | ^^^^^^^^^^^^
    help: join key names by dots, such as power.policy.deep; number the tables of a list from 0: job.0.trace
    "#);
}

#[test]
fn a_range_by_a_factor_of_one() {
    insta::assert_snapshot!(wrong_sweep("seed = { from = 1, to = 8, factor = 1 }"), @r#"
    x.toml:9:8: error: a factor of one leads nowhere
     9 | seed = { from = 1, to = 8, factor = 1 }
       |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write a factor that leads from `from` to `to`
    "#);
}

#[test]
fn a_range_by_a_factor_of_a_unit() {
    insta::assert_snapshot!(wrong_sweep("\"switch.clock\" = { from = \"1 ns\", to = \"1 us\", factor = 10 }"), @r#"
    x.toml:9:18: error: from and to have different units, or the factor has one
     9 | "switch.clock" = { from = "1 ns", to = "1 us", factor = 10 }
       |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write from and to in one unit, such as "1 us" and "1000 us", and factor without
    "#);
}

#[test]
fn step_and_factor() {
    insta::assert_snapshot!(wrong_sweep("seed = { from = 1, to = 8, step = 1, factor = 2 }"), @r#"
    x.toml:9:8: error: the range `seed` has a step and a factor
     9 | seed = { from = 1, to = 8, step = 1, factor = 2 }
       |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write one of them
    "#);
}

#[test]
fn keys_of_different_lengths() {
    insta::assert_snapshot!(wrong_sweep("seed = [1, 2]\n\"network.trunk\" = [1, 2, 4]\nzip = [[\"seed\", \"network.trunk\"]]"), @r#"
    x.toml:11:17: error: `seed` has 2 values and `network.trunk` 3: they cannot go together
     11 | zip = [["seed", "network.trunk"]]
        |                 ^^^^^^^^^^^^^^^
    help: give both as many values
    "#);
}

#[test]
fn a_key_in_two_groups() {
    insta::assert_snapshot!(wrong_sweep("seed = [1, 2]\n\"network.trunk\" = [1, 2]\nzip = [[\"seed\", \"network.trunk\"], [\"seed\"]]"), @r#"
    x.toml:11:36: error: `seed` goes together with two groups of keys, or twice with one
     11 | zip = [["seed", "network.trunk"], ["seed"]]
        |                                    ^^^^^^
    help: name each key once
    "#);
}

#[test]
fn a_group_of_a_key_that_is_not_varied() {
    insta::assert_snapshot!(wrong_sweep("seed = [1, 2]\nzip = [[\"seed\", \"network.trnk\"]]"), @r#"
    x.toml:10:17: error: `network.trnk` is not varied
     10 | zip = [["seed", "network.trnk"]]
        |                 ^^^^^^^^^^^^^^
    help: keys of this sweep: seed
    "#);
}

#[test]
fn an_exception_of_a_misspelt_key() {
    insta::assert_snapshot!(wrong_sweep("\"network.trunk\" = [1, 2]\nexcept = [{ network.trnk = 1 }]"), @r#"
    x.toml:10:21: error: `network.trnk` is not varied
     10 | except = [{ network.trnk = 1 }]
        |                     ^^^^
    help: did you mean `network.trunk`? keys of this sweep: network.trunk
    "#);
}

#[test]
fn an_exception_of_no_value() {
    insta::assert_snapshot!(wrong_sweep("\"network.trunk\" = [1, 2]\nexcept = [{ network.trunk = 3 }]"), @r#"
    x.toml:10:29: error: `network.trunk` has no such value
     10 | except = [{ network.trunk = 3 }]
        |                             ^
    help: its values: 1, 2
    "#);
}

#[test]
fn no_point_is_left() {
    insta::assert_snapshot!(wrong_sweep("seed = [1, 2]\nexcept = [{ seed = [1, 2] }]"), @r#"
    x.toml:10:10: error: every point is left out
     10 | except = [{ seed = [1, 2] }]
        |          ^^^^^^^^^^^^^^^^^^^
    help: name fewer values
    "#);
}

#[test]
fn an_unknown_baseline() {
    insta::assert_snapshot!(wrong_sweep("seed = [1, 2]\nbaseline = \"allways-on\""), @r#"
    x.toml:10:12: error: `sweep.baseline` = "allways-on" is not known
     10 | baseline = "allways-on"
        |            ^^^^^^^^^^^^
    help: write baseline = "always-on", or a table of keys such as { "network.trunk" = 1 }
    "#);
}

#[test]
fn a_baseline_that_replaces_a_section() {
    insta::assert_snapshot!(wrong_sweep("seed = [1, 2]\nbaseline = { network = { trunk = 1 } }"), @r#"
    x.toml:10:14: error: `network` would replace a whole section
     10 | baseline = { network = { trunk = 1 } }
        |              ^^^^^^^
    help: write the path of one key in quotes, such as "power.policy" = { kind = "always-on" }
    "#);
}

#[test]
fn a_baseline_with_a_wrong_key() {
    insta::assert_snapshot!(wrong_sweep("seed = [1, 2]\nbaseline = { \"network.trnk\" = 1 }"), @r#"
    x.toml:10:14: error: unknown key `network.trnk`
     10 | baseline = { "network.trnk" = 1 }
        |              ^^^^^^^^^^^^^^
    help: did you mean `trunk`? keys known here: dims, trunk, nodes, rings_of_two, ties, kind, failed, routing
    this is case 1 of 2: seed = 1
    "#);
}

#[test]
fn names_that_do_not_tell_values_apart() {
    let two = "\"power.policy\" = [{ name = \"a\", kind = \"immediate\" }, { name = \"a\", kind = \"oracle\" }]";
    assert!(wrong_sweep(two).contains("two values of `power.policy` are named `a`"), "{}", wrong_sweep(two));
    let number = "\"power.policy\" = [{ name = 5, kind = \"immediate\" }]";
    assert!(wrong_sweep(number).contains("the `name` of a value is no text"), "{}", wrong_sweep(number));
}
