//! Files that have another name until they are whole. Who writes one holds its lock, so that what a killed program has
//! left can be told from what another is writing.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use drowse_tables::checksums::{Checksum, Summed};

use super::error::ExportError;

/// How the names of files end that are not whole.
const PARTIAL: &str = ".partial";

/// Returns the name under which a file is written until it is whole: no other process of this or of another machine has
/// the same, nor has a thread.
pub(super) fn partial(folder: &Path, name: &OsStr) -> PathBuf {
    // Its keys are random.
    let random = RandomState::new().build_hasher().finish();
    let mut partial = OsStr::new(".").to_owned();
    partial.push(name);
    partial.push(format!(".{}-{random:016x}{PARTIAL}", std::process::id()));
    folder.join(partial)
}

/// Removes what killed programs have left of files that they were writing. Where locks do not work, all stays.
pub(crate) fn remove_partial(folder: &Path) -> Result<(), ExportError> {
    remove_partial_of(folder, OsStr::new(""))
}

/// Removes what killed programs have left of one file.
pub(super) fn remove_partial_of(folder: &Path, name: &OsStr) -> Result<(), ExportError> {
    let failed = |error| ExportError::of(folder, error);
    let beginning = [b".", name.as_encoded_bytes()].concat();
    let here = if folder == Path::new("") { Path::new(".") } else { folder };
    for entry in fs::read_dir(here).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        let is_left = bytes.starts_with(&beginning) && bytes.ends_with(PARTIAL.as_bytes());
        // One that cannot be opened is not ours.
        let free = |path: &Path| File::open(path).is_ok_and(|file| file.try_lock().is_ok());
        if is_left && entry.file_type().is_ok_and(|kind| kind.is_file()) && free(&entry.path()) {
            match fs::remove_file(entry.path()) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Writes a small file under another name in one go, then renames it.
pub fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), ExportError> {
    write_file(folder, name, |file| file.write_all(bytes).map_err(|error| ExportError::of(&folder.join(name), error)))
}

/// Writes a file under another name, then renames it.
pub fn write_file(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut NewFile) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut file = NewFile::create(folder, OsStr::new(name))?;
    write(&mut file)?;
    file.finish()
}

/// A file that has another name until it is whole; if it never is, it is removed.
pub struct NewFile {
    path: PathBuf,
    partial: PathBuf,
    file: Summed<BufWriter<File>>,
}

impl NewFile {
    /// Begins a file.
    pub fn create(folder: &Path, name: &OsStr) -> Result<Self, ExportError> {
        let path = folder.join(name);
        loop {
            let partial = partial(folder, name);
            let file = File::create(&partial).map_err(|error| ExportError::of(&path, error))?;
            // Where locks do not work, nobody removes what others write. Before it was locked, somebody may have: then it
            // is begun again.
            if file.try_lock().is_err() || partial.exists() {
                return Ok(NewFile { path, partial, file: Summed::new(BufWriter::new(file)) });
            }
        }
    }

    /// Opens what has been written, to read it.
    pub(super) fn written(&mut self) -> io::Result<File> {
        self.file.flush()?;
        File::open(&self.partial)
    }

    /// Writes what is still in memory, and returns the checksum of the whole.
    pub(super) fn complete(&mut self) -> Result<Checksum, ExportError> {
        self.file.flush().map_err(|error| ExportError::of(&self.path, error))?;
        Ok(self.file.checksum())
    }

    /// Renames the file to its final name: it is complete.
    pub fn finish(mut self) -> Result<(), ExportError> {
        self.complete()?;
        fs::rename(&self.partial, &self.path).map_err(|error| ExportError::of(&self.path, error))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Nothing is left to remove after the renaming. The first error is the one to report.
        let _ = fs::remove_file(&self.partial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}"));
        let mut names: Vec<_> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// What a killed program leaves has no lock any more.
    #[test]
    fn only_what_nobody_writes_is_removed() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let (folder, name) = (folder.path(), OsStr::new("a.csv"));
        let mut written = NewFile::create(folder, name).unwrap_or_else(|error| panic!("{error}"));
        for left in [partial(folder, name), partial(folder, OsStr::new("b.csv"))] {
            fs::write(left, "half").unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(remove_partial_of(folder, name).is_ok());
        assert_eq!(names(folder).len(), 2, "that of b.csv, and that which is written");
        assert!(remove_partial(folder).is_ok() && written.write_all(b"whole").is_ok() && written.finish().is_ok());
        assert_eq!(names(folder), ["a.csv"]);
    }
}
