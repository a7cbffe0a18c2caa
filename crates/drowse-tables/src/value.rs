//! The values of a cell.

use std::fmt;

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number, 0 or more.
    Integer,
    /// A number.
    Float,
    /// A text; never empty, because an empty cell is an absent value.
    Text,
    /// Yes or no.
    Bool,
}

impl Kind {
    /// Returns the type's name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Integer => "whole number",
            Kind::Float => "number",
            Kind::Text => "text",
            Kind::Bool => "true or false",
        }
    }

    /// Reads a cell; `None` when the text is no value of this type.
    pub fn parse(self, cell: &str) -> Option<Value> {
        match self {
            Kind::Integer => cell.parse().ok().map(Value::Integer),
            Kind::Float => cell.parse().ok().map(Value::Float),
            Kind::Text => Some(Value::Text(cell.to_owned())),
            Kind::Bool => cell.parse().ok().map(Value::Bool),
        }
    }
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A count, or another exact whole number.
    Integer(u64),
    /// A measure.
    Float(f64),
    /// A name or a sentence.
    Text(String),
    /// Yes or no.
    Bool(bool),
}

impl Value {
    /// Returns the type of the value.
    pub const fn kind(&self) -> Kind {
        match self {
            Value::Integer(_) => Kind::Integer,
            Value::Float(_) => Kind::Float,
            Value::Text(_) => Kind::Text,
            Value::Bool(_) => Kind::Bool,
        }
    }

    /// Returns a number of either type as a float; `None` for text and truth.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Integer(integer) => Some(*integer as f64),
            Value::Float(float) => Some(*float),
            Value::Text(_) | Value::Bool(_) => None,
        }
    }
}

impl fmt::Display for Value {
    /// Writes the cell: a float in the shortest form that reads back exactly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(integer) => write!(f, "{integer}"),
            // The debug form is the shortest that reads back, with an exponent where the plain one would be long.
            Value::Float(float) => write!(f, "{float:?}"),
            Value::Text(text) => f.write_str(text),
            Value::Bool(truth) => write!(f, "{truth}"),
        }
    }
}

impl From<u64> for Value {
    fn from(integer: u64) -> Self {
        Value::Integer(integer)
    }
}

impl From<u32> for Value {
    fn from(integer: u32) -> Self {
        Value::Integer(u64::from(integer))
    }
}

impl From<f64> for Value {
    fn from(float: f64) -> Self {
        Value::Float(float)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Value::Bool(truth)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}
