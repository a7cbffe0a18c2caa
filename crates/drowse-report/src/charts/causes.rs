//! What packets wait for: time by cause, summed over the channels of each link class.

use std::collections::BTreeMap;

use drowse_describe::palette;
use serde_json::json;

use super::Chart;
use super::spec::{colours, fit_legend, new, tooltip};
use crate::results::Results;
use crate::study::Study;
use crate::units;

const KIND: &str = "causes";
const MOST_CASES: usize = 30;
/// The causes with their columns and colours.
const CAUSES: [(&str, &str, &str); 3] = [
    ("busy", "waiting_busy_ps", palette::BUSY),
    ("no credit", "waiting_no_credit_ps", palette::NO_CREDIT),
    ("asleep", "waiting_asleep_ps", palette::ASLEEP),
];

/// Draws how long packets waited for channels of each class, by cause.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = results.waiting.as_ref()?;
    let [id, class] = ["case_id", "class"].map(|name| table.place(name));
    let columns = CAUSES.map(|(_, column, _)| table.place(column));
    let mut sums: BTreeMap<(usize, &str), [f64; 3]> = BTreeMap::new();
    for row in 0..table.len() {
        let Some(case) = study.of_id(table.text(row, id)) else { continue };
        let sum = sums.entry((case, table.text(row, class))).or_default();
        let waited = columns.map(|column| table.number(row, column).unwrap_or(0.0));
        sum.iter_mut().zip(waited).for_each(|(sum, waited)| *sum += waited);
    }
    // Where nobody waits, there is nothing to see.
    sums.values().flatten().any(|&waited| waited > 0.0).then_some(())?;
    let unit = units::time(sums.values().map(|waited| waited.iter().sum()).fold(0.0, f64::max));
    let field = format!("waited_{}", unit.field);
    let mut rows = Vec::new();
    for ((n, class), waited) in sums {
        let case = &study.cases[n].label;
        let bar = if study.cases.len() == 1 { class.to_owned() } else { format!("{class}, {case}") };
        for (order, ((cause, ..), waited)) in CAUSES.iter().zip(waited).enumerate() {
            rows.push(json!({
                "n": n, "case": case, "links": class, "bar": bar, "cause": cause, "order": order,
                field.as_str(): unit.of(waited),
            }));
        }
    }
    let mut spec = new(KIND, 0);
    fit_legend(&mut spec, CAUSES.iter().map(|(cause, ..)| *cause));
    spec["height"] = json!({ "step": 22 });
    spec["mark"] = json!({ "type": "bar", "height": { "band": 0.8 } });
    spec["encoding"] = json!({
        "y": { "field": "bar", "type": "nominal", "title": null, "sort": null },
        "x": {
            "field": field, "type": "quantitative", "stack": true,
            "title": format!("time, summed over packets, {}", unit.name),
            "axis": { "format": "~g" },
        },
        "color": {
            "field": "cause", "type": "nominal", "title": null,
            "scale": colours(&CAUSES.map(|(cause, _, colour)| (cause, colour))),
        },
        "order": { "field": "order" },
        "tooltip": tooltip(&[
            ("case", "case"), ("links", "links"), ("cause", "waiting for"), (&field, &format!("time, {}", unit.name)),
        ]),
    });
    Some(Chart {
        kind: KIND,
        title: "What packets wait for".into(),
        caption: "The time that packets took above that of an idle network, by the link class that they waited for: \
                  busy with other packets, no room at the other end (no credit), or asleep. The packets of a queue \
                  wait for what the first of them waits for."
            .into(),
        wide: false,
        spec,
        rows,
        most_cases: Some(MOST_CASES),
    })
}
