//! `drowse sweep`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::support::{drowse_in, json_of, ping};

/// Makes the folder of the tiny experiment, with a sweep over it.
fn swept(sweep: &str) -> TempDir {
    let folder = ping();
    let text = fs::read_to_string(folder.path().join("ping.toml")).unwrap();
    fs::write(folder.path().join("sweep.toml"), format!("{text}[sweep]\n{sweep}\n")).unwrap();
    folder
}

#[test]
fn the_table_of_a_sweep() {
    let folder = swept("\"network.trunk\" = [1, 2]\n\"power.policy.deep\" = [\"1 us\", \"500 us\"]");
    let ended = drowse_in(folder.path(), &["sweep", "sweep.toml", "--out", "out"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "progress is for terminals only");
    insta::assert_snapshot!(ended.stdout, @r"
    Ping

    network.trunk  power.policy.deep  makespan   latency  net energy     deep
    1              1 us               109.3 us  4.661 us     8.44 mJ  94.96 %
    1              500 us             100.3 us  0.181 us     9.42 mJ   0.00 %
    2              1 us               109.3 us  4.661 us     9.87 mJ  95.70 %
    2              500 us             100.3 us  0.181 us    12.43 mJ   0.00 %

    4 cases, 4 run now
    out/cases.csv
    out/engine.csv
    out/jobs.csv
    out/manifest.json
    ");
}

#[test]
fn the_json_of_a_sweep_and_of_what_is_left_of_it() {
    let folder = swept("seed = { from = 1, to = 3, step = 1 }");
    let arguments = ["sweep", "sweep.toml", "--out", "out", "--format", "json", "--set", "network.trunk=2"];
    for ran in [3, 0] {
        let json = json_of(&drowse_in(folder.path(), &arguments));
        assert_eq!((&json["cases"], &json["ran"], &json["failed"]), (&3.into(), &ran.into(), &0.into()));
        assert_eq!(json["files"].as_array().map(Vec::len), Some(5), "with statistics.csv");
    }
}

#[test]
fn a_dry_run_counts_and_estimates_and_writes_nothing() {
    let folder =
        swept("baseline = \"always-on\"\n\"network.trunk\" = [1, 2]\n\"power.policy.deep\" = [\"1 us\", \"500 us\"]");
    let dry = |more: &[&str]| {
        drowse_in(folder.path(), &[["sweep", "sweep.toml", "--out", "out", "--dry-run"].as_slice(), more].concat())
    };
    let ended = dry(&["--threads", "2"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ended.stdout, @r"
    Ping

    case  network.trunk  power.policy.deep
    1     1              1 us
    2     1              500 us
    3     2              1 us
    4     2              500 us

    4 cases and 2 baselines, 0 cases stored, 6 runs to do
    time: not known before a case has run; --probe runs a part of one
    counted: case 3 moves about 3 messages in 10 packets over 23 hops: on one core
      less than a second by packets (3 million hops a second), less than a second by
      flows (20 thousand messages a second)
    memory: about 14.06 KiB for the networks and simulations of 2 cases at a time;
      traces, packets and messages come on top
    ");
    assert!(!folder.path().join("out").exists());
    let probed = json_of(&dry(&["--probe", "--format", "json"]));
    assert_eq!(probed["estimated_from"], "probe");
    assert!(probed["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0 && seconds < 60.0), "{probed}");
    assert!(!folder.path().join("out").exists(), "a probe is no result");
    let some = ["sweep", "sweep.toml", "--out", "out", "--set", "network.trunk=1"];
    assert_eq!(drowse_in(folder.path(), &some).code, Some(0));
    let told = json_of(&dry(&["--format", "json"]));
    let counts = ["cases", "stored", "baselines", "missing"].map(|name| told[name].as_u64().unwrap());
    assert_eq!((counts, &told["estimated_from"]), ([4, 2, 2, 3], &"stored".into()));
    let seconds = ["seconds_least", "seconds", "seconds_most"].map(|name| told[name].as_f64().unwrap());
    assert!(seconds[0] <= seconds[1] && seconds[1] <= seconds[2], "{seconds:?}");
    let text = dry(&[]).stdout;
    assert_eq!(text.matches("  stored\n").count(), 2, "{text}");
    assert!(text.replace("\n ", "").contains("by the times of 3 stored cases"), "{text}");
}

#[test]
fn many_cases_are_asked_for_by_number() {
    let folder = swept("seed = { from = 1, to = 10001, step = 1 }");
    let ended = drowse_in(folder.path(), &["sweep", "sweep.toml", "--out", "out"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @r"
    error: this sweep has 10001 cases, and up to 10000 are run
    help: see with --dry-run what they cost; --cases 10001 runs them all
    ");
    assert!(!folder.path().join("out").exists());
    let few = |cases: &str| {
        let set = "sweep.seed={ from = 1, to = 3, step = 1 }";
        drowse_in(folder.path(), &["sweep", "sweep.toml", "--out", "out", "--set", set, "--cases", cases]).code
    };
    assert_eq!([few("2"), few("3")], [Some(2), Some(0)]);
}

#[test]
fn run_says_which_command_to_use() {
    let ended = drowse_in(swept("seed = [1, 2]").path(), &["run", "sweep.toml"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @r#"
    sweep.toml:10:1: error: this is a sweep, and one case is wanted
     10 | [sweep]
        | ^^^^^^^
    help: run all cases by `drowse sweep FILE --out DIR`, or pick one value of each
          key, such as --set seed=1
    "#);
}

#[test]
fn run_takes_one_value_of_each_key() {
    let arguments = ["run", "sweep.toml", "--format", "json", "--set", "seed=2"];
    assert_eq!(json_of(&drowse_in(swept("seed = [1, 2]").path(), &arguments))["seed"], 2);
}

#[test]
fn cases_that_cannot_finish() {
    let folder = swept("\"job.0.trace\" = [\"ping.ti\", \"stuck.ti\"]");
    fs::write(folder.path().join("stuck.ti"), "0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 finalize\n").unwrap();
    let ended = drowse_in(folder.path(), &["sweep", "sweep.toml", "--out", "out"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.starts_with("error: 1 of 2 cases could not finish, the first because of: deadlock at"));
    assert!(ended.stderr.ends_with("help: all are listed in out/failed.csv\n"), "{}", ended.stderr);
    assert!(ended.stdout.contains("out/cases.csv\n"));
}

#[test]
fn a_wrong_case() {
    let ended = drowse_in(swept("\"network.dims\" = [[4], [1]]").path(), &["sweep", "sweep.toml", "--out", "out"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @r#"
    sweep.toml:11:24: error: `network.dims` = [1] is out of range
     11 | "network.dims" = [[4], [1]]
        |                        ^^^
    help: each dimension has 2 to 65535 switches
    this is case 2 of 2: network.dims = [1]
    "#);
}

/// Kills a sweep again and again, each time somewhat later, until it ends by itself.
#[test]
fn a_sweep_that_is_killed_ends_with_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[network]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nload = 0.5\nwarmup = \"100 cycles\"\n\
                measure = \"5000 cycles\"\n[sweep]\nseed = { from = 1, to = 24, step = 1 }\n";
    fs::write(folder.path().join("x.toml"), text).unwrap();
    assert_eq!(drowse_in(folder.path(), &["sweep", "x.toml", "--out", "whole"]).code, Some(0));
    let mut kills = 0;
    while !ends_within(folder.path(), Duration::from_millis(15 * (kills + 1))) {
        kills += 1;
    }
    assert!(kills > 0, "nothing was killed: make the sweep longer");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("killed/cases.csv"), read("whole/cases.csv"));
    assert_eq!(read("killed/manifest.json"), read("whole/manifest.json"));
    assert_eq!(fs::read_dir(folder.path().join("killed/cases")).unwrap().count(), 24);
}

/// Starts the sweep, and kills it when it has not ended in time.
fn ends_within(folder: &Path, time: Duration) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_drowse"))
        .current_dir(folder)
        .args(["sweep", "x.toml", "--out", "killed"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(time);
    let ended = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    ended.is_some_and(|status| status.success())
}
