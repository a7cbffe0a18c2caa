//! Files that lie: numbers that do not fit, offsets past the end, circles, links, paths that climb out, bombs. Each
//! gets one clear error that says where.

use std::path::Path;

use drowse_traces::Trace;
use insta::assert_snapshot;

use crate::dumpi_file::{Arg, Calls, call, folder};
use crate::sample::{COMPUTE, Folder, operations, tar, xz, zstd};

/// Opens a path and reads it to its end; returns the message, which must be that of counting, too.
fn message(folder: &Folder, path: &Path) -> String {
    let trace = match Trace::open(path) {
        Ok(trace) => trace,
        Err(error) => return folder.message(&error),
    };
    let counted = trace.info().and_then(|info| info.check_simulable()).map_err(|error| folder.message(&error));
    let run = operations(&mut *trace.operations(COMPUTE)).map_err(|error| folder.message(&error));
    assert_eq!(counted.as_ref().err(), run.as_ref().err());
    run.unwrap_err()
}

/// Reads bytes as a file.
fn of(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let folder = Folder::new(&[]);
    let path = folder.write(name, bytes.as_ref());
    message(&folder, &path)
}

#[test]
fn counts_that_do_not_fit() {
    assert_snapshot!(of("a", "drowse-trace 1\nranks 4000000000\n"), @"a:2: 4000000000 ranks are no program; write 1 to 1048576 ranks");
    assert_snapshot!(of("a", "drowse-trace 1\nranks 2\nrank 5\n"), @"a:3: names rank 5, but there are 2 ranks; correct it, or the line `ranks 2`");
    assert_snapshot!(of("a", "drowse-trace 1\nranks 2\ncommunicator c 0-4294967295\n"), @"a:3: names rank 4294967295, but there are 2 ranks; correct it, or the line `ranks 2`");
    assert_snapshot!(of("a", "VEF3 4294967296 0 0 0 0 TRUE\n"), @"a:1: names 4294967296 tasks; a trace has from 1 to 1048576");
    assert_snapshot!(of("a", "VEF3 2 18446744073709551615 1 0 0 TRUE\nC0 0 1\n0 0 1 8 0 0 0\n"), @"a:1: names 18446744073709551615 messages, but the file holds 1: it is cut off, or the header is wrong; copy it again or correct the header");
    assert_snapshot!(of("a", "#DIMEMAS:\"x\":0:4000000000(1),0\n"), @"a:1: names 4000000000 tasks; a trace has from 1 to 1048576");
    assert_snapshot!(of("a", "#DIMEMAS:\"x\":0:2(1,1),0\n1:0:0:1.0\n"), @"a:1: names 2 tasks, but the file holds records of 1: the file is cut off, or the header is wrong; copy it again");
    assert_snapshot!(of("a", "#DIMEMAS:\"x\":0:1(1),1\nd:1:1:18446744073709551615:0\n"), @"a:2: names a size of 18446744073709551615 and lists 1 tasks; correct one of them");
    assert_snapshot!(of("a", "#Paraver (a):5:1:1:4000000000(1:1)\n"), @"a:1: names 4000000000 tasks; a trace has from 1 to 1048576");
    assert_snapshot!(of("a", "#Paraver (a):5:1:1:1(1:1)\nc:1:1:18446744073709551615:1\n"), @"a:2: names a size of 18446744073709551615 and lists 1 tasks; correct one of them");
    assert_snapshot!(of("a", "num_ranks 4000000000\n"), @"a:1: the number of ranks is `4000000000`; it must be from 1 to 16777216");
    assert_snapshot!(of("a", "num_ranks 16777216\nrank 16777215 {\n}\n"), @"a:3: rank 0 of 16777216 is missing; add `rank 0 {` and `}`");
    assert_snapshot!(of("a", "0 init\n0 alltoallv 1 9e18 1 1 0 0\n"), @"a:2: 72000000000000000000 B are sent at once, and the most is 34359738368 B (32 GiB); check the count and the datatype");
}

/// A definition changes what the records before it mean.
#[test]
fn dimemas_definitions_after_records() {
    assert_snapshot!(of("a", "#DIMEMAS:\"x\":0:1(1),1\n1:0:0:1.0\nd:1:1:1:0\n1:0:0:1.0\n"), @"a:3: is a definition after the first record; put it before all records");
}

