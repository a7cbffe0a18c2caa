//! `drowse reproduce`.

use crate::support::{drowse, drowse_in, json_of};

#[test]
fn the_table_of_a_paper() {
    // In a folder without traces.
    let folder = tempfile::tempdir().unwrap();
    let ended = drowse_in(folder.path(), &["reproduce", "torus", "--quick"]);
    assert_eq!(ended.code, Some(0));
    // Simulated numbers are left out here.
    let (exact, _) = ended.stdout.split_once("Section 4.1").unwrap();
    insta::assert_snapshot!(exact, @r#"
                                                    verdict      theirs       ours
    Table 1
      omega_Sport                                   set             0.1     0.1000
      omega_ports                                   set            0.65     0.6500
      omega_net                                     set            0.15     0.1500
    Table 2, 3D-1X
      ports of a switch                             equal             7          7
      switches                                      equal            64         64
      ports of the network                          equal           448        448
    Table 2, 2D-4X
      ports of a switch                             equal            20         20
      switches                                      equal            16         16
      ports of the network                          equal           320        320
      port ratio                                    equal         0.714     0.7143
    Table 2, 1D-16X
      ports of a switch                             equal            48         48
      switches                                      equal             4          4
      ports of the network                          equal           192        192
      port ratio                                    equal         0.428     0.4286
    Table 2, 4D-1X
      ports of a switch                             equal             9          9
      switches                                      equal           256        256
      ports of the network                          equal          2304       2304
    Table 2, 3D-4X
      ports of a switch                             equal            28         28
      switches                                      equal            64         64
      ports of the network                          equal          1792       1792
      port ratio                                    equal         0.777     0.7778
    Section 1, 3D-1X
      links, each direction (channels)              equal           384        384
      mean distance (channels)                      equal             3          3
      bisection (links)                             equal            32         32
      links, cables                                                   -        192
      mean distance, different nodes (channels)                       -      3.048
    Section 1, 2D-4X
      links, each direction (channels)              equal           256        256
      mean distance (channels)                      equal             2          2
      bisection (links)                             equal            32         32
      links, cables                                                   -        128
      mean distance, different nodes (channels)                       -      2.032
    Section 3.2, 2D-4X
      bisection bandwidth, reference network = 1    equal             1          1
    Section 3.2, 1D-16X
      bisection bandwidth, reference network = 1    equal             1          1
    Section 3.2, 3D-4X
      bisection bandwidth, reference network = 1    equal             1          1
    Section 2.2, 2D-4X
      E_net over run time without power saving,
      reference network = 1                         equal         0.714     0.7143
    Section 2.2, 1D-16X
      E_net over run time without power saving,
      reference network = 1                         equal         0.428     0.4286
    "#);
}

#[test]
fn the_json_of_a_paper() {
    let folder = tempfile::tempdir().unwrap();
    let json = json_of(&drowse_in(folder.path(), &["reproduce", "torus", "--quick", "--format", "json"]));
    let row = &json[0];
    assert_eq!((&row["paper"], &row["verdict"]), (&"torus".into(), &"set".into()));
    assert_eq!((&row["theirs"], &row["ours"]), (&0.1.into(), &0.1.into()));
}

#[test]
fn a_folder_of_traces_that_is_not_there() {
    let ended = drowse(&["reproduce", "perfbound", "--traces", "nowhere"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @r#"
    nowhere: error: this folder of traces does not exist
    help: give the folder that holds the traces, such as --traces traces
    "#);
}

#[test]
fn numbers_without_a_trace_are_told_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let ended = drowse_in(folder.path(), &["reproduce", "perfbound", "--quick"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let words = ended.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("not run: no trace: traces/sp.A.16.tar.zst is not there; --traces DIR tells where traces are")
    );
}

#[test]
fn weights_that_cannot_be() {
    let ended = drowse(&["reproduce", "thin-trees", "--quick", "--weights", "AA=0,XY=2"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    let told = ended.stderr.lines().next().unwrap_or_default();
    assert!(told.contains("there is no workload `XY`; there are AA, BI, BU"), "{told}");
    let ended = drowse(&["reproduce", "torus", "--quick", "--weights", "AA=0"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @"
    error: `--weights` are those of workloads of `thin-trees`; `torus` has none
    help: leave it out
    ");
}

#[test]
fn seeds_that_cannot_be() {
    let ended = drowse(&["reproduce", "runtime", "--quick", "--seeds", "2"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @"
    error: `--seeds` are those of cases that draw, of `torus` and `thin-trees`; `runtime` has none
    help: leave it out
    ");
    for seeds in ["0", "4294967295"] {
        let ended = drowse(&["reproduce", "torus", "--quick", "--seeds", seeds]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
        let told = format!("invalid value '{seeds}' for '--seeds <N>': {seeds} is not in 1..=1000");
        assert!(ended.stderr.contains(&told), "{}", ended.stderr);
    }
}

/// Before the first simulation, and not when its paper's turn comes.
#[test]
fn a_folder_that_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("runtime"), "mine").unwrap();
    let ended = drowse_in(folder.path(), &["reproduce", "all", "--quick", "--out", "."]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("runtime: is a file, not a folder"), "{}", ended.stderr);
    assert!(std::fs::read_dir(folder.path().join("torus")).unwrap().next().is_none(), "something was simulated");
    assert_eq!(std::fs::read(folder.path().join("runtime")).unwrap(), b"mine");
}
