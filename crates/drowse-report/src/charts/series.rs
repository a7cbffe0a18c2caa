//! What tells the series of a chart apart, in colour and in grey: colour, marker and dashes by one key; where there are
//! more keys, dashes by the others. Points of saturated cases are open, and do not set the scale.

use serde_json::{Map, Value, json};

use super::spec::{dashes, tooltip};
use crate::baselines::policies;
use crate::keys::Key;
use crate::study::Study;

/// As many colours and marks can be told apart.
pub const MOST_COLOURS: usize = 7;

/// The series of a chart.
pub struct Series {
    /// The steps that compute the fields `group` and `line`.
    pub steps: Vec<Value>,
    /// What colours and marks are by.
    group: Value,
    /// What dashes are by.
    line: Value,
}

/// Makes the series of the keys that are neither on an axis nor in panels of their own.
pub fn of(study: &Study, on_axis: &str) -> Series {
    let keys: Vec<&Key> = study.keys.iter().filter(|key| key.path != on_axis && !study.is_facet(&key.path)).collect();
    let policy = policies(&study.keys).map(|key| key.path.as_str());
    let few = |key: &&&Key| key.distinct().len() <= MOST_COLOURS;
    let of_policy = keys.iter().position(|key| Some(key.path.as_str()) == policy);
    let first = of_policy.or_else(|| keys.iter().position(|key| few(&key))).unwrap_or(0);
    let others: Vec<&Key> = keys.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, key)| *key).collect();
    let coloured: Vec<&Key> = keys.get(first).copied().into_iter().collect();
    let joined = |keys: &[&Key]| {
        let fields: Vec<String> = keys.iter().map(|key| format!("datum['{}']", key.field())).collect();
        if fields.is_empty() { "'all cases'".to_owned() } else { fields.join(" + ' · ' + ") }
    };
    let titled = |keys: &[&Key]| keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>().join(" · ");
    let channel = |field: &str, keys: &[&Key]| {
        let mut channel = json!({
            "field": field, "type": "nominal", "title": titled(keys), "sort": { "field": "n", "op": "min" },
        });
        if keys.is_empty() {
            channel["legend"] = Value::Null;
        }
        channel
    };
    let group = channel("group", &coloured);
    let mut line = if others.is_empty() { group.clone() } else { channel("line", &others) };
    line["scale"] = json!({ "range": dashes() });
    let mut steps = vec![json!({ "calculate": joined(&coloured), "as": "group" })];
    if !others.is_empty() {
        steps.push(json!({ "calculate": joined(&others), "as": "line" }));
    }
    Series { steps, group, line }
}

impl Series {
    /// Makes the layers of a chart: lines, and points above them. Vega joins the legends of channels
    /// that have the same field and title, unless one of them has none.
    pub fn layers(&self, x: &Value, y: &Value, lines: &[(&str, &str)], has_saturated: bool) -> Value {
        let mut line = json!({
            "mark": { "type": "line" },
            "encoding": { "x": x, "y": y, "stroke": self.group, "strokeDash": self.line },
        });
        let mut points = json!({
            "mark": { "type": "point", "filled": false, "size": 60, "opacity": 1, "strokeWidth": 1.5 },
            "encoding": {
                "x": x, "y": y, "fill": self.group, "stroke": self.group, "shape": self.group,
                "fillOpacity": { "condition": { "test": "datum.saturated", "value": 0 }, "value": 1 },
                "tooltip": tooltip(lines),
            },
        });
        if has_saturated {
            line["mark"]["clip"] = json!(true);
            points["encoding"]["y"]["field"] = json!("shown");
        }
        json!([line, points])
    }
}

/// Lets the points of saturated cases leave the scale of `y`: they stand at its upper end. `fields` may be chosen as `y`
/// by the parameter of this name.
pub fn limit(spec: &mut Value, rows: &[Value], fields: &[&str], chosen: &str) {
    let is_saturated = |row: &&Value| row["saturated"] == true;
    if !rows.iter().any(|row| is_saturated(&row)) {
        return;
    }
    let most = |field: &str| {
        let high = format!("{field}_high");
        let values = rows.iter().filter(|row| !is_saturated(row)).filter_map(|row| {
            let value = row[field].as_f64()?;
            Some(row[high.as_str()].as_f64().map_or(value, |high| high.max(value)))
        });
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    let limited = |field: &&str| {
        let most = most(field);
        let all = rows.iter().filter_map(|row| row[*field].as_f64()).fold(f64::NEG_INFINITY, f64::max);
        // Some room above the highest point; where all are saturated, all set the scale.
        let top = if most > 0.0 && most < all { most * 1.15 } else { all };
        top.is_finite().then(|| ((*field).to_owned(), json!(top)))
    };
    let tops: Map<String, Value> = fields.iter().filter_map(limited).collect();
    if let Some(steps) = spec["transform"].as_array_mut() {
        steps.push(json!({ "calculate": format!("min(datum.y, ({})[{chosen}])", json!(tops)), "as": "shown" }));
    }
    let top = json!({ "zero": true, "domainMax": { "expr": format!("({})[{chosen}]", json!(tops)) } });
    spec["usermeta"] = json!({ "tops": tops });
    for layer in spec["layer"].as_array_mut().into_iter().flatten() {
        layer["encoding"]["y"]["scale"] = top.clone();
    }
}

/// Returns whether a case is saturated.
pub fn has_saturated(rows: &[Value]) -> bool {
    rows.iter().any(|row| row["saturated"] == true)
}
