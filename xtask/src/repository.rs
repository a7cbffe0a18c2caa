//! The repository: where it is, which files it has.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Outcome};

/// Returns the root of the repository in which the task was called.
pub fn root() -> Outcome<PathBuf> {
    let here = env::current_dir()?;
    let is_root = |folder: &&Path| folder.join(".ci/run").is_file() && folder.join("Cargo.toml").is_file();
    let root = here.ancestors().find(is_root).map(Path::to_path_buf);
    root.ok_or_else(|| Failure::usage(format!("{} is not in the repository of Drowse", here.display())))
}

/// Lists the files that git knows or would add, in order of their paths.
pub fn files() -> Outcome<Vec<String>> {
    let listed = Command::new("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]).output()?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    let mut files: Vec<String> = listed.lines().filter(|file| Path::new(file).is_file()).map(str::to_owned).collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// Reads a file of text.
pub fn read(path: impl AsRef<Path>) -> Outcome<String> {
    fs::read_to_string(&path).map_err(|error| Failure::of_file(path.as_ref(), error))
}

/// Writes a file.
pub fn write(path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> Outcome {
    fs::write(&path, text).map_err(|error| Failure::of_file(path.as_ref(), error))
}
