//! What users are told when a trace is wrong.

use std::path::Path;

use drowse_core::workload::operation::Operation;
use drowse_traces::{FORMATS, Trace, detect};
use insta::assert_snapshot;

use crate::sample::{COMPUTE, Folder, gzip, operations, tar, xz, zstd};

/// Reads a trace to its end in both modes and returns the message, which must be the same.
fn message(folder: &Folder, path: &Path) -> String {
    let trace = match Trace::open(path) {
        Ok(trace) => trace,
        Err(error) => return without_formats(folder, &error),
    };
    let run = operations(&mut *trace.operations(COMPUTE)).unwrap_err();
    if let Err(error) = trace.info() {
        assert_eq!(error.to_string(), run);
    }
    folder.message(&run)
}

/// Returns a message, with `READS` for the list of formats that are read.
fn without_formats(folder: &Folder, error: &impl ToString) -> String {
    let message = folder.message(error);
    match message.split_once("this version reads ") {
        Some((start, formats)) => {
            assert!(FORMATS.iter().all(|format| formats.contains(format.about)), "{formats}");
            format!("{start}READS")
        }
        None => message,
    }
}

/// Reads one merged file.
fn of_text(text: &str) -> String {
    let folder = Folder::new(&[("all.txt", text)]);
    message(&folder, &folder.path().join("all.txt"))
}

/// Reads a file of these bytes.
fn of_bytes(name: &str, bytes: &[u8]) -> String {
    let folder = Folder::new(&[]);
    let path = folder.write(name, bytes);
    message(&folder, &path)
}

/// Reads a directory of these files.
fn of_directory(files: &[(&str, &str)]) -> String {
    let folder = Folder::new(files);
    message(&folder, folder.path())
}

#[test]
fn wrong_lines() {
    assert_snapshot!(of_text("0 init\n\n0 jump 3\n"), @"all.txt:3: `jump` is no action of a SimGrid TI trace; correct or remove the line");
    assert_snapshot!(of_text("0 init\n0 compute fast\n"), @"all.txt:2: the number of operations is `fast`; it must be a number that is not negative");
    assert_snapshot!(of_text("0 init\n1 init\n1 send 2 0 8\n"), @"all.txt:3: the receiver is 2, but the trace has 2 ranks; check that the index lists all of them");
    assert_snapshot!(of_text("0 init\n0 send 0\n"), @"all.txt:2: `send` lacks the tag; write it like `send to tag count [datatype]`");
    assert_snapshot!(of_text("0 init\nzero init\n"), @"all.txt:2: begins with `zero` instead of a rank; write lines like `3 compute 1000`");
    assert_snapshot!(of_text("0 init\n0\n"), @"all.txt:2: has a rank but no action; complete or remove the line");
    assert_snapshot!(of_text("0 init\n0 compute 9e18\n"), @"all.txt:2: the time that the operations take is too large to be simulated; check the count and the compute rate");
}

#[test]
fn lines_of_other_ranks() {
    let files = [("trace.ti", "a\nb\n"), ("a", "0 init\n"), ("b", "1 init\n0 finalize\n")];
    assert_snapshot!(of_directory(&files), @"b:2: belongs to rank 0, but the index lists this file for rank 1; reorder the index");
    assert_snapshot!(of_bytes("t.tar.zst", &zstd(&tar(&files))), @"t.tar.zst:b:2: belongs to rank 0, but the index lists this file for rank 1; reorder the index");
    assert_snapshot!(of_text("0 init\n4000000000 init\n"), @"all.txt: has no line of rank 1, but lines of rank 4000000000; merge all ranks' files into it");
}

