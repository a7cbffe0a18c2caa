//! Latency by size of message: median, 90th and 99th percentile.

use serde_json::json;

use super::spec::{new, tooltip};
use super::{Chart, links};
use crate::results::Results;
use crate::study::Study;
use crate::units;

const KIND: &str = "sizes";
const PERCENTILES: [(&str, &str); 3] =
    [("median", "latency.p50_ns"), ("90th percentile", "latency.p90_ns"), ("99th percentile", "latency.p99_ns")];

/// Draws percentiles of the latency over the mean size of the messages of each class of sizes.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = results.message_sizes.as_ref()?;
    let [id, messages, bytes] = ["case_id", "messages", "bytes"].map(|name| table.place(name));
    let mut latencies: Vec<f64> = Vec::new();
    for (_, column) in PERCENTILES {
        latencies.extend((0..table.len()).filter_map(|row| table.figure(row, column)));
    }
    let unit = units::time(latencies.iter().copied().fold(0.0, f64::max) * 1e3);
    let field = format!("latency_{}", unit.field);
    let mut rows = Vec::new();
    for row in 0..table.len() {
        let Some(n) = study.of_id(table.text(row, id)) else { continue };
        let (Some(messages), Some(bytes)) = (table.number(row, messages), table.number(row, bytes)) else { continue };
        // An axis of powers has no place for a message without bytes.
        let size = (bytes / messages).max(1.0);
        for (percentile, column) in PERCENTILES {
            let Some(latency) = table.figure(row, column) else { continue };
            rows.push(json!({
                "n": n, "case": study.cases[n].label, "percentile": percentile, "bytes": size,
                field.as_str(): unit.of(latency * 1e3), "messages": messages,
            }));
        }
    }
    (!rows.is_empty()).then_some(())?;
    let mut spec = new(KIND, 260);
    spec["params"] = json!([links::shown_case(study, &rows)]);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }]);
    spec["mark"] = json!({ "type": "line", "point": true });
    spec["encoding"] = json!({
        "x": {
            "field": "bytes", "type": "quantitative", "title": "mean size of the messages, B",
            "scale": { "type": "log" }, "axis": { "format": "~s" },
        },
        "y": {
            "field": field, "type": "quantitative", "title": format!("latency, {}", unit.name),
        },
        "color": { "field": "percentile", "type": "nominal", "title": null, "sort": null },
        "tooltip": tooltip(&[
            ("percentile", "percentile"), ("bytes", "mean size, B"), ("messages", "messages"),
            (&field, &format!("latency, {}", unit.name)),
        ]),
    });
    Some(Chart {
        kind: KIND,
        title: "Latency by message size".into(),
        caption: "Time from a message’s hand-over to its last bit. Sizes are classes by powers of two; each point \
                  stands at the mean size of its messages. The axis begins at 1 B, where messages without bytes stand."
            .into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}
