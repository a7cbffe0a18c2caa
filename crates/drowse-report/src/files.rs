//! The files of a folder of results: only those that are as they were written.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use drowse_tables::checksums::Checksums;

use crate::error::ReportError;

/// The files of a folder, and their checksums where it has a list of these.
pub struct Files {
    folder: PathBuf,
    sums: Option<Checksums>,
}

impl Files {
    /// Looks at a folder.
    pub fn of(folder: &Path) -> Result<Self, ReportError> {
        let sums = Checksums::read(folder).map_err(ReportError::Question)?;
        Ok(Files { folder: folder.to_owned(), sums })
    }

    /// Reads a text; `None` where there is no such file. One that is not as it was written is refused.
    pub fn text(&self, name: &str) -> Result<Option<(PathBuf, String)>, ReportError> {
        let path = self.folder.join(name);
        let bytes = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(ReportError::Unreadable { path, error }),
        };
        let check = |sums: &Checksums| sums.check(name, bytes.as_deref());
        self.sums.as_ref().map_or(Ok(()), check).map_err(|reason| ReportError::wrong(&path, reason))?;
        let Some(bytes) = bytes else { return Ok(None) };
        let no_text = |_| ReportError::wrong(&path, "is no text; run the experiment again, or copy the file anew");
        String::from_utf8(bytes).map(|text| Some((path.clone(), text))).map_err(no_text)
    }
}
