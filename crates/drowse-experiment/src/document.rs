//! From text to a tree of keys and values, with the overrides put in.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::diagnostic::Diagnostic;
use super::keys::{Keys, LazySchema};
use super::node::Node;
use super::preset;
use super::source::{Override, Source};

/// A key and its value.
pub(super) type Entry<'t> = (Spanned<DeString<'t>>, Spanned<DeValue<'t>>);

/// Parses a source and applies its overrides, each replacing what its path named before. The schema says how
/// keys are written.
pub(super) fn parse(source: &Arc<Source>, schema: LazySchema) -> Result<(Node<'_>, Keys), Diagnostic> {
    finish(source, parse_table(source)?, schema)
}

/// Notes where the keys of a tree were written, and fills in its preset.
pub(super) fn finish<'t>(
    source: &Arc<Source>,
    mut root: DeTable<'t>,
    schema: LazySchema,
) -> Result<(Node<'t>, Keys), Diagnostic> {
    let keys = Keys::new(Arc::clone(source), &root, schema);
    preset::fill(&mut root, &keys)?;
    Ok((Node::root(root), keys))
}

/// Parses a source as [`parse`] does, and leaves it to the caller to change it further.
pub(super) fn parse_table(source: &Source) -> Result<DeTable<'_>, Diagnostic> {
    let mut root = parse_text(source, source.text())?;
    for set in source.overrides() {
        let mut parsed = parse_text(source, &set.padded)?;
        let value = only_value(source, set, &mut parsed)?;
        put(source, &set.path, &(set.start..set.padded.len()), &mut root, value)?;
    }
    Ok(root)
}

/// Parses one text as a TOML document.
fn parse_text<'t>(source: &Source, text: &'t str) -> Result<DeTable<'t>, Diagnostic> {
    DeTable::parse(text).map(Spanned::into_inner).map_err(|error| {
        let message = format!("this is no TOML: {}", error.message());
        match error.span() {
            Some(span) => source.error_at(&span, message, "see https://toml.io for the syntax"),
            None => source.error(message, "see https://toml.io for the syntax"),
        }
    })
}

/// Takes the value at the end of an override's path; a value that smuggles in more keys is refused.
fn only_value<'t>(source: &Source, set: &Override, table: &mut DeTable<'t>) -> Result<Entry<'t>, Diagnostic> {
    let refuse =
        || source.error_at(&(set.start..set.padded.len()), "this sets more than one key", "use one --set per key");
    let (last, outer) = set.path.split_last().ok_or_else(refuse)?;
    let mut inner = std::mem::take(table);
    for name in outer {
        let below = inner.remove(name.as_str()).filter(|_| inner.is_empty()).ok_or_else(refuse)?;
        let DeValue::Table(below) = below.into_inner() else { return Err(refuse()) };
        inner = below;
    }
    inner.remove_entry(last.as_str()).filter(|_| inner.is_empty()).ok_or_else(refuse)
}

/// Puts a value where a path leads, making tables on the way; errors point to `written`.
pub(super) fn put<'t>(
    source: &Source,
    path: &[String],
    written: &Range<usize>,
    root: &mut DeTable<'t>,
    (key, value): Entry<'t>,
) -> Result<(), Diagnostic> {
    let mut table = root;
    let mut names = path[..path.len() - 1].iter();
    while let Some(name) = names.next() {
        let span = key.span();
        let below = table
            .entry(Spanned::new(span.clone(), name.clone().into()))
            .or_insert_with(|| Spanned::new(span, DeValue::Table(DeTable::new())));
        let below = match below.get_mut() {
            DeValue::Array(items) => names.next().and_then(|number| item(items, number)),
            value => Some(value),
        };
        let Some(DeValue::Table(inner)) = below else {
            let help = "give the path of one key; number the tables of a list from 0, such as job.0.trace";
            return Err(source.error_at(written, format!("no table `{name}` holds such a key"), help));
        };
        table = inner;
    }
    // Removed first: inserting over an entry would keep the old key, and with it the old place.
    table.remove(key.get_ref().as_ref());
    table.insert(key, value);
    Ok(())
}

/// Returns the item of a list by its number from 0.
fn item<'a, 't>(items: &'a mut DeArray<'t>, number: &str) -> Option<&'a mut DeValue<'t>> {
    let index: usize = number.parse().ok()?;
    items.get_mut(index).map(Spanned::get_mut)
}