/// The head of a binary GOAL file of one rank, whose part lies between two positions.
fn goal(ranks: u32, begin: u64, end: u64, rest: &[u8]) -> Vec<u8> {
    let mut file = 4223_u64.to_le_bytes().to_vec();
    file.extend(ranks.to_le_bytes());
    file.extend([0, 0]);
    file.extend([begin.to_le_bytes(), end.to_le_bytes()].concat());
    file.extend(rest);
    file
}

#[test]
fn offsets_past_the_end() {
    assert_snapshot!(of("a", goal(1, 1 << 40, (1 << 40) + 39, &[])), @"a: at byte 1099511627784: the file ends here, and more is said to follow; copy it again");
    assert_snapshot!(of("a", goal(1, 22, u64::MAX, &[])), @"a: at byte 14: rank 0 is said to lie from byte 30 to byte 18446744073709551615");
    assert_snapshot!(of("a", goal(1, 60, 22, &[])), @"a: at byte 14: rank 0 is said to lie from byte 68 to byte 30");
    assert_snapshot!(of("a", goal(u32::MAX, 22, 61, &[])), @"a: at byte 8: 4294967295 ranks: the number is from 1 to 16777216");
    assert_snapshot!(of("a", goal(1 << 24, 22, 61, &[])), @"a: at byte 30: the file ends here, and more is said to follow; copy it again");
    let file = Calls::new().add(call::BARRIER, &[Arg::H(2)]).file();
    let index = file.len() - 56;
    let with = |section: usize, offset: u64| {
        let mut file = file.clone();
        file[index + 8 * section..][..8].copy_from_slice(&offset.to_be_bytes());
        of("a", file)
    };
    assert_snapshot!(with(4, u64::MAX), @"a: at byte 38: the index says that the body begins at byte 18446744073709551615, but it ends at byte 38; copy the file again");
    assert_snapshot!(with(0, index as u64 - 8), @"a: at byte 38: the index says that the datatype sizes begins at byte 38, but it ends at byte 38; copy the file again");
    assert_snapshot!(with(3, index as u64 - 9), @"a: at byte 37: the header goes on behind the end of its section; the file is damaged: copy it again");
    let list = Calls::new().add(call::WAITALL, &[Arg::I(1), Arg::I(i32::MAX)]);
    let list = folder(&[list]);
    assert_snapshot!(message(&list, list.path()), @"run-0000.bin: at byte 16: a call goes on behind the end of its section; the file is damaged: copy it again");
}

#[test]
fn circles() {
    let rank = |statements: &str| of("a", format!("num_ranks 1\nrank 0 {{\n{statements}}}\n"));
    assert_snapshot!(rank("a: calc 5\na requires a\n"), @"a:5: a of rank 0 can never start: its dependencies form a circle");
    assert_snapshot!(rank("a: calc 5\nb: calc 5\nc: calc 5\nc requires b\nb irequires c\n"), @"a:8: b of rank 0 can never start: its dependencies form a circle");
    assert_snapshot!(of("a", "VEF3 2 2 1 0 0 FALSE\nC0 0 1\n0 0 1 8 2 5 1\n1 1 0 8 2 5 0\n"), @"a:3: can never begin: it depends on records that depend on it; correct the ids of the dependencies");
    assert_snapshot!(of("a", "VEF3 2 1 1 0 0 FALSE\nC0 0 1\n0 0 1 8 1 5 0\n"), @"a:3: can never begin: it depends on records that depend on it; correct the ids of the dependencies");
}

