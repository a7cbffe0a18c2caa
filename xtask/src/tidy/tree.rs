//! The files that laws look at.

use std::collections::BTreeMap;

use crate::failure::Outcome;
use crate::repository::{files, read};

/// All texts of the repository that laws look at, by their paths.
#[derive(Debug, Default)]
pub struct Tree {
    pub texts: BTreeMap<String, String>,
}

impl Tree {
    /// Reads Rust, Markdown and manifests of the repository.
    pub fn read() -> Outcome<Self> {
        let is_read = |file: &String| [".rs", ".md", "/Cargo.toml"].iter().any(|ending| file.ends_with(ending));
        let texts = files()?.into_iter().filter(is_read).map(|file| Ok((file.clone(), read(&file)?)));
        Ok(Self { texts: texts.collect::<Outcome<_>>()? })
    }

    /// A small one for tests.
    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self { texts: files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect() }
    }

    pub fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.ending(".rs")
    }

    /// The pages of the project, and not those that other projects wrote.
    pub fn pages(&self) -> impl Iterator<Item = (&str, &str)> {
        self.ending(".md").filter(|(file, _)| !file.starts_with("crates/drowse-report/assets/"))
    }

    fn ending(&self, ending: &'static str) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .filter(move |(file, _)| file.ends_with(ending))
            .map(|(file, text)| (file.as_str(), text.as_str()))
    }
}
