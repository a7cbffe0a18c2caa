//! The line of the bound on the slowdown that policies were given.

use drowse_describe::palette;
use serde_json::{Value, json};

use crate::results::Results;

/// Returns the bound as a ratio of run times, the largest where there are several.
pub fn of(results: &Results) -> Option<f64> {
    let table = &results.cases;
    let bounds = (0..table.len()).filter_map(|row| table.figure(row, "relative.bound"));
    bounds.reduce(f64::max).map(|bound| 1.0 + bound)
}

/// Makes a line at a ratio, across the axis of this channel, where a condition holds.
pub fn rule(ratio: f64, channel: &str, shown: Option<&str>) -> Value {
    let mut steps = vec![json!({ "calculate": "'bound on run time'", "as": "words" })];
    steps.extend(shown.map(|shown| json!({ "filter": shown })));
    json!({
        "data": { "values": [{ "bound": ratio }] },
        "transform": steps,
        "mark": { "type": "rule", "strokeDash": [2, 2], "color": palette::BOUND },
        "encoding": {
            channel: { "field": "bound", "type": "quantitative" },
            "tooltip": { "field": "words", "title": "line" },
        },
    })
}
