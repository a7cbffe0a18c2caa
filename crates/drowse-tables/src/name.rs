//! Names of cells.

use std::borrow::Cow;

/// The name of a cell: that of its column, with a text in place of the column's `*`. Columns make the names of new
/// rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(Cow<'static, str>);

impl Name {
    /// Takes the name of a column without a `*`.
    pub(crate) const fn of_column(name: &'static str) -> Self {
        Name(Cow::Borrowed(name))
    }

    /// Takes a name that fits a column.
    pub(crate) fn of(name: &str) -> Self {
        Name(Cow::Owned(name.to_owned()))
    }

    /// Takes a name that was written before.
    pub fn read(name: String) -> Self {
        Name(Cow::Owned(name))
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
