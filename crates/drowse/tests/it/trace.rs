//! `drowse trace info`.

use crate::support::{drowse_in, json_of, ping};

#[test]
fn the_table_of_a_trace() {
    let ended = drowse_in(ping().path(), &["trace", "info", "ping.ti"]);
    assert_eq!(ended.code, Some(0));
    insta::assert_snapshot!(ended.stdout, @r#"
    ping.ti

    trace
      format                   simgrid-ti
      ranks                             2
      point-to-point messages           1
      bytes of these                1,000 B
      computing, all ranks          100.0 us
      operations simulated              9
      approximated                      0
      without effect                    0
      iterations known from          none

    operations
      barrier                           2
      compute                           1
      finalize                          2
      init                              2
      recv                              1
      send                              1

    collectives (calls, all ranks)
      barrier                           2
    "#);
}

#[test]
fn the_json_of_a_trace() {
    let arguments = ["trace", "info", "ping.ti", "--format", "json", "--flops-per-second", "1 Gflop/s"];
    let json = json_of(&drowse_in(ping().path(), &arguments));
    assert_eq!((&json["ranks"], &json["messages"]["count"]), (&2.into(), &1.into()));
    assert_eq!(json["collectives"]["barrier"], 2);
    assert_eq!(json["compute_s"], 1e-3);
    assert_eq!(json["warnings"], serde_json::json!([]));
}

#[test]
fn a_trace_that_is_not_there() {
    let ended = drowse_in(ping().path(), &["trace", "info", "pong.ti"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.stderr, @r#"
    pong.ti: error: this trace cannot be read: No such file or directory (os error
        2)
    help: give the path of a trace
    "#);
}
