//! Every key, kind and word that the key reference knows occurs in a machine that the schema accepts, and so does every
//! operation of a trace. What is added to the schema and not drawn is told here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use drowse_machines::{Machine, generate};
use drowse_traces::Trace;
use drowse_traces::simgrid_ti::ActionName;
use toml::Value;

/// The seeds among which all must occur.
const SEEDS: u64 = 20_000;

/// What the schema knows as a word and refuses: a packet of an Aries network that decides twice takes more hops than a
/// port may have virtual channels, IS has no class E, and formats of prices have neither hosts nor kinds of carbon.
const LEFT_OUT: [&str; 6] = [
    "network.routing@aries=\"progressive\"",
    "job.app.class@is=\"E\"",
    "cost.price.host",
    "cost.price.series",
    "cost.price.series=\"direct\"",
    "cost.price.series=\"life-cycle\"",
];

#[test]
fn every_key_and_word_of_the_schema_occurs() {
    let mut wanted = wanted();
    assert!(wanted.len() > 400, "only {} keys and words are known", wanted.len());
    wanted.retain(|what| !LEFT_OUT.contains(&what.as_str()));
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..SEEDS {
        let machine = generate::machine(seed, folder.path());
        let found: BTreeSet<String> = written(&machine).intersection(&wanted).cloned().collect();
        if !found.is_empty() && accepted(&machine, folder.path()) {
            wanted.retain(|what| !found.contains(what));
        }
        if wanted.is_empty() {
            return;
        }
    }
    panic!("no machine of {SEEDS} has {wanted:#?}");
}

#[test]
fn every_operation_of_a_trace_occurs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.ti");
    let simulated = |name: &&str| {
        fs::write(&file, format!("0 init\n0 {name}\n0 finalize\n")).unwrap();
        let info = Trace::open(&file).and_then(|trace| trace.info());
        // An operation that lacks its arguments is none that cannot be simulated.
        info.map_or(true, |info| info.check_simulable().is_ok())
    };
    let mut wanted: BTreeSet<&str> = ActionName::all().map(ActionName::text).filter(simulated).collect();
    assert!(wanted.len() > 30, "{wanted:?}");
    for seed in 0..2_000 {
        let machine = generate::machine(seed, folder.path());
        let traces = || machine.files.iter().filter(|file| file.name.starts_with("trace-"));
        if traces().next().is_some() && accepted(&machine, folder.path()) {
            let operations: BTreeSet<&str> =
                traces().flat_map(|file| file.text.lines()).filter_map(|line| line.split(' ').nth(1)).collect();
            wanted.retain(|name| !operations.contains(name));
        }
    }
    assert!(wanted.is_empty(), "no trace has {wanted:?}");
}

/// Returns whether the schema accepts a machine.
fn accepted(machine: &Machine, folder: &Path) -> bool {
    machine.write_files(folder).expect("a folder that can be written");
    machine.source(folder).and_then(|source| drowse_experiment::case(&source)).is_ok()
}

/// Returns what a machine writes: `path`, `path=value`, and both behind `path@kind` for the kind of the table.
fn written(machine: &Machine) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    machine.tables.iter().for_each(|(key, value)| collect(key, None, value, &mut found));
    found
}

fn collect(path: &str, kind: Option<&str>, value: &Value, found: &mut BTreeSet<String>) {
    found.insert(path.to_owned());
    found.extend(kind.map(|kind| format!("{path}@{kind}")));
    match value {
        Value::Table(table) => {
            let kind = table.get("kind").and_then(Value::as_str).or(kind);
            table.iter().for_each(|(key, value)| collect(&format!("{path}.{key}"), kind, value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(path, kind, item, found)),
        word => {
            found.insert(format!("{path}={word}"));
            found.extend(kind.map(|kind| format!("{path}@{kind}={word}")));
        }
    }
}

/// Returns what the key reference knows, in the same form.
fn wanted() -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    let (mut section, mut kind) = (String::new(), None);
    for line in drowse_experiment::Kinds::default().reference().lines() {
        let between: Vec<&str> = line.split('`').collect();
        if line.starts_with("## ") {
            let name = between.get(1).map_or("", |title| title.trim_matches(['[', ']']));
            (section, kind) = (name.to_owned(), None);
        } else if line.starts_with("### ") {
            wanted.insert(format!("{}.kind=\"{}\"", between[1], between[3]));
            kind = Some(between[3]);
        } else if line.starts_with("| `") && !["sweep", "search"].contains(&section.as_str()) {
            let key = if section.is_empty() { between[1].to_owned() } else { format!("{section}.{}", between[1]) };
            let of_kind = kind.map_or_else(|| key.clone(), |kind| format!("{key}@{kind}"));
            wanted.insert(of_kind.clone());
            wanted.extend(words(line).into_iter().map(|word| format!("{of_kind}={word}")));
        }
    }
    wanted
}

/// Returns the words that a line of the reference lists, as its type or behind its meaning.
fn words(line: &str) -> Vec<&str> {
    let cells: Vec<&str> = line.split(" | ").collect();
    let mut words = Vec::new();
    for list in std::iter::once(cells[1]).chain(line.split("<br>").skip(1)) {
        // Words come first, with nothing but commas between them.
        let mut rest = list;
        while let Some((word, after)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
            words.push(word);
            rest = after.strip_prefix(", ").or_else(|| after.strip_prefix(" or ")).unwrap_or_default();
        }
    }
    words
}