#[test]
fn actions_that_are_not_simulated() {
    let text = "0 init\n0 waitany\n0 waitany\n0 allgatherv 4\n0 test\n0 Ssend 0 1 1\n0 recv 0 1 1\n";
    assert_snapshot!(of_text(text), @"all.txt:2: `waitany` cannot be simulated: SMPI writes it without what a replay needs; choose a trace without it");
    let folder = Folder::new(&[("all.txt", text)]);
    let info = drowse_traces::info(folder.path().join("all.txt")).unwrap();
    assert_snapshot!(folder.message(&info.check_simulable().unwrap_err()), @"all.txt:4: `allgatherv` cannot be simulated and occurs 1 times (and `waitany` 2 times): it lists counts for fewer ranks than the trace has, so it is one of a smaller communicator, which the trace does not name; choose a trace without it");
    assert_snapshot!(folder.message(&info.warnings.join("\n")), @r#"
rank 0's part ends without finalize: the trace may be cut off
`allgatherv` occurs 1 times, first at all.txt:4, and cannot be simulated: it lists counts for fewer ranks than the trace has, so it is one of a smaller communicator, which the trace does not name
`waitany` occurs 2 times, first at all.txt:2, and cannot be simulated: SMPI writes it without what a replay needs
1 polls (test, testall, …) have no effect in a simulation
"#);
}

#[test]
fn collectives_that_differ() {
    let refused = |text: &str| {
        let folder = Folder::new(&[("all.txt", text)]);
        let info = drowse_traces::info(folder.path().join("all.txt")).unwrap();
        let message = folder.message(&info.check_simulable().unwrap_err());
        assert!(message.starts_with(&info.warnings[0]), "{message}");
        message
    };
    assert_snapshot!(refused("0 barrier\n0 bcast 1\n1 barrier\n"), @"rank 0 calls bcast 1 times, rank 1 0 times: the trace is cut off, or the program splits its communicator, which the trace does not tell; choose a whole trace of a program with one communicator");
    assert_snapshot!(refused("0 barrier\n0 bcast 1\n1 bcast 1\n1 barrier\n"), @"rank 1 calls its collectives in another order or with other roots than rank 0: the program splits its communicator, which the trace does not tell; choose a whole trace of a program with one communicator");
    assert_snapshot!(refused("0 bcast 1 0\n1 bcast 1 1\n"), @"rank 1 calls its collectives in another order or with other roots than rank 0: the program splits its communicator, which the trace does not tell; choose a whole trace of a program with one communicator");
}

#[test]
fn alltoalls_of_several_sizes() {
    let folder = Folder::new(&[("all.txt", "0 alltoall 1 1\n0 alltoall 2 2\n")]);
    let info = drowse_traces::info(folder.path().join("all.txt")).unwrap();
    assert_snapshot!(info.warnings.join("\n"), @"alltoall is called with blocks of 1 to 2 bytes: if the program calls it in groups of its ranks, the simulation, which calls it over all ranks, moves far too much");
}

#[test]
fn wrong_indexes() {
    assert_snapshot!(of_directory(&[("rank0.txt", "0 init\n")]), @"DIR: holds no file that starts like a known trace format, nor an index of SimGrid's texts, `trace.ti`, which lists each rank's file; READS");
    assert_snapshot!(of_directory(&[("a.ti", ""), ("b.index", "")]), @"DIR: holds several index files (a.ti, b.index); name the one that is meant, or keep only one");
    assert_snapshot!(of_directory(&[("a.ti", "# nothing\n\n")]), @"a.ti: holds no action and lists no file; an index lists one path per line, line i for rank i");
    assert_snapshot!(of_directory(&[("a.ti", "rank0.txt\nrank1.txt\n"), ("rank0.txt", "")]), @"a.ti:2: lists `rank1.txt`, which is not there; correct the path, or add the file to DIR");
    assert_snapshot!(of_directory(&[("a.ti", "rank0.txt\n"), ("rank0.txt", "# nothing")]), @"rank0.txt: holds no action; check that the file is complete");
    assert_snapshot!(of_bytes("a.tar", &tar(&[("x/a.ti", "rank0.txt")])), @"a.tar:x/a.ti:1: lists `rank0.txt`, which is not there; correct the path, or add the file to the archive");
    assert_snapshot!(of_bytes("a.tar", &tar(&[("rank0.txt", "0 init")])), @"a.tar: holds no file that starts like a known trace format, nor an index of SimGrid's texts, `trace.ti`, which lists each rank's file; READS");
}

#[test]
fn files_that_are_no_traces() {
    let other = Folder::new(&[]);
    assert_snapshot!(message(&other, &other.path().join("absent")), @"absent: cannot be read: No such file or directory (os error 2); check that the path exists, may be read and is complete");
    assert_snapshot!(of_bytes("letter.txt", b"Dear reader,\nthis is no trace.\n"), @"letter.txt:1: `Dear reader,` is neither a file's path nor a trace's line; READS");
    assert_snapshot!(of_bytes("a.otf2.gz", &gzip(b"\x03BOTF2\0\x03")), @"a.otf2.gz: is the anchor file alone, compressed; name the folder, or a tar or zip archive of it");
    assert_snapshot!(of_bytes("rank0.txt.gz", &gzip(b"0 init\n0 jump\n")), @"rank0.txt.gz:2: `jump` is no action of a SimGrid TI trace; correct or remove the line");
    assert_snapshot!(of_bytes("program.gz", &gzip(b"\x7fELF\0\0\0\0")), @"program.gz: is not text and starts like no known trace format; READS");
    assert_snapshot!(of_bytes("program", b"\x7fELF\0\0\0\0"), @"program: is not text and starts like no known trace format; READS");
}

#[test]
fn damaged_archives() {
    let text = "0 compute 1000\n".repeat(500);
    let archive = tar(&[("a.ti", "rank0.txt"), ("rank0.txt", &text)]);
    assert_snapshot!(of_bytes("a.tar", &archive[..3_000]), @"a.tar: the archive is damaged or incomplete at member rank0.txt: it ends too early; copy it again");
    let mut noise = 12_345_u64;
    let incompressible: String = (0..100_000)
        .map(|_| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            format!("0 compute {}\n", noise >> 40)
        })
        .collect();
    let archive = tar(&[("a.ti", "rank0.txt"), ("rank0.txt", &incompressible)]);
    let packed = zstd(&archive);
    assert_snapshot!(of_bytes("a.tar.zst", &packed[..packed.len() / 2]), @"a.tar.zst: the archive is damaged or incomplete at member rank0.txt: incomplete frame; copy it again");
    let packed = gzip(&archive);
    assert_snapshot!(of_bytes("a.tar.gz", &packed[..packed.len() / 2]), @"a.tar.gz: the archive is damaged or incomplete at member rank0.txt: incomplete deflate stream; copy it again");
    assert_snapshot!(of_bytes("a.tar.gz", &packed[..20]), @"a.tar.gz: the compressed file is damaged or incomplete: incomplete deflate stream; copy it again");
}

