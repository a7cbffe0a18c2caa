//! Real traces: their counts, and what becomes of them when they are damaged.

use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use drowse_core::workload::operation::Operation;
use drowse_traces::Trace;
use flate2::read::GzDecoder;
use proptest::prelude::*;

use crate::sample::{COMPUTE, Folder, operations};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn unpacked(name: &str) -> Vec<u8> {
    let mut text = Vec::new();
    GzDecoder::new(fs::File::open(data(name)).unwrap()).read_to_end(&mut text).unwrap();
    text
}

/// Checks the counts of a trace; `records` are those of all kinds.
fn check(path: &Path, (format, ranks, records, bytes): (&str, u32, u64, u64)) {
    let trace = Trace::open(path).unwrap_or_else(|error| panic!("{error}"));
    let info = trace.info().unwrap();
    let counts = (info.format, info.ranks, info.total_operations(), info.messages.bytes);
    assert_eq!(counts, (format, ranks, records, bytes), "{}", path.display());
    info.check_simulable().unwrap();
    let sent = operations(&mut *trace.operations(COMPUTE)).unwrap().concat();
    let sent = sent.iter().filter(|operation| operation.called().is_none()).map(Operation::largest);
    assert_eq!(sent.sum::<u64>(), bytes, "{}", path.display());
}

/// Two traces of one program, in two formats, send the same messages.
#[test]
fn counts_of_the_traces_for_tests() {
    check(&data("is_16.dim.gz"), ("dimemas", 16, 5_501, 60));
    check(&data("is_16.vef.gz"), ("vef", 16, 591, 60));
}

/// With DROWSE_TRACE_COLLECTION, the folder of a larger collection: every trace in formats that are single texts has the counts
/// of its `MANIFEST.tsv` (file, format, ranks, records, bytes).
#[test]
fn counts_of_a_collection() {
    let Some(folder) = env::var_os("DROWSE_TRACE_COLLECTION").map(PathBuf::from) else { return };
    let manifest = fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut checked = 0;
    for line in manifest.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let format = match fields[1].split(' ').next() {
            Some("vef") => "vef",
            Some("dimemas-dim") => "dimemas",
            // One is a program of LogGOPSim 2's own statements.
            Some("goal-text") if !fields[0].contains("testsim_test") => "goal",
            _ => continue,
        };
        let number = |field: usize| fields[field].parse::<u64>().unwrap();
        check(&folder.join(fields[0]), (format, number(2) as u32, number(3), number(4)));
        checked += 1;
    }
    assert!(checked > 0, "no trace to check");
}

/// Reads a text to its end in every way; whatever happens, it is a result.
fn try_read(text: &[u8]) {
    let folder = Folder::new(&[]);
    let path = folder.write("a", text);
    if let Ok(trace) = Trace::open(&path) {
        let _ = trace.info().map(|info| info.check_simulable().is_ok());
        let _ = operations(&mut *trace.operations(COMPUTE));
    }
}

/// Replaces the number at or after a place.
fn with_number(text: &[u8], at: usize, number: &str) -> Vec<u8> {
    let digit = |place: &usize| text[*place].is_ascii_digit();
    let Some(begin) = (at..text.len()).find(digit) else { return text.to_vec() };
    let end = (begin..text.len()).find(|place| !digit(place)).unwrap_or(text.len());
    [&text[..begin], number.as_bytes(), &text[end..]].concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_traces_do_not_panic(
        vef in any::<bool>(),
        bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        numbers in prop::collection::vec(
            (any::<prop::sample::Index>(), prop_oneof![
                (0_u64..20).prop_map(|number| number.to_string()),
                Just("18446744073709551615".to_owned()),
                Just("4294967296".to_owned()),
                Just("1048576".to_owned()),
                Just("-1".to_owned()),
                Just(String::new()),
            ]),
            0..4,
        ),
        lines in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..2),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut text = unpacked(if vef { "is_16.vef.gz" } else { "is_16.dim.gz" });
        for (place, number) in numbers {
            text = with_number(&text, place.index(text.len()), &number);
        }
        for (one, other) in lines {
            let mut all: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            let (one, other) = (one.index(all.len()), other.index(all.len()));
            all.swap(one, other);
            text = all.join(&b'\n');
        }
        for (place, byte) in bytes {
            let place = place.index(text.len());
            text[place] = byte;
        }
        if let Some(cut) = cut {
            text.truncate(cut.index(text.len()));
        }
        try_read(&text);
    }

    #[test]
    fn numbers_in_headers_do_not_panic(
        vef in any::<bool>(),
        at in 0_usize..80,
        number in prop_oneof![(0_u64..40).prop_map(|n| n.to_string()), Just("999999".to_owned()), "[0-9x,()]{0,12}"],
    ) {
        try_read(&with_number(&unpacked(if vef { "is_16.vef.gz" } else { "is_16.dim.gz" }), at, &number));
    }

    #[test]
    fn random_records_do_not_panic(
        vef in any::<bool>(),
        records in prop::collection::vec(
            prop::collection::vec(prop_oneof![0_u64..4, 0_u64..12, any::<u64>()], 2..10), 0..12),
    ) {
        let line = |record: &Vec<u64>, between: &str| {
            record.iter().map(u64::to_string).collect::<Vec<_>>().join(between)
        };
        let text: String = if vef {
            let messages = records.iter().filter(|record| record[0] % 2 == 0).count();
            let parts = records.len() - messages;
            let letter = |record: &Vec<u64>| if record[0].is_multiple_of(2) { "" } else { "G" };
            let body: String = records.iter().map(|record| format!("{}{}\n", letter(record), line(record, " "))).collect();
            format!("VEF3 4 {messages} 1 {parts} {parts} FALSE\nC0 0 1 2 3\n{body}")
        } else {
            let body: String = records.iter().map(|record| format!("{}\n", line(record, ":"))).collect();
            format!("#DIMEMAS:\"a\":0:2(1,1),0\n1:0:0:1\n{body}1:1:0:1\n")
        };
        try_read(text.as_bytes());
    }
}
