//! Lines, numbers and GUIDs of the files of InfiniBand's tools.

use std::ops::Range;

use crate::model::wrong::{Wrong, shown};

/// How lines begin that are warnings of tools.
const WARNINGS: [&str; 4] = ["ibwarn: ", "ibpanic: ", "ibwarn:[", "ibdebug: "];

/// A line without what ends it, and its place.
#[derive(Clone, Debug)]
pub(super) struct Line<'t> {
    pub text: &'t str,
    pub span: Range<usize>,
}

/// Splits a text into lines, without blanks at their ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |whole| {
        let line = whole.trim_end().trim_start_matches('\u{feff}');
        let begin = start + whole.trim_end().len() - line.len();
        start += whole.len();
        Line { text: line, span: begin..begin + line.len() }
    })
}

impl Line<'_> {
    /// Says what is wrong with it.
    pub fn wrong(&self, message: impl Into<String>, help: impl Into<String>) -> Wrong {
        Wrong::new(&self.span, message, help)
    }

    /// Refuses what programs mix into their output, or other programs make of it. Returns whether it is a warning of a
    /// tool that stands among the lines.
    pub fn is_warning(&self) -> Result<bool, Wrong> {
        if self.text.starts_with("< ") || self.text.starts_with("> ") {
            let message = "this is output of diff: its lines begin with `<` or `>`";
            return Err(self.wrong(message, "name one of the two files that were compared"));
        }
        Ok(WARNINGS.iter().any(|start| self.text.starts_with(start)))
    }
}

/// Reads a hexadecimal number, with `0x` before it or without.
pub(super) fn hex(word: &str) -> Option<u64> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")).unwrap_or(word);
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex { u64::from_str_radix(digits, 16).ok() } else { None }
}

/// Reads a decimal number; signs are none.
pub(super) fn decimal<T: std::str::FromStr>(word: &str) -> Option<T> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { word.parse().ok() } else { None }
}

/// Reads `[3]` at the beginning of a text. Returns the number and what follows.
pub(super) fn bracket(text: &str) -> Option<(u16, &str)> {
    let (number, rest) = text.strip_prefix('[')?.split_once(']')?;
    Some((decimal(number.trim())?, rest))
}

/// Says that a line is none of a format.
pub(super) fn unknown(line: &Line<'_>, format: &str) -> Wrong {
    let text = shown(line.text);
    line.wrong(format!("`{text}` is no line of {format}"), "remove it, or write the file again with the tool")
}

/// Counts warnings of tools among the lines, and says how many there are.
pub(super) fn note_warnings(count: usize, notes: &mut Vec<String>) {
    if count > 0 {
        notes.push(format!("lines that are warnings of the tool (ibwarn) and left out: {count}"));
    }
}
