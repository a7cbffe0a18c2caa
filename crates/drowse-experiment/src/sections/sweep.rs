//! `[sweep]`: the keys that are varied, and their values.
//!
//! Each key is a path as for `--set`, quoted (`"power.policy.deep"`) or not; its values are a list, or an exact decimal
//! range `{ from, to, step }`. A key that an override sets is not varied: so `--set` picks one value.

use std::ops::Range;

use schemars::JsonSchema;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::range::{DecimalRange, Number};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::source::{PATH_HELP, Source, split_path};

/// The keys that are varied: each path of a key, in quotes (`"power.policy.deep"`) or as tables, has a list of values
/// or a range `{ from = 0.1, to = 0.9, step = 0.1 }`. A case is run for each combination.
#[derive(JsonSchema)]
#[serde(transparent)]
#[expect(dead_code, reason = "only its schema is used: ranges are exact decimal numbers")]
pub struct SweepKeys(std::collections::BTreeMap<String, ValueKeys>);

/// The values of a key that is varied.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum ValueKeys {
    /// A list.
    List(Vec<serde_json::Value>),
    /// A range, or a table of keys.
    Table(serde_json::Map<String, serde_json::Value>),
}

/// One key that is varied.
pub struct Axis<'t> {
    /// The names of its path, outermost first.
    pub path: Vec<String>,
    /// Where it is written in the sweep.
    pub key: Range<usize>,
    values: Values<'t>,
}

enum Values<'t> {
    Listed(Vec<Spanned<DeValue<'t>>>),
    Counted(DecimalRange, Range<usize>),
}

impl<'t> Axis<'t> {
    /// Returns the path, joined by dots.
    pub fn name(&self) -> String {
        self.path.join(".")
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        match &self.values {
            Values::Listed(values) => values.len() as u64,
            Values::Counted(range, _) => range.count(),
        }
    }

    /// Returns a value by its number from 0, as TOML; as written where it was listed.
    pub fn toml(&self, index: u64, source: &Source) -> String {
        match &self.values {
            Values::Listed(values) => source.text_at(&values[index as usize].span()).trim().to_owned(),
            Values::Counted(range, _) if range.has_unit() => format!("\"{}\"", range.text(index)),
            Values::Counted(range, _) => range.text(index),
        }
    }

    /// Returns a value by its number from 0, as people read it: a text without its quotes.
    pub fn text(&self, index: u64, source: &Source) -> String {
        match &self.values {
            Values::Listed(values) => match values[index as usize].get_ref() {
                // An empty cell of a table would say that the key was not set.
                DeValue::String(text) if !text.is_empty() => text.clone().into_owned(),
                _ => self.toml(index, source),
            },
            Values::Counted(range, _) => range.text(index),
        }
    }

    /// Returns a listed value, with the places of all its parts; `None` for a range.
    pub fn listed(&self, index: u64) -> Option<&Spanned<DeValue<'t>>> {
        match &self.values {
            Values::Listed(values) => values.get(index as usize),
            Values::Counted(..) => None,
        }
    }

    /// Returns the place of a value.
    pub fn place(&self, index: u64) -> Range<usize> {
        match &self.values {
            Values::Listed(values) => values[index as usize].span(),
            Values::Counted(_, place) => place.clone(),
        }
    }
}

/// Reads the section: the keys that are varied, in the order in which they are written.
pub fn resolve<'t>(node: Node<'t>, keys: &Keys) -> Result<Vec<Axis<'t>>, Diagnostic> {
    let value = node.into_value();
    let DeValue::Table(table) = value.get_ref() else {
        let help = "write keys and their values, such as \"power.policy.deep\" = [\"10 us\", \"50 us\"]";
        return Err(keys.error("sweep", "`sweep` is not a table", help));
    };
    let mut axes = Vec::new();
    collect(&mut axes, "", table, keys.source())?;
    axes.sort_by_key(|axis| axis.key.start);
    check_paths(&axes, keys.source())?;
    let set = |axis: &Axis<'_>| keys.source().overrides().iter().any(|set| set.path == axis.path);
    axes.retain(|axis| !set(axis));
    Ok(axes)
}

