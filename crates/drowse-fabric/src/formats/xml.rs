//! Documents of XML: within bounds, and with the places of elements and attributes.

use std::ops::Range;

use roxmltree::{Document, Error, Node, ParsingOptions};

use super::xml_bounds;
use crate::model::wrong::{Word, Wrong, shown};

/// Reads a document; `typed` ones may name a document type, but hold none. The help says what to write instead.
pub(crate) fn document<'t>(text: &'t str, typed: bool, help: &str) -> Result<Document<'t>, Wrong> {
    xml_bounds::check(text)?;
    if let Some(at) = text.find("<!DOCTYPE").filter(|_| typed) {
        let end = text[at..].find('>').map_or(text.len(), |end| at + end);
        if let Some(inner) = text[at..end].find('[') {
            let place = at + inner..at + inner + 1;
            return Err(Wrong::new(
                &place,
                "declarations within <!DOCTYPE> are not read here",
                "remove what is between [ and ]",
            ));
        }
    }
    let options = ParsingOptions { allow_dtd: typed, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| no_xml(text, &error, help))
}

/// Returns the elements of a name right below another; the prefix of a namespace does not matter.
pub(crate) fn elements<'d, 'i>(node: Node<'d, 'i>, name: &'static str) -> impl Iterator<Item = Node<'d, 'i>> {
    node.children().filter(move |inner| inner.is_element() && inner.tag_name().name() == name)
}

/// Returns the place of an element's begin.
pub(crate) fn start(node: Node<'_, '_>) -> Range<usize> {
    let range = node.range();
    let text = node.document().input_text().get(range.clone()).unwrap_or_default();
    range.start..range.start + text.find('>').map_or(text.len(), |end| end + 1)
}

pub(crate) fn required<'d>(node: Node<'d, '_>, name: &str) -> Result<Word<'d>, Wrong> {
    let found = node.attributes().find(|attribute| attribute.name() == name);
    let wrong = || Wrong::new(&start(node), format!("`{name}` is missing"), format!("write {name}=\"...\""));
    found.map(|attribute| (attribute.value(), attribute.range_value())).ok_or_else(wrong)
}

/// Returns an attribute with its place, if it is there and not empty.
pub(crate) fn optional<'d>(node: Node<'d, '_>, name: &str) -> Option<Word<'d>> {
    let found = node.attributes().find(|attribute| attribute.name() == name && !attribute.value().is_empty());
    found.map(|attribute| (attribute.value(), attribute.range_value()))
}

/// Refuses an element that is not read at its place.
pub(crate) fn not_read(node: Node<'_, '_>, help: impl Into<String>) -> Wrong {
    Wrong::new(&start(node), format!("<{}> is not read here", shown(node.tag_name().name())), help)
}

/// Says what is no XML, at its place.
fn no_xml(text: &str, error: &Error, help: &str) -> Wrong {
    let position = error.pos();
    let line: usize = text.split_inclusive('\n').take(position.row.saturating_sub(1) as usize).map(str::len).sum();
    let rest = &text[line..];
    let column = rest.chars().take(position.col.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>();
    let at = line + column;
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    if matches!(error, Error::DtdDetected) {
        return Wrong::new(&(at..end), "document types are not read here", "remove <!DOCTYPE ...>");
    }
    let told = error.to_string();
    let told = told.rsplit_once(" at ").map_or(told.as_str(), |(told, _)| told);
    Wrong::new(&(at..end), format!("this is no XML: {told}"), help)
}
