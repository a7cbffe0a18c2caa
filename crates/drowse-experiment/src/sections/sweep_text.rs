//! `[sweep]` as text: what a manifest keeps of it, and what a rerun reads.
//!
//! The order of keys is that of the cases, so keys stand as they were written, not in alphabetical order. A key that an
//! override has given one value is left out: its value stands in the experiment.

use toml::Spanned;
use toml::de::{DeString, DeValue};

use super::axis::{Axis, entry, inline};
use crate::keys::join;

/// The keys of the section that are not varied, as they were written.
pub struct Others<'a, 't> {
    /// `baseline`.
    pub baseline: Option<&'a Spanned<DeValue<'t>>>,
    /// `zip`.
    pub zip: Option<&'a Spanned<DeValue<'t>>>,
    /// `except`.
    pub except: Option<&'a Spanned<DeValue<'t>>>,
}

/// Returns the section as TOML; empty if nothing is left of it.
pub fn text(axes: &[Axis<'_>], picked: &[String], others: &Others<'_, '_>) -> String {
    let is_picked = |path: &str| picked.iter().any(|name| name == path);
    let mut lines = Vec::new();
    lines.extend(others.baseline.map(|value| format!("baseline = {}", inline(value))));
    lines.extend(others.zip.and_then(|zip| of_lists("zip", zip, |list| without(list, &is_picked))));
    lines.extend(others.except.and_then(|except| {
        of_lists("except", except, |item| (!names_any("", item.get_ref(), &is_picked)).then(|| inline(item)))
    }));
    lines.extend(axes.iter().map(|axis| entry(&axis.name(), &axis.written)));
    if lines.is_empty() { String::new() } else { format!("\n[sweep]\n{}\n", lines.join("\n")) }
}

/// Writes a key whose value is a list, with what is kept of its items; `None` if nothing is.
fn of_lists(
    name: &str,
    value: &Spanned<DeValue<'_>>,
    kept: impl Fn(&Spanned<DeValue<'_>>) -> Option<String>,
) -> Option<String> {
    let items: Vec<String> = value.get_ref().as_array()?.iter().filter_map(kept).collect();
    (!items.is_empty()).then(|| format!("{name} = [{}]", items.join(", ")))
}

/// Writes a group of keys without those that have one value; `None` if nothing goes together any more.
fn without(list: &Spanned<DeValue<'_>>, is_picked: &impl Fn(&str) -> bool) -> Option<String> {
    let names = list.get_ref().as_array()?.iter();
    let left: Vec<String> = names.filter(|name| !name.get_ref().as_str().is_some_and(is_picked)).map(inline).collect();
    (left.len() > 1).then(|| format!("[{}]", left.join(", ")))
}

/// Returns whether an exception names a key that has one value: such an exception does not hold.
fn names_any(path: &str, value: &DeValue<'_>, is_picked: &impl Fn(&str) -> bool) -> bool {
    let below = |(key, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| {
        names_any(&join(path, key.get_ref()), value.get_ref(), is_picked)
    };
    is_picked(path) || value.as_table().is_some_and(|table| table.iter().any(below))
}
