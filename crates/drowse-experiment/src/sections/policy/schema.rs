//! The schema of a policy: one table of keys for each kind.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::kind::Kind;
use super::{KINDS, PolicySpec};
use crate::sections::kind_schema::{MARK, with_kind};

impl JsonSchema for PolicySpec {
    fn schema_name() -> Cow<'static, str> {
        "policy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<_> = KINDS.iter().map(|kind| of_kind(kind, generator)).collect();
        json_schema!({ "examples": [{ "kind": "stall-timer", "deep": "50 us" }], "oneOf": kinds, MARK: "policy" })
    }
}

/// Returns the schema of a kind of policy.
pub fn of_kind(kind: &Kind, generator: &mut SchemaGenerator) -> Value {
    let mut keys = (kind.schema)(generator);
    with_kind(&mut keys, kind.word);
    keys.to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind is a table with its word, the keys that it needs, and no others; every key is documented.
    #[test]
    fn every_kind_has_a_table() {
        let schema = PolicySpec::json_schema(&mut SchemaGenerator::default()).to_value();
        let tables = schema["oneOf"].as_array().cloned().unwrap_or_default();
        assert_eq!(tables.len(), KINDS.len());
        for (table, kind) in tables.iter().zip(KINDS) {
            assert_eq!(table["properties"]["kind"]["const"], kind.word);
            assert_eq!(table["required"][0], "kind");
            assert_eq!(table["additionalProperties"], false, "{}", kind.word);
            let keys = table["properties"].as_object().into_iter().flatten().filter(|(key, _)| *key != "kind");
            keys.for_each(|(key, schema)| assert!(schema["description"].is_string(), "{}: {key}", kind.word));
        }
    }
}
