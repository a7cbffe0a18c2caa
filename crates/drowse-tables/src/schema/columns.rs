//! Columns, and the macros that define each of them once: as a constant of its module and as a part of its table.

use std::fmt;

use crate::{Kind, Name};

/// Describes one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name, or a pattern with one `*`.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// The unit; `1` for a ratio or share, empty for text and truth.
    pub unit: &'static str,
    /// What it means, in one line.
    pub meaning: &'static str,
    /// The first version of Drowse whose tables have it.
    pub since: &'static str,
}

/// The first version: that of every column that says no other.
const FIRST: &str = "0.1.0";

impl Column {
    /// Returns the name of a cell of a column with a pattern.
    ///
    /// `links.by_class.*.wakes` of `node` is `links.by_class.node.wakes`.
    pub fn of(&self, star: impl fmt::Display) -> Name {
        Name::of(&self.name.replacen('*', &star.to_string(), 1))
    }

    /// Returns whether a name is this column's, or fits its pattern.
    pub fn matches(&self, name: &str) -> bool {
        if self.name.contains('*') { self.star(name).is_some() } else { self.name == name }
    }

    /// Returns what the `*` of this column's pattern stands for in a name; `None` where the name does not fit.
    pub fn star<'n>(&self, name: &'n str) -> Option<&'n str> {
        let (before, after) = self.name.split_once('*')?;
        name.strip_prefix(before)?.strip_suffix(after).filter(|star| !star.is_empty())
    }
}

impl AsRef<str> for Column {
    fn as_ref(&self) -> &str {
        self.name
    }
}

impl From<Column> for Name {
    fn from(column: Column) -> Self {
        debug_assert!(!column.name.contains('*'), "{} is a pattern", column.name);
        Name::of_column(column.name)
    }
}

/// Makes a column of whole numbers.
pub(super) const fn integer(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Integer, unit, meaning, since: FIRST }
}

/// Makes a column of numbers.
pub(super) const fn float(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Float, unit, meaning, since: FIRST }
}

/// Makes a column of texts.
pub(super) const fn text(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Text, unit: "", meaning, since: FIRST }
}

/// Makes a column of truths.
pub(super) const fn truth(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Bool, unit: "", meaning, since: FIRST }
}

/// Defines columns as constants, each documented by its name, unit and meaning.
macro_rules! columns {
    ($($column:ident: $kind:ident($name:literal $(, $more:literal)+),)+) => {
        $(
            #[doc = concat!("`", $name, "`" $(, ", ", $more)+, ".")]
            pub const $column: $crate::schema::Column = $crate::schema::columns::$kind($name $(, $more)+);
        )+
    };
}

/// Defines the columns of a table as constants, and the table that has them in this order.
macro_rules! table {
    (
        $(#[$doc:meta])* pub const $schema:ident = $file:literal;
        $($column:ident: $kind:ident($name:literal $(, $more:literal)+),)+
    ) => {
        $crate::schema::columns::columns! { $($column: $kind($name $(, $more)+),)+ }

        $(#[$doc])*
        pub const $schema: $crate::schema::Schema = $crate::schema::Schema { file: $file, columns: &[$($column),+] };
    };
}

pub(super) use {columns, table};
