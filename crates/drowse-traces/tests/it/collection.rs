//! A collection of real traces that is too large for this repository. `DROWSE_TRACE_COLLECTION` names its folder, whose
//! MANIFEST.tsv says what each file holds; without it, there is nothing to do.

use std::path::PathBuf;

use drowse_traces::Trace;

use crate::sample::{COMPUTE, operations};

/// What the list of datatypes' sizes does not tell: MiniDFT uses a number for 1,969 datatypes, of which the list has the
/// last. All 448 receives of such a type got the bytes that the call which makes it says, and none those of the list.
/// The manifest counts by the list, and not what MPI_Sendrecv_replace sends.
const MINIDFT: u64 = 137_856 - 10_560 + 1_164_112 + 4_852_224;

/// Returns the path, ranks, records and bytes of the DUMPI files of the collection.
fn dumpi_files() -> Vec<(PathBuf, String, u64, u64)> {
    let Some(folder) = std::env::var_os("DROWSE_TRACE_COLLECTION").map(PathBuf::from) else { return Vec::new() };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let rows = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let dumpi = rows.filter(|row| row[1] == "dumpi-bin");
    dumpi
        .map(|row| (folder.join(row[0]), row[2].to_owned(), row[3].parse().unwrap(), row[4].parse().unwrap()))
        .collect()
}

#[test]
fn dumpi_files_hold_what_the_manifest_says() {
    for (path, ranks, records, bytes) in dumpi_files() {
        let trace = Trace::open(&path).unwrap();
        let info = trace.info().unwrap();
        let name = path.display();
        let expected = if path.ends_with("MiniDFT.bin") { MINIDFT } else { bytes };
        assert_eq!((info.total_operations(), info.messages.bytes), (records, expected), "{name}");
        if let Ok(ranks) = ranks.parse::<u32>() {
            assert_eq!(info.ranks, ranks, "{name}");
            info.check_simulable().unwrap();
            let program = operations(&mut *trace.operations(COMPUTE)).unwrap();
            let sent: u64 = program
                .iter()
                .flatten()
                .filter(|operation| operation.called().is_none())
                .map(drowse_core::workload::operation::Operation::largest)
                .sum();
            assert_eq!(sent, bytes, "{name}");
        } else {
            assert!(info.check_simulable().is_err(), "{name} is one rank of many");
        }
    }
}
