//! Kinds of other crates in a schema: where the tables stand to which they are added.

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use crate::lists::Lists;
use crate::sections::kind_schema::MARK;

/// The lists to which kinds may be added, each with the schemas of those that were.
pub(super) struct Added(Vec<(&'static str, Vec<Value>)>);

impl Added {
    /// Makes the schemas of all kinds that were added.
    pub fn of(lists: &Lists, generator: &mut SchemaGenerator) -> Self {
        let mut added = Added(Lists::marks().map(|list| (list, lists.added(list, generator))).collect());
        // A kind that was added may have lists itself, such as its routings.
        let within = Added(added.0.clone());
        added.0.iter_mut().flat_map(|(_, schemas)| schemas).for_each(|schema| within.put(schema));
        added
    }

    /// Adds them to the alternatives of every table that is marked, and takes the marks away.
    pub fn put(&self, schema: &mut Value) {
        match schema {
            Value::Array(items) => items.iter_mut().for_each(|item| self.put(item)),
            Value::Object(table) => {
                table.values_mut().for_each(|value| self.put(value));
                let Some(mark) = table.shift_remove(MARK) else { return };
                let found = self.0.iter().find(|(list, added)| mark == *list && !added.is_empty());
                if found.is_some()
                    && let Some(elsewhere) = table.shift_remove("$ref")
                {
                    table.insert("anyOf".into(), json!([{ "$ref": elsewhere }]));
                }
                let choices = ["oneOf", "anyOf"].into_iter().find(|choice| table.contains_key(*choice));
                let choices = choices.and_then(|choice| table.get_mut(choice)?.as_array_mut());
                if let (Some(choices), Some((_, added))) = (choices, found) {
                    choices.extend(added.iter().cloned());
                }
            }
            _ => {}
        }
    }
}
