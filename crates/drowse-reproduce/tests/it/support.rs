//! Where files of the workspace are.

use std::path::{Path, PathBuf};

/// Returns a path below the workspace's root.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
