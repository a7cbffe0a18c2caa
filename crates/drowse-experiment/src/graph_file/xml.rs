//! As much of XML as files of graphs need: tags with attributes, text, comments, the entities that XML defines itself.
//!
//! Document types, which could define others, are refused.

use std::borrow::Cow;
use std::ops::Range;

use super::Wrong;

/// An attribute of an element: its name, its value, and where this stands.
pub(super) type Attribute<'t> = (&'t str, Cow<'t, str>, Range<usize>);

/// A part of a document.
#[derive(Debug)]
pub(super) enum Part<'t> {
    /// The begin of an element.
    Open {
        /// Its name, without the prefix of its namespace.
        name: &'t str,
        attributes: Vec<Attribute<'t>>,
    },
    /// The end of the element that has begun last.
    Close,
    /// Text.
    Text(Cow<'t, str>),
}

/// Reads a document part by part; that elements are nested properly is checked.
pub(super) struct Parts<'t> {
    text: &'t str,
    at: usize,
    /// The names of elements that have begun, and where.
    open: Vec<(&'t str, Range<usize>)>,
    /// The element that has begun ends at once.
    closes: bool,
}

/// A part, with its place.
type Found<'t> = (Part<'t>, Range<usize>);

impl<'t> Parts<'t> {
    pub fn new(text: &'t str) -> Self {
        Parts { text, at: 0, open: Vec::new(), closes: false }
    }

    /// Returns the next part; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Found<'t>>, Wrong> {
        if std::mem::take(&mut self.closes) {
            return Ok(self.open.pop().map(|(_, span)| (Part::Close, span)));
        }
        loop {
            let (rest, start) = (&self.text[self.at..], self.at);
            if rest.is_empty() {
                return match self.open.pop() {
                    Some((name, span)) => {
                        Err(Wrong::new(&span, format!("<{name}> has no end"), format!("write </{name}>")))
                    }
                    None => Ok(None),
                };
            }
            if let Some(length) = self.skipped(rest)? {
                self.at += length;
            } else if let Some(inner) = rest.strip_prefix("<![CDATA[") {
                let length = length_to(inner, "]]>", start)?;
                self.at += "<![CDATA[".len() + length + "]]>".len();
                return Ok(Some((Part::Text(Cow::Borrowed(&inner[..length])), start..self.at)));
            } else if rest.starts_with('<') {
                return self.tag(rest, start).map(Some);
            } else {
                self.at += rest.find('<').unwrap_or(rest.len());
                let span = start..self.at;
                return Ok(Some((Part::Text(plain(&self.text[span.clone()], start)?), span)));
            }
        }
    }

    /// Returns the length of a comment or of an instruction to some program.
    fn skipped(&self, rest: &str) -> Result<Option<usize>, Wrong> {
        for (begin, end) in [("<!--", "-->"), ("<?", "?>")] {
            if let Some(inner) = rest.strip_prefix(begin) {
                return length_to(inner, end, self.at).map(|length| Some(begin.len() + length + end.len()));
            }
        }
        if rest.starts_with("<!DOCTYPE") {
            let message = "document types are not read";
            return Err(Wrong::new(&(self.at..self.at + 9), message, "remove the line that begins with <!DOCTYPE"));
        }
        Ok(None)
    }

    /// Reads a tag.
    fn tag(&mut self, rest: &'t str, start: usize) -> Result<Found<'t>, Wrong> {
        let closing = rest.starts_with("</");
        let mut at = if closing { 2 } else { 1 };
        let full = &rest[at..at + name_length(&rest[at..])];
        let name = full.rsplit(':').next().unwrap_or(full);
        let span = start..start + at + full.len();
        if name.is_empty() {
            return Err(Wrong::new(
                &(start..start + 1),
                "a tag has no name",
                "write <name>, or &lt; for the character <",
            ));
        }
        at += full.len();
        let mut attributes = Vec::new();
        loop {
            at += blanks(&rest[at..]);
            let left = &rest[at..];
            if left.starts_with('>') {
                at += 1;
                break;
            }
            if left.starts_with("/>") && !closing {
                (at, self.closes) = (at + 2, true);
                break;
            }
            let (attribute, length) = attribute(left, start + at)?;
            at += length;
            attributes.push(attribute);
        }
        self.at = start + at;
        if !closing {
            self.open.push((name, span.clone()));
            return Ok((Part::Open { name, attributes }, span));
        }
        match self.open.pop() {
            Some((open, _)) if open == name => Ok((Part::Close, span)),
            Some((open, _)) => {
                let message = format!("</{name}> ends an element that has not begun last");
                Err(Wrong::new(&span, message, format!("write </{open}> first")))
            }
            None => Err(Wrong::new(&span, format!("</{name}> ends an element that has not begun"), "remove it")),
        }
    }
}

/// Returns how far the end of something is away that begins at a place.
fn length_to(inner: &str, end: &str, start: usize) -> Result<usize, Wrong> {
    let wrong = || Wrong::new(&(start..start + 1), "this does not end before the file does", format!("write {end}"));
    inner.find(end).ok_or_else(wrong)
}

/// Reads an attribute with its value; gives its length, too.
fn attribute(text: &str, start: usize) -> Result<(Attribute<'_>, usize), Wrong> {
    let wrong = |at: usize| {
        let next = text[at..].chars().next().map_or(0, char::len_utf8);
        Wrong::new(&(start + at..start + at + next), "this is no attribute of a tag", "write name=\"value\"")
    };
    let name = &text[..name_length(text)];
    let mut at = name.len();
    if name.is_empty() {
        return Err(wrong(0));
    }
    at += blanks(&text[at..]);
    if !text[at..].starts_with('=') {
        return Err(wrong(at));
    }
    at += 1;
    at += blanks(&text[at..]);
    let quote = text[at..].chars().next().filter(|c| ['"', '\''].contains(c)).ok_or_else(|| wrong(at))?;
    at += 1;
    let length = text[at..].find(quote).ok_or_else(|| wrong(at))?;
    let value = plain(&text[at..at + length], start + at)?;
    Ok(((name, value, start + at..start + at + length), at + length + 1))
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| c.is_whitespace() || "<>/=\"'".contains(c)).unwrap_or(text.len())
}

/// Puts the characters in for which entities stand.
fn plain(text: &str, start: usize) -> Result<Cow<'_, str>, Wrong> {
    if !text.contains('&') {
        return Ok(Cow::Borrowed(text));
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let at = start + text.len() - after.len() - 1;
        let found = after.split_once(';').and_then(|(entity, after)| Some((character(entity)?, after)));
        let Some((character, after)) = found else {
            return Err(Wrong::new(&(at..at + 1), "this & begins no entity of XML", "write &amp; for the character &"));
        };
        plain.push(character);
        rest = after;
    }
    plain.push_str(rest);
    Ok(Cow::Owned(plain))
}

fn character(entity: &str) -> Option<char> {
    let code = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match entity.strip_prefix("#x") {
            Some(digits) => code(digits, 16),
            None => code(entity.strip_prefix('#')?, 10),
        },
    }
}
