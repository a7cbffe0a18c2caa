//! Documents of nested values, in JSON or YAML: each value with its place in the file.

pub(crate) mod gml;
pub(crate) mod json;
pub(crate) mod yaml;

use std::ops::Range;

use drowse_tables::nearest::meant;

use crate::model::wrong::{Word, Wrong, number, shown};

/// How deep values may lie in each other.
const DEPTH: usize = 32;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// `null`, or nothing at all.
    Empty,
    /// A text, or a number or truth as it is written.
    Scalar(String),
    List(Vec<Value>),
    /// Names and values, in the order of the file; no name stands twice.
    Map(Vec<(Key, Value)>),
}

/// The name of a value, and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub name: String,
    pub span: Range<usize>,
}

impl Value {
    /// Returns the names and values of a map; `what` tells a message what it is of.
    pub fn map(&self, what: &str) -> Result<&[(Key, Value)], Wrong> {
        match &self.kind {
            Kind::Map(members) => Ok(members),
            _ => Err(self.wrong(format!("{what} is no set of names and values"), "write NAME: VALUE for each")),
        }
    }

    /// Returns the values of a list.
    pub fn list(&self, what: &str) -> Result<&[Value], Wrong> {
        match &self.kind {
            Kind::List(values) => Ok(values),
            _ => Err(self.wrong(format!("{what} is no list"), "write a list, such as [ A, B ]")),
        }
    }

    /// Returns a text or number as it is written.
    pub fn text(&self, what: &str) -> Result<Word<'_>, Wrong> {
        match &self.kind {
            Kind::Scalar(text) => Ok((text, self.span.clone())),
            _ => Err(self.wrong(format!("{what} is no text or number"), "write one")),
        }
    }

    /// Returns a whole number within bounds.
    pub fn number(&self, what: &str, least: u32, most: u32) -> Result<u32, Wrong> {
        number(&self.text(what)?, what, least, most)
    }

    /// Returns whether this is `true`.
    pub fn is_true(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(text) if text.eq_ignore_ascii_case("true"))
    }

    /// Returns a value of a map by its name; nothing of what is no map, and of what is empty.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let Kind::Map(members) = &self.kind else { return None };
        members.iter().find(|(key, value)| key.name == name && value.kind != Kind::Empty).map(|(_, value)| value)
    }

    /// Returns a value of a map that must be there.
    pub fn need(&self, name: &str, of: &str) -> Result<&Value, Wrong> {
        self.map(of)?;
        self.get(name).ok_or_else(|| self.wrong(format!("`{name}` of {of} is missing"), format!("write {name}: ...")))
    }

    /// Refuses names of a map that are not known.
    pub fn check(&self, known: &[&str], of: &str) -> Result<(), Wrong> {
        match self.map(of)?.iter().find(|(key, _)| !known.contains(&key.name.as_str())) {
            Some((key, _)) => {
                let message = format!("`{}` of {of} is not known here", shown(&key.name));
                let help = format!("{}known: {}", meant(&key.name, known), known.join(", "));
                Err(Wrong::new(&key.span, message, help))
            }
            None => Ok(()),
        }
    }

    /// Says what is wrong with it, at its first line.
    pub fn wrong(&self, message: impl Into<String>, help: impl Into<String>) -> Wrong {
        Wrong::new(&self.span, message, help)
    }
}

/// Returns a part of a text that begins and ends between characters.
fn between(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start.min(text.len()));
    start..text.ceil_char_boundary(range.end.clamp(start, text.len()))
}

/// Returns the place of a line and column, which begin with 1, and the rest of that line; columns are characters.
fn at_line(text: &str, line: usize, column: usize) -> Range<usize> {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text[start..].lines().next().unwrap_or_default();
    let within: usize = rest.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
    start + within..start + rest.len()
}
