//! The words of errors: from serde's to those that tell a user what to write.

use drowse_core::topology::Network;
use drowse_tables::nearest::is_near;
pub use drowse_tables::nearest::meant;

use super::diagnostic::Diagnostic;
use super::keys::{Keys, join};

/// What serde calls a type, and what a user calls it.
const TYPES: &[(&str, &str)] = &[
    ("u8", "a whole number, 0 to 255"),
    ("u16", "a whole number, 0 to 65535"),
    ("u32", "a whole number, 0 to 4294967295"),
    ("u64", "a whole number, 0 or more"),
    ("a nonzero u16", "a whole number, 1 to 65535"),
    ("f64", "a number"),
    ("f32", "a number"),
    ("a boolean", "true or false"),
    ("a string", "a text in quotes"),
    ("string or table", "a text in quotes"),
    ("a sequence", "a list"),
    ("a map", "a table"),
];

/// Says that a key is missing from a table, or that one of the names that were written there should be it.
pub(super) fn missing(keys: &Keys, table: &str, key: &str, written: &[&str]) -> Diagnostic {
    let path = join(table, key);
    if let Some(name) = written.iter().find(|name| is_near(name, key)) {
        let wrong = join(table, name);
        return keys.error_at_key(&wrong, format!("unknown key `{wrong}`"), format!("did you mean `{key}`?"));
    }
    keys.error(&path, format!("`{path}` is missing"), example(keys, &path))
}

/// Says how to write a key, as a help text.
pub(super) fn example(keys: &Keys, path: &str) -> String {
    match keys.example(path) {
        Some(line) => format!("write {line}"),
        None => format!("write {} = ...", path.rsplit('.').next().unwrap_or_default()),
    }
}

/// Puts the article before a type's name.
pub(super) fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// Turns serde's error on the node `within` into one for users; `taken` are more keys that are known there.
pub(super) fn from_serde(keys: &Keys, within: &str, taken: &[&str], error: &toml::de::Error) -> Diagnostic {
    let path = error.span().and_then(|span| keys.path_at(within, &span)).unwrap_or(within);
    let message = error.message();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if let [name, known @ ..] = quoted.as_slice() {
        if message.starts_with("missing field") {
            return missing(keys, path, name, &[]);
        }
        if message.starts_with("unknown field") {
            let outside = path.rsplit_once('.').map_or("", |(table, _)| table);
            let also = if outside == within { taken } else { &[] };
            let known: Vec<&str> = known.iter().chain(also).copied().collect();
            return unknown_key(keys, path, name, &known);
        }
        if message.starts_with("unknown variant") {
            return unknown_word(keys, path, name, known);
        }
    }
    misfit(keys, path, message)
}

/// Says that a value has the wrong type, is out of range, or is no quantity.
fn misfit(keys: &Keys, path: &str, message: &str) -> Diagnostic {
    let (found, expected) = match message.strip_prefix("wanted ") {
        Some(expected) => ("has the wrong type", expected),
        None => message.split_once(", expected ").unwrap_or((message, "")),
    };
    let words = TYPES.iter().find(|(name, _)| *name == expected).map_or(expected, |(_, words)| words);
    // What stands for a table is named by the struct that it is read into.
    let words = if expected.starts_with("struct ") { "a table" } else { words };
    let help = if words.is_empty() { String::new() } else { format!("write {words}") };
    let message = match (found.strip_prefix("invalid type: "), found.strip_prefix("invalid value: ")) {
        // What does not fit 64 bits is told as another type.
        (Some(found), _) if found.ends_with("` as i128") => {
            format!("`{path}`: {} is out of range", found.trim_end_matches(" as i128"))
        }
        (Some(found), _) => format!("`{path}`: {found} has the wrong type"),
        (_, Some(found)) => format!("`{path}`: {found} is out of range"),
        _ => format!("`{path}`: {found}"),
    };
    keys.error(path, message, help)
}

/// Says that a key is not known, and which are.
fn unknown_key(keys: &Keys, path: &str, name: &str, known: &[&str]) -> Diagnostic {
    let known_here = match known {
        [] => "no key is known here".into(),
        known => format!("keys known here: {}", known.join(", ")),
    };
    let help = format!("{}{known_here}", meant(name, known));
    keys.error_at_key(path, format!("unknown key `{path}`"), help)
}

/// Says that a word is none of those that a key knows.
pub(super) fn unknown_word(keys: &Keys, path: &str, word: &str, known: &[&str]) -> Diagnostic {
    let help = format!("{}this version knows: {}", meant(word, known), known.join(", "));
    keys.error(path, format!("`{path}` = \"{word}\" is not known"), help)
}

/// Says that a network has no links of a class.
pub(super) fn unknown_class(keys: &Keys, path: &str, class: &str, network: &Network) -> Diagnostic {
    let known: Vec<&str> = network.classes.iter().map(String::as_str).collect();
    let help = format!("{}its classes: {}", meant(class, &known), known.join(", "));
    keys.error(path, format!("this network has no links of class \"{class}\""), help)
}
