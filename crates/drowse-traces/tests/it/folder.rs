//! Compares a whole folder of traces with its table of counts; on request, since such folders are large.
//!
//! `DROWSE_TRACES` names a folder of `*.tar.zst` with a `MANIFEST.tsv` whose columns are named `trace`, `ranks`,
//! `actions`, `p2p_msgs`, `p2p_bytes`, `flops_total` and one each for the counts of collectives and other operations.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::operation::Operation;
use drowse_traces::{ComputeModel, Trace, TraceInfo};

use crate::sample::operations;

#[test]
fn folder_agrees_with_its_manifest() {
    let Some(folder) = std::env::var_os("DROWSE_TRACES").map(PathBuf::from) else {
        println!("skipped: DROWSE_TRACES is not set");
        return;
    };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut lines = manifest.lines();
    let header: Vec<_> = lines.next().unwrap().split('\t').collect();
    for line in lines {
        let row: BTreeMap<_, _> = header.iter().copied().zip(line.split('\t')).collect();
        let start = Instant::now();
        let trace = Trace::open(folder.join(format!("{}.tar.zst", row["trace"]))).unwrap();
        let opened = start.elapsed();
        let info = trace.info().unwrap();
        println!("{}: opened in {opened:.2?}, info after {:.2?}", row["trace"], start.elapsed());
        for warning in &info.warnings {
            println!("    {warning}");
        }
        compare(&row, &info);
        if info.check_simulable().is_ok() {
            compare_operations(&trace, &info);
            println!("    operations after {:.2?}", start.elapsed());
        }
    }
}

/// Compares the counts with a row of the table.
fn compare(row: &BTreeMap<&str, &str>, info: &TraceInfo) {
    let trace = row["trace"];
    assert_eq!(info.ranks.to_string(), row["ranks"], "{trace}: ranks");
    assert_eq!(info.total_operations().to_string(), row["actions"], "{trace}: actions");
    assert_eq!(info.messages.count.to_string(), row["p2p_msgs"], "{trace}: messages");
    assert_eq!(info.messages.bytes.to_string(), row["p2p_bytes"], "{trace}: bytes");
    let flops: f64 = row["flops_total"].parse().unwrap();
    assert!((crate::sample::flops(info) as f64 - flops).abs() <= flops * 1e-5, "{trace}: {:?}", info.compute);
    let columns = row.iter().filter(|(name, _)| name.starts_with("collectives") || **name == "other_ops");
    let counts = columns.flat_map(|(_, counts)| counts.split(',')).filter_map(|pair| pair.split_once(':'));
    let mut expected: BTreeMap<_, _> =
        counts.map(|(name, count)| (name.to_owned(), count.parse::<u64>().unwrap())).collect();
    let mut found = info.operations.clone();
    // The table counts point-to-point operations in whichever column; only names present in both can differ.
    expected.retain(|_, count| *count > 0);
    found.retain(|name, _| expected.contains_key(name));
    assert_eq!(found, expected, "{trace}: operations");
}

/// Compares what a simulation gets with the counts.
fn compare_operations(trace: &Trace, info: &TraceInfo) {
    let compute = ComputeModel {
        flops_per_second: FlopRate(10_000_000_000),
        scale: 1.0,
        drop_multiples: None,
        wait_multiples: None,
    };
    let mut source = trace.operations(compute);
    let (mut messages, mut picoseconds) = ((0, 0), 0);
    for operation in operations(&mut *source).unwrap().into_iter().flatten() {
        match operation {
            Operation::Compute(time) => picoseconds += time.0,
            Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => {
                messages = (messages.0 + 1, messages.1 + bytes);
            }
            _ => {}
        }
    }
    assert_eq!(messages, (info.messages.count, info.messages.bytes));
    assert_eq!(picoseconds, crate::sample::flops(info) * 100);
    println!("    {:?}", source.warnings());
}
