//! The states of links: how channels of each class spend their time.

use drowse_describe::palette::STATES;
use serde_json::json;

use super::Chart;
use super::spec::{choice, colours, fit_legend, new, tooltip};
use crate::results::Results;
use crate::study::Study;

const KIND: &str = "states";
/// Bars that can be read.
const MOST_CASES: usize = 30;
/// The cases up to which all classes stand in one chart.
const FEW_CASES: usize = 2;

/// Draws the shares of time of each state.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = &results.cases;
    let share = |row: usize, class: Option<&str>, state: &str| match class {
        Some(class) => table.figure(row, &format!("links.by_class.{class}.{state}_fraction")),
        None => table.figure(row, &format!("links.{state}_fraction")),
    };
    let of_class = |name: &String| Some(name.strip_prefix("links.by_class.")?.strip_suffix(".on_fraction")?.to_owned());
    let classes: Vec<String> = table.columns().iter().filter_map(of_class).collect();
    let all = ("all that may sleep", None);
    let wanted: Vec<(&str, Option<&str>)> =
        std::iter::once(all).chain(classes.iter().map(|class| (class.as_str(), Some(class.as_str())))).collect();
    let mut rows = Vec::new();
    for (n, case) in study.cases.iter().enumerate() {
        for &(name, class) in &wanted {
            for (order, (state, _)) in STATES.iter().enumerate() {
                let Some(share) = share(n, class, state) else { continue };
                let row = json!({
                    "n": n, "case": case.label, "links": name, "state": state, "order": order, "share": share,
                });
                rows.push(row);
            }
        }
    }
    let seen = |&(state, _): &(&str, &str)| rows.iter().any(|row| row["state"] == state);
    let known: Vec<(&str, &str)> = STATES.iter().copied().filter(seen).collect();
    // Where nothing ever sleeps, there is nothing to see.
    rows.iter().any(|row| row["state"] != "on" && row["share"].as_f64() > Some(0.0)).then_some(())?;
    let few = study.cases.len() <= FEW_CASES;
    let mut spec = new(KIND, 0);
    fit_legend(&mut spec, known.iter().map(|(name, _)| *name));
    spec["height"] = json!({ "step": 22 });
    if few {
        spec["transform"] = if study.cases.len() == 1 {
            json!([{ "calculate": "datum.links", "as": "bar" }])
        } else {
            json!([{ "calculate": "datum.links + ', ' + datum.case", "as": "bar" }])
        };
    } else {
        let names: Vec<(String, String)> =
            wanted.iter().map(|(name, _)| ((*name).to_owned(), (*name).to_owned())).collect();
        spec["params"] = json!([choice("wanted", "links", &names)]);
        spec["transform"] = json!([{ "filter": "datum.links == wanted" }, { "calculate": "datum.case", "as": "bar" }]);
    }
    spec["mark"] = json!({ "type": "bar", "height": { "band": 0.8 } });
    spec["encoding"] = json!({
        "y": { "field": "bar", "type": "nominal", "title": null, "sort": null },
        "x": {
            "field": "share", "type": "quantitative", "stack": true, "title": "share of channel time",
            "axis": { "format": "%" }, "scale": { "domain": [0, 1] },
        },
        "color": { "field": "state", "type": "nominal", "title": null, "scale": colours(&known) },
        "order": { "field": "order" },
        "tooltip": tooltip(&[("case", "case"), ("links", "links"), ("state", "state"), ("share", "share of time")]),
    });
    Some(Chart {
        kind: KIND,
        title: "States of links".into(),
        caption: "How channels of each link class spend their time. “All that may sleep” are those of power.channels."
            .into(),
        wide: false,
        spec,
        rows,
        most_cases: Some(MOST_CASES),
    })
}
