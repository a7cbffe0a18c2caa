//! The schema of experiment files: all keys are documented, all examples fit, and what is made of it is up to date.

use std::fs;

use drowse_experiment::{Kinds, System, load_case};
use serde_json::Value;

use crate::support::root;

/// Visits all properties of a schema, with their paths.
fn visit(path: &str, schema: &Value, see: &mut dyn FnMut(&str, &Value)) {
    for (name, key) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        see(&path, key);
        visit(&path, key, see);
    }
    for choices in ["anyOf", "oneOf"].into_iter().filter_map(|choice| schema[choice].as_array()) {
        choices.iter().for_each(|choice| visit(path, choice, see));
    }
    if schema["items"].is_object() {
        visit(path, &schema["items"], see);
    }
}

#[test]
fn every_key_has_a_description() {
    let mut keys = 0;
    visit("", Kinds::default().schema(), &mut |path, key| {
        keys += 1;
        // The word of a kind is described with its table.
        let described = key["description"].as_str().is_some_and(|text| !text.is_empty());
        assert!(described || key.get("const").is_some(), "{path} has no description");
    });
    assert!(keys > 70, "only {keys} keys were found");
}

/// Puts what is under `$defs` where it belongs.
fn put_in_place(schema: &mut Value, definitions: &Value) {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let mut meant = definitions[name.strip_prefix("#/$defs/").unwrap()].clone();
        let said = schema.as_object().unwrap().iter().filter(|(key, _)| *key != "$ref");
        said.for_each(|(key, value)| _ = meant.as_object_mut().unwrap().insert(key.clone(), value.clone()));
        *schema = meant;
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| put_in_place(item, definitions)),
        Value::Object(keys) => keys.values_mut().for_each(|key| put_in_place(key, definitions)),
        _ => {}
    }
}

/// Returns the first place at which two schemas differ.
fn difference(path: &str, a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) if a.keys().all(|key| b.contains_key(key)) && a.len() == b.len() => {
            a.iter().find_map(|(key, value)| difference(&format!("{path}.{key}"), value, &b[key]))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            (0..).zip(a.iter().zip(b)).find_map(|(i, (a, b))| difference(&format!("{path}.{i}"), a, b))
        }
        _ => (a != b).then(|| format!("{path}: {a} and {b}")),
    }
}

/// What other programs get says the same as what errors and the key reference are made from, in less than six tenths of
/// the room. What is used once takes as much in both, so that the share grows with each new key.
#[test]
fn definitions_say_the_same() {
    let kinds = Kinds::default();
    let (whole, mut published) = (kinds.schema().clone(), kinds.published_schema());
    assert!(published.to_string().len() < whole.to_string().len() / 10 * 6);
    let definitions = published.as_object_mut().unwrap().remove("$defs").unwrap();
    put_in_place(&mut published, &definitions);
    assert_eq!(difference("", &published, &whole), None);
}

