//! What each rank does: computing, sending, waiting.

use std::collections::BTreeMap;

use drowse_describe::palette;
use serde_json::json;

use super::spec::{colours, fit_legend, new, tooltip};
use super::{Chart, links};
use crate::results::Results;
use crate::study::Study;
use crate::units;

const KIND: &str = "ranks";
/// The most bars of a chart: more ranks stand in blocks.
const MOST_BARS: usize = 128;
const PARTS: [(&str, &str, &str); 5] = [
    ("computing", "running_ps", palette::COMPUTING),
    ("busy with messages", "overhead_ps", palette::OVERHEAD),
    ("waiting for sends", "sending_ps", palette::SENDING),
    ("waiting for messages", "receiving_ps", palette::RECEIVING),
    ("in collectives", "collectives_ps", palette::COLLECTIVES),
];

/// Draws a bar a rank.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = results.ranks.as_ref().filter(|table| table.len() > 0)?;
    let [id, job, rank] = ["case_id", "job", "rank"].map(|name| table.place(name));
    let columns = PARTS.map(|(_, column, _)| table.place(column));
    // Bars are numbered over all jobs of a case, in the order of the table.
    let mut bars = vec![0; study.cases.len()];
    let places: Vec<Option<(usize, usize)>> = (0..table.len())
        .map(|row| {
            let case = study.of_id(table.text(row, id))?;
            bars[case] += 1;
            Some((case, bars[case] - 1))
        })
        .collect();
    let block = bars.iter().max()?.div_ceil(MOST_BARS).max(1);
    let mut sums: BTreeMap<(usize, usize), (String, f64, [f64; 5])> = BTreeMap::new();
    for (row, place) in places.into_iter().enumerate() {
        let Some((case, bar)) = place else { continue };
        let first = || (format!("{} {}", table.text(row, job), table.text(row, rank)), 0.0, [0.0; 5]);
        let sum = sums.entry((case, bar / block * block)).or_insert_with(first);
        sum.1 += 1.0;
        for (part, &column) in sum.2.iter_mut().zip(&columns) {
            *part += table.number(row, column).unwrap_or(0.0);
        }
    }
    let longest = sums.values().map(|(_, ranks, times)| times.iter().sum::<f64>() / ranks).fold(0.0, f64::max);
    let unit = units::time(longest);
    let field = format!("time_{}", unit.field);
    let mut rows = Vec::new();
    for ((case, bar), (name, ranks, times)) in &sums {
        for (order, ((part, ..), time)) in PARTS.iter().zip(times).enumerate().filter(|(_, (_, time))| **time > 0.0) {
            rows.push(json!({
                "n": case, "case": study.cases[*case].label, "rank": bar, "name": name,
                "part": part, "order": order, field.as_str(): unit.of(time / ranks),
            }));
        }
    }
    (!rows.is_empty()).then_some(())?;
    let scale: Vec<(&str, &str)> = PARTS.iter().map(|(part, _, colour)| (*part, *colour)).collect();
    let mut spec = new(KIND, 260);
    fit_legend(&mut spec, scale.iter().map(|(name, _)| *name));
    spec["params"] = json!([links::shown_case(study, &rows)]);
    spec["transform"] =
        json!([{ "filter": "datum.case == shown" }, { "calculate": format!("datum.rank + {block}"), "as": "end" }]);
    spec["mark"] = json!({ "type": "bar", "stroke": null });
    let title = if block == 1 { "rank, all jobs in a row".into() } else { format!("rank, means of {block}") };
    spec["encoding"] = json!({
        "x": { "field": "rank", "type": "quantitative", "title": title, "scale": { "nice": false }, "bin": "binned" },
        "x2": { "field": "end" },
        "y": {
            "field": field, "type": "quantitative", "stack": true, "title": format!("time, {}", unit.name),
        },
        "color": { "field": "part", "type": "nominal", "title": null, "scale": colours(&scale) },
        "order": { "field": "order" },
        "tooltip": tooltip(&[("name", "job and rank"), ("part", "part"), (&field, &format!("time, {}", unit.name))]),
    });
    Some(Chart {
        kind: KIND,
        title: "Each rank".into(),
        caption: "From the start of its job to its end. Uneven bars of computing show an uneven load.".into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}