#[test]
fn detection_refuses_by_name() {
    let folder = Folder::new(&[("1.evt", "\x03B\x01\0\0\0\0\0\0\0")]);
    assert_snapshot!(without_formats(&folder, &detect(folder.path()).err().unwrap()), @"1.evt: its format is known and not read: Part of an OTF2 trace; name its folder, or the anchor file `traces.otf2`");
    let folder = Folder::new(&[("a.otf2", "\x03BOTF2\0\x03")]);
    assert_eq!(detect(folder.path().join("a.otf2")).unwrap().name, "otf2");
    assert_eq!(detect(folder.path()).unwrap().name, "otf2");
    let folder = Folder::new(&[("letter.txt", "Dear reader,")]);
    assert_snapshot!(without_formats(&folder, &detect(folder.path()).err().unwrap()), @"DIR: holds no file that starts like a known trace format, nor an index of SimGrid's texts, `trace.ti`, which lists each rank's file; READS");
}

/// What a copy that stopped half-way, an editor or a script may leave behind.
#[test]
fn damaged_texts() {
    // A line that ends too early.
    assert_snapshot!(of_text("0 init\n0 send 1 0 8\n1 init\n1 recv 0"), @"all.txt:4: `recv` lacks the tag; write it like `recv from tag count [datatype]`");
    assert_snapshot!(of_text("0 init\n0 compute 5e"), @"all.txt:2: the number of operations is `5e`; it must be a number that is not negative");
    assert_snapshot!(of_text("0 init\n0 comp"), @"all.txt:2: `comp` is no action of a SimGrid TI trace; correct or remove the line");
    // What does not belong there.
    assert_snapshot!(of_text("0 init\n0 finalize\n<<<<<<< HEAD\n"), @"all.txt:3: begins with `<<<<<<<` instead of a rank; write lines like `3 compute 1000`");
    assert_snapshot!(of_text("0 init\n0 \0\x01\x02\n"), @"all.txt: is not text and starts like no known trace format; READS");
    assert_snapshot!(of_bytes("all.txt", b"0 init\n0 \xff\xfe\n"), @"all.txt:2: `��` is no action of a SimGrid TI trace; correct or remove the line");
    assert_snapshot!(of_text(&format!("0 init\n0 {}\n", "x".repeat(1_000_000))), @"all.txt:2: `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…` is no action of a SimGrid TI trace; correct or remove the line");
    assert_snapshot!(of_text(&format!("0 init\n0 compute {}\n", "9".repeat(1_000_000))), @"all.txt:2: the number of operations is `999999999999999999999999999999999999999999999999999999999999…`; it must be a number up to 9223372036854775807");
    // Numbers out of range.
    assert_snapshot!(of_text("0 init\n1 init\n0 send 1 0 99999999999999999999\n"), @"all.txt:3: the count is `99999999999999999999`; it must be a number up to 9223372036854775807");
    assert_snapshot!(of_text("0 init\n1 init\n0 send 1 0 18446744073709551615 0\n"), @"all.txt:3: the count is `18446744073709551615`; it must be a number up to 9223372036854775807");
    assert_snapshot!(of_text("0 init\n1 init\n0 send 1 0 -8\n"), @"all.txt:3: the count is `-8`; it must be a number that is not negative");
    assert_snapshot!(of_text("0 init\n1 init\n0 send -3 0 8\n"), @"all.txt:3: the receiver is -3, but the trace has 2 ranks; check that the index lists all of them");
    assert_snapshot!(of_text("0 init\n1 init\n0 send 99999999999 0 8\n"), @"all.txt:3: the receiver is 99999999999, but the trace has 2 ranks; check that the index lists all of them");
    assert_snapshot!(of_text("0 init\n1 init\n0 send 1 99999999999 8\n"), @"all.txt:3: the tag is `99999999999`; it must be a number from 0 to 4294967295");
    assert_snapshot!(of_text("0 init\n0 compute nan\n"), @"all.txt:2: the number of operations is `nan`; it must be a number that is not negative");
    assert_snapshot!(of_text("0 init\n-1 init\n"), @"all.txt:2: begins with `-1` instead of a rank; write lines like `3 compute 1000`");
    assert_snapshot!(of_text("0 init\n99999999999 init\n"), @"all.txt:2: begins with `99999999999` instead of a rank; write lines like `3 compute 1000`");
    // Nothing, or not enough.
    assert_snapshot!(of_text(""), @"all.txt: holds no action and lists no file; an index lists one path per line, line i for rank i");
    assert_snapshot!(of_text("\n\n"), @"all.txt: holds no action and lists no file; an index lists one path per line, line i for rank i");
    assert_snapshot!(of_text("0 init\n2 init\n"), @"all.txt: has no line of rank 1, but lines of rank 2; merge all ranks' files into it");
    assert_snapshot!(of_directory(&[]), @"DIR: holds no file that starts like a known trace format, nor an index of SimGrid's texts, `trace.ti`, which lists each rank's file; READS");
    assert_snapshot!(of_directory(&[("a.ti", "a\na\n"), ("a", "0 init\n")]), @"a.ti: lists a 2 times, but it holds 1 ranks; list each rank's own file, or correct it");
}

