//! A heat map of the links between switches: who sends, who receives, in blocks where there are many.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Chart;
use super::channels::{self, Sums};
use super::spec::{choice, new, ramp};
use crate::endpoint::Endpoint;
use crate::results::Results;
use crate::study::Study;

const KIND: &str = "links";
/// The most rows of a heat map.
const MOST_BLOCKS: usize = 64;

/// Draws the links between switches.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = results.channels.as_ref()?;
    let figures = channels::figures(table);
    figures.first()?;
    let ways = channels::ways(table, study, &figures);
    let between = ways.iter().filter_map(|(way, sums)| match (way.from, way.to) {
        (Endpoint::Switch(from), Endpoint::Switch(to)) => Some((way.case, [from, to], sums)),
        _ => None,
    });
    let between: Vec<_> = between.collect();
    let switches = between.iter().flat_map(|(_, ends, _)| *ends).max()? + 1;
    let block = switches.div_ceil(MOST_BLOCKS);
    let mut cells: BTreeMap<(usize, [usize; 2]), Sums> = BTreeMap::new();
    for (case, ends, sums) in between {
        cells.entry((case, ends.map(|switch| switch / block * block))).or_default().add(sums);
    }
    let rows = cells.into_iter().map(|((case, [from, to]), sums)| {
        let mut row = Map::new();
        row.insert("n".into(), json!(case));
        row.insert("case".into(), json!(study.cases[case].label));
        row.insert("from".into(), json!(from));
        row.insert("to".into(), json!(to));
        sums.write(&figures, &mut row);
        Value::Object(row)
    });
    let rows: Vec<Value> = rows.collect();
    let mut spec = new(KIND, 420);
    spec["usermeta"] = json!({ "aspect": 1.0, "widest": 560 });
    spec["params"] = params(study, &rows, &figures);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }, { "calculate": "datum[figure]", "as": "value" }]);
    spec["mark"] = json!({ "type": "rect" });
    let axis = |field: &str, words: &str| {
        let title = if block == 1 { words.to_owned() } else { format!("{words}, first of {block}") };
        json!({ "field": field, "type": "ordinal", "title": title, "axis": { "labelOverlap": true, "labelAngle": 0 } })
    };
    spec["encoding"] = json!({
        "x": axis("to", "receiving switch"),
        "y": axis("from", "sending switch"),
        "color": ramp("value"),
        "tooltip": [
            { "field": "from", "title": "from switch" }, { "field": "to", "title": "to switch" },
            { "field": "value", "title": "value" },
        ],
    });
    let caption = "A mean over the channels from one switch to another. Dark is little, bright is much.";
    Some(Chart {
        kind: KIND,
        title: "Links between switches".into(),
        caption: caption.into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}

/// Makes the choices of figure and case.
pub fn params(study: &Study, rows: &[Value], figures: &[&channels::Figure]) -> Value {
    let fields: Vec<(String, String)> =
        figures.iter().map(|figure| (figure.field.to_owned(), figure.words.to_owned())).collect();
    json!([choice("figure", "colour", &fields), shown_case(study, rows)])
}

/// Makes the choice of the case that is shown; there is none to choose where there is one.
pub fn shown_case(study: &Study, rows: &[Value]) -> Value {
    let has_rows = |n: usize| rows.iter().any(|row| row["n"] == n);
    let cases: Vec<(String, String)> = (0..study.cases.len())
        .filter(|&n| has_rows(n))
        .map(|n| (study.cases[n].label.clone(), study.cases[n].label.clone()))
        .collect();
    if cases.len() == 1 { json!({ "name": "shown", "value": cases[0].0 }) } else { choice("shown", "case", &cases) }
}
