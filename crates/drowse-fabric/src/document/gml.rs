//! Values of GML: names and values, of which several may have the same name.

use std::ops::Range;

use super::{DEPTH, Key, Kind, Value};
use crate::model::wrong::{Wrong, shown};

/// Reads a text.
pub(crate) fn parse(text: &str) -> Result<Value, Wrong> {
    let mut reader = Reader { text, at: 0 };
    let members = reader.members(DEPTH, None)?;
    Ok(Value { kind: Kind::Map(members), span: 0..text.lines().next().unwrap_or_default().len() })
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// Skips blanks and comments, and returns what follows.
    fn rest(&mut self) -> &'t str {
        loop {
            let rest = &self.text[self.at..];
            let next = rest.trim_start();
            self.at += rest.len() - next.len();
            if !next.starts_with('#') {
                return next;
            }
            self.at += next.find('\n').unwrap_or(next.len());
        }
    }

    /// Reads names and values up to the bracket that closes those that one has opened.
    fn members(&mut self, depth: usize, open: Option<usize>) -> Result<Vec<(Key, Value)>, Wrong> {
        let mut members = Vec::new();
        loop {
            let rest = self.rest();
            match (rest.starts_with(']'), open) {
                (true, Some(_)) => {
                    self.at += 1;
                    return Ok(members);
                }
                (true, None) => return Err(self.wrong(1, "this bracket is not opened".to_owned())),
                (false, Some(open)) if rest.is_empty() => {
                    return Err(Wrong::new(
                        &(open..open + 1),
                        "this bracket is not closed",
                        "write ] behind the last value",
                    ));
                }
                (false, None) if rest.is_empty() => return Ok(members),
                _ => {}
            }
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            if length == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
                let word = rest.split_whitespace().next().unwrap_or_default();
                return Err(self.wrong(word.len(), format!("`{}` is no name of a value", shown(word))));
            }
            let key = Key { name: rest[..length].to_owned(), span: self.at..self.at + length };
            self.at += length;
            let value = self.value(depth, &key)?;
            members.push((key, value));
        }
    }

    fn value(&mut self, depth: usize, key: &Key) -> Result<Value, Wrong> {
        let rest = self.rest();
        let start = self.at;
        if rest.starts_with('[') {
            if depth == 0 {
                return Err(self.wrong(1, format!("values lie more than {DEPTH} deep in each other")));
            }
            self.at += 1;
            let members = self.members(depth - 1, Some(start))?;
            return Ok(Value { kind: Kind::Map(members), span: key.span.start..start + 1 });
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(length) = quoted.find('"') else {
                return Err(self.wrong(1, "this quote is not closed".to_owned()));
            };
            self.at += length + 2;
            let span: Range<usize> = start + 1..start + 1 + length;
            return Ok(Value { kind: Kind::Scalar(unescaped(&quoted[..length])), span });
        }
        let length = rest.find(|c: char| c.is_whitespace() || c == ']' || c == '[').unwrap_or(rest.len());
        if length == 0 {
            return Err(Wrong::new(&key.span, format!("`{}` has no value", shown(&key.name)), "write one behind it"));
        }
        self.at += length;
        Ok(Value { kind: Kind::Scalar(rest[..length].to_owned()), span: start..start + length })
    }

    fn wrong(&self, length: usize, message: String) -> Wrong {
        Wrong::new(
            &(self.at..self.at + length),
            message,
            "write GML: graph [ node [ id 0 ] edge [ source 0 target 1 ] ]",
        )
    }
}

/// Returns a text with its characters for `&amp;`, `&quot;`, `&lt;`, `&gt;`, `&apos;` and `&#233;`.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let character = after.split_once(';').and_then(|(name, behind)| Some((character(name)?, behind)));
        let (character, behind) = character.unwrap_or(('&', after));
        plain.push(character);
        rest = behind;
    }
    plain + rest
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "quot" => Some('"'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "apos" => Some('\''),
        other => char::from_u32(other.strip_prefix('#')?.parse().ok()?),
    }
}
