//! Rows: named values in the order they were added.

use crate::Value;
use crate::name::Name;
use crate::schema::Column;

/// Holds the values of one row of a table, each with its column's name.
///
/// ```
/// use drowse_tables::schema::cases::{LINKS_BY_CLASS_WAKES, MAKESPAN_S};
/// use drowse_tables::{Row, Value};
///
/// let mut row = Row::new();
/// row.push(MAKESPAN_S, 0.25);
/// row.push(LINKS_BY_CLASS_WAKES.of("node"), 3_u64);
/// row.push(LINKS_BY_CLASS_WAKES.of("up"), 5_u64);
/// assert_eq!(row.number(MAKESPAN_S), Some(0.25));
/// // A column with a `*` stands for one column of each link class.
/// let wakes: Vec<_> = row.all(LINKS_BY_CLASS_WAKES).collect();
/// assert_eq!(wakes, [("node", &Value::Integer(3)), ("up", &Value::Integer(5))]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    cells: Vec<(Name, Value)>,
}

impl Row {
    /// Makes a row without values.
    pub const fn new() -> Self {
        Row { cells: Vec::new() }
    }

    /// Adds a value; a name is added once.
    pub fn push(&mut self, name: impl Into<Name>, value: impl Into<Value>) {
        let name = name.into();
        debug_assert!(self.get(&name).is_none(), "{} is added twice", name.as_ref());
        self.cells.push((name, value.into()));
    }

    /// Adds a value if there is one: absent means not applicable.
    pub fn push_some(&mut self, name: impl Into<Name>, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.push(name, value);
        }
    }

    /// Adds the values of a list, numbered from 0.
    pub fn push_all(&mut self, list: Column, values: impl IntoIterator<Item = impl Into<Value>>) {
        values.into_iter().enumerate().for_each(|(index, value)| self.push(list.of(index), value));
    }

    /// Adds the value of another row, if it has one.
    pub fn copy(&mut self, name: impl Into<Name>, from: &Row) {
        let name = name.into();
        let value = from.get(&name).cloned();
        self.push_some(name, value);
    }

    /// Adds all values of another row behind its own.
    pub fn append(&mut self, other: Row) {
        self.cells.extend(other.cells);
    }

    /// Returns the value of a column; takes time linear in the number of values.
    pub fn get(&self, name: impl AsRef<str>) -> Option<&Value> {
        let name = name.as_ref();
        self.cells.iter().find(|(known, _)| known.as_ref() == name).map(|(_, value)| value)
    }

    /// Returns the number in a column; `None` when it is absent or no number.
    pub fn number(&self, name: impl AsRef<str>) -> Option<f64> {
        self.get(name).and_then(Value::number)
    }

    /// Returns the value of a column as a text; an absent value is an empty text.
    pub fn text(&self, name: impl AsRef<str>) -> String {
        self.get(name).map(Value::to_string).unwrap_or_default()
    }

    /// Returns names and values in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.cells.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// Returns the values of a column with a pattern, such as `energy.w_cluster[*]`, each with what its `*` stands for.
    pub fn all(&self, column: Column) -> impl Iterator<Item = (&str, &Value)> {
        self.iter().filter_map(move |(name, value)| Some((column.star(name)?, value)))
    }
}
