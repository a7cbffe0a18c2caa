//! Where the run time goes: what ranks do and wait for, and what is on the critical path.

use drowse_describe::palette::{self, Named};
use serde_json::json;

use super::Chart;
use super::spec::{colours, fit_legend, new, tooltip};
use crate::results::Results;
use crate::study::Study;

const MOST_CASES: usize = 30;

/// A part of the run time: its words, its column, its colour.
type Part = (&'static str, &'static str, &'static str);

const RANKS: [Part; 5] = [
    ("computing", "ranks.running_fraction", palette::COMPUTING),
    ("busy with messages", "ranks.overhead_fraction", palette::OVERHEAD),
    ("waiting for sends", "ranks.sending_fraction", palette::SENDING),
    ("waiting for messages", "ranks.receiving_fraction", palette::RECEIVING),
    ("in collectives", "ranks.collectives_fraction", palette::COLLECTIVES),
];

/// What ranks do in the rest of the run time: their jobs have not begun, or they have ended.
const ENDED: Named = ("not begun, or ended", palette::ENDED);

const PATH: [Part; 5] = [
    ("computing", "path.computing_fraction", palette::COMPUTING),
    ("busy with messages", "path.overhead_fraction", palette::OVERHEAD),
    ("memory of a node", "path.memory_fraction", palette::MEMORY),
    ("network", "path.network_fraction", palette::NETWORK),
    ("waking links", "path.waking_fraction", palette::WAKING),
];

/// Draws what ranks spend their time with.
pub fn ranks(results: &Results, study: &Study) -> Option<Chart> {
    let caption = "Mean over all ranks, as shares of the run time. Sends and messages of collectives count as these.";
    chart(results, study, "waiting", "What ranks do", caption, (&RANKS, Some(ENDED)))
}

/// Draws what is on the critical path.
pub fn path(results: &Results, study: &Study) -> Option<Chart> {
    let caption = "The chain of computations and messages that makes the run as long as it is. Only what is on it can \
                   make the run shorter. Waits behind a packet that is late for a waking link count as waking.";
    chart(results, study, "path", "Critical path", caption, (&PATH, None))
}

fn chart(
    results: &Results,
    study: &Study,
    kind: &'static str,
    title: &str,
    caption: &str,
    (parts, others): (&[Part], Option<Named>),
) -> Option<Chart> {
    let mut rows = Vec::new();
    for (n, case) in study.cases.iter().enumerate() {
        let mut rest = Some(1.0);
        for (order, (part, column, _)) in parts.iter().enumerate() {
            let Some(share) = results.cases.figure(n, column) else { continue };
            rest = rest.map(|rest| rest - share);
            rows.push(json!({ "n": n, "case": case.label, "part": part, "order": order, "share": share }));
        }
        // What is left is no rounding.
        if let Some(share) = rest.filter(|share| others.is_some() && *share > 1e-6 && *share < 1.0) {
            let part = others.map(|(words, _)| words);
            rows.push(json!({ "n": n, "case": case.label, "part": part, "order": parts.len(), "share": share }));
        }
    }
    (!rows.is_empty()).then_some(())?;
    let mut scale: Vec<(&str, &str)> = parts.iter().map(|(part, _, colour)| (*part, *colour)).collect();
    scale.extend(others.filter(|(words, _)| rows.iter().any(|row| row["part"] == *words)));
    let mut spec = new(kind, 0);
    fit_legend(&mut spec, scale.iter().map(|(name, _)| *name));
    spec["height"] = json!({ "step": 22 });
    spec["mark"] = json!({ "type": "bar", "height": { "band": 0.8 } });
    spec["encoding"] = json!({
        "y": { "field": "case", "type": "nominal", "title": null, "sort": null },
        "x": {
            "field": "share", "type": "quantitative", "stack": true, "title": "share of the run time",
            "axis": { "format": "%" }, "scale": { "domain": [0, 1] },
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