#[test]
fn more_damaged_archives() {
    let archive = tar(&[("a.ti", "rank0.txt"), ("rank0.txt", &"0 compute 1000\n".repeat(50_000))]);
    let packed = xz(&archive);
    assert_snapshot!(of_bytes("a.tar.xz", &packed[..packed.len() / 2]), @"a.tar.xz: the archive is damaged or incomplete at member rank0.txt: premature eof; copy it again");
    let mut garbled = zstd(&archive);
    let middle = garbled.len() / 2;
    garbled[middle..middle + 8].fill(0xff);
    assert_snapshot!(of_bytes("a.tar.zst", &garbled), @"a.tar.zst: the compressed file is damaged or incomplete: Data corruption detected; copy it again");
    let mut trailing = archive;
    trailing.extend_from_slice(&[0x55; 5_000]);
    let folder = Folder::new(&[]);
    let trace = Trace::open(folder.write("a.tar", &trailing)).unwrap();
    assert_eq!(
        operations(&mut *trace.operations(COMPUTE)).unwrap()[0].len(),
        50_000,
        "what follows the end is no part of it"
    );
    assert_snapshot!(of_bytes("a.tar", &[]), @"a.tar: holds no action and lists no file; an index lists one path per line, line i for rank i");
    assert_snapshot!(of_bytes("a.tar.zst", &zstd(&[])), @"a.tar.zst: holds no action and lists no file; an index lists one path per line, line i for rank i");
}

