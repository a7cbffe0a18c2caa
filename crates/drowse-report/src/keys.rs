//! The keys that a sweep has set, and how their values are shown and ordered.

use std::collections::HashSet;

use drowse_tables::names;
use drowse_tables::schema::cases;

use crate::table::Table;
use crate::units;

/// A key of a sweep that has two values or more.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its path, such as `power.policy.deep`.
    pub path: String,
    /// Its name in charts: the last part of the path where no other key ends so.
    pub name: String,
    /// The value of each case as it is written; empty where a baseline does not have the key.
    pub written: Vec<String>,
    /// The short word of each.
    pub values: Vec<String>,
    /// The values as numbers of one unit, where all are that there are.
    pub numbers: Option<Numbers>,
}

/// Values of a key as numbers.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The unit; empty where there is none.
    pub unit: &'static str,
    /// The value of each case that has one.
    pub values: Vec<Option<f64>>,
}

/// What stands for a value that a case does not have.
const NONE: &str = "–";

/// Units of time in picoseconds, smallest first.
const TIMES: [(&str, f64); 5] = [("ps", 1.0), ("ns", 1e3), ("us", 1e6), ("ms", 1e9), ("s", 1e12)];

/// Returns the paths of the keys that a sweep has set, with their columns.
pub fn paths(table: &Table) -> Vec<(usize, &str)> {
    let of = |(column, name)| Some((column, cases::SET.star(name)?));
    table.columns().iter().map(String::as_str).enumerate().filter_map(of).collect()
}

/// Finds the keys of a table of cases that have more than one value.
pub fn of(table: &Table) -> Vec<Key> {
    let paths = paths(table);
    let called = names::of_keys(&paths.iter().map(|(_, path)| *path).collect::<Vec<_>>());
    let key = |(&(column, path), name): (&(usize, &str), &str)| {
        let raw = written(table, column);
        if raw.iter().all(|value| value == &raw[0]) {
            return None;
        }
        let shown = |short: String| if short.is_empty() { NONE.to_owned() } else { short };
        let values = names::short(path, &raw).into_iter().map(shown).collect();
        let written = raw.iter().map(|&value| value.to_owned()).collect();
        Some(Key { path: path.to_owned(), name: name.to_owned(), written, values, numbers: numbers(&raw) })
    };
    paths.iter().zip(called).filter_map(key).collect()
}

/// Returns the value of each case in a column.
pub fn written(table: &Table, column: usize) -> Vec<&str> {
    (0..table.len()).map(|row| table.text(row, Some(column))).collect()
}

impl Key {
    /// Returns the different values in the order in which they come.
    pub fn distinct(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        self.values.iter().map(String::as_str).filter(|value| seen.insert(*value)).collect()
    }

    /// Returns the name of its field in the data of charts.
    pub fn field(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        format!("set_{}", self.path.chars().map(plain).collect::<String>())
    }
}

/// Reads all values that there are as numbers, or as times in the unit of their geometric middle.
fn numbers(values: &[&str]) -> Option<Numbers> {
    let plain = |value: &str| value.parse::<f64>().ok().filter(|number| number.is_finite());
    if let Some(values) = those_there(values, plain) {
        return Some(Numbers { unit: "", values });
    }
    let time = |value: &str| {
        let (number, unit) = value.split_once(' ')?;
        let place = TIMES.iter().position(|(name, _)| *name == unit)?;
        Some((number.parse::<f64>().ok().filter(|n| n.is_finite())?, place))
    };
    let times: Vec<Option<(f64, usize)>> = those_there(values, time)?;
    let picoseconds = |(number, place): (f64, usize)| number * TIMES[place].1;
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for time in times.iter().flatten().copied().map(picoseconds).filter(|time| *time > 0.0) {
        (least, most) = (least.min(time), most.max(time));
    }
    let unit = units::time(if least <= most { (least * most).sqrt() } else { 1.0 });
    let in_unit = |time: Option<(f64, usize)>| time.map(|time| picoseconds(time) / unit.size);
    Some(Numbers { unit: unit.name, values: times.into_iter().map(in_unit).collect() })
}

/// Reads each value that is there; `None` where one cannot be read.
fn those_there<T>(values: &[&str], read: impl Fn(&str) -> Option<T>) -> Option<Vec<Option<T>>> {
    values.iter().map(|value| if value.is_empty() { Some(None) } else { read(value).map(Some) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_numbers() {
        // The middle of 500 ns and 2 ms is 32 us.
        let times = numbers(&["500 ns", "1 us", "2 ms"]).unwrap();
        assert_eq!((times.unit, times.values), ("us", vec![Some(0.5), Some(1.0), Some(2000.0)]));
        let plain = numbers(&["0.1", "", "2"]).unwrap();
        assert_eq!((plain.unit, plain.values), ("", vec![Some(0.1), None, Some(2.0)]), "a baseline has none");
        assert!(numbers(&["0.1", "adaptive"]).is_none() && numbers(&["1 us", "1 KiB"]).is_none());
    }
}
