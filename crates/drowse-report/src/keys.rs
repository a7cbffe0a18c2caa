//! The keys that a sweep has set, and how their values are shown and ordered.

use std::collections::HashSet;

use drowse_tables::schema::cases;

use crate::table::Table;

/// A key of a sweep that has two values or more.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its path, such as `power.policy.deep`.
    pub path: String,
    /// Its name in charts: the last part of the path where no other key ends so.
    pub name: String,
    /// The value of each case as it is shown.
    pub values: Vec<String>,
    /// The values as numbers of one unit, where all are.
    pub numbers: Option<Numbers>,
}

/// Values of a key as numbers.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The unit; empty where there is none.
    pub unit: &'static str,
    /// The value of each case.
    pub values: Vec<f64>,
}

/// Units of time in picoseconds, smallest first.
const TIMES: [(&str, f64); 5] = [("ps", 1.0), ("ns", 1e3), ("us", 1e6), ("ms", 1e9), ("s", 1e12)];

/// Finds the keys of a table of cases that have more than one value.
pub fn of(table: &Table) -> Vec<Key> {
    let paths: Vec<(usize, &str)> = table
        .columns()
        .iter()
        .enumerate()
        .filter_map(|(column, name)| Some((column, cases::SET.star(name)?)))
        .collect();
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let name = |path: &str| {
        let alike = paths.iter().filter(|(_, other)| last(other) == last(path)).count();
        if alike > 1 { path.to_owned() } else { last(path) }
    };
    let key = |&(column, path): &(usize, &str)| {
        let raw: Vec<&str> = (0..table.len()).map(|row| table.text(row, Some(column))).collect();
        if raw.iter().all(|value| value == &raw[0]) {
            return None;
        }
        let values = raw.iter().map(|value| shown(value)).collect();
        Some(Key { path: path.to_owned(), name: name(path), values, numbers: numbers(&raw) })
    };
    paths.iter().filter_map(key).collect()
}

impl Key {
    /// Returns a value of this key for the label of a case: values that do not tell what they are have the name.
    pub fn label(&self, case: usize) -> String {
        let value = &self.values[case];
        let tells = !value.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && !["true", "false"].contains(&value.as_str());
        if tells { value.clone() } else { format!("{} {value}", self.name) }
    }

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

/// Shows a value: the kind of an inline table stands first, and its other keys behind it.
fn shown(value: &str) -> String {
    let parsed = value.starts_with('{').then(|| format!("value = {value}").parse::<toml::Table>().ok()).flatten();
    let Some(toml::Value::Table(table)) = parsed.and_then(|mut table| table.remove("value")) else {
        return value.to_owned();
    };
    let plain = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let kind = table.get("kind").map(plain);
    let rest = table.iter().filter(|(key, _)| *key != "kind").map(|(key, value)| format!("{key} {}", plain(value)));
    kind.into_iter().chain(rest).collect::<Vec<_>>().join(", ")
}

/// Reads all values as numbers, or as times in the unit of the first that is not 0.
fn numbers(values: &[&str]) -> Option<Numbers> {
    if let Some(values) = values.iter().map(|value| value.parse::<f64>().ok().filter(|n| n.is_finite())).collect() {
        return Some(Numbers { unit: "", values });
    }
    let time = |value: &&str| {
        let (number, unit) = value.split_once(' ')?;
        let place = TIMES.iter().position(|(name, _)| *name == unit)?;
        Some((number.parse::<f64>().ok().filter(|n| n.is_finite())?, place))
    };
    let times: Vec<(f64, usize)> = values.iter().map(time).collect::<Option<_>>()?;
    let (unit, scale) = TIMES[times.first()?.1];
    Some(Numbers { unit, values: times.into_iter().map(|(number, place)| number * TIMES[place].1 / scale).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_for_readers() {
        assert_eq!(shown("{ kind = \"stall-timer\", deep = \"100 us\" }"), "stall-timer, deep 100 us");
        assert_eq!(shown("{ not toml"), "{ not toml");
        assert_eq!(shown("10 us"), "10 us");
    }

    #[test]
    fn values_as_numbers() {
        let times = numbers(&["500 ns", "1 us", "2 ms"]).unwrap();
        assert_eq!((times.unit, times.values), ("ns", vec![500.0, 1000.0, 2e6]));
        let plain = numbers(&["0.1", "2"]).unwrap();
        assert_eq!((plain.unit, plain.values), ("", vec![0.1, 2.0]));
        assert!(numbers(&["0.1", "adaptive"]).is_none() && numbers(&["1 us", "1 KiB"]).is_none());
    }
}
