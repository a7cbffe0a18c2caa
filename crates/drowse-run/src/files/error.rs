//! Why files of results cannot be written.

use std::io;
use std::path::Path;

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
