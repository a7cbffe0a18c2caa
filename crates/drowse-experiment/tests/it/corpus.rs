//! The kept corpus of fuzzing: all that was found, and the fewest files that reach what was reached.

use std::fs;
use std::path::Path;

use crate::any_file::{experiment, graph, jobs};
use crate::support::root;

/// Reads all files of a target. Some must be refused, and some not.
fn read_all(target: &str, read: impl Fn(&Path, &[u8]) -> bool) {
    let folder = std::env::temp_dir().join(format!("drowse-corpus-{target}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let files = fs::read_dir(root("fuzz/corpus").join(target)).unwrap();
    let read: Vec<bool> = files.map(|file| read(&folder, &fs::read(file.unwrap().path()).unwrap())).collect();
    fs::remove_dir_all(&folder).unwrap();
    assert!(read.contains(&true) && read.contains(&false), "{target}: {} files", read.len());
}

#[test]
fn graphs() {
    for (target, ending) in [("edges", "txt"), ("graphml", "graphml"), ("dot", "dot")] {
        read_all(target, |folder, bytes| graph(folder, bytes, ending));
    }
}

#[test]
fn logs_of_jobs() {
    read_all("swf", jobs);
}

#[test]
fn experiments() {
    read_all("experiment", experiment);
}
