//! `drowse best`.

use std::fs;

use tempfile::TempDir;

use crate::support::{drowse_in, json_of, ping};

/// A sweep of two trunks and two stall timers, with its baselines.
fn swept() -> TempDir {
    let folder = ping();
    let text = fs::read_to_string(folder.path().join("ping.toml")).unwrap();
    let sweep = "[sweep]\nbaseline = \"always-on\"\n\"network.trunk\" = [1, 2]\n\
                 \"power.policy.deep\" = [\"1 us\", \"500 us\"]\n";
    fs::write(folder.path().join("sweep.toml"), format!("{text}{sweep}")).unwrap();
    let ended = drowse_in(folder.path(), &["sweep", "sweep.toml", "--out", "out"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("4 cases and 2 baselines, 6 run now"), "{}", ended.stdout);
    folder
}

/// The ping takes 109.3 us with the short timer and 100.3 us with the long one, which never sleeps.
#[test]
fn a_sentence_and_a_table() {
    let folder = swept();
    let best = |condition: &[&str]| drowse_in(folder.path(), &[["best", "out"].as_slice(), condition].concat());
    let ended = best(&[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert!(ended.stdout.starts_with("least energy: "), "{}", ended.stdout);
    let best_of = |condition: &[&str]| {
        let json = json_of(&best(&[condition, ["--format", "json"].as_slice()].concat()));
        let groups = json["groups"].as_array().unwrap();
        groups.iter().map(|group| group["best"]["label"].as_str().unwrap_or("none").to_owned()).collect::<Vec<_>>()
    };
    let short = best_of(&[]);
    assert!(short[0].contains("1 us") && short[0].contains("trunk 1"), "{short:?}");
    let long = best_of(&["--where", "slowdown <= 1%", "--by", "network.trunk"]);
    assert!(long.len() == 2 && long.iter().all(|label| label.contains("500 us")), "{long:?}");
    assert_eq!(best_of(&["--where", "slowdown < 0"]), ["none"]);
}

/// Cases of a front that are equal in both figures are one row of it.
#[test]
fn equal_cases_are_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let cases = "set.network.trunk,makespan_s,energy.network_j,case_id\n1,1.0,5.0,a\n2,2.0,4.0,b\n3,1.0,5.0,c\n\
                 4,1.0,5.0,d\n5,2.0,9.0,e\n";
    fs::write(folder.path().join("cases.csv"), cases).unwrap();
    let ended = drowse_in(folder.path(), &["best", "."]);
    let front = "case                   energy     time\n\
                 trunk 1, and 2 equal  5.000 J  1.000 s\n\
                 trunk 2               4.000 J  2.000 s\n";
    assert!(ended.stdout.ends_with(front), "{}", ended.stdout);
    let json = json_of(&drowse_in(folder.path(), &["best", ".", "--format", "json"]));
    assert_eq!(json["groups"][0]["front"].as_array().unwrap().len(), 4);
    let ended = drowse_in(folder.path(), &["best", ".", "--minimize", "makespan_s"]);
    let told = "least makespan_s: trunk 1, with 1.000 s (5 cases, 2 others are as good).\n\n\
                case       makespan_s\n\
                trunk 1    1.000 s\n";
    assert_eq!(ended.stdout.split_whitespace().collect::<Vec<_>>(), told.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn a_wrong_condition() {
    let ended = drowse_in(swept().path(), &["best", "out", "--where", "slowdwn <= 1%"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.starts_with("--where:1: error: no figure is named `slowdwn`\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("did you mean `slowdown`?"), "{}", ended.stderr);
}
