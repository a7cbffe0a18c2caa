//! Rows: named values in the order they were added.

use crate::Value;

/// Holds the values of one row of a table, each with its column's name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    cells: Vec<(String, Value)>,
}

impl Row {
    /// Makes a row without values.
    pub const fn new() -> Self {
        Row { cells: Vec::new() }
    }

    /// Adds a value; a name is added once.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        let name = name.into();
        debug_assert!(self.get(&name).is_none(), "{name} is added twice");
        self.cells.push((name, value.into()));
    }

    /// Adds a value if there is one: absent means not applicable.
    pub fn push_some(&mut self, name: impl Into<String>, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.push(name, value);
        }
    }

    /// Adds all values of another row behind its own.
    pub fn append(&mut self, other: Row) {
        self.cells.extend(other.cells);
    }

    /// Returns the value of a column; takes time linear in the number of values.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.cells.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns the number in a column; `None` when it is absent or no number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).and_then(Value::number)
    }

    /// Returns names and values in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.cells.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns the values of a list such as `energy.w_cluster`, each with what stands between the brackets.
    pub fn list<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.iter().filter_map(move |(column, value)| {
            let index = column.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')?;
            Some((index, value))
        })
    }
}
