//! How long links idle: a histogram of idle periods by link class.

use std::collections::BTreeMap;

use serde_json::json;

use super::spec::{US_LABELS, choice, new, tooltip};
use super::{Chart, links};
use crate::results::Results;
use crate::study::Study;
use crate::units;

const KIND: &str = "idle";
/// The ratio of the ends of a bin, of which there are 20 a decade.
const BIN: f64 = 1.122_018_454;
const PS_PER_US: f64 = 1e6;

/// A bin's case, link class, and lower end in picoseconds.
type Place<'t> = (usize, &'t str, u64);
/// A bin's upper end in picoseconds, its periods, and their picoseconds.
type Bin = (Option<f64>, f64, f64);

/// Draws the idle periods of all channels of each class.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = results.idle_periods.as_ref().filter(|table| table.len() > 0)?;
    let [id, class, from, to, count, idle] =
        ["case_id", "class", "from_ps", "to_ps", "count", "idle_ps"].map(|name| table.place(name));
    let mut bins: BTreeMap<Place<'_>, Bin> = BTreeMap::new();
    for row in 0..table.len() {
        let Some(case) = study.of_id(table.text(row, id)) else { continue };
        let lower = table.text(row, from).parse().unwrap_or(0);
        let bin = bins.entry((case, table.text(row, class), lower)).or_insert((table.number(row, to), 0.0, 0.0));
        bin.1 += table.number(row, count).unwrap_or(0.0);
        bin.2 += table.number(row, idle).unwrap_or(0.0);
    }
    let unit = units::time(bins.values().map(|(.., idle)| *idle).fold(0.0, f64::max));
    let field = format!("idle_{}", unit.field);
    let rows: Vec<_> = bins
        .into_iter()
        .map(|((case, class, lower), (upper, count, idle))| {
            // The first and the last bin are open; they are drawn as wide as the others.
            let from = if lower == 0 { upper.unwrap_or(PS_PER_US) / BIN } else { lower as f64 };
            let to = upper.unwrap_or(from * BIN);
            let told = |ps: f64| units::shown(ps, units::time(ps));
            let us = |ps: f64| (ps / PS_PER_US * 1e4).round() / 1e4;
            let words = match (lower, upper) {
                (0, _) => format!("below {}", told(to)),
                (_, None) => format!("{} and longer", told(from)),
                _ => format!("{} to {}", told(from), told(to)),
            };
            json!({
                "n": case, "case": study.cases[case].label, "class": class, "period": words,
                "from_us": us(from), "to_us": us(to), "periods": count, field.as_str(): unit.of(idle),
            })
        })
        .collect();
    (!rows.is_empty()).then_some(())?;
    let mut spec = new(KIND, 260);
    let in_them = format!("time in them, {}", unit.name);
    let figures = [
        (field.clone(), format!("time in such periods, {}", unit.name)),
        ("periods".into(), "number of periods".into()),
    ];
    spec["params"] = json!([choice("figure", "figure", &figures), links::shown_case(study, &rows)]);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }, { "calculate": "datum[figure]", "as": "value" }]);
    spec["mark"] = json!({ "type": "bar" });
    spec["encoding"] = json!({
        "x": {
            "field": "from_us", "type": "quantitative", "bin": "binned", "title": "idle period",
            "scale": { "type": "log" }, "axis": { "labelExpr": US_LABELS },
        },
        "x2": { "field": "to_us" },
        "y": { "field": "value", "type": "quantitative", "stack": true, "title": "sum over channels" },
        "color": { "field": "class", "type": "nominal", "title": null },
        "tooltip": tooltip(&[
            ("class", "link class"), ("period", "length"), ("periods", "periods"), (&field, &in_them),
        ]),
    });
    Some(Chart {
        kind: KIND,
        title: "Idle periods".into(),
        caption:
            "How long channels idle at a stretch. The first bar holds all shorter periods, the last all longer ones. \
                  Only time in periods longer than a stall timer can be slept."
                .into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}
