//! `drowse sweep --shard`, `drowse merge` and `drowse status`.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::{Ended, drowse_in, json_of, ping};

/// Four cases, two of which are the same network with other timers, and two baselines.
fn swept() -> TempDir {
    let folder = ping();
    let text = fs::read_to_string(folder.path().join("ping.toml")).unwrap();
    let sweep = "[sweep]\nbaseline = \"always-on\"\n\"network.trunk\" = [1, 2]\n\
                 \"power.policy.deep\" = [\"1 us\", \"500 us\"]\n";
    fs::write(folder.path().join("sweep.toml"), format!("{text}{sweep}")).unwrap();
    folder
}

fn well(folder: &Path, arguments: &[&str]) -> String {
    let ended = drowse_in(folder, arguments);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{}", ended.stdout);
    ended.stdout
}

fn shard(folder: &Path, shard: &str) -> String {
    well(folder, &["sweep", "sweep.toml", "--out", "out", "--shard", shard])
}

#[test]
fn two_shards_their_status_and_their_merge() {
    let folder = swept();
    let folder = folder.path();
    insta::assert_snapshot!(shard(folder, "2/2"), @r"
    shard 2/2: 3 of 6 cases and baselines, 3 run now
    `drowse merge out` writes the tables when all shards are done
    ");
    insta::assert_snapshot!(well(folder, &["status", "out"]), @r"
    Ping

    shard  state      all  stored  failed  missing
    1/2    not begun    3       0       0        3
    2/2    done         3       3       0        0
    all    begun        6       3       0        3

    4 cases and 2 baselines
    ");
    let early = drowse_in(folder, &["merge", "out"]);
    assert_eq!((early.code, early.stdout.as_str()), (Some(1), ""));
    insta::assert_snapshot!(early.stderr, @r"
    error: 3 of 6 cases and baselines are missing in out
    help: run them by `drowse sweep FILE --out out` or `drowse submit`, then merge again; `drowse status out` says which shards lack cases
    ");
    shard(folder, "1/2");
    assert!(well(folder, &["merge", "out"]).contains("\n4 cases and 2 baselines, 0 merged now\nout/cases.csv\n"));
    well(folder, &["sweep", "sweep.toml", "--out", "whole"]);
    for table in ["cases.csv", "jobs.csv", "manifest.json"] {
        let read = |out: &str| fs::read_to_string(folder.join(out).join(table)).unwrap();
        assert_eq!(read("out"), read("whole"), "{table}");
    }
    let status = json_of(&drowse_in(folder, &["status", "out", "--format", "json"]));
    assert_eq!((&status["counts"]["stored"], &status["shards"][0]["state"]), (&6.into(), &"done".into()));
    assert!(well(folder, &["best", "out", "--where", "slowdown <= 1%"]).starts_with("least energy: "));
}

#[test]
fn a_case_that_cannot_finish_is_a_failure_of_its_shard_and_of_the_merge() {
    let folder = swept();
    let folder = folder.path();
    fs::write(folder.join("ping.ti"), "0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 finalize\n").unwrap();
    for arguments in [&["sweep", "sweep.toml", "--out", "out", "--shard", "1/1"][..], &["merge", "out"]] {
        let Ended { code, stderr, .. } = drowse_in(folder, arguments);
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains("cases could not finish, the first because of: deadlock"), "{stderr}");
    }
}

/// What ends with exit code 2, and a message with these words.
#[test]
fn wrong_uses() {
    let folder = swept();
    let folder = folder.path();
    shard(folder, "1/2");
    well(folder, &["sweep", "sweep.toml", "--out", "seed", "--set", "seed=7"]);
    well(folder, &["run", "ping.toml", "--out", "run"]);
    fs::write(folder.join("file"), "").unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    let sweep = ["sweep", "sweep.toml", "--out"];
    let submit = ["submit", "sweep.toml", "--out"];
    let count = "shards count from 1 to N, such as 1/4 to 4/4";
    for (arguments, words) in [
        ([&sweep[..], &["x", "--shard", "0/3"]].concat(), count),
        ([&sweep[..], &["x", "--shard", "4/3"]].concat(), count),
        ([&sweep[..], &["x", "--shard", "1/0"]].concat(), count),
        ([&sweep[..], &["x", "--shard", "third"]].concat(), "write it as K/N, such as 1/4 for the first of four"),
        ([&sweep[..], &["run", "--shard", "1/2"]].concat(), "holds the tables of a run"),
        ([&sweep[..], &["file", "--shard", "1/2"]].concat(), "is a file, not a folder"),
        ([&sweep[..], &["/proc/x", "--shard", "1/2"]].concat(), "cannot be written"),
        (vec!["merge", "out", "seed"], "the sweep in this folder is not that in out: the experiments differ"),
        (vec!["merge", "out", "--out", "seed"], "the sweep in this folder is not that in the folders to merge"),
        (vec!["merge", "empty"], "no sweep has written to this folder"),
        (vec!["merge", "run"], "no sweep has written to this folder"),
        (vec!["merge"], "required arguments were not provided"),
        (vec!["status", "nowhere"], "no sweep has written to this folder"),
        (vec!["status", "file"], "no sweep has written to this folder"),
        ([&submit[..], &["x"]].concat(), "required arguments were not provided"),
        ([&submit[..], &["x", "--slurm", "--hq"]].concat(), "cannot be used with"),
        ([&submit[..], &["x", "--slurm", "--dry-run", "--option", "time=1"]].concat(), "`time=1` is no option"),
        ([&submit[..], &["x", "--slurm", "--dry-run", "--tasks", "0"]].concat(), "number would be zero"),
        ([&submit[..], &["x\ny", "--slurm", "--dry-run"]].concat(), "no script can hold"),
        ([&submit[..], &["run", "--hq", "--dry-run"]].concat(), "holds the tables of a run"),
    ] {
        let Ended { code, stdout, stderr } = drowse_in(folder, &arguments);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
        assert!(!folder.join("x").exists(), "{arguments:?}");
    }
}
