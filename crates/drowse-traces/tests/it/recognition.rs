//! Formats of traces that are known: each is read, or refused by its name with what to do.

use std::fs;
use std::path::Path;

use drowse_traces::{FORMATS, KnownFormat, Trace, detect, known_formats};
use insta::assert_snapshot;

use crate::sample::{Folder, data, gzip, operations};

/// A file of each format that is refused.
const FILES: [(&str, &str); 25] = [
    ("part.evt", "Part of an OTF2 trace"),
    ("app.otf", "OTF 1 trace"),
    ("TRACE.mpits", "Extrae's intermediate trace"),
    ("dumpi.txt", "Text of dumpi2ascii"),
    ("pmpi-trace-rank-0.txt", "liballprof's trace"),
    ("workload.json", "Chakra trace as JSON"),
    ("pytorch_et.json", "PyTorch execution trace"),
    ("npkit_event_trace.json", "NPKit's events"),
    ("chrome.json", "Chrome trace events"),
    ("batsim.json", "Batsim workload"),
    ("log.swf", "Job log"),
    ("astra.txt", "ASTRA-sim workload"),
    ("report.sqlite", "Nsight Systems report"),
    ("meta.db", "HPCToolkit database"),
    ("tau.edf", "TAU trace or profile"),
    ("profile.0.0.0", "TAU trace or profile"),
    ("pingpong.prj.sts", "Projections trace"),
    ("pingpong.prj.0.log", "Projections trace"),
    ("jumpshot.clog2", "MPE's log"),
    ("paje.trace", "Pajé trace"),
    ("metadata", "Trace of CTF"),
    ("a.out.2.1234.mpiP", "mpiP report"),
    ("nccl.log", "Log of NCCL"),
    ("ring.trc", "INSEE's trace"),
    ("foo-bar.csv", "Table (CSV)"),
];

/// Returns why a trace is not opened.
fn refused(path: &Path) -> String {
    Trace::open(path).map_or_else(|error| error.to_string(), |_| "is read".to_owned())
}

/// Alone, compressed, and in a folder.
#[test]
fn every_format_is_refused_by_its_name() {
    for (file, name) in FILES {
        let path = data("formats").join(file);
        let known = known_formats().find(|known| known.name.starts_with(name)).unwrap();
        assert!(!known.is_read && !known.advice.is_empty(), "{name}");
        let expected = format!("its format is known and not read: {}; {}", known.name, known.advice);
        let bytes = fs::read(&path).unwrap();
        let (folder, packed) = (Folder::new(&[]), Folder::new(&[]));
        folder.write(file, &bytes);
        let messages = [refused(&path), refused(folder.path()), refused(&packed.write(file, &gzip(&bytes)))];
        for message in messages {
            assert!(message.ends_with(&expected), "{file}: {message}");
        }
    }
}

#[test]
fn every_known_format_has_a_file_or_is_read() {
    let lacking: Vec<&str> = known_formats()
        .filter(|known| !known.is_read && !FILES.iter().any(|(_, name)| known.name.starts_with(name)))
        .map(|known| known.name)
        .collect();
    assert_eq!(lacking, Vec::<&str>::new());
    let files: usize = fs::read_dir(data("formats")).unwrap().count();
    assert_eq!(files, FILES.len() + 1, "each file is tried, beside the page on their origin");
    let read = known_formats().filter(|known: &KnownFormat| known.is_read).count();
    assert_eq!(read, FORMATS.len());
}

/// What is not recognised is unknown: an index of SimGrid lists files that are there.
#[test]
fn nothing_is_taken_for_an_index() {
    let message = |name: &str, text: &str| {
        let folder = Folder::new(&[(name, text)]);
        let message = folder.message(&refused(&folder.path().join(name)));
        message.split("; this version reads").next().unwrap().to_owned()
    };
    assert_snapshot!(message("a.json", "{\n\"a\": 1\n}\n"), @"a.json:1: `{` is neither a file's path nor a trace's line");
    assert_snapshot!(message("a.txt", "word\nanother\n"), @"a.txt:1: `word` is neither a file's path nor a trace's line");
    assert_snapshot!(message("a.yaml", "---\nkey: 1\n"), @"a.yaml:1: `---` is neither a file's path nor a trace's line");
    // By its name it is one.
    assert_snapshot!(message("a.ti", "rank0.txt\n"), @"a.ti:1: lists `rank0.txt`, which is not there; correct the path, or add the file to DIR");
    // A trace with comments is no table.
    let commented = Folder::new(&[("a.txt", "# made by a, b, c\n# of d, e, f\n0 init\n0 finalize\n")]);
    assert_eq!(detect(commented.path().join("a.txt")).unwrap().name, "simgrid-ti");
    let listed = Folder::new(&[("list", "rank0.txt\n"), ("rank0.txt", "0 init\n0 finalize\n")]);
    assert_eq!(detect(listed.path().join("list")).unwrap().name, "simgrid-ti");
}

