//! `sweep.baseline`: what each case of a sweep is compared with.

use std::ops::Range;

use schemars::JsonSchema;
use toml::Spanned;
use toml::de::{DeString, DeValue};

use super::axis::shown;
use crate::diagnostic::Diagnostic;
use crate::source::{PATH_HELP, Source, split_path};

/// What each case is compared with.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub enum BaselineKeys {
    /// `"always-on"`.
    Named(String),
    /// Keys that it sets otherwise.
    Keys(serde_json::Map<String, serde_json::Value>),
}

/// What each case is compared with.
pub enum Baseline<'t> {
    /// The case itself with all links on.
    AlwaysOn,
    /// The case itself with these keys.
    Keys(Vec<Set<'t>>),
}

/// A key that a baseline sets.
pub struct Set<'t> {
    /// The names of its path, outermost first.
    pub path: Vec<String>,
    /// Where it is written.
    pub place: Range<usize>,
    /// The last name of the path, and the value.
    pub entry: (Spanned<DeString<'t>>, Spanned<DeValue<'t>>),
}

impl<'t> Baseline<'t> {
    /// Reads the key.
    pub fn read(value: Spanned<DeValue<'t>>, source: &Source) -> Result<Self, Diagnostic> {
        const HELP: &str = "write baseline = \"always-on\", or a table of keys such as { \"network.trunk\" = 1 }";
        let place = value.span();
        let wrong = |message: String| source.error_at(&place, message, HELP);
        match value.into_inner() {
            DeValue::String(name) if name == "always-on" => Ok(Baseline::AlwaysOn),
            DeValue::String(name) => Err(wrong(format!("`sweep.baseline` = \"{name}\" is not known"))),
            DeValue::Table(table) if table.is_empty() => Err(wrong("`sweep.baseline` sets no key".into())),
            DeValue::Table(table) => {
                let mut sets: Vec<_> =
                    table.into_iter().map(|(key, value)| set(&key, value, source)).collect::<Result<_, _>>()?;
                sets.sort_by_key(|set: &Set<'t>| set.place.start);
                Ok(Baseline::Keys(sets))
            }
            _ => Err(wrong("`sweep.baseline` is neither a word nor a table of keys".into())),
        }
    }
}

/// The keys of a policy lie at this one, in `[power]` and its classes.
const POLICY: &str = "policy";

impl Baseline<'_> {
    /// Returns what it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Baseline::AlwaysOn => "always on",
            Baseline::Keys(_) => "baseline",
        }
    }

    /// Returns the value that the baseline of a case has at a path where the case has this one; empty where it has none.
    pub fn value(&self, path: &[String], value: String, source: &Source) -> String {
        match self {
            Baseline::AlwaysOn => always_on(path).map_or(value, str::to_owned),
            Baseline::Keys(sets) => sets.iter().fold(value, |value, set| set.applied(path, value, source)),
        }
    }
}

/// Returns the value of a key of policies where all links are on; `None` for other keys.
fn always_on(path: &[String]) -> Option<&'static str> {
    let place = path.iter().position(|name| name == POLICY).filter(|_| path[0] == "power")?;
    Some(match path[place + 1..].iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => "{ kind = \"always-on\" }",
        ["kind"] => "always-on",
        _ => "",
    })
}

impl Set<'_> {
    /// Returns the value at a path once the key is set.
    fn applied(&self, path: &[String], value: String, source: &Source) -> String {
        let (_, set) = &self.entry;
        if self.path == path {
            return shown(set);
        }
        if let Some(inner) = path.strip_prefix(self.path.as_slice()) {
            let found = inner.iter().try_fold(set, |outer, name| outer.get_ref().as_table()?.get(name.as_str()));
            return found.map_or_else(String::new, shown);
        }
        match self.path.strip_prefix(path) {
            Some(inner) => within(&value, inner, source.text_at(&set.span())).unwrap_or(value),
            None => value,
        }
    }
}

/// Puts a value into a written table; `None` where no table is written.
fn within(table: &str, path: &[String], value: &str) -> Option<String> {
    let parsed = |text: &str| format!("value = {text}").parse::<toml::Table>().ok()?.remove("value");
    let (mut table, value) = (parsed(table)?, parsed(value)?);
    let (last, outer) = path.split_last()?;
    let mut inner = table.as_table_mut()?;
    for name in outer {
        inner = inner.entry(name).or_insert_with(|| toml::Table::new().into()).as_table_mut()?;
    }
    inner.insert(last.clone(), value);
    Some(table.to_string())
}

fn set<'t>(key: &Spanned<DeString<'t>>, value: Spanned<DeValue<'t>>, source: &Source) -> Result<Set<'t>, Diagnostic> {
    let (name, place) = (key.get_ref(), key.span());
    let path = split_path(name).filter(|names| names[0] != "sweep");
    let path = path.ok_or_else(|| source.error_at(&place, format!("`{name}` is no path of a key"), PATH_HELP))?;
    if path.len() == 1 && matches!(value.get_ref(), DeValue::Table(_)) {
        let help = "write the path of one key in quotes, such as \"power.policy\" = { kind = \"always-on\" }";
        return Err(source.error_at(&place, format!("`{name}` would replace a whole section"), help));
    }
    let last: DeString<'t> = path.last().cloned().unwrap_or_default().into();
    Ok(Set { path, entry: (Spanned::new(place.clone(), last), value), place })
}
