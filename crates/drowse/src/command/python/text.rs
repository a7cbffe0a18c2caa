//! Names and texts of Python.

use serde_json::Value;

/// The width of lines of documentation.
const WIDTH: usize = 110;

/// Names that are not spelled as their words are.
const SPELLINGS: [(&str, &str); 22] = [
    ("hyperx", "HyperX"),
    ("xgft", "XGFT"),
    ("percs", "PERCS"),
    ("polarfly", "PolarFly"),
    ("perfbound", "PerfBound"),
    ("dynamic-fastwake", "DynamicFastwake"),
    ("hpcg", "HPCG"),
    ("cg", "CG"),
    ("mg", "MG"),
    ("lu", "LU"),
    ("bt", "BT"),
    ("sp", "SP"),
    ("ft", "FT"),
    ("is", "IS"),
    ("ep", "EP"),
    ("milc", "MILC"),
    ("lulesh", "LULESH"),
    ("sweep3d", "Sweep3D"),
    ("mapreduce", "MapReduce"),
    ("vcs", "VCs"),
    ("namd", "NAMD"),
    // Python keeps `None` to itself.
    ("none", "None_"),
];

/// Returns the name of a class: `stall-timer` is `StallTimer`.
pub fn class_name(word: &str) -> String {
    if let Some((_, name)) = SPELLINGS.iter().find(|(known, _)| *known == word) {
        return (*name).to_owned();
    }
    let part = |part: &str| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    word.split(['-', '_']).map(part).collect()
}

/// Returns the argument of a key: words that Python keeps to itself end with `_`.
pub fn argument(key: &str) -> String {
    if is_kept(key) { format!("{key}_") } else { key.to_owned() }
}

/// Returns whether Python keeps a word to itself.
pub fn is_kept(key: &str) -> bool {
    ["class", "except", "from", "in", "is", "global", "lambda", "with", "as"].contains(&key)
}

/// Returns a value as Python writes it.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Null => "None".into(),
        other => other.to_string(),
    }
}

/// Breaks a text into lines; all but the first are indented by `hang` more.
pub fn wrapped(text: &str, indent: usize, hang: usize) -> String {
    let mut lines = vec![" ".repeat(indent)];
    let mut is_first = true;
    for word in text.replace('\\', "\\\\").split_whitespace() {
        let line = lines.last_mut().map_or(0, |line| line.chars().count());
        if !is_first && line + 1 + word.chars().count() > WIDTH {
            lines.push(" ".repeat(indent + hang));
            is_first = true;
        }
        if let Some(line) = lines.last_mut() {
            if !is_first {
                line.push(' ');
            }
            line.push_str(word);
        }
        is_first = false;
    }
    lines.join("\n") + "\n"
}

/// Says what a key is: its description, default, bounds and an example.
pub fn about(schema: &Value) -> String {
    let mut text = schema["description"].as_str().unwrap_or_default().trim().replace('\n', " ");
    if !text.is_empty() && !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    let mut facts = Vec::new();
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(least), Some(most)) => facts.push(format!("{least} to {most}")),
        (Some(least), None) => facts.push(format!("{least} or more")),
        _ => {}
    }
    if let Some(quantity) = schema["x-quantity"].as_str() {
        facts.push(format!("a {quantity}"));
    }
    if let Some(default) = schema.get("default") {
        facts.push(format!("default {}", literal(default)));
    } else if let Some(example) = schema["examples"].as_array().and_then(|all| all.first()) {
        facts.push(format!("such as {}", literal(example)));
    }
    if !facts.is_empty() {
        let facts = facts.join(", ");
        let first = facts[..1].to_uppercase() + &facts[1..];
        text = format!("{text} {first}.");
    }
    text.trim().to_owned()
}
