//! From what a key may be to a type of Python.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value};

use super::SECTIONS;
use super::text::{about, argument, class_name, is_kept, literal, wrapped};

/// The types that keys need, in the order in which they were first met.
#[derive(Default)]
pub struct Types {
    dicts: Vec<Dict>,
    /// Tables that must be classes, by their names.
    classes: Vec<(String, Value)>,
    /// Names of tables by their shape, the descriptions left out.
    names: BTreeMap<String, String>,
    unions: Vec<(String, String)>,
}

/// A `TypedDict`.
struct Dict {
    name: String,
    about: String,
    keys: Vec<(String, String, String, bool)>,
}

impl Types {
    /// Returns the type of a key; a table in it is named after the key and, if need be, its owner.
    pub fn of(&mut self, schema: &Value, key: &str, owner: &str) -> String {
        if let Some((union, _)) = self.unions.iter().find(|(union, _)| union_of(union, owner, key)) {
            let union = class_name(union);
            let several = schema["anyOf"].is_array();
            return if several { format!("Any{union} | Sequence[Any{union}]") } else { format!("Any{union}") };
        }
        if let Some(all) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
            return self.union(all, key, owner);
        }
        if let Some(word) = schema.get("const") {
            return format!("Literal[{}]", literal(word));
        }
        if let Some(words) = schema["enum"].as_array() {
            return format!("Literal[{}]", words.iter().map(literal).collect::<Vec<_>>().join(", "));
        }
        match schema["type"].as_str() {
            Some("integer") => "int".into(),
            Some("number") => "float".into(),
            Some("boolean") => "bool".into(),
            Some("string") => "str".into(),
            Some("array") => format!("Sequence[{}]", self.of(&schema["items"], key, owner)),
            Some("object") if schema["properties"].is_object() => self.table(schema, key, owner),
            Some("object") => "Mapping[str, Any]".into(),
            _ => "Any".into(),
        }
    }

    fn union(&mut self, all: &[Value], key: &str, owner: &str) -> String {
        let known: Vec<&Value> = all.iter().flat_map(words).collect();
        let mut types = Vec::new();
        if !known.is_empty() {
            types.push(format!("Literal[{}]", known.into_iter().map(literal).collect::<Vec<_>>().join(", ")));
        }
        for schema in all.iter().filter(|schema| words(schema).is_empty()) {
            let of = self.of(schema, key, owner);
            if !types.contains(&of) {
                types.push(of);
            }
        }
        types.join(" | ")
    }

    /// Names a table, and keeps it.
    fn table(&mut self, schema: &Value, key: &str, owner: &str) -> String {
        let shape = shape(schema).to_string();
        if let Some(name) = self.names.get(&shape) {
            return name.clone();
        }
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let is_class = properties.keys().any(|key| is_kept(key));
        let mut name = class_name(key);
        let is_taken = |name: &String| SECTIONS.iter().any(|(section, _)| section == name);
        if is_class || is_taken(&name) || self.names.values().any(|known| *known == name) {
            name = format!("{owner}{name}");
        }
        self.names.insert(shape, name.clone());
        if is_class {
            self.classes.push((name.clone(), schema.clone()));
        } else {
            let required: Vec<&str> = required(schema).collect();
            let mut keys = Vec::new();
            for (key, schema) in &properties {
                let is_required = required.contains(&key.as_str());
                keys.push((key.clone(), self.of(schema, key, &name), about(schema), is_required));
            }
            self.dicts.push(Dict { name: name.clone(), about: about(schema), keys });
        }
        name
    }

    /// Defines the type of all kinds of a section.
    pub fn define_union(&mut self, namespace: &str, kinds: &[String]) {
        self.unions.push((namespace.to_owned(), kinds.join("\n        | ")));
    }

    /// Returns the tables that must be classes and are not made yet; to make them may add others.
    pub fn take_classes(&mut self) -> Vec<(String, Value)> {
        std::mem::take(&mut self.classes)
    }

    /// Writes the tables, which only checkers of types need.
    pub fn write_tables(&self) -> String {
        let mut text = "\nif TYPE_CHECKING:\n    from typing import TypeAlias, TypedDict\n".to_owned();
        self.dicts.iter().for_each(|dict| dict.write(&mut text));
        text
    }

    /// Writes the types of all kinds of each namespace, which come behind these.
    pub fn write_unions(&self) -> String {
        let mut text = "\n\nif TYPE_CHECKING:\n".to_owned();
        for (namespace, kinds) in &self.unions {
            let _ = write!(text, "    Any{}: TypeAlias = (\n        {kinds}\n    )\n", class_name(namespace));
        }
        text
    }
}

impl Dict {
    fn write(&self, text: &mut String) {
        let Dict { name, about, keys } = self;
        let (needed, free): (Vec<_>, Vec<_>) = keys.iter().partition(|(.., is_required)| *is_required);
        let mut base = "TypedDict".to_owned();
        if !needed.is_empty() && !free.is_empty() {
            base = format!("_{name}");
            let _ = write!(text, "\n    class {base}(TypedDict):\n        \"\"\"Keys that must be there.\"\"\"\n");
            needed.iter().for_each(|key| Dict::write_key(text, key));
        }
        let total = if free.is_empty() { "" } else { ", total=False" };
        let about = if about.is_empty() { "A table of keys." } else { about };
        let documented = wrapped(&format!("\"\"\"{about}\"\"\""), 8, 0);
        let _ = write!(text, "\n    class {name}({base}{total}):\n{documented}");
        let own = if free.is_empty() { &needed } else { &free };
        own.iter().for_each(|key| Dict::write_key(text, key));
    }

    fn write_key(text: &mut String, (key, of, about, _): &(String, String, String, bool)) {
        let _ = write!(text, "\n        {}: {of}\n", argument(key));
        if !about.is_empty() {
            *text += &wrapped(&format!("\"\"\"{about}\"\"\""), 8, 0);
        }
    }
}

/// Returns whether a key has the kinds of a namespace.
fn union_of(namespace: &str, owner: &str, key: &str) -> bool {
    match namespace {
        "policy" => key == "policy",
        "control" => (owner, key) == ("Transport", "control"),
        "app" => owner == "Job" && key == "app",
        _ => false,
    }
}

/// Returns the words that a schema stands for, if it stands for words only.
fn words(schema: &Value) -> Vec<&Value> {
    match (schema.get("const"), schema["enum"].as_array()) {
        (Some(word), _) => vec![word],
        (None, Some(words)) => words.iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns the table of a schema, which may be one of a list of tables.
pub fn object(schema: &Value) -> &Value {
    let tables = schema["anyOf"].as_array().into_iter().flatten();
    tables.into_iter().find(|table| table["type"] == "object").unwrap_or(schema)
}

/// Returns the keys that a table must have.
pub fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Returns a schema without what it says to people.
fn shape(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let told = ["description", "examples", "default", "x-hint"];
            let kept = object.iter().filter(|(key, value)| !told.contains(&key.as_str()) || value.is_object());
            Value::Object(kept.map(|(key, value)| (key.clone(), shape(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(shape).collect(),
        other => other.clone(),
    }
}
