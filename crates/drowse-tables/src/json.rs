//! JSON: the dots of a column's name become nested objects, its brackets a list.

use serde_json::{Map, Value as Json};

use crate::{Row, Value};

/// Turns a row into nested objects: `links.by_class.node.on_fraction` is four deep.
///
/// The values of a list keep their order and lose what stands between the brackets: `energy.w_cluster[0.25]` becomes
/// an element of the list `w_cluster` of `energy`.
///
/// ```
/// use drowse_tables::schema::cases::{LINKS_BY_CLASS_WAKES, MAKESPAN_S};
/// use drowse_tables::{Row, json};
///
/// let mut row = Row::new();
/// row.push(MAKESPAN_S, 0.25);
/// row.push(LINKS_BY_CLASS_WAKES.of("node"), 3_u64);
/// let text = json::from_row(&row).to_string();
/// assert_eq!(text, r#"{"makespan_s":0.25,"links":{"by_class":{"node":{"wakes":3}}}}"#);
/// ```
pub fn from_row(row: &Row) -> Json {
    let mut root = Map::new();
    for (name, value) in row.iter() {
        // Brackets may hold a dot themselves, so they are cut off before the name is split.
        match name.split_once('[') {
            None => *place(&mut root, name) = from_value(value),
            Some((list, _)) => match place(&mut root, list) {
                Json::Array(elements) => elements.push(from_value(value)),
                empty => *empty = Json::Array(vec![from_value(value)]),
            },
        }
    }
    Json::Object(root)
}

/// Turns one value into JSON; a number that JSON cannot hold becomes null.
pub fn from_value(value: &Value) -> Json {
    match value {
        Value::Integer(integer) => Json::from(*integer),
        Value::Float(float) => Json::from(*float),
        Value::Text(text) => Json::from(text.as_str()),
        Value::Bool(truth) => Json::from(*truth),
    }
}

/// Finds the place of a dotted name, making the objects on the way.
fn place<'a>(object: &'a mut Map<String, Json>, name: &str) -> &'a mut Json {
    let Some((first, rest)) = name.split_once('.') else {
        return object.entry(name).or_insert(Json::Null);
    };
    let child = object.entry(first).or_insert_with(|| Json::Object(Map::new()));
    if !child.is_object() {
        // A schema never uses a name both for a value and for a group of values; a test holds it to that.
        *child = Json::Object(Map::new());
    }
    match child {
        Json::Object(object) => place(object, rest),
        other => other,
    }
}
