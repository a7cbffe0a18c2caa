//! The schema of a table that has kinds.

use schemars::Schema;
use serde_json::{Map, Value, json};

/// Marks a table to which other crates may add kinds, with the name of their list.
pub const MARK: &str = "x-kinds";

/// Makes the schema of a kind's keys that of a table with its word.
pub fn with_kind(schema: &mut Schema, word: &str) {
    let table = schema.ensure_object();
    if let Some(keys) = properties(table) {
        let mut all = Map::new();
        all.insert("kind".into(), json!({ "type": "string", "const": word }));
        all.append(keys);
        *keys = all;
    }
    let required = table.entry("required").or_insert_with(|| json!([]));
    if let Value::Array(required) = required {
        required.insert(0, "kind".into());
    }
}

/// Returns the keys of a table.
pub fn properties(table: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    table.entry("properties").or_insert_with(|| json!({})).as_object_mut()
}
