//! Where the run time goes: what ranks do and wait for, and what is on the critical path.

use serde_json::json;

use super::Chart;
use super::spec::{colours, new, tooltip};
use crate::results::Results;
use crate::study::Study;

const MOST_CASES: usize = 30;

/// A part of the run time: its words, its column, its colour.
type Part = (&'static str, &'static str, &'static str);

const RANKS: [Part; 5] = [
    ("computing", "ranks.running_fraction", "#8c8c8c"),
    ("busy with messages", "ranks.overhead_fraction", "#e69f00"),
    ("waiting for sends", "ranks.sending_fraction", "#56b4e9"),
    ("waiting for messages", "ranks.receiving_fraction", "#0072b2"),
    ("in collectives", "ranks.collectives_fraction", "#cc79a7"),
];

const PATH: [Part; 5] = [
    ("computing", "path.computing_fraction", "#8c8c8c"),
    ("busy with messages", "path.overhead_fraction", "#e69f00"),
    ("memory of a node", "path.memory_fraction", "#009e73"),
    ("network", "path.network_fraction", "#0072b2"),
    ("waking links", "path.waking_fraction", "#d55e00"),
];

/// Draws what ranks spend their time with.
pub fn ranks(results: &Results, study: &Study) -> Option<Chart> {
    let caption = "Mean over all ranks, as shares of the run time. Sends and messages of collectives count as these.";
    chart(results, study, "waiting", "What ranks do", caption, &RANKS)
}

/// Draws what is on the critical path.
pub fn path(results: &Results, study: &Study) -> Option<Chart> {
    let caption = "The chain of computations and messages that makes the run as long as it is. Only what is on it can \
                   make the run shorter. Waits behind a packet that is late for a waking link count as waking.";
    chart(results, study, "path", "Critical path", caption, &PATH)
}

fn chart(
    results: &Results,
    study: &Study,
    kind: &'static str,
    title: &str,
    caption: &str,
    parts: &[Part],
) -> Option<Chart> {
    let mut rows = Vec::new();
    for (n, case) in study.cases.iter().enumerate() {
        for (order, (part, column, _)) in parts.iter().enumerate() {
            let Some(share) = results.cases.figure(n, column) else { continue };
            rows.push(json!({ "n": n, "case": case.label, "part": part, "order": order, "share": share }));
        }
    }
    (!rows.is_empty()).then_some(())?;
    let scale: Vec<(&str, &str)> = parts.iter().map(|(part, _, colour)| (*part, *colour)).collect();
    let mut spec = new(kind, 0);
    spec["height"] = json!({ "step": 22 });
    spec["mark"] = json!({ "type": "bar", "height": { "band": 0.8 } });
    spec["encoding"] = json!({
        "y": { "field": "case", "type": "nominal", "title": null, "sort": null },
        "x": {
            "field": "share", "type": "quantitative", "stack": true, "title": "share of the run time",
            "axis": { "format": "%" },
        },
        "color": { "field": "part", "type": "nominal", "title": null, "scale": colours(&scale) },
        "order": { "field": "order" },
        "tooltip": tooltip(&[("case", "case"), ("part", "part"), ("share", "share of the run time")]),
    });
    Some(Chart {
        kind,
        title: title.into(),
        caption: caption.into(),
        wide: false,
        spec,
        rows,
        most_cases: Some(MOST_CASES),
    })
}