/// The description of a DUMPI trace names one of several in a folder.
#[test]
fn a_meta_file_opens_its_trace() {
    let folder = Folder::new(&[]);
    let source = data("dumpi/testtrace");
    for entry in fs::read_dir(&source).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        folder.write(&name, &fs::read(entry.path()).unwrap());
        folder.write(&name.replace("testtrace", "other"), &fs::read(entry.path()).unwrap());
    }
    let meta =
        |prefix: &str, ranks: u32| format!("hostname=a\nnumprocs={ranks}\nfileprefix=/scratch/{prefix}\nversion=1\n");
    let named = folder.write("a.meta", meta("testtrace", 4).as_bytes());
    assert_eq!(detect(&named).unwrap().name, "dumpi");
    let program =
        |path: &Path| operations(&mut *Trace::open(path).unwrap().operations(crate::sample::COMPUTE)).unwrap();
    assert_eq!(program(&named), program(&source));
    // Renamed together with its files.
    assert_eq!(program(&folder.write("other.meta", meta("before", 4).as_bytes())), program(&source));
    assert_snapshot!(folder.message(&refused(folder.path())), @"DIR: holds files of several traces (other, testtrace); keep one trace in a folder, or name the .meta file of one (SST-DUMPI)");
    let less = folder.write("b.meta", meta("testtrace", 5).as_bytes());
    assert_snapshot!(folder.message(&refused(&less)), @"b.meta:2: names 5 ranks, but 4 files testtrace-NNNN.bin are beside it; put all of them there");
}

/// Editors of some systems begin texts with a mark, and end lines in another way.
#[test]
fn marks_and_line_ends_of_texts() {
    let texts = [
        ("a.drowse", "drowse-trace 1\nranks 1\nrank 0\ncompute 5 us\n"),
        ("a.txt", "0 init\n0 compute 5\n0 finalize\n"),
        ("a.dim", "#DIMEMAS:\"a\":0:1(1),0\n1:0:0:1\n"),
        ("a.goal", "num_ranks 1\nrank 0 {\na: calc 5\n}\n"),
        ("a.prv", "#Paraver (20/11/2026 at 21:35):9000_ns:1(2):1:1(1:1),1\nc:1:1:1:1\n2:1:1:1:1:5:50000003:31\n"),
        ("a.vef", "VEF3 2 1 1 0 0 FALSE\nC0 0 1\n0 0 1 8 0 5 -1\n"),
    ];
    for (name, text) in texts {
        let folder = Folder::new(&[(name, text)]);
        let path = folder.path().join(name);
        let program = |path: &Path| {
            let trace = Trace::open(path).unwrap_or_else(|error| panic!("{error}"));
            operations(&mut *trace.operations(crate::sample::COMPUTE)).unwrap()
        };
        let plain = program(&path);
        assert!(plain.iter().any(|rank| !rank.is_empty()), "{name}");
        folder.write(name, format!("\u{feff}{text}").as_bytes());
        assert_eq!(program(&path), plain, "{name}");
        folder.write(name, &gzip(format!("\u{feff}{text}").as_bytes()));
        assert_eq!(program(&path), plain, "{name}");
        folder.write(name, text.replace('\n', "\r\n").as_bytes());
        assert_eq!(program(&path), plain, "{name}");
        // Carriage returns alone are no line ends, and nothing is lost without a word.
        folder.write(name, text.replace('\n', "\r").as_bytes());
        let message = refused(&path);
        assert!(message.contains("ends with a carriage return alone"), "{name}: {message}");
    }
}
