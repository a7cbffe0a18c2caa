//! What an XML document may have of what makes reading it slow: attributes of one element, depth, namespaces.
//!
//! The parser compares each attribute of an element with all others, and copies the namespaces in force wherever one is
//! declared. Documents of graphs need little of either, so that reading them stays linear.

use crate::model::wrong::Wrong;

const ATTRIBUTES: usize = 256;
const DEPTH: usize = 64;
const NAMESPACES: usize = 256;

/// Refuses documents beyond the bounds; what is no XML is left to the parser.
pub(crate) fn check(text: &str) -> Result<(), Wrong> {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|start| at + start) {
        let rest = &text[start..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
            .into_iter()
            .find(|(begin, _)| rest.starts_with(begin))
            .map(|(begin, end)| {
                rest[begin.len()..].find(end).map_or(rest.len(), |found| begin.len() + found + end.len())
            });
        if let Some(length) = skipped {
            at = start + length;
            continue;
        }
        let tag = Tag::of(rest);
        at = start + tag.length;
        let refuse =
            |message: String| Err(Wrong::new(&(start..start + 1), message, "write nodes, edges and their data"));
        if tag.attributes > ATTRIBUTES {
            return refuse(format!("this element has more than {ATTRIBUTES} attributes"));
        }
        depth = (depth + usize::from(tag.opens)).saturating_sub(usize::from(tag.closes));
        if depth > DEPTH {
            return refuse(format!("elements lie more than {DEPTH} deep in each other"));
        }
    }
    match text.match_indices("xmlns").nth(NAMESPACES) {
        Some((at, _)) => {
            let message = format!("there are more than {NAMESPACES} declarations of namespaces");
            Err(Wrong::new(&(at..at + 5), message, "declare them once, at the first element"))
        }
        None => Ok(()),
    }
}

/// A tag: how long it is, and what it does.
struct Tag {
    length: usize,
    attributes: usize,
    opens: bool,
    closes: bool,
}

impl Tag {
    /// Reads the tag that a text begins with, up to its end.
    fn of(text: &str) -> Self {
        let closes = text.starts_with("</");
        let (mut attributes, mut quote, mut last) = (0, None, b'<');
        for (at, byte) in text.bytes().enumerate().skip(1) {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => attributes += 1,
                (None, b'>') => {
                    let is_empty = last == b'/';
                    return Tag { length: at + 1, attributes, opens: !closes && !is_empty, closes };
                }
                _ => {}
            }
            last = byte;
        }
        Tag { length: text.len(), attributes, opens: false, closes: false }
    }
}
