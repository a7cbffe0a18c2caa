//! Folders and files of results: each file has another name until it is whole, so that a reader never sees half a
//! table.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use drowse_experiment::machine::is_bad_input;
use drowse_tables::csv::CsvError;
use drowse_tables::schema::CHANNELS;
use serde::Serialize;

/// The folder of the finished cases of a sweep, in the folder of its tables.
pub const STORED_CASES: &str = "cases";

/// Why tables cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The folder cannot be made, or a file in it cannot be written.
    #[error("{path}: cannot be written: {error}")]
    Io {
        /// The folder or file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// The path is none of a folder that can be written.
    #[error("{path}: {reason}; give the name of a folder for tables")]
    NoFolder {
        /// The folder, or the file in its place.
        path: String,
        /// Why not.
        reason: String,
    },
    /// The path is none of a file that can be written.
    #[error("{path}: cannot be written: {error}; give the name of a file in a folder that is there")]
    NoFile {
        /// The file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// The folder holds results that would be written over.
    #[error("{folder}: holds the tables of {owner}, which would be written over; give another folder")]
    Taken {
        /// The folder.
        folder: String,
        /// Whose tables there are.
        owner: &'static str,
    },
    /// A table cannot be written.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// The program was built without Parquet.
    #[error("--parquet: this build of Drowse writes CSV only; build it with `--features parquet`")]
    NoParquet,
    /// A table cannot be written as Parquet.
    #[cfg(feature = "parquet")]
    #[error(transparent)]
    Parquet(#[from] drowse_tables::parquet::ParquetError),
}

/// Bytes that are written to see whether there is room: about the tables of a small run.
const TRIAL_BYTES: usize = 64 << 10;

/// Makes a folder for tables if needed, and checks that a file can be written there.
pub fn prepare(folder: &Path) -> Result<(), ExportError> {
    if let Some(file) = folder.ancestors().find(|path| path.exists() && !path.is_dir()) {
        return Err(ExportError::NoFolder {
            path: file.display().to_string(),
            reason: "is a file, not a folder".into(),
        });
    }
    let failed = |error: io::Error| {
        let path = folder.display().to_string();
        if is_bad_input(&error) {
            ExportError::NoFolder { path, reason: format!("cannot be written: {error}") }
        } else {
            ExportError::Io { path, error }
        }
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let trial = partial(folder, "trial");
    let written = fs::write(&trial, vec![0_u8; TRIAL_BYTES]);
    // Also where it could not be written whole.
    let removed = fs::remove_file(&trial);
    written.and(removed).map_err(failed)
}

/// Refuses a folder with the tables of a sweep: those of a run would replace them.
pub fn refuse_sweeps(folder: &Path) -> Result<(), ExportError> {
    refuse(folder, folder.join(STORED_CASES).is_dir(), "a sweep")
}

/// Refuses a folder with the tables of a run: those of a sweep would replace them.
pub fn refuse_runs(folder: &Path) -> Result<(), ExportError> {
    refuse(folder, folder.join(CHANNELS.file).exists() && !folder.join(STORED_CASES).is_dir(), "a run")
}

fn refuse(folder: &Path, taken: bool, owner: &'static str) -> Result<(), ExportError> {
    if taken { Err(ExportError::Taken { folder: folder.display().to_string(), owner }) } else { Ok(()) }
}

impl ExportError {
    /// Returns whether the user gave a folder that cannot be used, rather than that the machine failed.
    pub fn is_bad_input(&self) -> bool {
        use ExportError::{NoFile, NoFolder, NoParquet, Taken};
        matches!(self, NoFolder { .. } | NoFile { .. } | Taken { .. } | NoParquet)
    }
}

/// How the names of files end that are not whole.
const PARTIAL: &str = ".partial";

/// Returns the name under which a file is written until it is whole: no other process of this or of another machine has
/// the same, nor has a thread.
fn partial(folder: &Path, name: &str) -> PathBuf {
    // Its keys are random.
    let random = RandomState::new().build_hasher().finish();
    folder.join(format!(".{name}.{}-{random:016x}{PARTIAL}", std::process::id()))
}

/// Removes what killed processes have left of files that they were writing; none may be at work.
pub fn remove_partial(folder: &Path) -> Result<(), ExportError> {
    let failed = |error| ExportError::Io { path: folder.display().to_string(), error };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| name.starts_with('.') && name.ends_with(PARTIAL)) {
            match fs::remove_file(entry.path()) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Removes a file of earlier results, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), ExportError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(ExportError::Io { path: path.display().to_string(), error })
        }
        _ => Ok(()),
    }
}

/// Writes a small file under another name in one go, then renames it.
pub fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), ExportError> {
    let (path, partial) = (folder.join(name), partial(folder, name));
    fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, &path)).map_err(|error| {
        // The first error is the one to report.
        let _ = fs::remove_file(&partial);
        ExportError::Io { path: path.display().to_string(), error }
    })
}

/// Writes a file under another name, then renames it.
pub fn write_file(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut NewFile) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut file = NewFile::create(folder, name)?;
    write(&mut file)?;
    file.finish()
}

/// Writes a value as JSON, as [`write_file`] does.
pub fn write_json(folder: &Path, name: &str, value: &impl Serialize) -> Result<(), ExportError> {
    write_file(folder, name, |file| {
        let failed = |error| ExportError::Io { path: folder.join(name).display().to_string(), error };
        serde_json::to_writer_pretty(&mut *file, value).map_err(|error| failed(error.into()))?;
        file.write_all(b"\n").map_err(failed)
    })
}

/// A file that has another name until it is whole; if it never is, it is removed.
pub struct NewFile {
    path: PathBuf,
    partial: PathBuf,
    file: BufWriter<File>,
}

impl NewFile {
    /// Begins a file.
    pub fn create(folder: &Path, name: &str) -> Result<Self, ExportError> {
        let (path, partial) = (folder.join(name), partial(folder, name));
        match File::create(&partial) {
            Ok(file) => Ok(NewFile { path, partial, file: BufWriter::new(file) }),
            Err(error) => Err(ExportError::Io { path: path.display().to_string(), error }),
        }
    }

    /// Renames the file to its final name: it is complete.
    pub fn finish(mut self) -> Result<(), ExportError> {
        let renamed = self.file.flush().and_then(|()| fs::rename(&self.partial, &self.path));
        renamed.map_err(|error| ExportError::Io { path: self.path.display().to_string(), error })
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

    #[test]
    fn only_a_file_that_is_not_there_may_stay() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        assert!(remove(&folder.path().join("failed.csv")).is_ok());
        assert!(remove(folder.path()).is_err(), "a folder is no table");
    }
}
