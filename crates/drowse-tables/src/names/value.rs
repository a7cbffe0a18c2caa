//! The short word of a value of a sweep.

use std::collections::{BTreeSet, HashMap, HashSet};

use toml::{Table, Value};

/// The most characters of a word that nobody has written as a `name`.
const LONGEST: usize = 48;

/// Returns the short words of the values of a key: different ones for different values, none for an empty one.
pub fn short(path: &str, values: &[&str]) -> Vec<String> {
    let mut distinct: Vec<&str> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for &value in values.iter().filter(|value| !value.is_empty()) {
        places.entry(value).or_insert_with(|| {
            distinct.push(value);
            distinct.len() - 1
        });
    }
    let words = of_distinct(path, &distinct);
    values.iter().map(|value| places.get(value).map_or_else(String::new, |&place| words[place].clone())).collect()
}

/// Returns whether a value is a policy that never sleeps.
pub fn is_always_on(value: &str) -> bool {
    kind_of(value).as_deref() == Some("always-on")
}

/// Returns whether a value is the oracle, which is no policy that can be built.
pub fn is_oracle(value: &str) -> bool {
    kind_of(value).as_deref() == Some("oracle")
}

/// Returns the kind of a policy, which is a table or its kind alone.
fn kind_of(value: &str) -> Option<String> {
    match parsed(value) {
        Some(Value::Table(table)) => Some(table.get("kind")?.as_str()?.to_owned()),
        _ => Some(value.to_owned()),
    }
}

/// Parses what is no plain text: a table or a list.
fn parsed(value: &str) -> Option<Value> {
    let is_nested = value.starts_with(['{', '[']);
    is_nested.then(|| format!("value = {value}").parse::<Table>().ok()?.remove("value")).flatten()
}

fn of_distinct(path: &str, values: &[&str]) -> Vec<String> {
    let parsed: Vec<Option<Value>> = values.iter().map(|value| parsed(value)).collect();
    let tables: Vec<&Table> = parsed.iter().flatten().filter_map(Value::as_table).collect();
    let word = |(value, parsed): (&&str, &Option<Value>)| match parsed {
        Some(Value::Table(table)) => of_table(table, &tables),
        Some(Value::Array(items)) => of_list(items).unwrap_or_else(|| (*value).to_owned()),
        _ => file(value),
    };
    let mut words: Vec<String> = values.iter().zip(&parsed).map(word).collect();
    let is_named = |place: usize| parsed[place].as_ref().is_some_and(|value| name(value).is_some());
    let mut counts: HashMap<String, usize> = HashMap::new();
    words.iter().for_each(|word| *counts.entry(word.clone()).or_default() += 1);
    let last = path.rsplit('.').next().unwrap_or(path);
    let mut taken: HashSet<String> = HashSet::new();
    for (place, word) in words.iter_mut().enumerate() {
        if counts[word.as_str()] > 1 && !is_named(place) {
            values[place].clone_into(word);
        }
        let is_long = word.is_empty() || word.chars().count() > LONGEST;
        if taken.contains(word.as_str()) || (is_long && !is_named(place)) {
            *word = format!("{last} {}", place + 1);
        }
        taken.insert(word.clone());
    }
    words
}

/// Returns the name that a table has.
fn name(value: &Value) -> Option<&str> {
    value.as_table()?.get("name")?.as_str().filter(|name| !name.is_empty())
}

/// Names a table: its own name, or its kind and what differs among the tables of this kind; all of its keys where one of
/// these tables has none of what differs. Where that is too long, it has as many keys as tell these tables apart.
fn of_table(table: &Table, all: &[&Table]) -> String {
    if let Some(name) = table.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) {
        return name.to_owned();
    }
    let alike: Vec<&Table> = all.iter().copied().filter(|other| other.get("kind") == table.get("kind")).collect();
    told(table, &fewest(&alike, told_keys(&alike)))
}

