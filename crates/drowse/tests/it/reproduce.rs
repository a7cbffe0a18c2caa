//! `drowse reproduce`.

use crate::support::{drowse, json_of};

#[test]
fn the_table_of_a_paper() {
    let ended = drowse(&["reproduce", "torus"]);
    assert_eq!(ended.code, Some(0));
    insta::assert_snapshot!(ended.stdout, @r#"
    place                quantity                                    verdict  theirs    ours
    Table 2, 3D-1X       ports of a switch                           equal         7       7
    Table 2, 3D-1X       switches                                    equal        64      64
    Table 2, 3D-1X       ports of the network                        equal       448     448
    Table 2, 2D-4X       ports of a switch                           equal        20      20
    Table 2, 2D-4X       switches                                    equal        16      16
    Table 2, 2D-4X       ports of the network                        equal       320     320
    Table 2, 2D-4X       port ratio                                  equal     0.714  0.7143
    Table 2, 1D-16X      ports of a switch                           equal        48      48
    Table 2, 1D-16X      switches                                    equal         4       4
    Table 2, 1D-16X      ports of the network                        equal       192     192
    Table 2, 1D-16X      port ratio                                  equal     0.428  0.4286
    Table 2, 4D-1X       ports of a switch                           equal         9       9
    Table 2, 4D-1X       switches                                    equal       256     256
    Table 2, 4D-1X       ports of the network                        equal      2304    2304
    Table 2, 3D-4X       ports of a switch                           equal        28      28
    Table 2, 3D-4X       switches                                    equal        64      64
    Table 2, 3D-4X       ports of the network                        equal      1792    1792
    Table 2, 3D-4X       port ratio                                  equal     0.777  0.7778
    Section 1, 3D-1X     links, each direction                       equal       384     384
    Section 1, 3D-1X     mean distance                               equal         3       3
    Section 1, 3D-1X     bisection                                   equal        32      32
    Section 1, 2D-4X     links, each direction                       equal       256     256
    Section 1, 2D-4X     mean distance                               equal         2       2
    Section 1, 2D-4X     bisection                                   equal        32      32
    Section 3.2, 2D-4X   bisection bandwidth, reference network = 1  equal         1       1
    Section 3.2, 1D-16X  bisection bandwidth, reference network = 1  equal         1       1
    Section 3.2, 3D-4X   bisection bandwidth, reference network = 1  equal         1       1

    27 of 27 numbers are equal at the decimals that the paper prints
    "#);
}

#[test]
fn the_json_of_a_paper() {
    let json = json_of(&drowse(&["reproduce", "torus", "--quick", "--format", "json"]));
    let row = &json[0];
    assert_eq!((&row["paper"], &row["verdict"]), (&"torus".into(), &"equal".into()));
    assert_eq!((&row["theirs"], &row["ours"]), (&7.0.into(), &7.0.into()));
}

#[test]
fn a_paper_of_which_nothing_is_reproduced() {
    let ended = drowse(&["reproduce", "runtime"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @r#"
    error: nothing of the paper `runtime` is reproduced yet
    help: papers with numbers: torus, thin-trees
    "#);
}