/// Numbers that are no times or sizes, alone or added up.
#[test]
fn numbers_out_of_range() {
    assert_snapshot!(of_text("0 init\n0 compute 1e300\n"), @"all.txt:2: the number of operations is `1e300`; it must be a number up to 9223372036854775807");
    assert_snapshot!(of_text("0 init\n0 compute inf\n"), @"all.txt:2: the number of operations is `inf`; it must be a number up to 9223372036854775807");
    assert_snapshot!(of_text("0 init\n0 compute -1e300\n"), @"all.txt:2: the number of operations is `-1e300`; it must be a number that is not negative");
    assert_snapshot!(of_text("0 init\n0 sleep 1e400\n"), @"all.txt:2: the time in seconds is `1e400`; it must be a finite number that is not negative");
    assert_snapshot!(of_text("0 init\n0 sleep 1e300\n"), @"all.txt:2: the time is too large to be simulated; check the count and the compute rate");
    assert_snapshot!(of_text("0 init\n0 recv 0 0 1e300\n"), @"all.txt:2: the count is `1e300`; it must be a number up to 9223372036854775807");
    assert_snapshot!(of_text(&format!("0 init\n{}", "0 compute 4e14\n".repeat(3))), @"all.txt:4: up to here rank 0 computes for 1200000 s, and the most is 1000000 s; check the counts and the compute rate");
    assert_snapshot!(of_text("0 init\n0 compute 9e14\n0 barrier\n0 allreduce 1 2e14\n"), @"all.txt:4: up to here rank 0 computes for 1100000 s, and the most is 1000000 s; check the counts and the compute rate");
    assert_snapshot!(of_text("0 init\n0 compute 9e14\n0 sleep 2e5\n"), @"all.txt:3: up to here rank 0 computes for 1100000 s, and the most is 1000000 s; check the counts and the compute rate");
    assert_snapshot!(of_text("0 init\n0 send 0 0 9e18 0\n"), @"all.txt:2: 72000000000000000000 B are sent at once, and the most is 34359738368 B (32 GiB); check the count and the datatype");
    assert_snapshot!(of_text("0 init\n0 bcast 4294967296 0 43\n"), @"all.txt:2: 68719476736 B are sent at once, and the most is 34359738368 B (32 GiB); check the count and the datatype");
    assert_snapshot!(of_text("0 init\n0 alltoallv 1 9e18 1 1 0 0\n"), @"all.txt:2: 72000000000000000000 B are sent at once, and the most is 34359738368 B (32 GiB); check the count and the datatype");
}

/// An index reads files of its own folder, and nothing is quoted of a file that it names but the user has not.
#[cfg(unix)]
#[test]
fn an_index_stays_in_its_folder() {
    use std::os::unix::fs::symlink;
    let elsewhere = Folder::new(&[("secret.txt", "password 12345\n"), ("trace.ti", "password 12345\n")]);
    let secret = elsewhere.path().join("secret.txt");
    let listing = |listed: &str| {
        let folder =
            Folder::new(&[("a/trace.ti", &format!("r0\n{listed}\n")), ("a/r0", "0 init\n"), ("r1", "1 init\n")]);
        symlink(&secret, folder.path().join("a/link")).unwrap();
        symlink(elsewhere.path(), folder.path().join("a/folder")).unwrap();
        let message = message(&folder, &folder.path().join("a"));
        assert!(!message.contains("password") && !message.contains("12345"), "{message}");
        message.replace(&elsewhere.path().display().to_string(), "ELSEWHERE")
    };
    assert_snapshot!(listing(&secret.display().to_string()), @"a/trace.ti:2: lists `ELSEWHERE/secret.txt`, which is outside a; an index lists files of its own folder only, by paths from there: put the file there");
    assert_snapshot!(listing("../r1"), @"a/trace.ti:2: lists `../r1`, which is outside a; an index lists files of its own folder only, by paths from there: put the file there");
    assert_snapshot!(listing("link"), @"a/trace.ti:2: lists `link`, which is outside a; an index lists files of its own folder only, by paths from there: put the file there");
    assert_snapshot!(listing("folder/secret.txt"), @"a/trace.ti:2: lists `folder/secret.txt`, which is outside a; an index lists files of its own folder only, by paths from there: put the file there");
    let folder = Folder::new(&[("notes", "password 12345\n"), ("trace.ti", "r0\nnotes\n"), ("r0", "0 init\n")]);
    assert_snapshot!(message(&folder, folder.path()), @"notes:1: does not begin with a rank; write lines like `3 compute 1000`");
    let folder = Folder::new(&[("notes", "password 12345\n"), ("trace.ti", "notes\n")]);
    assert_snapshot!(message(&folder, folder.path()), @"notes:1: does not begin with a rank; write lines like `3 compute 1000`");
    let folder = Folder::new(&[]);
    symlink(elsewhere.path().join("trace.ti"), folder.path().join("trace.ti")).unwrap();
    assert_snapshot!(message(&folder, folder.path()), @"trace.ti: is a link to a file outside its folder; put the index itself there, or name it");
    // Links within the folder, and a path that begins in the current directory, are read.
    let folder = Folder::new(&[("trace.ti", "./r0\nlink\n"), ("r0", "0 init\n"), ("below/r1", "1 init\n")]);
    symlink("below/r1", folder.path().join("link")).unwrap();
    assert_eq!(Trace::open(folder.path()).unwrap().ranks(), 2);
}

