//! The kept corpus of fuzzing: all that was found, and the fewest files that reach what was reached.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use drowse_traces::FORMATS;

use crate::any_file::read;
use crate::any_program::of_bytes;
use crate::sample::Folder;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// Reads all files of a target. Returns how many are traces, and how many are refused.
fn read_all(target: &str, read: impl Fn(&Path, &[u8]) -> Option<u32>) -> (usize, usize) {
    let folder = Folder::new(&[]);
    let files =
        fs::read_dir(corpus().join(target)).unwrap_or_else(|error| panic!("{target}: {error}; .ci/fuzz --keep"));
    let (mut read_well, mut refused) = (0, 0);
    for file in files {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        match read(folder.path(), &bytes) {
            Some(_) => read_well += 1,
            None => refused += 1,
        }
    }
    (read_well, refused)
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
