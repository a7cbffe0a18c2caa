//! Words of texts that blanks separate, each with its place.

use std::ops::Range;

use crate::model::wrong::Word;

/// Returns the lines of a text with their ends, and where each stands.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = start..start + line.len();
        start = span.end;
        (line, span)
    })
}

/// Returns the words of a part of a text that begins at a byte.
pub(crate) fn of(part: &str, start: usize) -> impl Iterator<Item = Word<'_>> {
    part.split_whitespace().map(move |word| {
        // A word is a part of the text.
        let at = start + (word.as_ptr() as usize - part.as_ptr() as usize);
        (word, at..at + word.len())
    })
}
