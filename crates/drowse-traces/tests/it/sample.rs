//! Small traces, written to temporary places.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use drowse_core::model::units::FlopRate;
use drowse_traces::{ComputeModel, Computing, TraceInfo};
use tempfile::TempDir;

pub use crate::any_program::operations;

/// One flop per nanosecond.
pub const COMPUTE: ComputeModel =
    ComputeModel { flops_per_second: FlopRate(1_000_000_000), scale: 1.0, drop_multiples: None, wait_multiples: None };

/// A temporary folder with files.
pub struct Folder(TempDir);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = Folder(TempDir::new().unwrap());
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Returns a message with the folder's path left out.
    pub fn message(&self, error: &impl ToString) -> String {
        error
            .to_string()
            .replace(&format!("{}/", self.path().display()), "")
            .replace(&self.path().display().to_string(), "DIR")
    }
}

/// Packs files into a tar archive.
pub fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// Returns the floating-point operations of a trace that holds them.
pub fn flops(info: &TraceInfo) -> u64 {
    match info.compute {
        Computing::Flops(flops) => flops,
        Computing::Picoseconds(_) => panic!("{} holds times", info.format),
    }
}

/// The shipped traces.
pub fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../traces").join(name)
}

/// The traces of tests.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}
