//! `drowse usage`.

use std::fs;

use crate::support::{drowse, drowse_in, json_of, ping};

#[test]
fn the_table_of_an_example() {
    let ended =
        drowse(&["usage", "examples/usage-torus.toml", "--count", "cables", "--time", "10 ms", "--delay", "10 us"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ended.stdout, @r#"
    NPB MG on a torus of 6 dimensions: which links does it use?

    workload
      ranks                                           4,096
      nodes with ranks                                  128
      messages                                      474,336
      bytes                                           845.4 MiB
      messages between nodes                        240,448
      bytes between nodes                             448.9 MiB
      packets                                     3,796,352
      channels between switches on a route, mean      1.750

    used of all
      channels, 728 of 1,536                          47.40 %
      cables, 400 of 768                              52.08 %
      dim-0, 64 of 128                                50.00 %
      dim-1, 64 of 128                                50.00 %
      dim-2, 48 of 128                                37.50 %
      dim-3, 64 of 128                                50.00 %
      dim-4, 64 of 128                                50.00 %
      dim-5, 96 of 128                                75.00 %

    time
      needed by the busiest channel                   252.7 us
      given                                           10.00 ms
      to switch a channel off or on                   10.00 us
      utilisation                                      0.64 %
      power that could be saved at most               99.36 %
    "#);
}

#[test]
fn the_json_of_a_trace() {
    let folder = ping();
    let json = json_of(&drowse_in(folder.path(), &["usage", "ping.toml", "--format", "json"]));
    // One message of 1,000 bytes, and a barrier of two; under adaptive routing, a neighbour is reached one way only.
    assert_eq!((&json["messages"]["count"], &json["messages"]["bytes"]), (&3.into(), &1000.into()));
    assert_eq!((&json["channels"]["used"], &json["channels"]["total"]), (&2.into(), &8.into()));
    assert_eq!((&json["cables"]["used"], &json["by_class"]["dim-0"]["fraction"]), (&1.into(), &0.25.into()));
    assert_eq!((&json["utilisation"], &json["warnings"]), (&serde_json::Value::Null, &serde_json::json!([])));
}

#[test]
fn files_are_written_and_named() {
    let folder = ping();
    let ended = drowse_in(folder.path(), &["usage", "ping.toml", "--out", "out"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    for name in ["usage.csv", "usage_channels.csv", "usage_matrix.csv", "usage_matrix.svg"] {
        assert!(ended.stdout.contains(name) && folder.path().join("out").join(name).is_file(), "{name}");
    }
    insta::assert_snapshot!(fs::read_to_string(folder.path().join("out/usage_channels.csv")).unwrap(), @r#"
    channel,class,from,to,messages,packets,bytes
    0,dim-0,switch 0 port 0,switch 1 port 1,2,9,1000
    2,node,switch 0 port 2,node 0,1,1,0
    4,dim-0,switch 1 port 1,switch 0 port 0,1,1,0
    5,node,switch 1 port 2,node 1,2,9,1000
    12,node,node 0,switch 0 port 2,2,9,1000
    13,node,node 1,switch 1 port 2,1,1,0
    "#);
    insta::assert_snapshot!(fs::read_to_string(folder.path().join("out/usage_matrix.csv")).unwrap(), @r#"
    from,to,block,messages,bytes
    0,1,1,2,1000
    1,0,1,1,0
    "#);
}

#[test]
fn a_graph_is_run_too() {
    let json = json_of(&drowse(&["run", "examples/usage-tree.toml", "--format", "json"]));
    let usage = json_of(&drowse(&["usage", "examples/usage-tree.toml", "--format", "json"]));
    assert!(json["makespan_s"].as_f64() > Some(0.0));
    assert_eq!(json["packets"]["delivered"], usage["network"]["packets"]);
}

#[test]
fn a_delay_needs_a_time() {
    let ended = drowse(&["usage", "examples/usage-tree.toml", "--delay", "1 us"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("--time"), "{}", ended.stderr);
}
