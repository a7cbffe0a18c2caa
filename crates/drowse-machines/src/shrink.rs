//! Makes a machine small: takes away keys, tables and lines of files, and halves numbers, while it fails as before.

use std::time::{Duration, Instant};

use toml::{Table, Value};

use crate::machine::Machine;

/// The longest that shrinking may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// A step from a table or list to something in it.
#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Item(usize),
}

type Path = Vec<Step>;

/// Returns the smallest machine that is found for which `fails` says so; `machine` is one.
pub fn shrink(machine: &Machine, fails: impl Fn(&Machine) -> bool) -> Machine {
    let began = Instant::now();
    let mut smallest = machine.clone();
    loop {
        let before = smallest.clone();
        for change in changes(&smallest.tables) {
            if began.elapsed() > PATIENCE {
                return smallest;
            }
            let mut smaller = smallest.clone();
            // What was changed before may have taken away the place of this change.
            if apply(&mut smaller.tables, &change) && smaller != smallest && fails(&smaller) {
                smallest = smaller;
            }
        }
        shrink_files(&mut smallest, &fails, began);
        if smallest == before {
            return smallest;
        }
    }
}

/// A change that makes an experiment smaller.
enum Change {
    Remove(Path),
    Replace(Path, Value),
}

/// Returns the changes to try, large ones first.
fn changes(tables: &Table) -> Vec<Change> {
    let mut paths = Vec::new();
    collect(&Value::Table(tables.clone()), &mut Vec::new(), &mut paths);
    let mut changes: Vec<Change> = Vec::new();
    // Removed from behind, so that the places of other items of a list stay.
    paths.sort_by_key(|(path, _)| path.len());
    changes.extend(paths.iter().rev().map(|(path, _)| Change::Remove(path.clone())));
    for (path, value) in paths {
        changes.extend(smaller(&value).into_iter().map(|value| Change::Replace(path.clone(), value)));
    }
    changes
}

/// Collects the paths of all values below one.
fn collect(value: &Value, path: &mut Path, found: &mut Vec<(Path, Value)>) {
    let mut below = |step: Step, value: &Value, path: &mut Path| {
        path.push(step);
        found.push((path.clone(), value.clone()));
        collect(value, path, found);
        path.pop();
    };
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| below(Step::Key(key.clone()), value, path)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| below(Step::Item(index), value, path));
        }
        _ => {}
    }
}

/// Returns smaller values in the place of one.
fn smaller(value: &Value) -> Vec<Value> {
    match value {
        Value::Integer(number) if *number > 1 => vec![1.into(), (number / 2).into(), (number - 1).into()],
        Value::Float(number) if *number > 0.0 => vec![0.0.into(), 1.0.into(), (number / 2.0).into()],
        Value::String(text) => {
            let Some((number, unit)) = text.split_once(' ') else { return Vec::new() };
            let Ok(number) = number.parse::<u64>() else { return Vec::new() };
            let numbers = [0, 1, number / 2, number.saturating_sub(1)];
            numbers.into_iter().filter(|&less| less < number).map(|less| format!("{less} {unit}").into()).collect()
        }
        Value::Boolean(true) => vec![false.into()],
        _ => Vec::new(),
    }
}

/// Makes a change, unless its place is gone.
fn apply(tables: &mut Table, change: &Change) -> bool {
    let (path, value) = match change {
        Change::Remove(path) => (path, None),
        Change::Replace(path, value) => (path, Some(value)),
    };
    let Some((last, before)) = path.split_last() else { return false };
    let mut root = Value::Table(std::mem::take(tables));
    let changed = place(&mut root, before).is_some_and(|around| match (around, last, value) {
        (Value::Table(table), Step::Key(key), None) => table.remove(key).is_some(),
        (Value::Array(items), Step::Item(index), None) if *index < items.len() => {
            items.remove(*index);
            true
        }
        (Value::Table(table), Step::Key(key), Some(value)) if table.contains_key(key) => {
            table.insert(key.clone(), value.clone());
            true
        }
        (Value::Array(items), Step::Item(index), Some(value)) if *index < items.len() => {
            items[*index] = value.clone();
            true
        }
        _ => false,
    });
    if let Value::Table(root) = root {
        *tables = root;
    }
    changed
}

/// Returns the value at a path.
fn place<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match (value, step) {
        (Value::Table(table), Step::Key(key)) => table.get_mut(key),
        (Value::Array(items), Step::Item(index)) => items.get_mut(*index),
        _ => None,
    })
}

/// Takes away lines of the files, many at a time first.
fn shrink_files(smallest: &mut Machine, fails: &impl Fn(&Machine) -> bool, began: Instant) {
    for file in 0..smallest.files.len() {
        let mut size = smallest.files[file].text.lines().count();
        while size > 0 {
            let mut start = 0;
            while start < smallest.files[file].text.lines().count() && began.elapsed() < PATIENCE {
                let mut smaller = smallest.clone();
                let lines = smallest.files[file].text.lines().enumerate();
                let kept = lines.filter(|(index, _)| !(start..start + size).contains(index));
                smaller.files[file].text = kept.flat_map(|(_, line)| [line, "\n"]).collect();
                if fails(&smaller) {
                    *smallest = smaller;
                } else {
                    start += size;
                }
            }
            size /= 2;
        }
    }
    // A file that nothing names any more is of no use.
    let text = smallest.text();
    smallest.files.retain(|file| text.contains(&file.name));
}
