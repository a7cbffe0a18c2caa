//! The kept corpus of fuzzing: all that was found, and the fewest files that reach what was reached.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use drowse_traces::FORMATS;
use liblzma::read::XzDecoder;

use crate::any_file::read;
use crate::any_program::of_bytes;
use crate::sample::Folder;

/// Returns the kept files of a target.
fn files(target: &str) -> Vec<Vec<u8>> {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus.tar.xz");
    let mut archive = tar::Archive::new(XzDecoder::new(File::open(archive).unwrap()));
    let folder = Path::new(".").join(target);
    let mut files = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        if entry.header().entry_type().is_file() && entry.path().unwrap().parent() == Some(folder.as_path()) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            files.push(bytes);
        }
    }
    assert!(!files.is_empty(), "{target} has no kept files: cargo xtask fuzz --keep {target}");
    files
}

/// Reads all files of a target. Returns how many are traces, and how many are refused.
fn read_all(target: &str, read: impl Fn(&Path, &[u8]) -> Option<u32>) -> (usize, usize) {
    let folder = Folder::new(&[]);
    let files = files(target);
    let read_well = files.iter().filter(|bytes| read(folder.path(), bytes).is_some()).count();
    (read_well, files.len() - read_well)
}

#[test]
fn every_format_and_archives() {
    let mut counts: BTreeMap<&str, (usize, usize)> = FORMATS
        .iter()
        .map(|format| (format.name, read_all(format.name, |folder, bytes| read(folder, bytes, Some(format)))))
        .collect();
    counts.insert("archive", read_all("archive", |folder, bytes| read(folder, bytes, None)));
    for (target, (read_well, refused)) in counts {
        assert!(read_well > 0 && refused > 0, "{target}: {read_well} traces, {refused} refused");
    }
}

/// Programs that are written come back: [`crate::any_program`].
#[test]
fn programs_that_are_written() {
    let (programs, _) = read_all("writers", |folder, bytes| {
        of_bytes(folder, bytes);
        Some(0)
    });
    assert!(programs > 0);
}
