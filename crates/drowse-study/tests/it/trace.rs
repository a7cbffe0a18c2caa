//! What `drowse trace info` says, by hand on a tiny trace.

use std::fs;

use drowse_core::units::FlopRate;
use drowse_study::trace;
use drowse_tables::schema::TRACE;

/// Two ranks: one computes and sends, the other receives; both meet at a barrier.
pub const PING: &str = "0 init\n0 compute 1000000\n0 send 1 0 1000\n0 barrier\n0 finalize\n\
                        1 init\n1 recv 0 0 1000\n1 barrier\n1 finalize\n";

#[test]
fn a_trace_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ping.ti");
    fs::write(&path, PING).unwrap();
    let row = trace::info(&path, FlopRate(10_000_000_000)).unwrap();
    let number = |name: &str| row.number(name);
    assert_eq!((number("ranks"), number("messages.count")), (Some(2.0), Some(1.0)));
    assert_eq!(number("operations.send"), Some(1.0));
    assert_eq!(number("collectives.barrier"), Some(2.0));
    assert_eq!(number("compute_s"), Some(1e-4));
    for (name, value) in row.iter() {
        assert_eq!(TRACE.column(name).map(|column| column.kind), Some(value.kind()), "{name}");
    }
}

#[test]
fn a_missing_trace_is_named() {
    let error = trace::info("nowhere/cg.tar".as_ref(), FlopRate(1)).unwrap_err();
    insta::assert_snapshot!(error, @r#"
    nowhere/cg.tar: error: this trace cannot be read: No such file or directory (os error 2)
    help: give the path of a trace
    "#);
}
