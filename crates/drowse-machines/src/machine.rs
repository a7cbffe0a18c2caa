//! An experiment as TOML, with the files that it names.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use drowse_experiment::{Diagnostic, Source};
use toml::{Table, Value};

/// An experiment and its files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// The tables of the experiment.
    pub tables: Table,
    /// The files that the experiment names, beside it.
    pub files: Vec<File>,
}

/// A file beside an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Machine {
    /// Adds a section.
    pub fn put(&mut self, section: &str, value: impl Into<Value>) {
        self.tables.insert(section.to_owned(), value.into());
    }

    /// Returns the queues of its switches.
    pub fn queues(&self) -> &str {
        self.word("switch", "queues").unwrap_or("input")
    }

    /// Returns the word of a key, if it is written.
    pub fn word(&self, section: &str, key: &str) -> Option<&str> {
        self.tables.get(section)?.get(key)?.as_str()
    }

    /// Adds a file.
    pub fn add_file(&mut self, name: impl Into<String>, text: String) {
        self.files.push(File { name: name.into(), text });
    }

    /// Writes the files to a folder.
    pub fn write_files(&self, folder: &Path) -> io::Result<()> {
        self.files.iter().try_for_each(|file| fs::write(folder.join(&file.name), &file.text))
    }

    /// Returns the text of the experiment.
    pub fn text(&self) -> String {
        self.tables.to_string()
    }

    /// Returns the experiment as it is read from a folder with its files.
    pub fn source(&self, folder: &Path) -> Result<Arc<Source>, Diagnostic> {
        Source::new(&folder.join("machine.toml"), self.text(), &[]).map(Arc::new)
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())?;
        self.files.iter().try_for_each(|File { name, text }| write!(f, "# The file {name}:\n{text}"))
    }
}
