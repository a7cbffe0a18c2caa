//! The errors of packed files that are not unpacked: they are damaged, or whole and refused all the same.

use std::io;

use super::refusal::Refusal;
use crate::error::TraceError;

/// Returns the error of an archive that is not unpacked, at a place in it.
pub(super) fn not_unpacked(file: &str, at: &str, source: io::Error) -> TraceError {
    let file = file.to_owned();
    match refusal(&source) {
        Some(refusal) => TraceError::NotUnpacked { file, at: format!("{at}: "), refusal },
        None => TraceError::DamagedArchive { file, at: at.to_owned(), source },
    }
}

/// Returns the error of a compressed file that is not decompressed.
pub(super) fn not_decompressed(file: &str, source: io::Error) -> TraceError {
    let file = file.to_owned();
    match refusal(&source) {
        Some(refusal) => TraceError::NotUnpacked { file, at: String::new(), refusal },
        None => TraceError::DamagedFile { file, source },
    }
}

fn refusal(error: &io::Error) -> Option<Refusal> {
    error.get_ref().and_then(|cause| cause.downcast_ref()).copied()
}
