//! The text of an experiment: the file, and behind it the overrides of the command line.
//!
//! Each override (`--set path=value`) is a line of text of its own, placed behind the file in one common count of
//! bytes. So one number tells where a key was written, whether in the file or on the command line.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use drowse_traces::input;

use super::diagnostic::{Diagnostic, Location, Snippet};

/// The byte order mark, which some editors write before a text in UTF-8.
const MARK: char = '\u{feff}';

/// Reads the text of a file; a byte order mark at its beginning is no part of it.
pub fn read_text(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(input::read(path, input::MOST_BYTES)?);
    text.map(without_mark).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

/// Returns a text without the byte order mark at its beginning.
pub fn without_mark(mut text: String) -> String {
    if text.starts_with(MARK) {
        text.drain(..MARK.len_utf8());
    }
    text
}

/// Holds an experiment file's text and the overrides.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use drowse_experiment::{Location, Source, case};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = r#"
///     network = { kind = "torus", dims = [4, 4] }
///     traffic = { pattern = "uniform", load = 0.1, warmup = "1 us", measure = "2 us" }
/// "#;
/// let with = |set: &str| Source::new(Path::new("torus.toml"), text.into(), &[set.into()]).map(Arc::new);
/// // An override is put in the place of what the file says.
/// assert_eq!(case(&with("network.dims=[3, 3, 3]")?)?.system.network.switches(), 27);
/// // An error in one names its path.
/// let wrong = case(&with("network.dims=3 x 3")?).unwrap_err();
/// assert_eq!(wrong.location, Location::Override { path: "network.dims".into() });
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    text: String,
    overrides: Vec<Override>,
}

/// One `--set path=value`.
#[derive(Clone, Debug)]
pub(super) struct Override {
    /// The names of the path, outermost first.
    pub path: Vec<String>,
    /// The line `path = value`, with as many blanks before it as there is text before it: parsing it gives places in
    /// the common count.
    pub padded: String,
    /// Where the line starts in the common count.
    pub start: usize,
}

impl Source {
    /// Joins a file's text, as read from `path`, with overrides as written on the command line.
    pub fn new(path: &Path, text: String, overrides: &[String]) -> Result<Self, Diagnostic> {
        let mut source = Source { path: path.to_owned(), text, overrides: Vec::new() };
        // One byte between two texts, so that the end of one is not the start of the next.
        let mut start = source.text.len() + 1;
        for written in overrides {
            let next = Override::new(written, start)?;
            start = next.padded.len() + 1;
            source.overrides.push(next);
        }
        Ok(source)
    }

    /// Returns the file's name without folder and ending.
    pub(super) fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the file's text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the overrides in their order.
    pub(super) fn overrides(&self) -> &[Override] {
        &self.overrides
    }

    /// Returns the path of a file that the experiment names: relative to the experiment's folder.
    pub fn resolve(&self, file: &str) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(file)
    }

    /// Returns the text at a place of the common count.
    pub(super) fn text_at(&self, span: &Range<usize>) -> &str {
        let set = self.overrides.iter().rev().find(|set| span.start >= set.start);
        set.map_or(self.text.as_str(), |set| set.padded.as_str()).get(span.clone()).unwrap_or_default()
    }

    /// Makes an error at a place of the common count.
    pub fn error_at(&self, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        let (location, snippet) = self.locate(span);
        let snippet = Some(Box::new(snippet));
        Diagnostic { location, message: message.into(), help: help.into(), snippet, machine: false }
    }

    /// Makes an error that concerns the file as a whole.
    pub fn error(&self, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        Diagnostic::of_file(&self.path, message, help)
    }

    /// Finds line and column, and the line's text.
    fn locate(&self, span: &Range<usize>) -> (Location, Snippet) {
        if let Some(set) = self.overrides.iter().rev().find(|set| span.start >= set.start) {
            let line = set.line().lines().next().unwrap_or_default();
            let snippet = Snippet::new(line, span.start - set.start, span.len(), None);
            return (Location::Override { path: set.path.join(".") }, snippet);
        }
        let at = floor_boundary(&self.text, span.start);
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let line_text = self.text[line_start..].lines().next().unwrap_or_default();
        let snippet = Snippet::new(line_text, at - line_start, span.len(), Some(line));
        let location = Location::Position { file: self.path.display().to_string(), line, column: snippet.column() };
        (location, snippet)
    }
}

impl Override {
    /// Reads `path=value`; a value that is no TOML is taken as text, because shells strip quotes.
    fn new(written: &str, start: usize) -> Result<Self, Diagnostic> {
        let Some((path, value)) = written.split_once('=') else {
            return Err(Diagnostic::override_error(
                written,
                "there is no `=`",
                "write --set path=value, such as --set network.trunk=2",
            ));
        };
        let Some(names) = split_path(path.trim()) else {
            return Err(Diagnostic::override_error(written, format!("`{path}` is no path of a key"), PATH_HELP));
        };
        let line = format!("{} = {}", names.join("."), as_toml(value.trim()));
        Ok(Override { path: names, padded: format!("{}{line}", " ".repeat(start)), start })
    }

    /// Returns the line without the blanks before it.
    fn line(&self) -> &str {
        &self.padded[self.start..]
    }
}

/// How the path of a key is written.
pub(super) const PATH_HELP: &str =
    "join key names by dots, such as power.policy.deep; number the tables of a list from 0: job.0.trace";

/// Splits the path of a key into its names; `None` when it is none.
pub(super) fn split_path(path: &str) -> Option<Vec<String>> {
    let names: Vec<String> = path.split('.').map(str::to_owned).collect();
    let plain =
        |name: &String| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    // No key lies deeper than five names; a bound keeps absurd paths away from recursive code.
    (names.len() <= 8 && names.iter().all(plain)).then_some(names)
}

/// Returns a value as TOML: as it is where it is TOML, or looks as if it should be; otherwise as a quoted text.
fn as_toml(value: &str) -> String {
    let meant_as_toml = value.starts_with(['[', '{', '"', '\'']) || toml::de::DeValue::parse(value).is_ok();
    if meant_as_toml { value.to_owned() } else { toml::Value::from(value).to_string() }
}

/// Returns the last character boundary at or before a byte.
fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0)
}
