//! Zip archives: what is read, and those that lie.

use std::io::Write;

use drowse_traces::Trace;
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::sample::{COMPUTE, Folder, operations};

/// Packs files into a zip archive, deflated ones and stored ones in turn.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (place, (name, bytes)) in files.iter().enumerate() {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let deflates = place % 2 == 0;
        let packed = if deflates {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        } else {
            bytes.to_vec()
        };
        // Version, flags, method, time, date, checksum, sizes, length of the name, extra field.
        let mut fields = Vec::new();
        for short in [20_u16, 0, if deflates { 8 } else { 0 }, 0, 0] {
            fields.extend(short.to_le_bytes());
        }
        for long in [crc.sum(), packed.len() as u32, bytes.len() as u32] {
            fields.extend(long.to_le_bytes());
        }
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        let offset = archive.len() as u32;
        archive.extend(b"PK\x03\x04");
        archive.extend(&fields);
        archive.extend(name.as_bytes());
        archive.extend(packed);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (begin, size, count) = (archive.len() as u32, directory.len() as u32, files.len() as u16);
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    archive.extend([size.to_le_bytes(), begin.to_le_bytes()].concat());
    archive.extend([0, 0]);
    archive
}

const PING: &[u8] = b"drowse-trace 1\nranks 2\nrank 0\nsend 1 8\nrank 1\nrecv 0\n";

fn open(bytes: &[u8]) -> Result<u64, String> {
    let folder = Folder::new(&[]);
    let trace = Trace::open(folder.write("a.zip", bytes)).map_err(|error| folder.message(&error))?;
    Ok(trace.info().map_err(|error| folder.message(&error))?.total_operations())
}

#[test]
fn zip_archives_are_read() {
    assert_eq!(open(&zip(&[("ping.drowse", PING)])), Ok(2));
    let index: &[(&str, &[u8])] =
        &[("app/", b""), ("app/t.ti", b"r0\nr1\n"), ("app/r0", b"0 init\n0 compute 5\n"), ("app/r1", b"1 compute 4\n")];
    assert_eq!(open(&zip(index)), Ok(3));
}

#[test]
fn zip_archives_that_lie() {
    assert_snapshot!(open(&zip(&[("../ping.drowse", PING)])).unwrap_err(), @"a.zip: member ../ping.drowse: its path leads out of the archive; pack the files again, with paths below one folder");
    assert_snapshot!(open(&zip(&[("/ping.drowse", PING)])).unwrap_err(), @"a.zip: member /ping.drowse: its path leads out of the archive; pack the files again, with paths below one folder");
    let whole = zip(&[("a", PING), ("b", PING)]);
    assert_snapshot!(open(&whole[..whole.len() - 22]).unwrap_err(), @"a.zip: the archive is damaged or incomplete at its end: no directory is found (Could not find EOCD); copy it again");
    let entry = whole.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let changed = |at: usize, value: &[u8]| {
        let mut changed = whole.clone();
        changed[entry + at..entry + at + value.len()].copy_from_slice(value);
        open(&changed).unwrap_err()
    };
    assert_snapshot!(changed(8, &[1]), @"a.zip: member a: it is encrypted; unpack it yourself and name what comes out");
    assert_snapshot!(changed(10, &[12]), @"a.zip: member a: it is packed by another method than deflate, which is not read; unpack it yourself, or pack it as .tar.zst");
    assert_snapshot!(changed(16, &[1, 2]), @"a.zip: the archive is damaged or incomplete at member a: Invalid checksum; copy it again");
    assert_snapshot!(changed(20, &[255, 255, 255, 0]), @"a.zip: member a: its members overlap, as those of a decompression bomb do; pack the files again");
    assert_snapshot!(changed(24, &[9, 0]), @"a.zip: the archive is damaged or incomplete at member a: File is larger than its declared uncompressed size; copy it again");
    assert_snapshot!(changed(24, &[255, 0]), @"a.zip: the archive is damaged or incomplete at member a: it ends too early; copy it again");
    assert_snapshot!(changed(42, &[255, 255]), @"a.zip: the archive is damaged or incomplete at member a: Unexpected end of zip::format::blocks::ZipLocalEntryBlock; copy it again");
}

/// Links are left out, and a directory that names more members than it has is refused.
#[test]
fn zip_archives_with_links_and_lying_counts() {
    let mut archive = zip(&[("a", PING), ("b", PING)]);
    let entry = archive.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    // Made by Unix, with the mode of a link.
    archive[entry + 5] = 3;
    archive[entry + 38..entry + 42].copy_from_slice(&(0o120_777_u32 << 16).to_le_bytes());
    assert_eq!(open(&archive), Ok(2));
    let end = archive.len() - 22;
    for count in [3_u16, 1_000, u16::MAX] {
        archive[end + 8..end + 12].copy_from_slice(&[count.to_le_bytes(), count.to_le_bytes()].concat());
        let error = open(&archive).unwrap_err();
        assert!(error.starts_with("a.zip: the archive is damaged or incomplete at "), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_zip_archives_do_not_panic(changes in prop::collection::vec((0_usize..400, any::<u8>()), 1..5)) {
        let mut bytes = zip(&[("ping.drowse", PING), ("b", b"0 init\n")]);
        for &(at, value) in &changes {
            let length = bytes.len();
            bytes[at % length] = value;
        }
        let folder = Folder::new(&[]);
        if let Ok(trace) = Trace::open(folder.write("a.zip", &bytes)) {
            let _ = operations(&mut *trace.operations(COMPUTE));
        }
    }
}

/// A format that is named is not recognised.
#[test]
fn a_format_that_is_given() {
    let folder = Folder::new(&[("a", "num_ranks 1\nrank 0 {\ncalc 5\n}\n")]);
    let open = |name: &str| Trace::open_as(folder.path().join("a"), drowse_traces::Format::named(name).unwrap());
    assert_eq!(open("goal").map(|trace| trace.ranks()).unwrap(), 1);
    assert_snapshot!(folder.message(&open("vef").err().unwrap()), @"a:1: lacks the number of messages; a header is `VEF3 tasks messages communicators collectives parts onlySend`");
    assert_snapshot!(folder.message(&open("drowse").err().unwrap()), @"a:1: the first line is not `drowse-trace 1`; write it so, or choose another file");
}
