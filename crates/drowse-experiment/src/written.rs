//! What an experiment writes, in one spelling: defaults filled in, quantities in base units, keys in alphabetical
//! order.
//!
//! The names of cases are made from it for tables that have kinds: a new topology, policy, application or pattern need
//! not be described anywhere else.

use drowse_core::model::units::{BitRate, Bytes, FlopRate, Flops, Power, Time};
use serde_json::{Map, Number, Value};

use crate::case::Case;
use crate::defaults::fill;

impl Case {
    /// Returns the keys of the case in one spelling: equal for experiments that write the same in other words.
    pub fn written(&self) -> Value {
        // The text was made from a tree of TOML, so that it is TOML.
        let mut tree: Value = toml::from_str(&self.experiment).unwrap_or_default();
        fill(&mut tree, self.system.keys.schema());
        spelt(tree)
    }
}

/// Returns a value in one spelling.
fn spelt(value: Value) -> Value {
    match value {
        Value::String(text) => quantity(&text).unwrap_or(text).into(),
        Value::Number(number) => whole(&number).unwrap_or(number).into(),
        Value::Array(items) => items.into_iter().map(spelt).collect(),
        Value::Object(table) => {
            let mut entries: Vec<(String, Value)> = table.into_iter().collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(entries.into_iter().map(|(name, value)| (name, spelt(value))).collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// Returns a quantity in its base unit; `None` for any other text.
fn quantity(text: &str) -> Option<String> {
    let time = || text.parse().ok().map(|Time(ps)| format!("{ps} ps"));
    let size = || text.parse().ok().map(|Bytes(bytes)| format!("{bytes} B"));
    let rate = || text.parse().ok().map(|BitRate(bits)| format!("{bits} b/s"));
    let speed = || text.parse().ok().map(|FlopRate(flops)| format!("{flops} flop/s"));
    let power = || text.parse().ok().map(|Power(watts)| format!("{watts} W"));
    let work = || text.parse().ok().map(|Flops(flops)| format!("{flops} flop"));
    time().or_else(size).or_else(rate).or_else(speed).or_else(power).or_else(work)
}

/// Returns a number without decimals as a whole number.
#[expect(clippy::cast_possible_truncation, reason = "such a number has no decimals, and is small enough")]
fn whole(number: &Number) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let value = number.as_f64().filter(|value| number.is_f64() && value.fract() == 0.0 && value.abs() < EXACT)?;
    Some(Number::from(value as i64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_spelling() {
        let a = json!({ "time": "50 us", "rate": "10 Gbit/s", "share": 1.0, "list": [{ "size": "1 KiB" }], "word": "fast" });
        let b = json!({ "word": "fast", "list": [{ "size": "1024 B" }], "share": 1, "rate": "10 Gb/s", "time": "50000 ns" });
        assert_eq!(spelt(a).to_string(), spelt(b).to_string());
    }
}
