//! What is wrong with an experiment, where, and what to do: printed as compilers do.

use std::fmt;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet as Lines};

/// Columns of a terminal, at which messages are broken into lines.
const WIDTH: usize = 80;

/// Says what is wrong with an experiment.
///
/// Prints as `FILE:LINE:COLUMN: error: message`, then the line with a caret below the place, then the help.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use drowse_experiment::{Location, Source, case};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = "[network]\nkind = \"torus\"\ndims = [4, 4]\ntrunk = 300\n";
/// let wrong = case(&Arc::new(Source::new(Path::new("wide.toml"), text.into(), &[])?)).unwrap_err();
/// // The value of `trunk` begins at the ninth column of the fourth line.
/// assert_eq!(wrong.location, Location::Position { file: "wide.toml".into(), line: 4, column: 9 });
/// assert!(wrong.to_string().starts_with("wide.toml:4:9: error: "), "{wrong}");
/// # Ok(())
/// # }
/// ```
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
    /// Characters kept of each part of a line, however long the line is; more than are drawn.
    const SHOWN: usize = WIDTH;

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

    /// Draws the line with its place marked, in a terminal's width.
    fn draw(&self, renderer: &Renderer) -> String {
        let text = [self.before.as_str(), &self.marked, &self.after].concat();
        let place = self.before.len()..self.before.len() + self.marked.len();
        let lines = Lines::source(text).line_numbering(self.number.is_some()).line_start(self.number.unwrap_or(1));
        let drawn = renderer
            .render(&[Group::with_level(Level::ERROR).element(lines.annotation(AnnotationKind::Primary.span(place)))]);
        // The first line is an empty margin.
        drawn.lines().skip(1).map(|line| format!(" {line}")).collect::<Vec<_>>().join("\n")
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

impl Diagnostic {
    /// Returns the text for a terminal: lines are broken where they would be too long, and coloured if that is wanted.
    pub fn for_terminal(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let [error, help] =
            if colour { ["\x1b[1;91merror:\x1b[0m", "\x1b[1;96mhelp:\x1b[0m"] } else { ["error:", "help:"] };
        let message = broken(&format!("{}: error: {}", self.location, self.message), "    ");
        let mut text = message.replacen(": error: ", &format!(": {error} "), 1);
        if let Some(snippet) = &self.snippet {
            text = format!("{text}\n{}", snippet.draw(&renderer.term_width(WIDTH - 1)));
        }
        if !self.help.is_empty() {
            text = format!("{text}\n{}", broken(&format!("help: {}", self.help), "      ").replacen("help:", help, 1));
        }
        text
    }
}

/// Breaks the lines of a text at a terminal's width, between words; what follows is indented.
fn broken(text: &str, indent: &str) -> String {
    text.lines().map(|line| broken_line(line, indent)).collect::<Vec<_>>().join("\n")
}

fn broken_line(text: &str, indent: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            lines.push('\n');
            lines.push_str(indent);
            column = indent.len();
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: error: {}", self.location, self.message)?;
        if let Some(snippet) = &self.snippet {
            write!(f, "\n{}", snippet.draw(&Renderer::plain().term_width(WIDTH - 1)))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic() -> Diagnostic {
        let line =
            "dims = [4, x] # a comment that is as long as it takes to leave the terminal on its right side, and more";
        Diagnostic {
            location: Location::Position { file: "x.toml".into(), line: 3, column: 12 },
            message: "this is no TOML".into(),
            help: "write a list of numbers, or one of the many other things that may stand here instead of this one"
                .into(),
            snippet: Some(Box::new(Snippet::new(line, 11, 1, Some(3)))),
            machine: false,
        }
    }

    #[test]
    fn a_terminal_is_eighty_columns_wide() {
        let text = diagnostic().for_terminal(false);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.starts_with("x.toml:3:12: error: this is no TOML\n 3 | dims = [4, x] # a comment"), "{text}");
        assert!(text.contains("\nhelp: write a list") && text.ends_with("this one"), "{text}");
    }

    #[test]
    fn colours_are_only_where_they_are_wanted() {
        assert!(!diagnostic().for_terminal(false).contains('\x1b') && !diagnostic().to_string().contains('\x1b'));
        let text = diagnostic().for_terminal(true);
        assert!(text.starts_with("x.toml:3:12: \x1b[1;91merror:\x1b[0m this is no TOML\n"), "{text}");
    }
}
