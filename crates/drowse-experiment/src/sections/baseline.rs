//! `sweep.baseline`: what each case of a sweep is compared with.

use std::ops::Range;

use schemars::JsonSchema;
use toml::Spanned;
use toml::de::{DeString, DeValue};

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
    /// The same case with all links on.
    AlwaysOn,
    /// The same case with these keys.
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
