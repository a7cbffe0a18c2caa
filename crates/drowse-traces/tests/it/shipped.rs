//! The shipped traces hold what an independent count found when they were made.

use std::collections::BTreeMap;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::operation::Operation;
use drowse_traces::{ComputeModel, Trace};

use crate::sample::{operations, shipped};

struct Expected {
    trace: &'static str,
    ranks: u32,
    actions: u64,
    messages: (u64, u64),
    compute_flops: f64,
    operations: &'static str,
    warnings: &'static [&'static str],
}

const EXPECTED: &[Expected] = &[
    Expected {
        trace: "cg.A.64.tar.zst",
        ranks: 64,
        actions: 249_376,
        messages: (67_328, 373_067_776),
        compute_flops: 1.407e10,
        operations: "barrier:64,bcast:64,compute:47072,finalize:64,init:64,irecv:67328,reduce:64,send:67328,wait:67328",
        warnings: &[],
    },
    Expected {
        trace: "cg.A.16.tar.zst",
        ranks: 16,
        actions: 44_391,
        messages: (11_776, 139_831_296),
        compute_flops: 5.37407e9,
        operations: "barrier:16,bcast:16,compute:8983,finalize:16,init:16,irecv:11776,reduce:16,send:11776,wait:11776",
        warnings: &[],
    },
    Expected {
        trace: "bt.A.16.tar.zst",
        ranks: 16,
        actions: 22_983,
        messages: (4_320, 198_956_160),
        compute_flops: 2.27281e10,
        operations: "allreduce:32,barrier:32,bcast:96,compute:7607,finalize:16,init:16,irecv:4320,isend:4320,reduce:16,wait:6336,waitall:192",
        warnings: &[],
    },
    Expected {
        trace: "lu.A.16.tar.zst",
        ranks: 16,
        actions: 105_903,
        messages: (33_444, 75_359_232),
        compute_flops: 1.45103e10,
        operations: "allreduce:160,barrier:32,bcast:160,compute:37923,finalize:16,init:16,irecv:708,recv:32736,send:33444,wait:708",
        warnings: &[],
    },
    Expected {
        trace: "stencil2d.64.tar.zst",
        ranks: 64,
        actions: 20_972,
        messages: (5_120, 2_621_440),
        compute_flops: 5.5449e9,
        operations: "allreduce:128,compute:9196,finalize:64,init:64,irecv:5120,isend:5120,waitall:1280",
        warnings: &[],
    },
    Expected {
        trace: "stencil2d.16.tar.zst",
        ranks: 16,
        actions: 3_355,
        messages: (1_280, 655_360),
        compute_flops: 2.614_796e7,
        operations: "allreduce:32,compute:411,finalize:16,init:16,irecv:1280,isend:1280,waitall:320",
        warnings: &[],
    },
    Expected {
        trace: "ft.A.16.tar.zst",
        ranks: 16,
        actions: 712,
        messages: (0, 0),
        compute_flops: 3.79261e10,
        operations: "alltoall:128,barrier:16,bcast:80,compute:360,finalize:16,init:16,reduce:96",
        warnings: &[],
    },
    Expected {
        trace: "is.A.16.tar.zst",
        ranks: 16,
        actions: 1_252,
        messages: (15, 60),
        compute_flops: 1.6537e10,
        operations: "allreduce:176,alltoall:176,alltoallv:176,bcast:16,compute:599,finalize:16,init:16,irecv:15,reduce:32,send:15,wait:15",
        warnings: &[],
    },
    Expected {
        trace: "graph500.64.tar.zst",
        ranks: 64,
        actions: 8_787,
        messages: (0, 0),
        compute_flops: 1.98271e9,
        operations: "allgather:2048,allreduce:1728,alltoall:64,alltoallv:64,compute:4755,finalize:64,init:64",
        warnings: &[
            "64 messages or collectives have a derived datatype of unknown size (-1), which counts as one byte: less is sent than by the program",
        ],
    },
];

fn listed(counts: &BTreeMap<String, u64>) -> String {
    counts.iter().map(|(name, count)| format!("{name}:{count}")).collect::<Vec<_>>().join(",")
}

#[test]
fn counts_are_those_of_an_independent_count() {
    for expected in EXPECTED {
        let info = drowse_traces::info(shipped(expected.trace)).unwrap();
        assert_eq!(info.format, "simgrid-ti");
        assert_eq!(info.ranks, expected.ranks, "{}", expected.trace);
        assert_eq!(info.total_operations(), expected.actions, "{}", expected.trace);
        assert_eq!((info.messages.count, info.messages.bytes), expected.messages, "{}", expected.trace);
        assert_eq!(listed(&info.operations), expected.operations, "{}", expected.trace);
        // The independent count gives six digits.
        let ratio = crate::sample::flops(&info) as f64 / expected.compute_flops;
        assert!((ratio - 1.0).abs() < 1e-5, "{}: {} flop", expected.trace, crate::sample::flops(&info));
        assert_eq!(info.warnings, expected.warnings, "{}", expected.trace);
        assert!(info.check_simulable().is_ok());
    }
}

#[test]
fn operations_carry_all_messages_and_all_time() {
    let compute = ComputeModel {
        flops_per_second: FlopRate(10_000_000_000),
        scale: 1.0,
        drop_multiples: None,
        wait_multiples: None,
    };
    for expected in EXPECTED {
        let trace = Trace::open(shipped(expected.trace)).unwrap();
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
        assert_eq!(messages, expected.messages, "{}", expected.trace);
        assert_eq!(picoseconds, crate::sample::flops(&trace.info().unwrap()) * 100, "{}", expected.trace);
        assert_eq!(source.warnings(), expected.warnings, "{}", expected.trace);
    }
}
