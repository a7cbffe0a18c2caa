//! Help, usage errors and exit codes.

use crate::support::drowse;

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
    assert_eq!(drowse(&["--version"]).stdout, format!("drowse {}\n", env!("CARGO_PKG_VERSION")));
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
