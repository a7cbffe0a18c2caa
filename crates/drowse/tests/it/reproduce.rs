//! `drowse reproduce`.

use crate::support::{drowse, drowse_in, json_of};

#[test]
fn the_table_of_a_paper() {
    // In a folder without traces.
    let folder = tempfile::tempdir().unwrap();
    let ended = drowse_in(folder.path(), &["reproduce", "torus", "--quick"]);
    assert_eq!(ended.code, Some(0));
    // Simulated numbers are left out here.
    let (exact, _) = ended.stdout.split_once("Section 2.2").unwrap();
    insta::assert_snapshot!(exact, @"");
}

#[test]
fn the_json_of_a_paper() {
    let folder = tempfile::tempdir().unwrap();
    let json = json_of(&drowse_in(folder.path(), &["reproduce", "torus", "--quick", "--format", "json"]));
    let row = &json[0];
    assert_eq!((&row["paper"], &row["verdict"]), (&"torus".into(), &"equal".into()));
    assert_eq!((&row["theirs"], &row["ours"]), (&7.0.into(), &7.0.into()));
}

#[test]
fn a_folder_of_traces_that_is_not_there() {
    let ended = drowse(&["reproduce", "perfbound", "--traces", "nowhere"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @r#"
    nowhere: error: there is no such folder of traces
    help: give the folder that holds the traces, such as --traces traces
    "#);
}

#[test]
fn numbers_without_a_trace_are_told_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let ended = drowse_in(folder.path(), &["reproduce", "perfbound", "--quick"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert!(
        ended.stdout.contains("no trace: traces/sp.A.16.tar.zst is not there; --traces DIR tells where traces are\n")
    );
}