/// Returns the first place at which a value does not fit a schema. Reads the parts of JSON Schema that ours uses.
fn misfit(path: &str, value: &Value, schema: &Value) -> Option<String> {
    let schema = schema.as_object()?;
    let wrong = |what: &str| Some(format!("{path}: {what}: {value}"));
    for (keyword, expected) in schema {
        let found = match keyword.as_str() {
            "type" if !has_type(value, expected) => wrong(&format!("no {expected}")),
            "const" if value != expected => wrong("another word"),
            "enum" if !expected.as_array().unwrap().contains(value) => wrong("unknown word"),
            "minimum" if value.as_f64() < expected.as_f64() => wrong("too small"),
            "maximum" if value.as_f64() > expected.as_f64() => wrong("too large"),
            "required" if value.is_object() => {
                let missing =
                    expected.as_array().unwrap().iter().find(|name| value.get(name.as_str().unwrap()).is_none());
                missing.and_then(|name| wrong(&format!("lacks {name}")))
            }
            "items" => value
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
                .find_map(|(i, item)| misfit(&format!("{path}.{i}"), item, expected)),
            "properties" => value
                .as_object()
                .into_iter()
                .flatten()
                .find_map(|(name, inner)| misfit(&format!("{path}.{name}"), inner, expected.get(name)?)),
            "additionalProperties" | "unevaluatedProperties" if expected == &Value::Bool(false) => {
                let known = known_keys(&Value::Object(schema.clone()), value, path);
                let unknown = value.as_object().into_iter().flatten().find(|(name, _)| !known.contains(name));
                unknown.and_then(|(name, _)| wrong(&format!("unknown key {name}")))
            }
            "anyOf" | "oneOf" => {
                let choices = expected.as_array().unwrap();
                let misfits: Vec<Option<String>> = choices.iter().map(|choice| misfit(path, value, choice)).collect();
                let fitting = misfits.iter().filter(|misfit| misfit.is_none()).count();
                match (keyword.as_str(), fitting) {
                    (_, 1) | ("anyOf", 2..) => None,
                    (_, 0) => Some(misfits.into_iter().flatten().collect::<Vec<_>>().join("; ")),
                    _ => wrong("fits two choices of one"),
                }
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Returns the keys that a table may have: its own, and those of the alternatives that the value fits.
fn known_keys(schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let mut known: Vec<String> =
        schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    for choices in ["anyOf", "oneOf"].into_iter().filter_map(|choice| schema[choice].as_array()) {
        let fitting = choices.iter().filter(|choice| misfit(path, value, choice).is_none());
        known.extend(fitting.flat_map(|choice| known_keys(choice, value, path)));
    }
    known
}

fn has_type(value: &Value, expected: &Value) -> bool {
    match expected.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        other => panic!("{other}"),
    }
}

fn fits(text: &str) -> Option<String> {
    misfit("", &toml::from_str(text).unwrap(), Kinds::default().schema())
}

#[test]
fn every_example_fits() {
    let mut count = 0;
    for entry in fs::read_dir(root("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            count += 1;
            assert_eq!(fits(&fs::read_to_string(&path).unwrap()), None, "{}", path.display());
        }
    }
    assert!(count > 30, "only {count} examples were found");
}

#[test]
fn what_is_wrong_does_not_fit() {
    for wrong in [
        "titel = \"x\"",
        "preset = \"thin-trees\"",
        "[switch]\nclok = \"1 ns\"",
        "[switch]\nclock = 1",
        "[switch]\nvcs = { adaptive = 9 }",
        "[switch]\nescape = \"none\"",
        "[[link]]\nclass = 3",
        "[cost]\nprice = -1",
        "[[job]]\napp = { kind = \"stencil\", ranks = 4 }",
        "[[job]]\napp = { kind = \"cg\", ranks = 16, class = \"A\", bytes = \"1 B\" }",
        "[traffic]\nload = 2.0\nwarmup = \"1 ns\"\nmeasure = \"1 ns\"",
        "[traffic]\nload = 0.5\nwarmup = \"1 ns\"\nmeasure = \"1 ns\"\npattern = \"none\"",
        "[traffic]\nload = 0.5\nwarmup = \"1 ns\"\nmeasure = \"1 ns\"\npackets = { short = 1 }",
    ] {
        assert!(fits(&format!("{wrong}\n[network]\nkind = \"torus\"")).is_some(), "{wrong}");
    }
}

/// Collects the keys that a table of an experiment could have and has not, with their defaults.
fn left_out(path: &str, value: &Value, schema: &Value, found: &mut Vec<(String, Value)>) {
    let Some(table) = value.as_object() else { return };
    for (name, key) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match table.get(name) {
            Some(inner) => left_out(&path, inner, key, found),
            None => found.extend(key.get("default").map(|default| (path, default.clone()))),
        }
    }
    for choices in ["anyOf", "oneOf"].into_iter().filter_map(|choice| schema[choice].as_array()) {
        let kind = |choice: &&Value| {
            let kind = &choice["properties"]["kind"]["const"];
            choice["type"] != "array" && (kind.is_null() || kind == &value["kind"])
        };
        choices.iter().filter(kind).for_each(|choice| left_out(path, value, choice, found));
    }
}

/// The names of cases fill in the defaults that the schema tells, so these must be the ones that hold.
#[test]
fn defaults_told_are_those_that_hold() {
    let resolved = |path: &std::path::Path, overrides: &[String]| {
        let case = load_case(path, overrides).ok()?;
        let System { topology, config, policy, model, watts, cost, .. } = &case.system;
        Some(format!("{topology:?} {config:?} {policy:?} {model:?} {watts:?} {cost:?} {:?}", case.workload))
    };
    let (schema, mut checked) = (Kinds::default().schema().clone(), 0);
    for entry in fs::read_dir(root("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        // Presets have defaults of their own.
        if text.contains("preset") {
            continue;
        }
        let Some(expected) = resolved(&path, &[]) else { continue };
        let mut keys = Vec::new();
        left_out("", &toml::from_str(&text).unwrap(), &schema, &mut keys);
        for (key, default) in keys {
            let set = format!("{key}={}", toml::Value::try_from(&default).unwrap());
            // Keys that exclude others that are written are refused.
            if let Some(found) = resolved(&path, std::slice::from_ref(&set)) {
                assert_eq!(found, expected, "{}: {set}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 150, "only {checked} defaults were checked");
}
