//! Wakes for which messages waited: which link, when, for which message, and under which timer.

use drowse_describe::palette;
use serde_json::json;

use super::rank_numbers::{RankNumbers, rank};
use super::spec::{colours, distinct, fit_legend, new, tooltip};
use super::{Chart, links};
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;
use crate::units;

const KIND: &str = "wakes";
/// The wakes of a case that are drawn.
const MOST: usize = 20;
/// What waits for a wake on the critical path, and beside it.
const PLACES: [(&str, &str); 2] = [("on the critical path", palette::WAKING), ("beside it", palette::GREY)];

/// A wake.
struct Wake {
    case: usize,
    link: String,
    message: String,
    timer: String,
    on_path: bool,
    awake: f64,
    waited: f64,
}

/// Draws the costliest wakes of each case, those on the critical path first.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let wakes = read(results.wakes.as_ref()?, study);
    let unit = units::time(wakes.iter().map(|wake| wake.waited).fold(0.0, f64::max));
    let at = units::time(wakes.iter().map(|wake| wake.awake).fold(0.0, f64::max));
    let field = format!("waited_{}", unit.field);
    let bars = distinct(wakes.iter().map(|wake| {
        let bar = format!("{}, at {}", wake.link, units::shown(wake.awake, at));
        (wake.case, bar)
    }));
    let row = |(wake, bar): (&Wake, String)| {
        let awake = units::shown(wake.awake, at);
        json!({
            "n": wake.case, "case": study.cases[wake.case].label, "bar": bar,
            "place": PLACES[usize::from(!wake.on_path)].0, "link": wake.link, "message": wake.message,
            "timer": wake.timer, "awake": awake, field.as_str(): unit.of(wake.waited),
        })
    };
    let rows: Vec<_> = wakes.iter().zip(bars).map(row).collect();
    (!rows.is_empty()).then_some(())?;
    let mut spec = new(KIND, 0);
    fit_legend(&mut spec, PLACES.iter().map(|(place, _)| *place));
    spec["height"] = json!({ "step": 22 });
    spec["params"] = json!([links::shown_case(study, &rows)]);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }]);
    spec["mark"] = json!({ "type": "bar", "height": { "band": 0.8 } });
    spec["encoding"] = json!({
        "y": { "field": "bar", "type": "nominal", "title": null, "sort": null },
        "x": {
            "field": field, "type": "quantitative", "title": format!("waited, {}", unit.name), "axis": { "format": "~g" },
        },
        "color": { "field": "place", "type": "nominal", "title": null, "scale": colours(&PLACES) },
        "tooltip": tooltip(&[
            ("link", "link"), ("awake", "on at"), (&field, &format!("the message waited, {}", unit.name)),
            ("message", "message"), ("timer", "the policy's timer"), ("place", "this wait is"),
        ]),
    });
    Some(Chart {
        kind: KIND,
        title: "Which wakes hurt".into(),
        caption: "Waits of messages for links that woke, those on the critical path first. What waits behind such a \
                  message, or for a credit that is late, is left out: “waking links” in the critical path has all. \
                  Messages of the same two ranks that are under way together are not told apart."
            .into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}

/// Reads the first wakes of each case: the table has the costliest on the critical path first.
fn read(table: &Table, study: &Study) -> Vec<Wake> {
    let [id, path, from, to, awake, waited] =
        ["case_id", "on_path", "from", "to", "awake_ps", "waited_ps"].map(|name| table.place(name));
    let [shallow, deep, job, sender, receiver, bytes] =
        ["shallow_ps", "deep_ps", "job", "from_rank", "to_rank", "bytes"].map(|name| table.place(name));
    let numbers = RankNumbers::of(table, &["from_rank", "to_rank"]);
    let end = |row, column| table.text(row, column).split(" port ").next().unwrap_or_default();
    let mut left = vec![MOST; study.cases.len()];
    let mut wakes = Vec::new();
    for row in 0..table.len() {
        let Some(case) = study.of_id(table.text(row, id)).filter(|&case| left[case] > 0) else { continue };
        left[case] -= 1;
        let number = |column| table.number(row, column);
        let words = |column| numbers.words(table.text(row, job), rank(table, row, column).unwrap_or(0));
        let timers = [("shallow", shallow), ("deep", deep)];
        let timers: Vec<String> = timers
            .into_iter()
            .filter_map(|(state, column)| number(column).map(|time| (state, time)))
            .map(|(state, time)| format!("{state} {}", units::shown(time, units::time(time))))
            .collect();
        wakes.push(Wake {
            case,
            link: format!("{} to {}", end(row, from), end(row, to)),
            message: format!("{} to {}, {} B", words(sender), words(receiver), table.text(row, bytes)),
            timer: if timers.is_empty() { "none".into() } else { timers.join(", ") },
            on_path: table.text(row, path) == "true",
            awake: number(awake).unwrap_or(0.0),
            waited: number(waited).unwrap_or(0.0),
        });
    }
    wakes
}