#[test]
fn archives_whose_paths_climb_out() {
    let ping = "drowse-trace 1\nranks 2\nrank 0\nsend 1 8\nrank 1\nrecv 0\n";
    let named = |name: &str| {
        let mut archive = tar(&[("0123456789", ping)]);
        // The builder refuses such names.
        archive[..10].fill(0);
        archive[..name.len()].copy_from_slice(name.as_bytes());
        archive[148..156].fill(b' ');
        let sum: u32 = archive[..512].iter().map(|&byte| u32::from(byte)).sum();
        archive[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        of("a.tar", archive)
    };
    assert_snapshot!(named("../ping"), @"a.tar: member ../ping: its path leads out of the archive; pack the files again, with paths below one folder");
    assert_snapshot!(named("/ping"), @"a.tar: member /ping: its path leads out of the archive; pack the files again, with paths below one folder");
    assert_snapshot!(named("a/../../b"), @"a.tar: member a/../../b: its path leads out of the archive; pack the files again, with paths below one folder");
}

/// Links in archives are not followed, and links in folders not out of them.
#[cfg(unix)]
#[test]
fn links() {
    let mut builder = ::tar::Builder::new(Vec::new());
    let mut header = ::tar::Header::new_gnu();
    header.set_entry_type(::tar::EntryType::Symlink);
    header.set_size(0);
    builder.append_link(&mut header, "r0", "/etc/passwd").unwrap();
    let mut index = ::tar::Header::new_gnu();
    index.set_size(3);
    builder.append_data(&mut index, "t.ti", &b"r0\n"[..]).unwrap();
    assert_snapshot!(of("a.tar", builder.into_inner().unwrap()), @"a.tar:t.ti:1: lists `r0`, which is not there; correct the path, or add the file to the archive");
    let elsewhere = folder(&[Calls::new().add(call::BARRIER, &[Arg::H(2)])]);
    let linked = Folder::new(&[]);
    let file = elsewhere.path().join("run-0000.bin");
    std::os::unix::fs::symlink(&file, linked.path().join("run-0000.bin")).unwrap();
    assert_snapshot!(message(&linked, linked.path()), @"run-0000.bin: is a link to a file outside its folder; put the file itself there");
    std::fs::rename(&file, linked.path().join("it")).unwrap();
    std::fs::remove_file(linked.path().join("run-0000.bin")).unwrap();
    std::os::unix::fs::symlink("it", linked.path().join("run-0000.bin")).unwrap();
    assert_eq!(Trace::open(linked.path()).map(|trace| trace.ranks()).unwrap(), 1, "a link within the folder");
}

/// A header of xz that names a dictionary of 4 GiB.
#[test]
fn memory_that_a_header_asks_for() {
    let mut packed = xz(b"drowse-trace 1\nranks 1\n");
    // The header of the first block: its length in words less one, flags, the filter, the length of its options, the
    // dictionary; then zeros, and a checksum.
    let length = 4 * (usize::from(packed[12]) + 1);
    assert_eq!(packed[14..16], [0x21, 1]);
    packed[16] = 40;
    let mut checksum = flate2::Crc::new();
    checksum.update(&packed[12..12 + length - 4]);
    packed[12 + length - 4..12 + length].copy_from_slice(&checksum.sum().to_le_bytes());
    assert_snapshot!(of("a.xz", packed), @"a.xz: it asks for more than 512 MiB of memory to be decompressed; if you trust it, decompress it with `xz -d`");
}

/// A file of 100 kB that unpacks to more than 1 GiB, ten thousand times its length. It takes a GiB in the temporary
/// folder.
#[test]
#[ignore = "writes 1 GiB: cargo xtask long"]
fn a_decompression_bomb() {
    let mut encoder = ::zstd::Encoder::new(Vec::new(), 3).unwrap();
    let comments = "#".repeat(1 << 20);
    for _ in 0..1030 {
        std::io::Write::write_all(&mut encoder, comments.as_bytes()).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 110_000, "{}", bomb.len());
    assert_snapshot!(of("a.zst", &bomb), @"a.zst: it unpacks to more than 10,000 times the length of the file, as a decompression bomb does; if you trust it, unpack it yourself and name what comes out");
    // The head of a file in a tar archive, which says that it is 8 GiB long.
    let mut archive = tar(&[("a", "")]);
    archive.truncate(512);
    archive[124..136].copy_from_slice(b"77777777777\0");
    archive[148..156].fill(b' ');
    let sum: u32 = archive[..512].iter().map(|&byte| u32::from(byte)).sum();
    archive[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let bomb = [zstd(&archive), bomb].concat();
    assert_snapshot!(of("a.tar.zst", &bomb), @"a.tar.zst: member a: it unpacks to more than 10,000 times the length of the file, as a decompression bomb does; if you trust it, unpack it yourself and name what comes out");
}
