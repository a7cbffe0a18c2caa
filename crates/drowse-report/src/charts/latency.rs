//! Open-loop traffic: latency and accepted load over the offered load.

use drowse_describe::palette::BOUND;
use serde_json::{Value, json};

use super::spec::{add_intervals, choice, fit_legend, new};
use super::{Chart, cases, series};
use crate::results::Results;
use crate::study::Study;

/// Draws the latency of packets.
pub fn curve(_: &Results, study: &Study) -> Option<Chart> {
    let options: Vec<(String, String)> = ["packet latency, mean", "packet latency, 99th percentile"]
        .iter()
        .filter_map(|words| study.figure(words))
        .map(|measure| (measure.field.clone(), measure.title()))
        .collect();
    options.first()?;
    let rows = cases::rows(study);
    let unit = study.figure("packet latency, mean")?.unit;
    let units = study.figures.iter().filter(|measure| measure.words.starts_with("packet latency"));
    let title = if units.clone().all(|measure| measure.unit == unit) {
        format!("packet latency, {unit}")
    } else {
        format!("packet latency ({unit} for the mean)")
    };
    let mut spec = lines("latency", study, "datum[latency]", &title, series::has_saturated(&rows))?;
    spec["params"] = json!([choice("latency", "latency", &options)]);
    let fields: Vec<&str> = options.iter().map(|(field, _)| field.as_str()).collect();
    series::limit(&mut spec, &rows, &fields, "latency");
    if study.is_over_seeds() {
        add_intervals(&mut spec);
    }
    let caption = if series::has_saturated(&rows) {
        "From hand-over to a packet’s last bit. Open marks are saturated cases, whose latency depends on how long the \
         run lasts; beyond the scale they stand at its upper end."
    } else {
        "From hand-over to a packet’s last bit. Past saturation, latency depends on how long the run lasts."
    };
    Some(Chart {
        kind: "latency",
        title: "Latency over load".into(),
        caption: caption.into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}

/// Draws the load that the network accepts.
pub fn accepted(_: &Results, study: &Study) -> Option<Chart> {
    let accepted = study.figure("accepted load")?;
    let rows = cases::rows(study);
    let value = format!("datum['{}']", accepted.field);
    let mut spec = lines("accepted", study, &value, "accepted load, %", series::has_saturated(&rows))?;
    let of_lines = &spec["layer"][0]["encoding"];
    let ideal = json!({
        "mark": { "type": "line", "color": BOUND, "strokeDash": [4, 3], "point": false },
        "encoding": {
            "x": of_lines["x"],
            "y": { "field": of_lines["x"]["field"], "type": "quantitative" },
        },
    });
    spec["layer"].as_array_mut().into_iter().for_each(|layers| layers.insert(0, ideal.clone()));
    if let Some(steps) = spec["transform"].as_array_mut() {
        steps.push(json!({ "calculate": "datum.y", "as": "shown" }));
    }
    if study.is_over_seeds() {
        add_intervals(&mut spec);
    }
    Some(Chart {
        kind: "accepted",
        title: "Accepted load".into(),
        caption: "Shares of what nodes can send. Where a curve leaves the dashed line, the network is saturated: its \
                  marks are open."
            .into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}

/// Begins a chart of a value over the offered load, a line for each value of the other keys; none where the load is the
/// same.
fn lines(kind: &str, study: &Study, value: &str, title: &str, has_saturated: bool) -> Option<Value> {
    let offered = study.figure("offered load")?;
    let first = offered.values[0];
    offered.values.iter().any(|value| *value != first).then_some(())?;
    let series = series::of(study, "traffic.load");
    let mut spec = new(kind, 300);
    fit_legend(&mut spec, study.cases.iter().map(|case| case.label.as_str()));
    let mut steps = series.steps.clone();
    steps.extend([json!({ "calculate": value, "as": "y" }), json!({ "filter": "isValid(datum.y)" })]);
    spec["transform"] = Value::Array(steps);
    let x = json!({ "field": offered.field, "type": "quantitative", "title": "offered load, %" });
    let y = json!({ "field": "y", "type": "quantitative", "title": title });
    let words = [("case", "case"), (&offered.field, "offered load, %"), ("y", kind)];
    spec["layer"] = series.layers(&x, &y, &words, has_saturated);
    Some(spec)
}
