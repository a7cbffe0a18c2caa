//! How a key is written, by the first example of its documentation.

use serde_json::Value;

/// Returns an example of a key by its path without numbers, such as `traffic.load`; a hint may follow it.
pub(crate) fn example(path: &str) -> Option<String> {
    let schema = super::shared();
    let names: Vec<&str> = path.split('.').collect();
    let key = find(schema, &names)?;
    let value = toml::Value::try_from(key.get("examples")?.get(0)?).ok()?;
    let hint = key.get("x-hint").and_then(Value::as_str).map(|hint| format!(", {hint}"));
    Some(format!("{} = {value}{}", names.last()?, hint.unwrap_or_default()))
}

/// Finds a key that has an example, in all alternatives of the tables around it.
fn find<'s>(schema: &'s Value, names: &[&str]) -> Option<&'s Value> {
    let Some((name, inner)) = names.split_first() else {
        return schema.get("examples").is_some().then_some(schema);
    };
    let here = schema.get("properties").and_then(|keys| keys.get(name)).and_then(|key| find(key, inner));
    let choices = ["anyOf", "oneOf"].into_iter().filter_map(|choice| schema.get(choice)?.as_array());
    here.or_else(|| choices.flatten().chain(schema.get("items")).find_map(|choice| find(choice, names)))
}
