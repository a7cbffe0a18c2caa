//! Errors of `[[job]]`, `[traffic]` and `[sweep]`; those of patterns and lengths are in `wrong_traffic`.

use crate::support::{NETWORK, TRAFFIC, wrong};

#[test]
fn nothing_to_run() {
    insta::assert_snapshot!(wrong(NETWORK), @r#"
    x.toml: error: nothing runs on this network
    help: add [[job]] with trace = "...", or [traffic] with load, warmup and measure
    "#);
}

#[test]
fn a_sweep() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{TRAFFIC}{}", r#"
[sweep]
"power.policy.deep" = ["10 us", "50 us"]
"#)), @r#"
    x.toml:9:1: error: this is a sweep, and one case is wanted
     9 | [sweep]
       | ^^^^^^^
    help: run all cases by `drowse sweep FILE --out DIR`, or pick one value of each key, such as --set power.policy.deep='10 us'
    "#);
}

#[test]
fn a_measured_window_beside_jobs() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{TRAFFIC}{}", r#"
[[job]]
trace = "cg.tar"
"#)), @r#"
    x.toml:6:10: error: `traffic.warmup` is for traffic without jobs: beside jobs, their run time is measured
     6 | warmup = "100 cycles"
       |          ^^^^^^^^^^^^
    help: remove it, or all [[job]]
    "#);
}

#[test]
fn a_count_beside_jobs() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = 0.1
count = "delivered"
[[job]]
trace = "cg.tar"
"#)), @r#"
    x.toml:6:9: error: `traffic.count` is for traffic without jobs: beside jobs, their run time is measured
     6 | count = "delivered"
       |         ^^^^^^^^^^^
    help: remove it, or all [[job]]
    "#);
}

#[test]
fn free_nodes_under_a_scheduler() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = 0.1
nodes = "free"
[scheduler]
kind = "easy-backfilling"
[[job]]
trace = "cg.tar"
estimate = "1 s"
"#)), @r#"
    x.toml:6:9: error: under a scheduler, which nodes are free changes
     6 | nodes = "free"
       |         ^^^^^^
    help: write "all", or remove [scheduler]
    "#);
}

#[test]
fn a_hot_spot_among_free_nodes() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = 0.1
nodes = "free"
pattern = { kind = "hot-spot", nodes = [0], share = 0.2 }
[[job]]
trace = "cg.tar"
"#)), @r#"
    x.toml:6:9: error: a hot spot names its nodes, so that it cannot be kept to those without a job
     6 | nodes = "free"
       |         ^^^^^^
    help: write nodes = "all", or take another pattern
    "#);
}

#[test]
fn nodes_of_traffic_alone() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{TRAFFIC}{}", r#"nodes = "free"
"#)), @r#"
    x.toml:8:9: error: `traffic.nodes` is for traffic beside jobs
     8 | nodes = "free"
       |         ^^^^^^
    help: remove it, or add [[job]]
    "#);
}

#[test]
fn nodes_that_are_no_such_word() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = 0.1
nodes = "idle"
[[job]]
trace = "cg.tar"
"#)), @r#"
    x.toml:6:9: error: `traffic.nodes` = "idle" is not known
     6 | nodes = "idle"
       |         ^^^^^^
    help: this version knows: all, free
    "#);
}

#[test]
fn a_load_below_zero_beside_jobs() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = -0.1
[[job]]
trace = "cg.tar"
"#)), @r#"
    x.toml:5:8: error: `traffic.load` = -0.1 is out of range
     5 | load = -0.1
       |        ^^^^
    help: write a share of a node's injection bandwidth: 0.0 to 1.0
    "#);
}

#[test]
fn a_job_without_trace() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[[job]]
name = "CG"
"#)), @r#"
    x.toml:4:1: error: `job.0` has neither a trace nor an app
     4 | [[job]]
       | ^^^^^^^
    help: write trace = "traces/cg.A.64.tar.zst", or app = { kind = "stencil", ... }
    "#);
}

