//! Reads an execution trace, node after node.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::node::Node;
use crate::error::shortened;
use crate::pytorch::{Defined, Definitions, Value};

/// What is done with nodes, in the order of the file. Fails with what is wrong with one.
pub(super) type Take<'t> = &'t mut dyn FnMut(Node) -> Result<(), String>;

/// Reads a whole file. Returns the process groups that its nodes define.
pub(super) struct File<'t>(pub Take<'t>);

impl<'de> DeserializeSeed<'de> for File<'_> {
    type Value = Definitions;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Definitions, D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// The keys of a file that are used.
#[derive(serde::Deserialize)]
#[serde(field_identifier)]
enum Key {
    #[serde(rename = "schema")]
    Schema,
    #[serde(rename = "nodes")]
    Nodes,
    #[serde(other)]
    Other,
}

impl<'de> Visitor<'de> for File<'_> {
    type Value = Definitions;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an execution trace of PyTorch: an object with `schema` and `nodes`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Definitions, A::Error> {
        let (mut definitions, mut has_nodes) = (Definitions::default(), false);
        while let Some(key) = entries.next_key::<Key>()? {
            match key {
                Key::Schema => {
                    let schema = entries.next_value::<Value>()?.text().unwrap_or_default();
                    check(&schema).map_err(A::Error::custom)?;
                }
                Key::Nodes => {
                    has_nodes = true;
                    entries.next_value_seed(Nodes { take: &mut *self.0, definitions: &mut definitions })?;
                }
                Key::Other => drop(entries.next_value::<IgnoredAny>()?),
            }
        }
        if !has_nodes {
            return Err(A::Error::custom("the file has no `nodes`; copy it again"));
        }
        Ok(definitions)
    }
}

/// Refuses versions of the schema that have other fields.
fn check(schema: &str) -> Result<(), String> {
    if schema.starts_with("1.") && schema.contains("-chakra.") {
        return Ok(());
    }
    let schema = shortened(schema);
    Err(format!("the schema is `{schema}`, and `1.*-chakra.*` is read; record it again with PyTorch 2.3 or later"))
}

/// Reads the list of nodes.
struct Nodes<'t, 'd> {
    take: Take<'t>,
    definitions: &'d mut Definitions,
}

impl<'de> DeserializeSeed<'de> for Nodes<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Nodes<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut nodes: A) -> Result<(), A::Error> {
        while let Some(node) = nodes.next_element::<Node>()? {
            if let Some(text) = node.definitions() {
                let defined: Vec<Defined> = serde_json::from_str(&text).map_err(|error| {
                    A::Error::custom(format!("the process groups of a node are no JSON: {error}; record it again"))
                })?;
                self.definitions.add(defined);
            }
            (self.take)(node).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}