/// Returns the words of a table: its kind, and these keys with their values.
fn told(table: &Table, keys: &[&String]) -> String {
    let kind = table.get("kind").map(plain);
    let told = keys.iter().filter_map(|key| Some(entry(key, table.get(*key)?)));
    kind.into_iter().chain(told).collect::<Vec<_>>().join(" ")
}

/// Returns the keys in which tables of one kind differ, and the size that each has.
fn told_keys<'t>(alike: &[&'t Table]) -> Vec<&'t String> {
    let keys: BTreeSet<&String> = alike.iter().flat_map(|table| table.keys()).collect();
    let differing: Vec<&String> =
        keys.iter().copied().filter(|key| alike.iter().any(|other| other.get(*key) != alike[0].get(*key))).collect();
    let all_are_told =
        !differing.is_empty() && alike.iter().any(|table| differing.iter().all(|key| !table.contains_key(*key)));
    let differs = |key: &&String| all_are_told || differing.contains(key);
    let is_told = |key: &&String| !["kind", "name"].contains(&key.as_str()) && (key.as_str() == "dims" || differs(key));
    keys.into_iter().filter(is_told).collect()
}

/// Leaves out keys, the longest first, until all words fit or each key is needed to tell two tables apart.
fn fewest<'t>(alike: &[&'t Table], mut keys: Vec<&'t String>) -> Vec<&'t String> {
    let words = |keys: &[&String]| alike.iter().map(|table| told(table, keys)).collect::<Vec<String>>();
    let is_long = |words: &[String]| words.iter().any(|word| word.chars().count() > LONGEST);
    let different = |words: Vec<String>| words.into_iter().collect::<HashSet<String>>().len();
    let wanted = different(words(&keys));
    let mut by_length = keys.clone();
    by_length.sort_by_key(|key| {
        let lengths = alike.iter().filter_map(|table| Some(entry(key, table.get(*key)?).len()));
        std::cmp::Reverse(lengths.max().unwrap_or(0))
    });
    for key in by_length {
        if !is_long(&words(&keys)) {
            break;
        }
        let without: Vec<&String> = keys.iter().copied().filter(|other| *other != key).collect();
        if different(words(&without)) == wanted {
            keys = without;
        }
    }
    keys
}

/// Shows a key of a table with its value; a size needs no key.
fn entry(key: &str, value: &Value) -> String {
    match value {
        Value::Array(items) if key == "dims" => size(items).unwrap_or_else(|| format!("{key} {}", plain(value))),
        _ => format!("{key} {}", plain(value)),
    }
}

/// Names a list: sizes as `4x4`, tables by what they are called.
fn of_list(items: &[Value]) -> Option<String> {
    let called = |item: &Value| -> Option<String> {
        let table = item.as_table()?;
        let app = table.get("app").and_then(Value::as_table);
        let own = ["name", "trace", "kind"].into_iter().find_map(|key| table.get(key)?.as_str());
        own.or_else(|| app?.get("kind")?.as_str()).map(file)
    };
    size(items).or_else(|| Some(items.iter().map(called).collect::<Option<Vec<_>>>()?.join(" + ")))
}

/// Shows whole numbers as a size, such as `8x8`.
fn size(items: &[Value]) -> Option<String> {
    let numbers = items.iter().map(|item| item.as_integer().map(|number| number.to_string()));
    Some(numbers.collect::<Option<Vec<_>>>()?.join("x")).filter(|size| !size.is_empty())
}

/// Shows a text without its quotes, and a list of numbers without brackets.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => file(text),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Shows a path as the name of its file, without the ending of an archive.
fn file(text: &str) -> String {
    let last = text.rsplit('/').next().filter(|last| !last.is_empty()).unwrap_or(text);
    // A slash beside blanks is no path: `1 Gb/s`.
    let last = if text.contains(' ') { text } else { last };
    last.split(".tar.").next().filter(|stem| !stem.is_empty()).unwrap_or(last).to_owned()
}
