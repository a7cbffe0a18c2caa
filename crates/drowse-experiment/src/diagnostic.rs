//! What is wrong with an experiment, where, and what to do: printed as compilers do.

use std::fmt;
use std::path::Path;

/// Says what is wrong with an experiment.
///
/// Prints as `FILE:LINE:COLUMN: error: message`, then the line with a caret below the place, then the help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Diagnostic {
    /// Where.
    pub location: Location,
    /// What is wrong.
    pub message: String,
    /// What to do; empty where the message says it all.
    pub help: String,
    /// The line, to show the place.
    pub snippet: Option<Box<Snippet>>,
    /// The experiment is right, but this machine is too small for it.
    pub machine: bool,
}

/// Where something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A place in a file.
    Position {
        /// The file, as it was named.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
    },
    /// A file as a whole.
    File {
        /// The file, as it was named.
        file: String,
    },
    /// An option `--set` of the command line.
    Override {
        /// The path of the key.
        path: String,
    },
}

/// A line of text with a place marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The line before the place, or the end of it.
    before: String,
    /// The place, or the start of it.
    marked: String,
    /// The line after the place, or the start of it.
    after: String,
    /// The place's column in characters, from 1.
    column: usize,
    /// The line's number, if it is of a file.
    number: Option<usize>,
}

impl Snippet {
    /// Characters shown of each part of a line: one line of a terminal or two, however long the line is.
    const SHOWN: usize = 80;

    /// Marks `length` bytes of a line; what goes beyond the line's end is cut off.
    pub(super) fn new(line: &str, start: usize, length: usize, number: Option<usize>) -> Self {
        let (before, rest) = line.split_at_checked(start).unwrap_or((line, ""));
        let (marked, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let start = before.char_indices().rev().nth(Self::SHOWN - 1).map_or(0, |(byte, _)| byte);
        let head = |text: &str| text.chars().take(Self::SHOWN).collect();
        Snippet {
            before: before[start..].into(),
            marked: head(marked),
            after: head(after),
            column: before.chars().count() + 1,
            number,
        }
    }

    /// Returns the place's column in characters, from 1.
    pub(super) fn column(&self) -> usize {
        self.column
    }
}

impl Diagnostic {
    /// Makes an error that concerns a file as a whole.
    pub fn of_file(file: &Path, message: impl Into<String>, help: impl Into<String>) -> Self {
        let location = Location::File { file: file.display().to_string() };
        Diagnostic { location, message: message.into(), help: help.into(), snippet: None, machine: false }
    }

    /// Makes an error of a `--set` that cannot even be split into path and value.
    pub(super) fn override_error(written: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        let location = Location::Override { path: written.into() };
        Diagnostic { location, message: message.into(), help: help.into(), snippet: None, machine: false }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: error: {}", self.location, self.message)?;
        if let Some(snippet) = &self.snippet {
            write!(f, "\n{snippet}")?;
        }
        if !self.help.is_empty() {
            write!(f, "\nhelp: {}", self.help)?;
        }
        Ok(())
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Position { file, line, column } => write!(f, "{file}:{line}:{column}"),
            Location::File { file } => f.write_str(file),
            Location::Override { path } => write!(f, "--set {path}"),
        }
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number.map(|number| number.to_string()).unwrap_or_default();
        let margin = " ".repeat(number.len());
        // Tabs stay tabs, so that the caret stands below its place however wide they are shown.
        let indent: String = self.before.chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
        let carets = "^".repeat(self.marked.chars().count().max(1));
        writeln!(f, " {number} | {}{}{}", self.before, self.marked, self.after)?;
        write!(f, " {margin} | {indent}{carets}")
    }
}
