//! What is wrong with a place of a file, and the words that messages are made of.

use std::ops::Range;

/// What is wrong with a place of a file, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {help}")]
pub struct Wrong {
    /// The bytes of the file that are wrong.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Wrong {
    /// Says what is wrong, and what to do.
    pub fn new(span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Wrong { span: span.clone(), message: message.into(), help: help.into() }
    }

    /// Returns what is wrong with a part of a file that begins at this byte.
    #[must_use]
    pub fn moved(self, start: usize) -> Self {
        Wrong { span: self.span.start + start..self.span.end + start, ..self }
    }
}

/// A text and where it stands in the file.
pub(crate) type Word<'t> = (&'t str, Range<usize>);

/// Returns a word of a file as messages show it: its beginning, if it is long.
pub(crate) fn shown(word: &str) -> String {
    const MOST: usize = 40;
    match word.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}

/// Reads a number within bounds.
pub(crate) fn number((word, span): &Word<'_>, what: &str, least: u32, most: u32) -> Result<u32, Wrong> {
    let number = word.parse::<u32>().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| {
        Wrong::new(
            span,
            format!("`{}` is no number of {what}", shown(word)),
            format!("write a whole number, {least} to {most}"),
        )
    })
}
