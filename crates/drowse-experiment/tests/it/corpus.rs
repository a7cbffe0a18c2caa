//! The kept corpus of fuzzing: all that was found, and the fewest files that reach what was reached.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use liblzma::read::XzDecoder;

use crate::any_file::{dump, experiment, graph, jobs, slurm};
use crate::support::root;

/// Returns the kept files of a target.
pub fn files(target: &str) -> Vec<Vec<u8>> {
    let mut archive = tar::Archive::new(XzDecoder::new(File::open(root("fuzz/corpus.tar.xz")).unwrap()));
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
    files
}

/// Reads all files of a target. Some must be refused, and some not.
fn read_all(target: &str, read: impl Fn(&Path, &[u8]) -> bool) {
    let folder = std::env::temp_dir().join(format!("drowse-corpus-{target}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let read: Vec<bool> = files(target).iter().map(|bytes| read(&folder, bytes)).collect();
    fs::remove_dir_all(&folder).unwrap();
    assert!(read.contains(&true) && read.contains(&false), "{target}: {} files", read.len());
}

#[test]
fn graphs() {
    for (target, ending) in [("edges", "txt"), ("graphml", "graphml"), ("dot", "dot"), ("network", "txt")] {
        read_all(target, |folder, bytes| graph(folder, bytes, ending));
    }
}

#[test]
fn networks_of_slurm() {
    read_all("slurm", slurm);
}

#[test]
fn dumps_of_a_subnet() {
    for key in ["tables", "service_levels", "lane_maps"] {
        read_all(key, |folder, bytes| dump(folder, bytes, key));
    }
}

#[test]
fn logs_of_jobs() {
    read_all("jobs", jobs);
}

#[test]
fn experiments() {
    read_all("experiment", experiment);
}
