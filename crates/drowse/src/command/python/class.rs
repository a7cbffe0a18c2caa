//! A section or one of its kinds as a class.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::text::{about, argument, class_name, wrapped};
use super::types::{Types, required};

/// A class whose arguments are keys.
pub struct Class {
    /// Its name.
    pub name: String,
    about: String,
    /// The word of its kind, if it has one.
    kind: Option<String>,
    keys: Vec<Key>,
}

/// A key.
struct Key {
    name: String,
    of: String,
    about: String,
    is_required: bool,
}

impl Class {
    /// Makes the class of each kind of a section; keys beside the kinds are those of all.
    pub fn of_kinds(section: &Value, namespace: &str, types: &mut Types) -> Vec<Self> {
        let shared = section["properties"].as_object().cloned().unwrap_or_default();
        let kinds = section["oneOf"].as_array().into_iter().flatten();
        let class = |kind: &Value| {
            let mut keys = kind["properties"].as_object().cloned().unwrap_or_default();
            keys.extend(shared.clone());
            let word =
                keys.remove("kind").and_then(|word| Some(word["const"].as_str()?.to_owned())).unwrap_or_default();
            let needed: Vec<&str> = required(kind).collect();
            let owner = class_name(namespace);
            Class {
                name: class_name(&word),
                about: about(kind),
                keys: Key::all(&keys, &needed, &owner, types),
                kind: Some(word),
            }
        };
        kinds.map(class).collect()
    }

    /// Makes the class of a table without kinds.
    pub fn of_table(name: &str, schema: &Value, types: &mut Types) -> Self {
        let keys = schema["properties"].as_object().cloned().unwrap_or_default();
        let needed: Vec<&str> = required(schema).collect();
        Class { name: name.to_owned(), about: about(schema), kind: None, keys: Key::all(&keys, &needed, name, types) }
    }

    /// Writes the class, so many levels deep.
    pub fn write(&self, level: usize) -> String {
        let indent = 4 * level;
        let gap = if level == 0 { "\n\n" } else { "\n" };
        let mut class = format!("{gap}{}class {}(Section):\n", " ".repeat(indent), self.name);
        class += &self.documentation(indent + 4);
        let pad = " ".repeat(indent + 4);
        let _ = write!(class, "\n{pad}__slots__ = ()\n\n{pad}def __init__(\n{pad}    self,\n");
        if !self.keys.is_empty() {
            let _ = writeln!(class, "{pad}    *,");
        }
        for key in &self.keys {
            let optional = if key.is_required { "" } else { " | None = None" };
            let _ = writeln!(class, "{pad}    {}: {}{optional},", argument(&key.name), key.of);
        }
        let _ = write!(class, "{pad}) -> None:\n{pad}    self._set(\n{pad}        {{\n");
        if let Some(kind) = &self.kind {
            let _ = writeln!(class, "{pad}            \"kind\": \"{kind}\",");
        }
        for key in &self.keys {
            let _ = writeln!(class, "{pad}            \"{}\": {},", key.name, argument(&key.name));
        }
        let _ = write!(class, "{pad}        }}\n{pad}    )\n");
        class
    }

    fn documentation(&self, indent: usize) -> String {
        let about = if self.about.is_empty() {
            format!("`{}`.", self.kind.as_deref().unwrap_or(&self.name))
        } else {
            self.about.clone()
        };
        let mut text = wrapped(&format!("\"\"\"{about}"), indent, 0);
        if self.keys.is_empty() {
            text.truncate(text.trim_end().len());
            return text + "\"\"\"\n";
        }
        text.push('\n');
        for key in &self.keys {
            text += &wrapped(&format!("{}: {}", argument(&key.name), key.about), indent, 4);
        }
        text + &" ".repeat(indent) + "\"\"\"\n"
    }
}

impl Key {
    /// Reads keys; those that must be there come first.
    fn all(keys: &Map<String, Value>, needed: &[&str], owner: &str, types: &mut Types) -> Vec<Self> {
        let mut all: Vec<Key> = keys
            .iter()
            .map(|(name, schema)| Key {
                name: name.clone(),
                of: types.of(schema, name, owner),
                about: about(schema),
                is_required: needed.contains(&name.as_str()),
            })
            .collect();
        all.sort_by_key(|key| !key.is_required);
        all
    }
}
