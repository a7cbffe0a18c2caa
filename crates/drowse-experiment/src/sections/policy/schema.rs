//! The schema of a policy: one table of keys for each kind.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{KINDS, PolicySpec};
use crate::quantity::Quantity;

impl JsonSchema for PolicySpec {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "policy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds = KINDS.iter().map(|kind| {
            let mut keys = (kind.schema)(generator);
            let word = json_schema!({ "type": "string", "const": kind.word });
            let table = keys.ensure_object();
            table.entry("properties").or_insert_with(|| json_schema!({}).to_value());
            if let Some(properties) = table.get_mut("properties").and_then(|keys| keys.as_object_mut()) {
                properties.insert("kind".into(), word.to_value());
            }
            table.entry("required").or_insert_with(|| Vec::<String>::new().into());
            if let Some(required) = table.get_mut("required").and_then(|keys| keys.as_array_mut()) {
                required.insert(0, "kind".into());
            }
            keys.to_value()
        });
        let kinds: Vec<_> = kinds.collect();
        json_schema!({ "oneOf": kinds })
    }
}

impl<T> JsonSchema for Quantity<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "quantity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}
