//! Makes a generated schema plain: TOML has no null, and formats of numbers are of no use to who writes one.

use serde_json::{Map, Value};

/// Removes null and formats, and what is left empty by that.
pub(super) fn simplify(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(simplify),
        Value::Object(object) => {
            object.remove("format");
            without_null(object);
            take_default(object);
            object.values_mut().for_each(simplify);
        }
        _ => {}
    }
}

/// Takes the default out of a description that ends with one, such as "Links of a trunk. Default 1." Words stand in
/// backticks. A default that is no value, such as "Default: as many as there are.", stays in the description.
fn take_default(schema: &mut Map<String, Value>) {
    let Some((rest, told)) =
        schema.get("description").and_then(Value::as_str).and_then(|text| text.rsplit_once("Default"))
    else {
        return;
    };
    let told = told.trim_start_matches(':').trim().trim_end_matches('.');
    let word = told.strip_prefix('`').and_then(|word| word.strip_suffix('`'));
    let value = toml::from_str::<Map<String, Value>>(&format!("value = {}", word.unwrap_or(told)));
    let value = value.ok().and_then(|mut table| table.remove("value")).or_else(|| word.map(Value::from));
    if let Some(value) = value {
        let rest = rest.trim().to_owned();
        schema.insert("description".into(), rest.into());
        schema.entry("default").or_insert(value);
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
