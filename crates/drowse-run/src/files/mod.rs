//! Folders and files of results: each file has another name until it is whole, so that a reader never sees half a
//! table (`new_file.rs`). The files of a run get their names together (`results.rs`); files that the program reads again
//! say their checksum (`sealed.rs`); where a user names a file or a folder, nothing is lost that was there (`target.rs`,
//! `folder.rs`).

mod error;
pub mod folder;
mod new_file;
mod results;
pub mod sealed;
pub mod target;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use drowse_experiment::machine::is_bad_input;
use drowse_tables::schema::CHANNELS;

pub use error::ExportError;
pub(crate) use new_file::remove_partial;
pub use new_file::{NewFile, write_file, write_whole};
pub use results::ResultFiles;
pub(crate) use target::STORED_CASES;

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
