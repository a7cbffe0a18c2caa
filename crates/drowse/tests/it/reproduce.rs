//! `drowse reproduce`.

use crate::support::{drowse, drowse_in, json_of};

#[test]
fn the_table_of_a_paper() {
    // In a folder without traces.
    let folder = tempfile::tempdir().unwrap();
    let ended = drowse_in(folder.path(), &["reproduce", "torus", "--quick"]);
    assert_eq!(ended.code, Some(0));
    // What is simulated is left out here.
    let is_static =
        |line: &&str| ["place", "Table 2", "Section 1", "Section 3.2"].iter().any(|place| line.starts_with(place));
    let table: Vec<&str> = ended.stdout.lines().filter(is_static).collect();
    insta::assert_snapshot!(table.join("\n"), @r#"
    place                             quantity                                                unit      verdict   theirs    ours
    Table 2, 3D-1X                    ports of a switch                                       ports     equal          7       7
    Table 2, 3D-1X                    switches                                                switches  equal         64      64
    Table 2, 3D-1X                    ports of the network                                    ports     equal        448     448
    Table 2, 2D-4X                    ports of a switch                                       ports     equal         20      20
    Table 2, 2D-4X                    switches                                                switches  equal         16      16
    Table 2, 2D-4X                    ports of the network                                    ports     equal        320     320
    Table 2, 2D-4X                    port ratio                                              1         equal      0.714  0.7143
    Table 2, 1D-16X                   ports of a switch                                       ports     equal         48      48
    Table 2, 1D-16X                   switches                                                switches  equal          4       4
    Table 2, 1D-16X                   ports of the network                                    ports     equal        192     192
    Table 2, 1D-16X                   port ratio                                              1         equal      0.428  0.4286
    Table 2, 4D-1X                    ports of a switch                                       ports     equal          9       9
    Table 2, 4D-1X                    switches                                                switches  equal        256     256
    Table 2, 4D-1X                    ports of the network                                    ports     equal       2304    2304
    Table 2, 3D-4X                    ports of a switch                                       ports     equal         28      28
    Table 2, 3D-4X                    switches                                                switches  equal         64      64
    Table 2, 3D-4X                    ports of the network                                    ports     equal       1792    1792
    Table 2, 3D-4X                    port ratio                                              1         equal      0.777  0.7778
    Section 1, 3D-1X                  links, each direction                                   channels  equal        384     384
    Section 1, 3D-1X                  mean distance                                           channels  equal          3       3
    Section 1, 3D-1X                  bisection                                               links     equal         32      32
    Section 1, 3D-1X                  links, cables                                           links                    -     192
    Section 1, 3D-1X                  mean distance, different nodes                          channels                 -   3.048
    Section 1, 2D-4X                  links, each direction                                   channels  equal        256     256
    Section 1, 2D-4X                  mean distance                                           channels  equal          2       2
    Section 1, 2D-4X                  bisection                                               links     equal         32      32
    Section 1, 2D-4X                  links, cables                                           links                    -     128
    Section 1, 2D-4X                  mean distance, different nodes                          channels                 -   2.032
    Section 3.2, 2D-4X                bisection bandwidth, reference network = 1              1         equal          1       1
    Section 3.2, 1D-16X               bisection bandwidth, reference network = 1              1         equal          1       1
    Section 3.2, 3D-4X                bisection bandwidth, reference network = 1              1         equal          1       1
    "#);
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
