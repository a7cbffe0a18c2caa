//! What `drowse trace info` says, by hand on a tiny trace.

use std::fs;
use std::sync::Arc;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::iterations::{Known, Marked};
use drowse_core::workload::operation::{Operation, OperationSource};
use drowse_run::trace;
use drowse_tables::schema::TRACE;
use drowse_traces::{ComputeModel, Trace};

use crate::support::root;

/// Two ranks: one computes and sends, the other receives; both meet at a barrier.
pub const PING: &str = "0 init\n0 compute 1000000\n0 send 1 0 1000\n0 barrier\n0 finalize\n\
                        1 init\n1 recv 0 0 1000\n1 barrier\n1 finalize\n";

#[test]
fn a_trace_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ping.ti");
    fs::write(&path, PING).unwrap();
    let (row, _) = trace::info(&path, None, FlopRate(10_000_000_000)).unwrap();
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
    let error = trace::info("nowhere/cg.tar".as_ref(), None, FlopRate(1)).unwrap_err();
    insta::assert_snapshot!(error, @r#"
    nowhere/cg.tar: error: this trace cannot be read: No such file or directory (os error 2)
    help: give the path of a trace
    "#);
}

/// The iterations that the shipped programs were run with, and one more where a benchmark does one before it takes the
/// time (its graph in `graphs.rs` says so, too) or CoMD exchanges its atoms once before the first. EP has none. What
/// HPL does to each column is no iteration of all ranks.
#[test]
fn iterations_are_found_in_shipped_traces() {
    let found = [
        ("bt.A.16", Some(10 + 1)),
        ("cg.A.16", Some(3 + 1)),
        ("cg.A.64", Some(3 + 1)),
        ("comd.64", Some(10 + 1)),
        ("ep.W.64", None),
        ("ft.A.16", Some(6)),
        ("graph500.64", Some(4)),
        ("hpl.64", None),
        ("is.A.16", Some(10 + 1)),
        ("is.A.64", Some(10 + 1)),
        ("lu.A.16", Some(10 + 1)),
        ("lulesh.64", Some(10)),
        ("mg.A.64", Some(4 + 1)),
        ("sp.A.16", Some(10 + 1)),
        ("stencil2d.64", Some(20)),
    ];
    for (name, iterations) in found {
        let path = root("traces").join(format!("{name}.tar.zst"));
        let (row, _) = trace::info(&path, None, FlopRate(10_000_000_000)).unwrap();
        assert_eq!(row.number("iterations.count"), iterations.map(f64::from), "{name}");
        let from = if iterations.is_some() { "period" } else { "none" };
        assert_eq!(row.get("iterations.from").unwrap().to_string(), from, "{name}");
    }
}

/// Returns all operations of a rank.
fn operations(source: &mut dyn OperationSource, rank: u32) -> Vec<Operation> {
    let mut operations = Vec::new();
    loop {
        let before = operations.len();
        source.refill(rank, &mut operations).unwrap();
        if operations.len() == before {
            return operations;
        }
    }
}

/// Blocks of text end anywhere, but marks are where they belong, each rank has all of them, and nothing else changes.
/// Here an iteration begins with receives, but for what is computed before.
#[test]
fn marks_are_all_that_is_added() {
    let trace = Trace::open(root("traces/stencil2d.64.tar.zst")).unwrap();
    let compute = ComputeModel {
        flops_per_second: FlopRate(10_000_000_000),
        scale: 1.0,
        drop_multiples: None,
        wait_multiples: None,
    };
    let Known::Period(iterations) = Known::find(trace.operations(compute).as_mut()).unwrap() else { panic!() };
    let mut marked = Marked::new(trace.operations(compute), Arc::clone(&iterations));
    let mut plain = trace.operations(compute);
    for rank in 0..trace.ranks() {
        let marked = operations(&mut marked, rank);
        let marks = marked.split(|operation| *operation == Operation::Iteration);
        for part in marks.clone().skip(1) {
            let first = part.iter().find(|operation| !matches!(operation, Operation::Compute(_)));
            assert!(matches!(first, Some(Operation::Irecv { .. })), "{first:?}");
        }
        assert_eq!(marks.clone().count() - 1, iterations.count());
        assert_eq!(marks.flatten().cloned().collect::<Vec<_>>(), operations(plain.as_mut(), rank));
    }
}
