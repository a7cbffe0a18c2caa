//! Folders and files of results: each file has another name until it is whole, so that a reader never sees half a
//! table.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use drowse_tables::csv::CsvError;

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
    /// A table cannot be written.
    #[error(transparent)]
    Csv(#[from] CsvError),
}

/// Makes a folder for tables if needed, and checks that a file can be written there.
pub fn prepare(folder: &Path) -> Result<(), ExportError> {
    let failed = |error| ExportError::Io { path: folder.display().to_string(), error };
    fs::create_dir_all(folder).map_err(failed)?;
    let trial = partial(folder, "trial");
    File::create(&trial).and_then(|_| fs::remove_file(&trial)).map_err(failed)
}

/// Returns the name under which a file is written until it is whole.
fn partial(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!(".{name}.{}.partial", std::process::id()))
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
