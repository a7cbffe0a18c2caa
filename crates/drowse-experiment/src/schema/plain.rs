//! Makes a generated schema plain: TOML has no null, and formats of numbers are of no use to who writes one.

use serde_json::{Map, Value};

/// Removes null and formats, and what is left empty by that.
pub(super) fn simplify(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(simplify),
        Value::Object(object) => {
            // A key that is called so is a table in the list of keys.
            if object.get("format").is_some_and(Value::is_string) {
                object.remove("format");
            }
            without_null(object);
            object.values_mut().for_each(simplify);
        }
        _ => {}
    }
}

fn without_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    let Some(Value::Array(choices)) = schema.get_mut("anyOf") else { return };
    choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
    if let [Value::Object(only)] = choices.as_mut_slice() {
        let only = std::mem::take(only);
        schema.remove("anyOf");
        // What is said of the key counts more than what is said of its type.
        for (name, value) in only {
            schema.entry(name).or_insert(value);
        }
        without_null(schema);
    }
}
