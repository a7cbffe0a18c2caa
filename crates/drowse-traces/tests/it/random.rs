//! Nothing that a file holds makes the reader panic.

use drowse_traces::Trace;
use drowse_traces::simgrid_ti::{LineContext, datatype::Datatype, parse_action};
use proptest::prelude::*;

use crate::sample::{COMPUTE, Folder, operations, tar, zstd};

/// Reads a file to its end in every way.
fn read(bytes: &[u8]) {
    let folder = Folder::new(&[("rank0.txt", "0 init\n")]);
    let path = folder.write("a.ti", bytes);
    let _ = drowse_traces::detect(&path);
    if let Ok(trace) = Trace::open(&path) {
        let _ = trace.info().map(|info| info.check_simulable().is_ok());
        let mut source = trace.operations(COMPUTE);
        let _ = operations(&mut *source);
        let _ = source.warnings();
    }
}

/// A word of a trace, or something like it.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "0",
            "1",
            "2",
            "-1",
            "-333",
            "p1",
            "1e300",
            "6e3",
            "18446744073709551615",
            "9e18",
            "nan",
            "#",
            "é",
            "compute",
            "send",
            "isend",
            "recv",
            "irecv",
            "wait",
            "waitall",
            "sendRecv",
            "allreduce",
            "bcast",
            "reduce",
            "alltoallv",
            "gatherv",
            "scatterv",
            "reducescatter",
            "init",
            "sleep",
            "test",
            "barrier",
        ])
        .prop_map(str::to_owned),
        "[ -~]{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        read(&bytes);
    }

    #[test]
    fn random_words_do_not_panic(lines in prop::collection::vec(prop::collection::vec(word(), 0..8), 0..20)) {
        let lines: Vec<_> = lines.iter().map(|words| words.join(" ")).collect();
        for line in &lines {
            for ranks in [1, 3] {
                let _ = parse_action(line.as_bytes(), LineContext { rank: 0, ranks, default: Datatype::BYTE });
            }
        }
        read(lines.join("\n").as_bytes());
        read(lines.iter().map(|line| format!("0 {line}\n")).collect::<String>().as_bytes());
    }

    #[test]
    fn damaged_archives_do_not_panic(at in 0_usize..3_000, value in any::<u8>(), length in 0_usize..6_000) {
        let archive = tar(&[("a/t.ti", "r0\nr1\n"), ("a/r0", "0 init\n0 compute 5\n"), ("a/r1", "1 init\n1 barrier\n")]);
        for mut bytes in [zstd(&archive), archive] {
            let place = at % bytes.len();
            bytes[place] = value;
            bytes.truncate(length.max(1));
            read(&bytes);
        }
    }
}
