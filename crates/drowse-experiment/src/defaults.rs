//! Fills in the defaults of keys that an experiment does not write.

use serde_json::Value;

/// Fills in the defaults that a schema tells, in all tables that a value has; those of a kind only in a table of that
/// kind.
pub(super) fn fill(value: &mut Value, schema: &Value) {
    match value {
        Value::Array(items) => {
            let of_items = choices(schema).filter_map(|choice| choice.get("items")).chain(schema.get("items")).next();
            items.iter_mut().for_each(|item| fill(item, of_items.unwrap_or(schema)));
        }
        Value::Object(table) => {
            for (name, key) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                match (table.get_mut(name), key.get("default")) {
                    (Some(inner), _) => fill(inner, key),
                    (None, Some(default)) => {
                        table.insert(name.clone(), default.clone());
                    }
                    (None, None) => {}
                }
            }
            let fitting: Vec<&Value> = choices(schema).filter(|choice| fits(value, choice)).collect();
            fitting.into_iter().for_each(|choice| fill(value, choice));
        }
        _ => {}
    }
}

/// Returns the alternatives of a schema.
fn choices(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"].into_iter().filter_map(|choice| schema.get(choice)?.as_array()).flatten()
}

/// Returns whether a table is of the kind that an alternative is for, if it is for one.
fn fits(table: &Value, choice: &Value) -> bool {
    let kind = choice.get("properties").and_then(|keys| keys.get("kind")?.get("const"));
    choice["type"] != "array" && kind.is_none_or(|kind| table.get("kind") == Some(kind))
}
