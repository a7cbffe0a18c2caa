//! How a key is written, by the first example of its documentation.

use serde_json::Value;

/// Returns an example of a key by the names of its path, such as `traffic` and `load`; a hint may follow it. The key is
/// one of the given kind of table, where one is given. A key without an example has the one in its table's example.
pub(super) fn example(schema: &Value, path: &[&str], kind: Option<&str>) -> Option<String> {
    let (name, table) = path.split_last()?;
    let Some(key) = find(schema, path, kind) else {
        let value = first(find(schema, table, None)?)?.get(*name)?;
        return line(name, value);
    };
    match (first(key)?, table) {
        (Value::Object(keys), []) => {
            let lines: Option<Vec<String>> = keys.iter().map(|(name, value)| line(name, value)).collect();
            Some(format!("[{name}] with {}", lines?.join(" and ")))
        }
        (value, _) => {
            let hint = key.get("x-hint").and_then(Value::as_str).map(|hint| format!(", {hint}"));
            Some(line(name, value)? + &hint.unwrap_or_default())
        }
    }
}

/// Finds a key that has an example, in all alternatives of the tables around it; in its own table, in those of the
/// kind.
fn find<'s>(schema: &'s Value, path: &[&str], kind: Option<&str>) -> Option<&'s Value> {
    let Some((name, inner)) = path.split_first() else {
        return first(schema).map(|_| schema);
    };
    let here = schema.get("properties").and_then(|keys| keys.get(name)).and_then(|key| find(key, inner, kind));
    let choices = ["anyOf", "oneOf"].into_iter().filter_map(|choice| schema.get(choice)?.as_array()).flatten();
    let choices = choices.filter(|choice| !inner.is_empty() || is_of_kind(choice, kind));
    here.or_else(|| choices.chain(schema.get("items")).find_map(|choice| find(choice, path, kind)))
}

/// Returns whether an alternative is for a kind of table, or for every kind.
fn is_of_kind(choice: &Value, kind: Option<&str>) -> bool {
    let own = choice.get("properties").and_then(|keys| keys.get("kind")?.get("const")?.as_str());
    own.is_none() || kind.is_none() || own == kind
}

/// Returns the first example of a key.
fn first(key: &Value) -> Option<&Value> {
    key.get("examples")?.get(0)
}

/// Writes a key with its value as a line of TOML.
fn line(name: &str, value: &Value) -> Option<String> {
    Some(format!("{name} = {}", toml::Value::try_from(value).ok()?))
}