/// Reads a merged file; returns the operations of its ranks, and the warnings, which scan and run must share.
fn read_well(text: &str) -> (Vec<Vec<Operation>>, String) {
    let folder = Folder::new(&[("all.txt", text)]);
    let trace = Trace::open(folder.path().join("all.txt")).unwrap();
    let mut source = trace.operations(COMPUTE);
    let operations = operations(&mut *source).unwrap();
    assert_eq!(source.warnings(), trace.info().unwrap().warnings);
    (operations, source.warnings().join("\n"))
}

/// Waits that find nothing to wait for: what they are, and what they change.
#[test]
fn waits_for_nothing() {
    let of = |text: &str| {
        let (operations, warnings) = read_well(text);
        (operations[0].len(), warnings)
    };
    let exchange = "0 irecv 0 7 8\n0 isend 0 7 8\n";
    assert_eq!(of(&format!("{exchange}0 wait 0 0 7\n0 wait 0 0 7\n")), (4, String::new()));
    let (operations, warning) = of(&format!("{exchange}0 waitall 2\n0 compute 9\n0 wait 0 0 7\n"));
    assert_eq!(operations, 4);
    assert_snapshot!(warning, @"1 waits name requests that a waitall before them has completed: a trace does not tell which requests a waitall is for, so it waits for all; ranks wait there for these, too, which may be earlier than in the program, so that the run time may be too long by what they compute in between");
    let (operations, warning) = of(&format!("{exchange}0 wait 0 0 8\n0 waitall\n0 waitall\n0 wait 0 0 7\n"));
    assert_eq!(operations, 4);
    assert_snapshot!(warning, @"2 waits name no request that the trace has started and not completed, such as MPI_REQUEST_NULL: they return at once, as in MPI; if the trace lacks the start of requests, their time is missing");
}

/// Line ends of other systems, and a last line without one.
#[test]
fn line_ends() {
    let read = |text: &str| {
        let folder = Folder::new(&[("all.txt", text)]);
        operations(&mut *Trace::open(folder.path().join("all.txt")).unwrap().operations(COMPUTE)).unwrap()
    };
    let text = "0 init\n0 compute 10\n0 send 1 0 8\n1 init\n1 recv 0 0 8\n1 finalize";
    assert_eq!(read(&text.replace('\n', "\r\n")), read(text));
    assert_eq!(read(text).iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    let folder = Folder::new(&[("trace.ti", "a\r\nb\r\n"), ("a", "0 init\r\n"), ("b", "1 init\r\n1 compute 5\r\n")]);
    assert_eq!(Trace::open(folder.path()).unwrap().ranks(), 2);
}

/// A rank that ends in the middle of its program is said so, by the scan and by the run.
#[test]
fn ranks_without_finalize() {
    let warnings = |text: &str| read_well(text).1;
    assert_eq!(warnings("0 init\n0 compute 9\n0 finalize\n1 init\n1 finalize\n"), "");
    assert_eq!(warnings("0 compute 9\n1 compute 9\n"), "", "written by hand");
    assert_snapshot!(warnings("0 init\n0 finalize\n1 init\n1 compute 9\n"), @"rank 1's part ends without finalize: the trace may be cut off");
    assert_snapshot!(warnings("0 init\n1 init\n2 init\n2 finalize\n"), @"rank 0's part (and that of one more rank) ends without finalize: the trace may be cut off");
    assert_snapshot!(warnings("0 init\n1 init\n2 init\n"), @"rank 0's part (and those of 2 more ranks) ends without finalize: the trace may be cut off");
}
