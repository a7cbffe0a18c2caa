//! One key that a sweep varies, and its values: a list, or an exact decimal range.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, ValueDeserializer};

use super::range::{DecimalRange, Number, by_factor};
use crate::diagnostic::Diagnostic;
use crate::source::{PATH_HELP, Source, split_path};

/// One key that is varied.
pub struct Axis<'t> {
    /// The names of its path, outermost first.
    pub path: Vec<String>,
    /// Where it is written in the sweep.
    pub key: Range<usize>,
    /// All values as TOML: a list, or the range as it was written.
    pub written: String,
    values: Values<'t>,
}

enum Values<'t> {
    Listed(Vec<Spanned<DeValue<'t>>>),
    Counted(DecimalRange, Range<usize>),
    /// Texts of numbers by a factor, and whether they have a unit.
    Factors(Vec<String>, bool, Range<usize>),
}

impl<'t> Axis<'t> {
    /// Reads the key of a path.
    pub fn read(
        path: &str,
        key: &Spanned<DeString<'t>>,
        value: &Spanned<DeValue<'t>>,
        source: &Source,
    ) -> Result<Self, Diagnostic> {
        let names = split_path(path).filter(|names| names[0] != "sweep");
        let names =
            names.ok_or_else(|| source.error_at(&key.span(), format!("`{path}` is no path of a key"), PATH_HELP))?;
        let written = match value.get_ref() {
            DeValue::Table(table) => range_text(table, source),
            _ => inline(value),
        };
        let values = match value.get_ref() {
            DeValue::Array(items) if items.is_empty() => {
                return Err(source.error_at(
                    &value.span(),
                    format!("`{path}` has no value"),
                    "list at least one value",
                ));
            }
            DeValue::Array(items) => {
                let values: Vec<_> = items.iter().cloned().collect();
                check_names(&names, &values, source)?;
                Values::Listed(values)
            }
            DeValue::Table(table) => range(path, value, table, source)?,
            _ => {
                let message = format!("`{path}` has one value, and a sweep needs a list");
                let help = "write a list such as [1, 2, 4], or a range such as { from = 1, to = 5, step = 1 }";
                return Err(source.error_at(&value.span(), message, help));
            }
        };
        Ok(Axis { path: names, key: key.span(), written, values })
    }

    /// Returns the path, joined by dots.
    pub fn name(&self) -> String {
        self.path.join(".")
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        match &self.values {
            Values::Listed(values) => values.len() as u64,
            Values::Counted(range, _) => range.count(),
            Values::Factors(texts, ..) => texts.len() as u64,
        }
    }

    /// Returns a value by its number from 0, as TOML; as written where it was listed.
    pub fn toml(&self, index: u64) -> String {
        match &self.values {
            Values::Listed(values) => inline(&values[index as usize]),
            Values::Counted(range, _) if range.has_unit() => format!("\"{}\"", range.text(index)),
            Values::Counted(range, _) => range.text(index),
            Values::Factors(texts, true, _) => format!("\"{}\"", texts[index as usize]),
            Values::Factors(texts, false, _) => texts[index as usize].clone(),
        }
    }

    /// Returns a value by its number from 0, as people read it: a text without its quotes.
    pub fn text(&self, index: u64) -> String {
        match &self.values {
            Values::Listed(values) => shown(&values[index as usize]),
            Values::Counted(range, _) => range.text(index),
            Values::Factors(texts, ..) => texts[index as usize].clone(),
        }
    }

    /// Returns a listed value, with the places of all its parts; `None` for a range.
    pub fn listed(&self, index: u64) -> Option<&Spanned<DeValue<'t>>> {
        match &self.values {
            Values::Listed(values) => values.get(index as usize),
            Values::Counted(..) | Values::Factors(..) => None,
        }
    }

    /// Returns a listed value as a case gets it: without its name, which changes no result.
    pub fn resolved(&self, index: u64) -> Option<Spanned<DeValue<'t>>> {
        let mut value = self.listed(index)?.clone();
        if let (true, DeValue::Table(table)) = (are_named(&self.path), value.get_mut()) {
            table.remove(NAME);
        }
        Some(value)
    }

    /// Returns whether the values are a range.
    pub fn is_range(&self) -> bool {
        !matches!(self.values, Values::Listed(_))
    }

    /// Returns the place of a value.
    pub fn place(&self, index: u64) -> Range<usize> {
        match &self.values {
            Values::Listed(values) => values[index as usize].span(),
            Values::Counted(_, place) | Values::Factors(_, _, place) => place.clone(),
        }
    }
}