#[test]
fn a_job_that_is_a_number() {
    insta::assert_snapshot!(wrong(&format!("job = 3
{NETWORK}")), @r#"
    x.toml:1:7: error: `job`: integer `3` has the wrong type
     1 | job = 3
       |       ^
    help: write a table
    "#);
}

#[test]
fn no_jobs_at_all() {
    insta::assert_snapshot!(wrong(&format!("job = []
{NETWORK}")), @r#"
    x.toml:1:7: error: the list of jobs is empty
     1 | job = []
       |       ^^
    help: write at least one [[job]] table
    "#);
}

#[test]
fn a_negative_scale() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[[job]]
trace = "cg.tar"
compute = { scale = -0.5 }
"#)), @r#"
    x.toml:6:21: error: `job.0.compute.scale` = -0.5 is out of range
     6 | compute = { scale = -0.5 }
       |                     ^^^^
    help: write a number of 0.0 or more
    "#);
}

#[test]
fn a_speed_without_unit() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[[job]]
trace = "cg.tar"
compute = { flops_per_second = "10" }
"#)), @r#"
    x.toml:6:32: error: `job.0.compute.flops_per_second`: `10` has no unit that is known here (known: flop/s, kflop/s, Mflop/s, Gflop/s, Tflop/s); write it like "10 Gflop/s"
     6 | compute = { flops_per_second = "10" }
       |                                ^^^^
    "#);
}

#[test]
fn a_job_that_never_runs() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[[job]]
trace = "cg.tar"
repeat = 0
"#)), @r#"
    x.toml:6:10: error: `job.0.repeat` = 0 is out of range
     6 | repeat = 0
       |          ^
    help: write a number from 1 to 4294967295
    "#);
}

#[test]
fn no_copy_of_a_job() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[[job]]
trace = "cg.tar"
count = 0
"#)), @r#"
    x.toml:6:9: error: `job.0.count` = 0 is out of range
     6 | count = 0
       |         ^
    help: write a number from 1 to 65536
    "#);
}

#[test]
fn a_job_with_a_seed_below_zero() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[[job]]
trace = "cg.tar"
placement = "random"
seed = -1
"#)), @r#"
    x.toml:7:8: error: `job.0.seed`: integer `-1` is out of range
     7 | seed = -1
       |        ^^
    help: write a whole number, 0 or more
    "#);
}

#[test]
fn two_jobs_of_one_name() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[[job]]
name = "CG"
trace = "cg.tar"
[[job]]
name = "CG"
trace = "bt.tar"
"#)), @r#"
    x.toml:8:8: error: two jobs are called `CG`
     8 | name = "CG"
       |        ^^^^
    help: give each job a name of its own; copies are called NAME-1, NAME-2, ...
    "#);
}

#[test]
fn a_job_called_like_a_copy() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[[job]]
name = "CG-2"
trace = "cg.tar"
[[job]]
name = "CG"
count = 2
trace = "cg.tar"
"#)), @r#"
    x.toml:8:8: error: two jobs are called `CG-2`
     8 | name = "CG"
       |        ^^^^
    help: give each job a name of its own; copies are called NAME-1, NAME-2, ...
    "#);
}

#[test]
fn a_load_above_one() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = 1.5
warmup = "0 cycles"
measure = "10 cycles"
"#)), @r#"
    x.toml:5:8: error: `traffic.load` = 1.5 is out of range
     5 | load = 1.5
       |        ^^^
    help: write a share of a node's injection bandwidth: above 0.0, at most 1.0
    "#);
}

#[test]
fn a_window_that_is_missing() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = 0.5
warmup = "0 cycles"
"#)), @r#"
    x.toml:4:1: error: `traffic.measure` is missing
     4 | [traffic]
       | ^^^^^^^^^
    help: write measure = "20000 cycles"
    "#);
}

#[test]
fn a_window_without_length() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = 0.5
warmup = "0 cycles"
measure = "0 cycles"
"#)), @r#"
    x.toml:7:11: error: the measured window is empty
     7 | measure = "0 cycles"
       |           ^^^^^^^^^^
    help: write at least "1 cycle"
    "#);
}

#[test]
fn a_window_of_no_whole_cycles() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = 0.5
warmup = "0 cycles"
measure = "1001 ns"
"#)), @r#"
    x.toml:7:11: error: `traffic.measure` = 1.001 us is no whole number of clock cycles of 1.6 ns
     7 | measure = "1001 ns"
       |           ^^^^^^^^^
    help: write "626 cycles"
    "#);
}

