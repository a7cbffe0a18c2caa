//! One table or value of the tree, with its path: taken apart key by key, then read into a typed struct.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::diagnostic::Diagnostic;
use super::keys::{Keys, join};
use super::wording;

/// A part of the tree.
pub struct Node<'t> {
    /// Its path, such as `job.0`; empty for the whole.
    pub path: String,
    value: Spanned<DeValue<'t>>,
    /// Keys that were asked for by name: they are known here although the struct does not have them.
    taken: Vec<&'static str>,
}

impl<'t> Node<'t> {
    /// Makes the node of the whole tree.
    pub fn root(table: DeTable<'t>) -> Self {
        Node::new(String::new(), Spanned::new(0..0, DeValue::Table(table)))
    }

    /// Makes the node of a table that was not written.
    pub fn empty(path: &str) -> Self {
        Node::new(path.to_owned(), Spanned::new(0..0, DeValue::Table(DeTable::new())))
    }

    fn new(path: String, value: Spanned<DeValue<'t>>) -> Self {
        Node { path, value, taken: Vec::new() }
    }

    /// Returns whether the node is a certain text.
    pub(super) fn is_text(&self, text: &str) -> bool {
        self.value.get_ref().as_str() == Some(text)
    }

    /// Returns whether the node is a table.
    pub fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    /// Returns whether the node is a table without keys, or from which all were taken.
    pub fn is_empty(&self) -> bool {
        self.value.get_ref().as_table().is_some_and(toml::map::Map::is_empty)
    }

    /// Returns whether a table has a key that was not taken.
    pub fn has(&self, key: &str) -> bool {
        self.value.get_ref().as_table().is_some_and(|table| table.contains_key(key))
    }

    /// Returns the text of a key that was not taken.
    pub fn text_of(&self, key: &str) -> Option<&str> {
        self.value.get_ref().as_table()?.get(key)?.get_ref().as_str()
    }

    /// Returns the text of a key of a table below.
    pub fn text_below(&self, table: &str, key: &str) -> Option<&str> {
        self.value.get_ref().as_table()?.get(table)?.get_ref().as_table()?.get(key)?.get_ref().as_str()
    }

    /// Takes the value of a key out of a table.
    pub fn take(&mut self, key: &'static str) -> Option<Node<'t>> {
        self.taken.push(key);
        match self.value.get_mut() {
            DeValue::Table(table) => Some(Node::new(join(&self.path, key), table.remove(key)?)),
            _ => None,
        }
    }

    /// Takes the values of some keys out of a table, as a table of their own.
    pub fn split(&mut self, names: &[&'static str]) -> Node<'t> {
        self.taken.extend(names);
        let mut taken = DeTable::new();
        if let DeValue::Table(table) = self.value.get_mut() {
            for (name, value) in names.iter().filter_map(|name| table.remove_entry(*name)) {
                taken.insert(name, value);
            }
        }
        Node::new(self.path.clone(), Spanned::new(self.value.span(), DeValue::Table(taken)))
    }

    /// Takes the value of a key out of a table, or says that it is missing.
    pub fn require(&mut self, key: &'static str, keys: &Keys) -> Result<Node<'t>, Diagnostic> {
        if !self.is_table() {
            let message =
                format!("`{}` is {}, not a table", self.path, wording::article(self.value.get_ref().type_str()));
            return Err(keys.error(
                &self.path,
                message,
                format!("write a table; {}", wording::example(keys, &join(&self.path, key))),
            ));
        }
        self.take(key).ok_or_else(|| wording::missing(keys, &self.path, key, &self.names()))
    }

    /// Returns the names of the keys of a table.
    fn names(&self) -> Vec<&str> {
        match self.value.get_ref() {
            DeValue::Table(table) => table.keys().map(|name| name.get_ref().as_ref()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the items of a list, or the node itself where it is no list.
    pub fn items(self) -> Vec<Node<'t>> {
        let Node { path, value, taken } = self;
        let span = value.span();
        match value.into_inner() {
            DeValue::Array(items) => {
                let node = |(index, item)| Node::new(join(&path, &format!("{index}")), item);
                items.into_iter().enumerate().map(node).collect()
            }
            value => vec![Node { path, value: Spanned::new(span, value), taken }],
        }
    }

    /// Returns the value itself, with its place and those of all below it.
    pub fn into_value(self) -> Spanned<DeValue<'t>> {
        self.value
    }

    /// Returns the node as a text of TOML that says the same, keys in alphabetical order.
    pub fn to_toml(&self) -> String {
        let table = toml::Table::deserialize(ValueDeserializer::from(self.value.clone()));
        // What was parsed as TOML can be written as TOML.
        table.ok().and_then(|table| toml::to_string(&table).ok()).unwrap_or_default()
    }

    /// Reads the node into a struct or value.
    pub fn read<T: DeserializeOwned>(self, keys: &Keys) -> Result<T, Diagnostic> {
        let read = T::deserialize(ValueDeserializer::from(self.value));
        read.map_err(|error| wording::from_serde(keys, &self.path, &self.taken, &error))
    }
}