/// The key of a table that names a value of the sweep.
const NAME: &str = "name";

/// Returns whether a table at a path may have a name for the sweep alone. Jobs have names of their own, by which results
/// are told apart.
fn are_named(path: &[String]) -> bool {
    path[0] != "job" || path.len() > 2
}

/// Refuses names that are no texts, are empty, or are those of two values.
fn check_names(path: &[String], values: &[Spanned<DeValue<'_>>], source: &Source) -> Result<(), Diagnostic> {
    let mut known: Vec<&str> = Vec::new();
    for value in values.iter().filter(|_| are_named(path)) {
        let Some(name) = value.get_ref().as_table().and_then(|table| table.get(NAME)) else { continue };
        let wrong = |message: String| source.error_at(&name.span(), message, "write a name of its own for each value");
        let text = name.get_ref().as_str().filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| wrong("the `name` of a value is no text".into()))?;
        if known.contains(&text) {
            return Err(wrong(format!("two values of `{}` are named `{text}`", path.join("."))));
        }
        known.push(text);
    }
    Ok(())
}

/// Returns a written value as people read it: a text without its quotes.
pub fn shown(value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        // An empty cell of a table would say that the key was not set.
        DeValue::String(text) if !text.is_empty() => text.clone().into_owned(),
        _ => inline(value),
    }
}

/// Returns a value in one line of TOML, in one spelling: an experiment that is run again from what was kept of it has the
/// same, where tables have headers of their own.
pub fn inline(value: &Spanned<DeValue<'_>>) -> String {
    fn line(value: &toml::Value) -> String {
        match value {
            toml::Value::Array(items) => format!("[{}]", items.iter().map(line).collect::<Vec<_>>().join(", ")),
            toml::Value::Table(table) => {
                let mut keys: Vec<_> = table.iter().collect();
                keys.sort_by_key(|(name, _)| (*name != NAME, *name != "kind", *name));
                let keys: Vec<String> = keys.into_iter().map(|(name, value)| entry(name, &line(value))).collect();
                format!("{{ {} }}", keys.join(", "))
            }
            value => value.to_string(),
        }
    }
    // What was parsed as TOML is a value of it.
    toml::Value::deserialize(ValueDeserializer::from(value.clone())).map(|value| line(&value)).unwrap_or_default()
}

/// Returns a key and a value that is TOML already; the key in quotes where it needs them.
pub fn entry(name: &str, value: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let name = if bare { name.to_owned() } else { toml::Value::from(name).to_string() };
    format!("{name} = {value}")
}

/// Returns a range as TOML. Its numbers are as they were written, because they say how many decimals its values have.
fn range_text(table: &DeTable<'_>, source: &Source) -> String {
    let mut keys: Vec<_> = table.iter().collect();
    keys.sort_by_key(|(_, value)| value.span().start);
    let text = |(key, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| {
        entry(key.get_ref(), source.text_at(&value.span()))
    };
    format!("{{ {} }}", keys.into_iter().map(text).collect::<Vec<_>>().join(", "))
}

fn range<'t>(
    path: &str,
    value: &Spanned<DeValue<'_>>,
    table: &DeTable<'_>,
    source: &Source,
) -> Result<Values<'t>, Diagnostic> {
    const HELP: &str = "a range is { from = 1, to = 5, step = 1 }, or with units { from = \"10 us\", ... }";
    let pace = if table.contains_key("factor") { "factor" } else { "step" };
    if table.contains_key("factor") && table.contains_key("step") {
        let message = format!("the range `{path}` has a step and a factor");
        return Err(source.error_at(&value.span(), message, "write one of them"));
    }
    if let Some(other) = table.keys().find(|key| !["from", "to", pace].contains(&key.get_ref().as_ref())) {
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
    let (from, to, by) = (number("from")?, number("to")?, number(pace)?);
    let values = if pace == "factor" {
        by_factor(&from, &to, &by).map(|texts| Values::Factors(texts, from.has_unit(), value.span()))
    } else {
        DecimalRange::new(&from, &to, &by).map(|range| Values::Counted(range, value.span()))
    };
    values.map_err(|(message, help)| source.error_at(&value.span(), message, help))
}
