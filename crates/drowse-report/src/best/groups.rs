//! The groups of cases for which answers are wanted.

use std::collections::HashMap;

use drowse_experiment::meant;
use drowse_tables::names;
use drowse_tables::question::means_key;
use drowse_tables::schema::cases;

use crate::error::ReportError;
use crate::keys;
use crate::study::Study;
use crate::table::Table;

/// The cases that have the same values of some keys.
pub struct Split {
    /// These values, as they are written.
    pub values: Vec<String>,
    /// The short words of these.
    pub words: Vec<String>,
    /// The cases, in their order.
    pub rows: Vec<usize>,
}

/// Splits the cases by the values of keys. A baseline that has no value of a key is compared with the cases of each of
/// its values, so it is one of all of these groups.
pub fn split(table: &Table, study: &Study, by: &[String]) -> Vec<Split> {
    let values = |row: usize| by.iter().map(|column| table.named(row, column)).collect::<Vec<_>>();
    let lacks = |row: usize, column: &String| study.lacks(cases::SET.star(column).unwrap_or(column), row);
    let has_all = |row: &usize| by.iter().all(|column| !lacks(*row, column));
    let (whole, partial): (Vec<usize>, Vec<usize>) = (0..table.len()).partition(has_all);
    let words = words(table, by);
    let mut places: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut groups: Vec<Split> = Vec::new();
    let mut add = |row: usize, groups: &mut Vec<Split>| {
        let place = *places.entry(values(row)).or_insert(groups.len());
        if place == groups.len() {
            let values = values(row).into_iter().map(str::to_owned).collect();
            let words = words.iter().map(|words| words[row].clone()).collect();
            groups.push(Split { values, words, rows: Vec::new() });
        }
        groups[place].rows.push(row);
    };
    whole.into_iter().for_each(|row| add(row, &mut groups));
    for row in partial {
        let values = values(row);
        let fits =
            |group: &Split| values.iter().zip(&group.values).all(|(ours, value)| ours.is_empty() || ours == value);
        if groups.iter().any(fits) {
            groups.iter_mut().filter(|group| fits(group)).for_each(|group| group.rows.push(row));
        } else {
            add(row, &mut groups);
        }
    }
    groups.iter_mut().for_each(|group| group.rows.sort_unstable());
    groups.sort_by_key(|group| group.rows.iter().copied().find(has_all).unwrap_or(usize::MAX));
    groups
}

/// Returns the short words of the values of each key, one a case.
fn words(table: &Table, by: &[String]) -> Vec<Vec<String>> {
    let of_key = |column: &String| {
        let path = cases::SET.star(column).unwrap_or(column);
        let written = table.place(column).map(|place| keys::written(table, place)).unwrap_or_default();
        names::short(path, &written)
    };
    by.iter().map(of_key).collect()
}

/// Finds the columns of keys: by their whole path, by its beginning (`network`) or its end (`trace`).
pub fn columns(table: &Table, names: &[String]) -> Result<Vec<String>, ReportError> {
    let paths: Vec<&str> = table.columns().iter().filter_map(|name| cases::SET.star(name)).collect();
    let mut columns: Vec<String> = Vec::new();
    for name in names {
        let is_meant = |path: &&&str| means_key(name, path);
        let found: Vec<String> = paths.iter().filter(is_meant).map(|path| format!("set.{path}")).collect();
        if found.is_empty() {
            let known = if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
            let help = format!("{}keys of this sweep: {known}", meant(name, &paths));
            let message = format!("--by: error: no key of the sweep is named `{name}`\nhelp: {help}");
            return Err(ReportError::Question(message));
        }
        columns.extend(found.into_iter().filter(|column| !columns.contains(column)).collect::<Vec<_>>());
    }
    Ok(columns)
}
