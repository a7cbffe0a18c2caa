//! Which cases of a folder are baselines, of which others, and what cases are called.

use std::collections::HashMap;

use drowse_tables::names;
use drowse_tables::schema::cases as columns;

use crate::keys::{self, Key};
use crate::results::Results;
use crate::table::Table;

/// What is said of baselines whose links never sleep.
pub const ALWAYS_ON: &str = "always on";

/// Returns the key of policies, if the sweep sets whole policies or their kind.
pub fn policies(keys: &[Key]) -> Option<&Key> {
    keys.iter().find(|key| ["power.policy", "power.policy.kind"].contains(&key.path.as_str()))
}

/// Returns whether a key is a part of the policy.
pub fn is_of_policy(path: &str) -> bool {
    path.starts_with("power.policy")
}

/// Returns which cases have links that never sleep.
pub fn always_on(results: &Results, keys: &[Key]) -> Vec<bool> {
    let table = &results.cases;
    let of_policy = policies(keys);
    let in_manifest = |row: usize| {
        let id = table.named(row, "case_id");
        results.manifest.cases.iter().any(|case| case.id == id && case.always_on)
    };
    let is_baseline = results.manifest.baseline() == ALWAYS_ON;
    (0..table.len())
        .map(|row| {
            in_manifest(row)
                || of_policy.is_some_and(|key| names::is_always_on(&key.written[row]))
                || (is_baseline && is_marked(table, row))
        })
        .collect()
}

/// Returns whether a row is a baseline that is no point of the sweep.
fn is_marked(table: &Table, row: usize) -> bool {
    table.named(row, columns::BASELINE.name) == "true"
}

/// Finds the baseline of each case: the one that the table names; of a run, the second case; or else the case that is
/// always on and has the same other values.
pub fn baselines(results: &Results, keys: &[Key], always_on: &[bool]) -> Vec<Option<usize>> {
    let rows = results.cases.len();
    let found = named_baselines(&results.cases);
    if found.iter().all(Option::is_some) {
        return found;
    }
    if keys.is_empty() {
        return vec![(rows == 2).then_some(1); rows];
    }
    let others: Vec<&Key> = keys.iter().filter(|key| !is_of_policy(&key.path)).collect();
    let rest = |row: usize| others.iter().map(|key| key.written[row].as_str()).collect::<Vec<_>>();
    let references: HashMap<Vec<&str>, usize> =
        (0..rows).rev().filter(|&row| always_on[row]).map(|row| (rest(row), row)).collect();
    let found: Vec<Option<usize>> = (0..rows).map(|row| references.get(&rest(row)).copied()).collect();
    // Ratios of some cases only could not be compared with those of the others.
    if found.iter().all(Option::is_some) { found } else { vec![None; rows] }
}

/// Finds the rows of the baselines that a table names.
fn named_baselines(table: &Table) -> Vec<Option<usize>> {
    let mut rows: HashMap<&str, usize> = HashMap::new();
    for row in (0..table.len()).rev() {
        let (table, members) = table.members(row);
        rows.extend(members.iter().map(|&member| (table.named(member, columns::CASE_ID.name), row)));
    }
    let of = |row: usize| {
        let (table, members) = table.members(row);
        let ids = members.iter().map(|&member| table.named(member, columns::RELATIVE_CASE_ID.name));
        ids.filter(|id| !id.is_empty()).find_map(|id| rows.get(id).copied())
    };
    (0..table.len()).map(of).collect()
}

/// Names the cases: by their values, or by what they are in a run.
pub fn labels(results: &Results, keys: &[Key], always_on: &[bool]) -> Vec<String> {
    let table = &results.cases;
    if keys.is_empty() && !(0..table.len()).any(|row| is_marked(table, row)) {
        return (0..table.len()).map(|row| of_run(results, always_on, row)).collect();
    }
    let base = results.manifest.baseline();
    let marks: Vec<Option<&str>> = (0..table.len()).map(|row| is_marked(table, row).then_some(base.as_str())).collect();
    let (columns, paths): (Vec<usize>, Vec<&str>) = keys::paths(table).into_iter().unzip();
    let values: Vec<Vec<&str>> = columns.into_iter().map(|column| keys::written(table, column)).collect();
    names::of_cases(&paths, &values, &marks)
}

/// Names a case of a run.
fn of_run(results: &Results, always_on: &[bool], row: usize) -> String {
    let id = results.cases.named(row, "case_id");
    let title = results.manifest.cases.iter().find(|case| case.id == id).map(|case| case.title.clone());
    match row {
        0 => "this case".into(),
        _ if always_on[row] => ALWAYS_ON.into(),
        _ => title.filter(|title| *title != results.title()).unwrap_or_else(|| "baseline".into()),
    }
}
