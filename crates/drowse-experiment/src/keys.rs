//! Where each key of an experiment was written, so that whatever is found wrong later can point to it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::Diagnostic;
use super::example::example;
use super::source::Source;

/// Knows the place of every key that was written, by its path, such as `network.dims` or `job.0.trace`.
#[derive(Clone)]
pub struct Keys {
    source: Arc<Source>,
    places: BTreeMap<String, Place>,
    schema: LazySchema,
}

/// The schema of experiment files, made once where somebody asks.
pub(super) type LazySchema = Arc<LazyLock<Value, Box<dyn FnOnce() -> Value + Send + Sync>>>;

impl fmt::Debug for Keys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Keys")
            .field("source", &self.source)
            .field("places", &self.places)
            .finish_non_exhaustive()
    }
}

/// Where a key and its value stand.
#[derive(Clone, Debug)]
struct Place {
    key: Range<usize>,
    value: Range<usize>,
}

impl Keys {
    /// Notes the places of all keys below a table.
    pub(super) fn new(source: Arc<Source>, root: &DeTable<'_>, schema: LazySchema) -> Self {
        let mut keys = Keys { source, places: BTreeMap::new(), schema };
        keys.add_table("", root);
        keys
    }

    /// Returns how a key is written; `None` where nothing is known of it.
    pub(super) fn example(&self, path: &str) -> Option<String> {
        let names: Vec<&str> = path.split('.').filter(|name| name.parse::<usize>().is_err()).collect();
        let table = path.rsplit_once('.').map_or("", |(table, _)| table);
        let kind = self.places.get(&join(table, "kind")).map(|place| self.source.text_at(&place.value));
        example(self.schema(), &names, kind.map(|kind| kind.trim_matches(['"', '\''])))
    }

    /// Returns the schema of the file that the keys are of.
    pub(super) fn schema(&self) -> &Value {
        &self.schema
    }

    /// Returns the text that the keys were read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns whether a key was written.
    pub fn contains(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    /// Returns where the value of a key stands; the beginning of the file where it was not written.
    pub(super) fn place_of(&self, path: &str) -> Range<usize> {
        self.places.get(path).map_or(0..0, |place| place.value.clone())
    }

    /// Makes an error at a key's value; where the key was not written, at the innermost table around it that was.
    pub fn error(&self, path: &str, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        let mut around = path;
        loop {
            if let Some(place) = self.places.get(around) {
                return self.source.error_at(&place.value, message, help);
            }
            match around.rsplit_once('.') {
                Some((outer, _)) => around = outer,
                None => return self.source.error(message, help),
            }
        }
    }

    /// Makes an error at a key itself rather than at its value.
    pub(super) fn error_at_key(&self, path: &str, message: String, help: String) -> Diagnostic {
        match self.places.get(path) {
            Some(place) => self.source.error_at(&place.key, message, help),
            None => self.error(path, message, help),
        }
    }

    /// Finds the path of what stands at exactly this place, key or value, at or below the path `within`.
    pub(super) fn path_at(&self, within: &str, span: &Range<usize>) -> Option<&str> {
        let below = self.places.iter().filter(|(path, _)| is_within(path, within));
        // Tables that are only named in a deeper header share its place; the deepest is the one that is meant.
        let found = below.filter(|(_, place)| place.value == *span || place.key == *span);
        found.max_by_key(|(path, _)| path.len()).map(|(path, _)| path.as_str())
    }

    fn add_table(&mut self, path: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let below = join(path, key.get_ref());
            self.places.insert(below.clone(), Place { key: key.span(), value: value.span() });
            self.add_value(&below, value);
        }
    }

    fn add_value(&mut self, path: &str, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Table(table) => self.add_table(path, table),
            DeValue::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let below = join(path, &index.to_string());
                    self.places.insert(below.clone(), Place { key: item.span(), value: item.span() });
                    self.add_value(&below, item);
                }
            }
            _ => {}
        }
    }
}

/// Joins two parts of a path.
pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Returns whether a path is `within` or lies below it.
fn is_within(path: &str, within: &str) -> bool {
    within.is_empty() || path.strip_prefix(within).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