/// Adds the keys of a table, and of the tables in it that are no ranges.
fn collect<'t>(axes: &mut Vec<Axis<'t>>, outer: &str, table: &DeTable<'t>, source: &Source) -> Result<(), Diagnostic> {
    for (key, value) in table {
        let path = join(outer, key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if !is_range(inner) => collect(axes, &path, inner, source)?,
            _ => axes.push(axis(&path, key, value, source)?),
        }
    }
    Ok(())
}

fn is_range(table: &DeTable<'_>) -> bool {
    table.keys().any(|key| ["from", "to", "step"].contains(&key.get_ref().as_ref()))
}

fn axis<'t>(
    path: &str,
    key: &Spanned<DeString<'t>>,
    value: &Spanned<DeValue<'t>>,
    source: &Source,
) -> Result<Axis<'t>, Diagnostic> {
    let names = split_path(path).filter(|names| names[0] != "sweep");
    let names =
        names.ok_or_else(|| source.error_at(&key.span(), format!("`{path}` is no path of a key"), PATH_HELP))?;
    let values = match value.get_ref() {
        DeValue::Array(items) if items.is_empty() => {
            return Err(source.error_at(&value.span(), format!("`{path}` has no value"), "list at least one value"));
        }
        DeValue::Array(items) => Values::Listed(items.iter().cloned().collect()),
        DeValue::Table(table) => Values::Counted(range(path, value, table, source)?, value.span()),
        _ => {
            let message = format!("`{path}` has one value, and a sweep needs a list");
            let help = "write a list such as [1, 2, 4], or a range such as { from = 1, to = 5, step = 1 }";
            return Err(source.error_at(&value.span(), message, help));
        }
    };
    Ok(Axis { path: names, key: key.span(), values })
}

fn range(
    path: &str,
    value: &Spanned<DeValue<'_>>,
    table: &DeTable<'_>,
    source: &Source,
) -> Result<DecimalRange, Diagnostic> {
    const HELP: &str = "a range is { from = 1, to = 5, step = 1 }, or with units { from = \"10 us\", ... }";
    if let Some(other) = table.keys().find(|key| !["from", "to", "step"].contains(&key.get_ref().as_ref())) {
        return Err(source.error_at(&other.span(), format!("unknown key `{}`", other.get_ref()), HELP));
    }
    let number = |name: &str| {
        let missing = || source.error_at(&value.span(), format!("`{name}` of the range `{path}` is missing"), HELP);
        let value = table.get(name).ok_or_else(missing)?;
        let number = match value.get_ref() {
            DeValue::Integer(integer) if integer.radix() == 10 => Number::parse(integer.as_str()),
            DeValue::Float(float) => Number::parse(float.as_str()),
            DeValue::String(text) => Number::parse(text).filter(Number::has_unit),
            _ => None,
        };
        let help = "write a decimal number of at most 18 digits without exponent; with a unit in quotes: \"10 us\"";
        number.ok_or_else(|| source.error_at(&value.span(), format!("`{name}` is no decimal number"), help))
    };
    DecimalRange::new(&number("from")?, &number("to")?, &number("step")?)
        .map_err(|(message, help)| source.error_at(&value.span(), message, help))
}

/// Refuses a key that would replace what another key sets.
fn check_paths(axes: &[Axis<'_>], source: &Source) -> Result<(), Diagnostic> {
    for (index, axis) in axes.iter().enumerate() {
        let clash = |other: &&Axis<'_>| other.path.starts_with(&axis.path) || axis.path.starts_with(&other.path);
        if let Some(other) = axes[..index].iter().find(clash) {
            let message = format!("`{}` and `{}` set the same key", other.name(), axis.name());
            return Err(source.error_at(&axis.key, message, "vary one of them"));
        }
    }
    Ok(())
}
