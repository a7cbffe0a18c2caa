//! JSON whose parts know where they stand in the text.

use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::job::Wrong;

/// Reads a part of a text, which begins at a byte of the file.
pub fn read<'t, T: Deserialize<'t>>(part: &'t str, start: usize) -> Result<T, Wrong> {
    serde_json::from_str(part).map_err(|error| {
        let at = start + offset(part, error.line(), error.column());
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or_default();
        let said = said.replace("u64", "a whole number").replace("f64", "a number");
        let (message, help) = match error.classify() {
            serde_json::error::Category::Data => (format!("this is not as expected: {said}"), "correct it"),
            _ => (format!("this is no JSON: {said}"), "write JSON, or a log of another format; a file may be cut off"),
        };
        Wrong::new(&(at..at + 1), message, help)
    })
}

/// Returns the byte of a line and column, both from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (start + column.saturating_sub(1)).min(text.len())
}

/// Returns where a part stands in the text that it was read from.
pub fn place(text: &str, part: &RawValue) -> Range<usize> {
    let start = (part.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + part.get().len()
}
