//! `drowse rerun`: the same results are the same, and what was changed by hand is found.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::{Ended, drowse_in, ping};

/// A folder with the tables of a run and its baseline.
fn ran() -> TempDir {
    let folder = ping();
    let tables = ["--table", "waiting", "--peak-window", "5us", "--table", "message-sizes", "--timeline", "prv"];
    let arguments = [&["run", "ping.toml", "--baseline", "always-on", "--out", "run"][..], &tables].concat();
    assert_eq!(drowse_in(folder.path(), &arguments).code, Some(0));
    folder
}

fn rerun(folder: &TempDir, more: &[&str]) -> Ended {
    drowse_in(folder.path(), &[&["rerun", "run"], more].concat())
}

fn edit(file: &Path, change: impl FnOnce(String) -> String) {
    let old = fs::read_to_string(file).unwrap();
    let new = change(old.clone());
    assert_ne!(old, new);
    fs::write(file, new).unwrap();
}

#[test]
fn a_run_is_the_same_again() {
    let folder = ran();
    let ended = rerun(&folder, &["--threads", "2"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ended.stdout, @r"
    cases.csv              same
    channels.csv           same
    engine.csv             not compared: differs from run to run
    jobs.csv               same
    manifest.json          same
    message_sizes.csv      same
    ranks.csv              same
    switches.csv           same
    timeline-baseline.pcf  not compared: is not made again; `drowse run --timeline` writes it
    timeline-baseline.prv  not compared: is not made again; `drowse run --timeline` writes it
    timeline-baseline.row  not compared: is not made again; `drowse run --timeline` writes it
    timeline.pcf           not compared: is not made again; `drowse run --timeline` writes it
    timeline.prv           not compared: is not made again; `drowse run --timeline` writes it
    timeline.row           not compared: is not made again; `drowse run --timeline` writes it
    waiting.csv            same
    ");
    // The folder of the experiment is known, wherever the command is given.
    let elsewhere = tempfile::tempdir().unwrap();
    let absolute = folder.path().join("run");
    assert_eq!(drowse_in(elsewhere.path(), &["rerun", absolute.to_str().unwrap()]).code, Some(0));
    // Where the results were moved and the machine is unknown, --from says it.
    fs::remove_file(folder.path().join("run/host.json")).unwrap();
    assert_eq!(rerun(&folder, &["--from", ".", "--out", "again"]).code, Some(0));
    for table in ["cases.csv", "channels.csv", "waiting.csv", "manifest.json"] {
        let read = |of: &str| fs::read(folder.path().join(of).join(table)).unwrap();
        assert_eq!(read("run"), read("again"), "{table}");
    }
}

#[test]
fn what_differs_is_named() {
    let folder = ran();
    let file = |name: &str| folder.path().join("run").join(name);
    let id = fs::read_to_string(file("engine.csv")).unwrap().lines().nth(1).unwrap()[..16].to_owned();
    edit(&file("ranks.csv"), |text| text.replacen(",1000,", ",1001,", 1).replacen(",1000\n", ",1001\n", 1));
    edit(&file("waiting.csv"), |text| text.split_inclusive('\n').take(3).collect());
    fs::remove_file(file("jobs.csv")).unwrap();
    let ended = rerun(&folder, &[]);
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.stderr, "error: run: 3 files differ from what the experiment gives now\n");
    let line = |name: &str| ended.stdout.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(
        line("ranks.csv").ends_with(&format!("line 2, case {id}, column `bytes`: was 1001, is 1000")),
        "{}",
        line("ranks.csv")
    );
    assert!(
        line("waiting.csv").ends_with("DIFFERS: line 4") && line("jobs.csv").ends_with("not among the old results")
    );
    assert!(line("cases.csv").ends_with("same"));
}

#[test]
fn a_sweep_is_the_same_again() {
    let folder = ping();
    let sweep = "sweep={ \"power.policy.deep\" = [\"1 us\", \"20 us\"] }";
    assert_eq!(drowse_in(folder.path(), &["sweep", "ping.toml", "--set", sweep, "--out", "run"]).code, Some(0));
    let ended = rerun(&folder, &[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let same = ended.stdout.lines().filter(|line| line.ends_with("  same")).count();
    assert_eq!(same, 3, "cases, jobs and manifest: {}", ended.stdout);
    edit(&folder.path().join("run/manifest.json"), |text| text.replace("20 us", "30 us"));
    let ended = rerun(&folder, &[]);
    assert!(
        ended.code == Some(2) && ended.stderr.contains("manifest.json: is not as it was written"),
        "{}",
        ended.stderr
    );
    fs::remove_file(folder.path().join("run/checksums.json")).unwrap();
    let ended = rerun(&folder, &[]);
    assert!(ended.code == Some(1) && ended.stdout.contains("column `set.power.policy.deep`: was 20 us, is 30 us"));
}

/// The cases of a sweep are in the order of its keys, which a rerun keeps.
#[test]
fn a_sweep_whose_keys_are_in_no_alphabetical_order_is_the_same_again() {
    let folder = ping();
    let sweep = "sweep={ \"power.policy.deep\" = [\"20 us\", \"1 us\"], \"network.trunk\" = [2, 1], seed = [1, 2] }";
    let arguments = ["sweep", "ping.toml", "--set", sweep, "--set", "seed=3", "--out", "run"];
    assert_eq!(drowse_in(folder.path(), &arguments).code, Some(0));
    let ended = rerun(&folder, &[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{}", ended.stdout);
    let same = ended.stdout.lines().filter(|line| line.ends_with("  same")).count();
    assert_eq!(same, 3, "cases, jobs and manifest: {}", ended.stdout);
}

#[test]
fn what_cannot_be_made_again_is_refused() {
    let folder = ran();
    let refused = |arguments: &[&str]| {
        let ended = drowse_in(folder.path(), arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        ended.stderr
    };
    insta::assert_snapshot!(refused(&["rerun", "none"]), @"error: none/manifest.json: cannot be read: No such file or directory (os error 2); give a folder that `drowse run --out` or `drowse sweep --out` has written");
    insta::assert_snapshot!(refused(&["rerun", "run", "--out", "run"]), @"error: run: holds something; give a new folder");
    let manifest = folder.path().join("run/manifest.json");
    let whole = fs::read_to_string(&manifest).unwrap();
    fs::remove_file(folder.path().join("run/checksums.json")).unwrap();
    // Another trace under the same name.
    edit(&folder.path().join("ping.ti"), |text| text.replace("1000000", "2000000"));
    let message = refused(&["rerun", "run"]);
    assert!(message.starts_with("error: ping.ti: this is not the trace of the results"), "{message}");
    edit(&manifest, |text| text.replace("\"build\"", "\"built\""));
    insta::assert_snapshot!(refused(&["rerun", "run"]), @"error: run/manifest.json: lacks what a rerun needs (missing field `build`): it is of an older version");
    fs::write(&manifest, &whole[..whole.len() / 2]).unwrap();
    assert!(refused(&["rerun", "run"]).contains("is no manifest: "));
}
