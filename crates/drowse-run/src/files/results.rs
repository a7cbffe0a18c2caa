//! The files of a folder of results, which get their names together: all are written to their end first. Then they are
//! renamed, what only an earlier run had is removed, and `checksums.json` is written. In between, that of the earlier run
//! is there, which the new files do not match: readers refuse the folder, and do not see a mixture of two runs.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use drowse_tables::checksums::{self, Checksums};
use drowse_tables::schema::CASES;
use serde::Serialize;

use super::error::ExportError;
use super::new_file::{NewFile, remove_partial};
use crate::manifest;

/// Files of a folder of results until all are whole.
pub struct ResultFiles<'f> {
    folder: &'f Path,
    /// Their names, in the order in which they were begun.
    files: Vec<(String, NewFile)>,
    /// What an earlier run may have had and this one has not.
    gone: BTreeSet<String>,
}

impl<'f> ResultFiles<'f> {
    /// Begins without files, in a folder that was prepared. What killed programs have left there is removed.
    pub fn begin(folder: &'f Path) -> Result<Self, ExportError> {
        remove_partial(folder)?;
        // Where they are damaged, tables by other names may stay, which readers refuse.
        let before = Checksums::read(folder).ok().flatten();
        let gone = before.iter().flat_map(Checksums::names).filter(|name| is_plain(name)).map(str::to_owned).collect();
        Ok(ResultFiles { folder, files: Vec::new(), gone })
    }

    /// Writes a file.
    pub fn write(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut NewFile) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let mut file = self.create(name)?;
        write(&mut file)?;
        self.add(name, file);
        Ok(())
    }

    /// Writes a value as JSON.
    pub fn write_json(&mut self, name: &str, value: &impl Serialize) -> Result<(), ExportError> {
        let path = self.folder.join(name);
        self.write(name, |file| {
            let failed = |error| ExportError::of(&path, error);
            serde_json::to_writer_pretty(&mut *file, value).map_err(|error| failed(error.into()))?;
            file.write_all(b"\n").map_err(failed)
        })
    }

    /// Begins a file, which is not among them until it is added.
    pub fn create(&self, name: &str) -> Result<NewFile, ExportError> {
        NewFile::create(self.folder, OsStr::new(name))
    }

    /// Adds a file that is whole.
    pub fn add(&mut self, name: &str, file: NewFile) {
        self.files.push((name.to_owned(), file));
    }

    /// Notes that there is no such file; one of an earlier run is removed.
    pub fn without(&mut self, name: &str) {
        self.gone.insert(name.to_owned());
    }

    /// Opens a file that was written, to read it; `None` where there is none of this name.
    pub fn read(&mut self, name: &str) -> Result<Option<File>, ExportError> {
        let found = self.files.iter_mut().find(|(file, _)| file == name);
        let open = |(_, file): &mut (String, NewFile)| {
            file.written().map_err(|error| ExportError::of(&self.folder.join(name), error))
        };
        found.map(open).transpose()
    }

    /// Keeps a file of an earlier run as it is, if it is there.
    pub fn keep(&mut self, name: &str) -> Result<(), ExportError> {
        let path = self.folder.join(name);
        match fs::read(&path) {
            Ok(bytes) => self.write(name, |file| file.write_all(&bytes).map_err(|error| ExportError::of(&path, error))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(ExportError::of(&path, error)),
        }
    }

    /// Returns the paths that the files will have.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|(name, _)| self.folder.join(name)).collect()
    }

    /// Renames all files from their temporary names to their own.
    pub fn finish(mut self) -> Result<(), ExportError> {
        let mut sums = Checksums::default();
        for (name, file) in &mut self.files {
            sums.add(name, file.complete()?);
        }
        // It is whole before anything changes: there may be no room.
        let mut list = self.create(checksums::FILE)?;
        let failed = |error| ExportError::of(&self.folder.join(checksums::FILE), error);
        list.write_all(sums.to_text().as_bytes()).map_err(failed)?;
        list.complete()?;
        // Readers of the folder look for the cases first.
        self.files.sort_by_key(|(name, _)| [CASES.file, manifest::FILE].iter().position(|last| last == name));
        self.files.into_iter().try_for_each(|(_, file)| file.finish())?;
        for name in self.gone.iter().filter(|name| !sums.has(name)) {
            remove(&self.folder.join(name))?;
        }
        list.finish()
    }
}

/// Returns whether a name is that of a file in the folder itself.
fn is_plain(name: &str) -> bool {
    Path::new(name).file_name() == Some(OsStr::new(name))
}

/// Removes a file of earlier results, if it is there.
fn remove(path: &Path) -> Result<(), ExportError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(ExportError::of(path, error)),
        _ => Ok(()),
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

    #[test]
    fn names_that_lead_elsewhere_are_none_of_the_folder() {
        assert!(is_plain("cases.csv") && ["../x", "a/b", "/etc/x", "..", ""].iter().all(|name| !is_plain(name)));
    }
}
