//! Folders and files of results: each file has another name until it is whole, so that a reader never sees half a
//! table (`new_file.rs`). The files of a run get their names together (`results.rs`); files that the program reads again
//! say their checksum (`sealed.rs`); where a user names a file, nothing is lost that was there (`target.rs`).

mod new_file;
mod results;
pub mod sealed;
pub mod target;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use drowse_experiment::machine::is_bad_input;
use drowse_tables::csv::CsvError;
use drowse_tables::schema::CHANNELS;

pub use new_file::{NewFile, remove_partial, write_file, write_whole};
pub use results::ResultFiles;

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
    /// The path is that of something that must not be replaced.
    #[error("{path}: {reason}")]
    Kept {
        /// The file.
        path: String,
        /// What it is, and what to do.
        reason: String,
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
    #[error("--parquet: this build of Drowse writes CSV only; build it with its default features")]
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
    let trial = new_file::partial(folder, OsStr::new("trial"));
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
    /// Makes the error of a file or folder.
    pub(crate) fn of(path: &Path, error: io::Error) -> Self {
        ExportError::Io { path: path.display().to_string(), error }
    }

    /// Returns whether the user gave a folder that cannot be used, rather than that the machine failed.
    pub fn is_bad_input(&self) -> bool {
        use ExportError::{Kept, NoFile, NoFolder, NoParquet, Taken};
        matches!(self, NoFolder { .. } | NoFile { .. } | Kept { .. } | Taken { .. } | NoParquet)
    }
}
