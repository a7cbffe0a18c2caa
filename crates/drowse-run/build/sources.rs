//! A hash of the sources of all crates that decide a result.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use crate::hash::fnv1a;

/// The crates that decide a result, this one included. The command line and what it prints are not among them.
const CRATES: [&str; 6] =
    ["drowse-flows", "drowse-core", "drowse-traces", "drowse-tables", "drowse-experiment", "drowse-run"];

/// Returns the folders of the sources of all crates, which lie beside this one: in a clone under their names, in a
/// registry with the version behind.
pub fn folders(own: &Path, version: &str) -> Result<Vec<PathBuf>> {
    let folder = |name: &&str| {
        let places =
            [(*name).to_owned(), format!("{name}-{version}")].map(|place| own.with_file_name(place).join("src"));
        let found = places.iter().find(|place| place.is_dir()).cloned();
        found.ok_or_else(|| Error::new(ErrorKind::NotFound, format!("the sources of {name} are not at {places:?}")))
    };
    CRATES.iter().map(folder).collect()
}

/// Returns a hash of the names and contents of all files, the same on every machine.
pub fn fingerprint(folders: &[PathBuf]) -> Result<u64> {
    let mut bytes = Vec::new();
    for (name, folder) in CRATES.iter().zip(folders) {
        let mut files = Vec::new();
        collect(folder, name, &mut files)?;
        files.sort();
        for (name, path) in files {
            bytes.extend(name.bytes().chain([0]));
            // A clone on Windows may end its lines otherwise.
            bytes.extend(fs::read(path)?.into_iter().filter(|byte| *byte != b'\r'));
            bytes.push(0);
        }
    }
    Ok(fnv1a(bytes))
}

/// Adds all files of a folder and of the folders in it, each with a name that does not depend on the machine. Hidden ones
/// are those of editors and test runs.
fn collect(folder: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, file) = (entry.path(), entry.file_name());
        let name = format!("{name}/{}", file.to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&path, &name, files)?;
        } else if !file.to_string_lossy().starts_with('.') {
            files.push((name, path));
        }
    }
    Ok(())
}
