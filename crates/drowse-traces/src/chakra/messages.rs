//! The messages of Chakra's schema 0.0.4 (`et_def.proto`), as far as they are used. Other fields are skipped.

use prost::{Message, Oneof};

/// The first message of a file.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Metadata {
    #[prost(string, tag = "1")]
    pub version: String,
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<Attribute>,
}

/// A node of the graph. What is left out is 0, its id, too.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Node {
    #[prost(uint64, tag = "1")]
    pub id: u64,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(int32, tag = "3")]
    pub kind: i32,
    #[prost(uint64, repeated, tag = "4")]
    pub control: Vec<u64>,
    #[prost(uint64, repeated, tag = "5")]
    pub data: Vec<u64>,
    #[prost(uint64, tag = "7")]
    pub microseconds: u64,
    #[prost(message, optional, tag = "8")]
    pub inputs: Option<Inputs>,
    #[prost(message, repeated, tag = "10")]
    pub attributes: Vec<Attribute>,
}

/// What a node takes: the values as Python prints them.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Inputs {
    #[prost(string, tag = "1")]
    pub values: String,
}

/// A named value.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Attribute {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(oneof = "Value", tags = "7, 9, 11, 13, 15, 17, 27, 29")]
    pub value: Option<Value>,
}

/// A value. Lists and floats are skipped.
#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Value {
    #[prost(int32, tag = "7")]
    Int32(i32),
    #[prost(int64, tag = "9")]
    Int64(i64),
    #[prost(uint32, tag = "11")]
    Uint32(u32),
    #[prost(uint64, tag = "13")]
    Uint64(u64),
    #[prost(sint32, tag = "15")]
    Sint32(i32),
    #[prost(sint64, tag = "17")]
    Sint64(i64),
    #[prost(bool, tag = "27")]
    Bool(bool),
    #[prost(string, tag = "29")]
    Text(String),
}

impl Value {
    /// Returns a whole number.
    fn number(&self) -> Option<i128> {
        Some(match *self {
            Value::Int32(number) | Value::Sint32(number) => number.into(),
            Value::Int64(number) | Value::Sint64(number) => number.into(),
            Value::Uint32(number) => number.into(),
            Value::Uint64(number) => number.into(),
            Value::Bool(is) => is.into(),
            Value::Text(_) => return None,
        })
    }
}

impl Node {
    fn value(&self, name: &str) -> Option<&Value> {
        self.attributes.iter().find(|attribute| attribute.name == name)?.value.as_ref()
    }

    /// Returns the whole number of a name.
    pub fn number(&self, name: &str) -> Option<i128> {
        self.value(name)?.number()
    }

    /// Returns the process group that a communication names; empty where it names none.
    pub fn group(&self) -> &str {
        match self.value("pg_name") {
            Some(Value::Text(name)) => name,
            _ => "",
        }
    }
}

impl Metadata {
    /// Returns the version of the schema, where it is told.
    pub fn schema(&self) -> Option<&str> {
        if !self.version.is_empty() {
            return Some(&self.version);
        }
        let schema = self.attributes.iter().find(|attribute| attribute.name == "schema")?;
        let Some(Value::Text(text)) = &schema.value else { return None };
        text.split_once("-chakra.").map(|(_, version)| version)
    }
}
