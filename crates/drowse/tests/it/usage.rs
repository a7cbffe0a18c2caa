//! Help, usage errors and exit codes.

use std::fs;

use crate::support::{drowse, drowse_in, json_of, ping};

#[test]
fn help_ends_well_and_names_the_commands() {
    let ended = drowse(&["--help"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    for command in ["run", "network", "trace", "usage", "Exit codes"] {
        assert!(ended.stdout.contains(command), "{command}");
    }
}

#[test]
fn the_version_is_the_packages() {
    let version = format!("drowse {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(drowse(&["-V"]).stdout, version);
    // Results name the build, too.
    let long = drowse(&["--version"]).stdout;
    let build = long.strip_prefix(&version).and_then(|rest| rest.strip_prefix("build ")).unwrap().trim();
    let folder = ping();
    let json = json_of(&drowse_in(folder.path(), &["run", "ping.toml", "--format", "json", "--out", "out"]));
    assert_eq!(json["engine"]["build"], build);
    let manifest = fs::read_to_string(folder.path().join("out/manifest.json")).unwrap();
    assert!(manifest.contains(&format!("\"build\": \"{build}\"")), "{manifest}");
}

#[test]
fn wrong_usage_is_bad_input() {
    for arguments in [
        &["sleep"][..],
        &["run"],
        &["run", "x.toml", "--threads", "0"],
        &["run", "x.toml", "--format", "xml"],
        &["trace", "info", "x", "--flops-per-second", "fast"],
        &[],
    ] {
        let ended = drowse(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!ended.stderr.is_empty());
    }
}

#[test]
fn a_file_that_is_not_there() {
    let ended = drowse(&["network", "nowhere.toml"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @r#"
    nowhere.toml: error: this file cannot be read: No such file or directory (os
        error 2)
    help: give the path of an experiment file
    "#);
}

#[test]
fn a_file_that_is_no_text() {
    let ended = drowse(&["network", "examples"]);
    assert_eq!(ended.code, Some(2));
}
