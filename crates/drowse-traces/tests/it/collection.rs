//! A collection of real traces that is too large for this repository. `DROWSE_TRACE_COLLECTION` names its folder, whose
//! MANIFEST.tsv says what each file holds; without it, there is nothing to do.

use std::collections::BTreeMap;
use std::path::PathBuf;

use drowse_core::workload::operation::Operation;
use drowse_traces::Trace;

use crate::chakra;
use crate::sample::{COMPUTE, operations};

/// What the list of datatypes' sizes does not tell: MiniDFT uses a number for 1,969 datatypes, of which the list has the
/// last. All 448 receives of such a type got the bytes that the call which makes it says, and none those of the list.
/// The manifest counts by the list, and not what MPI_Sendrecv_replace sends.
const MINIDFT: u64 = 137_856 - 10_560 + 1_164_112 + 4_852_224;

/// Returns the path, ranks, records and bytes of the files of a format in the collection.
fn files(format: &str) -> Vec<(PathBuf, String, u64, u64)> {
    let Some(folder) = std::env::var_os("DROWSE_TRACE_COLLECTION").map(PathBuf::from) else { return Vec::new() };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let rows = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let files = rows.filter(|row| row[1] == format);
    files
        .map(|row| {
            (
                folder.join(row[0].trim_end_matches(" (+pcf)")),
                row[2].to_owned(),
                row[3].parse().unwrap(),
                row[4].parse().unwrap(),
            )
        })
        .collect()
}

#[test]
fn dumpi_files_hold_what_the_manifest_says() {
    for (path, ranks, records, bytes) in files("dumpi-bin") {
        let trace = Trace::open(&path).unwrap();
        let info = trace.info().unwrap();
        let name = path.display();
        let expected = if path.ends_with("MiniDFT.bin") { MINIDFT } else { bytes };
        assert_eq!((info.total_operations(), info.messages.bytes), (records, expected), "{name}");
        if let Ok(ranks) = ranks.parse::<u32>() {
            assert_eq!(info.ranks, ranks, "{name}");
            info.check_simulable().unwrap();
            let program = operations(&mut *trace.operations(COMPUTE)).unwrap();
            let sent: u64 =
                program.iter().flatten().filter(|operation| operation.called().is_none()).map(Operation::largest).sum();
            assert_eq!(sent, bytes, "{name}");
        } else {
            assert!(info.check_simulable().is_err(), "{name} is one rank of many");
        }
    }
}

#[test]
fn otf2_archives_hold_what_the_manifest_says() {
    for (path, ranks, records, bytes) in files("otf2") {
        let trace = Trace::open(&path).unwrap();
        let info = trace.info().unwrap();
        let held = (info.ranks.to_string(), info.total_operations(), info.messages.bytes);
        assert_eq!(held, (ranks, records, bytes), "{}", path.display());
        info.check_simulable().unwrap();
        assert_eq!(trace.check(1).unwrap().first.len(), 0, "{}", path.display());
    }
}

/// The index of one folder has a name of its own.
#[test]
fn simgrid_folders_hold_what_the_manifest_says() {
    for (folder, ranks, records, bytes) in files("simgrid-ti") {
        let index = folder.join("smpi_replay.txt");
        let path = if index.is_file() { &index } else { &folder };
        let info = Trace::open(path).unwrap_or_else(|error| panic!("{error}")).info().unwrap();
        let held = (info.ranks.to_string(), info.total_operations(), info.messages.bytes);
        assert_eq!(held, (ranks, records, bytes), "{}", path.display());
    }
}

#[test]
fn paraver_files_hold_what_the_manifest_says() {
    for (path, ranks, records, bytes) in files("paraver-prv") {
        let info = Trace::open(&path).unwrap().info().unwrap();
        let held = (info.ranks.to_string(), info.total_operations(), info.messages.bytes);
        assert_eq!(held, (ranks, records, bytes), "{}", path.display());
    }
}

/// What collectives are given counts as bytes there. One trace is that of one rank of many.
#[test]
fn chakra_files_hold_what_the_manifest_says() {
    let Some(folder) = std::env::var_os("DROWSE_TRACE_COLLECTION").map(PathBuf::from) else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let rows = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    for row in rows.filter(|row| row[1].starts_with("chakra-et")) {
        let path = folder.join(row[0]);
        match (row[2], row[3].parse(), row[4].parse()) {
            ("1", ..) => {
                let alone = Trace::open(path.join("feeder_tests_trace.tar.gz")).unwrap().info().unwrap();
                assert_eq!((alone.ranks, alone.total_operations(), alone.collectives["ALL_REDUCE"]), (1, 3_664, 5));
                assert!(alone.check_simulable().is_err());
            }
            (ranks, Ok(nodes), bytes) => {
                chakra::check(&path, (ranks.parse().unwrap(), nodes, bytes.unwrap_or(0), 0));
            }
            // The manifest does not count the nodes of sends and receives.
            (ranks, ..) => chakra::check(&path, (ranks.parse().unwrap(), 280, 0, 8 * 14 * 131_072)),
        }
    }
}

/// Returns the messages of each pair of ranks: their number and bytes.
fn pairs(program: &[Vec<Operation>]) -> BTreeMap<(u32, u32), (u64, u64)> {
    let mut pairs = BTreeMap::new();
    for (rank, operations) in (0..).zip(program) {
        for operation in operations {
            if let Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } = *operation {
                let (count, sum) = pairs.entry((rank, to)).or_insert((0, 0));
                (*count, *sum) = (*count + 1, *sum + bytes);
            }
        }
    }
    pairs
}

/// LULESH on 27 ranks and IS on 16, as three formats tell them: the same messages between the same ranks. In a GOAL text
/// collectives are messages, too, so it is at least those.
#[test]
fn one_application_in_several_formats() {
    let Some(folder) = std::env::var_os("DROWSE_TRACE_COLLECTION").map(PathBuf::from) else { return };
    for name in ["lulesh_27", "is_16"] {
        let of = |folder_of: &str, ending: &str| {
            let trace = Trace::open(folder.join(format!("{folder_of}/generated/{name}.{ending}.gz"))).unwrap();
            let program = operations(&mut *trace.operations(COMPUTE)).unwrap();
            pairs(&program)
        };
        let (paraver, dimemas, goal) = (of("paraver", "prv"), of("dimemas", "dim"), of("goal", "goal"));
        assert_eq!(paraver, dimemas, "{name}");
        for (pair, (count, bytes)) in &paraver {
            let with = goal.get(pair).copied().unwrap_or_default();
            println!("{name} {pair:?}: {count} messages, {bytes} B; with collectives {with:?}");
            assert!(with.0 >= *count && with.1 >= *bytes, "{name} {pair:?}: {with:?} and {count}, {bytes}");
        }
    }
}
