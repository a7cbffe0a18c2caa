//! The messages of Chakra's schema 0.0.4 (`et_def.proto`), as far as they are used. Other fields are skipped.

use prost::Message;

use super::attribute::{Attribute, Value};

/// What the names of ranks by their dimensions begin with.
pub(super) const DIMENSIONS: &str = "involved_dim";

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

impl Node {
    /// Returns the attribute of a name. One that comes twice must be the same.
    fn attribute(&self, name: &str) -> Result<Option<&Attribute>, String> {
        let mut all = self.attributes.iter().filter(|attribute| attribute.name == name);
        let first = all.next();
        if all.any(|other| Some(other) != first) {
            return Err(self.at(&format!("{name} has two values; convert the trace again")));
        }
        Ok(first)
    }

    /// Adds the node to a problem.
    fn at(&self, problem: &str) -> String {
        format!("node {}: {problem}", self.id)
    }

    /// Returns whether the node has an attribute of a name.
    pub fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|attribute| attribute.name == name)
    }

    /// Returns the whole number of a name.
    pub fn number(&self, name: &str) -> Result<Option<i128>, String> {
        let number = self.attribute(name)?.map(Attribute::number).transpose();
        number.map_err(|problem| self.at(&problem))
    }

    /// Returns the process group that a communication names; empty where it names none.
    pub fn group(&self) -> Result<String, String> {
        let name = self.attribute("pg_name")?.map(Attribute::text).transpose();
        name.map(Option::unwrap_or_default).map_err(|problem| self.at(&problem))
    }

    /// Returns over which dimensions of the machine a collective runs, if it leaves out some.
    pub fn dimensions(&self) -> Result<Option<&[bool]>, String> {
        let Some(involved) = self.attribute("involved_dim")? else { return Ok(None) };
        let involved = involved.booleans().map_err(|problem| self.at(&problem))?;
        Ok(Some(involved).filter(|involved| involved.contains(&false) || involved.is_empty()))
    }

    /// Returns the name of the ranks with which a collective is called: its process group, else its dimensions.
    pub fn ranks(&self) -> Result<String, String> {
        let group = self.group()?;
        Ok(match self.dimensions()? {
            Some(involved) if group.is_empty() => format!("{DIMENSIONS} {involved:?}"),
            _ => group,
        })
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