#[test]
fn a_window_without_unit() {
    insta::assert_snapshot!(wrong(&format!("{NETWORK}{}", r#"[traffic]
load = 0.5
warmup = "5"
measure = "10 cycles"
"#)), @r#"
    x.toml:6:10: error: `traffic.warmup`: `5` has no unit that is known here (known: cycles, ps, ns, us, µs, ms, s); write it like "4.48 us"
     6 | warmup = "5"
       |          ^^^
    "#);
}

/// Algorithms of collectives: unknown ones, and segments that are too short.
#[test]
fn unknown_algorithms() {
    let job = |collectives: &str| {
        let text = "[network]\nkind = \"ideal\"\nnodes = 4\nlatency = \"1 us\"\n[[job]]\ntrace = \"a\"\n";
        wrong(&format!("{text}collectives = {{ {collectives} }}\n"))
    };
    let unknown = job("allreduce = \"rings\"");
    assert!(unknown.starts_with("x.toml:7:29: error: ") && unknown.contains("ring"), "{unknown}");
    let unknown = job("rules = \"4.0\"");
    assert!(unknown.starts_with("x.toml:7:25: error: ") && unknown.contains("4.1"), "{unknown}");
    let short = job("bcast = \"chain\", segment = \"100 B\"");
    assert!(short.starts_with("x.toml:7:"), "{short}");
    assert!(short.contains("error: `job.0.collectives.segment` = 100 B is too short"), "{short}");
    assert!(short.contains("write at least \"4 KiB\""), "{short}");
    let many = job("allreduce = \"nccl-ring\", channels = 65");
    assert!(many.contains("error: `job.0.collectives.channels` = 65 is out of range"), "{many}");
    assert!(many.contains("write a number from 1 to 64"), "{many}");
}

/// Loads are shares of a bandwidth, which the ideal network need not have.
#[test]
fn loads_without_a_bandwidth() {
    let text = "[network]\nkind = \"ideal\"\nnodes = 4\nlatency = \"1 us\"\n[traffic]\nload = 0.3\n\
                warmup = \"10 cycles\"\nmeasure = \"10 cycles\"\n";
    let error = wrong(text);
    assert!(error.starts_with("x.toml:6:"), "{error}");
    assert!(error.contains("error: loads are shares of a bandwidth"), "{error}");
}

/// Returns the message, and the help, of an experiment with two jobs whose keys are given.
fn two_jobs(first: &str, second: &str, more: &str) -> String {
    let app = "app = { kind = \"stencil\", dims = [2], bytes = \"1 KiB\", compute = \"1 us\", iterations = 1 }";
    wrong(&format!("{NETWORK}{more}[[job]]\n{app}\n{first}\n[[job]]\n{app}\n{second}\n"))
}

#[test]
fn jobs_that_all_wait_for_the_others() {
    const WORD: &str = "repeat = \"until-others-end\"";
    let all = two_jobs(WORD, WORD, "");
    assert!(all.contains("every job has repeat = \"until-others-end\", so that the run would never end"), "{all}");
    let one = two_jobs(WORD, "", "[scheduler]\nkind = \"first-come-first-served\"\n");
    assert!(one.contains("`job.0.repeat` = \"until-others-end\" is for jobs without a scheduler"), "{one}");
}

#[test]
fn repetitions_that_are_neither_a_number_nor_the_word() {
    for (value, what) in
        [("\"until-other-end\"", "until-other-end"), ("0", "out of range"), ("true", "a number of runs"), ("-1", "-1")]
    {
        let text = two_jobs(&format!("repeat = {value}"), "", "");
        assert!(text.contains(what) && text.contains("error: "), "{value}: {text}");
    }
}

#[test]
fn times_of_a_trace() {
    for (value, what) in
        [("3 ms", "is no time from one to another"), ("3 ms..2 ms", "ends before it begins"), ("3..4 ms", "unit")]
    {
        let text = wrong(&format!("{NETWORK}[[job]]\ntrace = \"cg.tar\"\ntime = \"{value}\"\n"));
        assert!(text.contains(what), "{value}: {text}");
    }
    let app = two_jobs("time = \"1 ms..\"", "", "");
    assert!(app.contains("`job.0.time` is a part of a trace, and this is none"), "{app}");
}
