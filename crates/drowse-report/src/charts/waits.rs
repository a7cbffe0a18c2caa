//! The longest waits of ranks: who waited, for whom, when, and why.

use drowse_describe::palette;
use serde_json::json;

use super::rank_numbers::{RankNumbers, rank};
use super::spec::{colours, distinct, fit_legend, new, tooltip};
use super::{Chart, links};
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;
use crate::units;

const KIND: &str = "waits";
/// The waits of a case that are drawn.
const MOST: usize = 20;

/// The causes of waits with their columns: a partner has the colour of what it does.
pub const CAUSES: [(&str, &str, &str); 5] = [
    ("partner works", "wait_partner_working_ps", palette::COMPUTING),
    ("partner waits", "wait_partner_waiting_ps", palette::RECEIVING),
    ("network", "wait_network_ps", palette::NETWORK),
    ("memory of a node", "wait_memory_ps", palette::MEMORY),
    ("waking links", "wait_waking_ps", palette::WAKING),
];

/// A wait.
struct Wait {
    case: usize,
    words: String,
    from: f64,
    length: f64,
    state: String,
    causes: [f64; 5],
}

/// Draws the longest waits of each case, a bar each.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let waits = read(results.waits.as_ref()?, study);
    let unit = units::time(waits.iter().map(|wait| wait.length).fold(0.0, f64::max));
    let field = format!("waited_{}", unit.field);
    let at = units::time(waits.iter().map(|wait| wait.from).fold(0.0, f64::max));
    let mut rows = Vec::new();
    let bars = distinct(waits.iter().map(|wait| {
        let bar = format!("{}, at {}", wait.words, units::shown(wait.from, at));
        (wait.case, bar)
    }));
    for (wait, bar) in waits.iter().zip(bars) {
        let begins = units::shown(wait.from, at);
        for (order, ((cause, ..), time)) in CAUSES.iter().zip(wait.causes).enumerate() {
            if time > 0.0 {
                rows.push(json!({
                    "n": wait.case, "case": study.cases[wait.case].label, "bar": bar, "begins": begins,
                    "state": wait.state, "cause": cause, "order": order, field.as_str(): unit.of(time),
                    "all": units::shown(wait.length, unit),
                }));
            }
        }
    }
    (!rows.is_empty()).then_some(())?;
    let mut spec = new(KIND, 0);
    fit_legend(&mut spec, CAUSES.iter().map(|(cause, ..)| *cause));
    spec["height"] = json!({ "step": 22 });
    spec["params"] = json!([links::shown_case(study, &rows)]);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }]);
    spec["mark"] = json!({ "type": "bar", "height": { "band": 0.8 } });
    spec["encoding"] = json!({
        "y": { "field": "bar", "type": "nominal", "title": null, "sort": null },
        "x": {
            "field": field, "type": "quantitative", "stack": true, "title": format!("wait, {}", unit.name),
            "axis": { "format": "~g" },
        },
        "color": {
            "field": "cause", "type": "nominal", "title": null,
            "scale": colours(&CAUSES.map(|(cause, _, colour)| (cause, colour))),
        },
        "order": { "field": "order" },
        "tooltip": tooltip(&[
            ("bar", "who for whom"), ("begins", "begins at"), ("all", "lasts"), ("state", "meanwhile"), ("cause", "cause"),
            (&field, &format!("of the wait, {}", unit.name)),
        ]),
    });
    Some(Chart {
        kind: KIND,
        title: "The longest waits".into(),
        caption:
            "Whom a rank waited for is who ended the wait by a message or an answer. A wait for a partner that waits \
                  itself goes back to another wait. At most 16 waits of a rank are kept; waits.csv has them."
                .into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}

/// Reads the longest waits of each case, the longest first.
fn read(table: &Table, study: &Study) -> Vec<Wait> {
    let [id, job, of, partner, from, state, waited] =
        ["case_id", "job", "rank", "partner", "from_ps", "state", "waited_ps"].map(|name| table.place(name));
    let columns = CAUSES.map(|(_, column, _)| table.place(column));
    let numbers = RankNumbers::of(table, &["rank", "partner"]);
    let mut waits: Vec<Wait> = Vec::new();
    for row in 0..table.len() {
        let (Some(case), Some(waiting)) = (study.of_id(table.text(row, id)), rank(table, row, of)) else { continue };
        let job = table.text(row, job);
        let partner = rank(table, row, partner).map(|partner| format!(" for {}", numbers.words(job, partner)));
        let number = |column| table.number(row, column).unwrap_or(0.0);
        waits.push(Wait {
            case,
            words: numbers.words(job, waiting) + &partner.unwrap_or_default(),
            from: number(from),
            length: number(waited),
            state: table.text(row, state).to_owned(),
            causes: columns.map(number),
        });
    }
    // Of equals, those of the first rank come first.
    waits.sort_by(|one, other| one.case.cmp(&other.case).then(other.length.total_cmp(&one.length)));
    let mut left = vec![MOST; study.cases.len()];
    waits.retain(|wait| {
        let kept = left[wait.case] > 0;
        left[wait.case] -= usize::from(kept);
        kept
    });
    waits
}
