//! Open-loop traffic: latency and accepted load over the offered load.

use drowse_describe::palette::GREY;
use serde_json::{Value, json};

use super::spec::{add_intervals, choice, fit_legend, new, tooltip};
use super::{Chart, cases};
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
    let mut spec = lines("latency", study)?;
    spec["params"] = json!([choice("latency", "latency", &options)]);
    spec["transform"][1] = json!({ "calculate": "datum[latency]", "as": "y" });
    let unit = study.figure("packet latency, mean")?.unit;
    spec["encoding"]["y"] =
        json!({ "field": "y", "type": "quantitative", "title": format!("packet latency ({unit} for the mean)") });
    let units: Vec<&str> = study
        .figures
        .iter()
        .filter(|measure| measure.words.starts_with("packet latency"))
        .map(|measure| measure.unit)
        .collect();
    if units.iter().all(|other| *other == unit) {
        spec["encoding"]["y"]["title"] = json!(format!("packet latency, {unit}"));
    }
    if study.is_over_seeds() {
        add_intervals(&mut spec);
    }
    Some(Chart {
        kind: "latency",
        title: "Latency over load".into(),
        caption: "From hand-over to a packet’s last bit. Past saturation, latency depends on how long the run lasts."
            .into(),
        wide: false,
        spec,
        rows: cases::rows(study),
        most_cases: None,
    })
}

/// Draws the load that the network accepts.
pub fn accepted(_: &Results, study: &Study) -> Option<Chart> {
    let accepted = study.figure("accepted load")?;
    let mut spec = lines("accepted", study)?;
    spec["transform"][1] = json!({ "calculate": format!("datum['{}']", accepted.field), "as": "y" });
    spec["encoding"]["y"] = json!({ "field": "y", "type": "quantitative", "title": "accepted load, %" });
    let ideal = json!({
        "mark": { "type": "line", "color": GREY, "strokeDash": [4, 3], "point": false },
        "encoding": {
            "x": spec["encoding"]["x"],
            "y": { "field": spec["encoding"]["x"]["field"], "type": "quantitative" },
        },
    });
    let (mark, encoding) = (spec["mark"].take(), spec["encoding"].take());
    if let Some(fields) = spec.as_object_mut() {
        fields.remove("mark");
        fields.remove("encoding");
    }
    spec["layer"] = json!([ideal, { "mark": mark, "encoding": encoding }]);
    if study.is_over_seeds() {
        add_intervals(&mut spec);
    }
    Some(Chart {
        kind: "accepted",
        title: "Accepted load".into(),
        caption: "Shares of what nodes can send. Where a curve leaves the dashed line, the network is saturated."
            .into(),
        wide: false,
        spec,
        rows: cases::rows(study),
        most_cases: None,
    })
}

/// Begins a chart over the offered load, a line for each value of the other keys; none where the load is the same.
fn lines(kind: &str, study: &Study) -> Option<Value> {
    let offered = study.figure("offered load")?;
    let first = offered.values[0];
    offered.values.iter().any(|value| *value != first).then_some(())?;
    let others: Vec<String> = study
        .keys
        .iter()
        .filter(|key| key.path != "traffic.load")
        .map(|key| format!("datum['{}']", key.field()))
        .collect();
    let group = if others.is_empty() { "'all cases'".into() } else { others.join(" + ' · ' + ") };
    let mut spec = new(kind, 300);
    fit_legend(&mut spec, study.cases.iter().map(|case| case.label.as_str()));
    spec["transform"] = json!([{ "calculate": group, "as": "group" }, null, { "filter": "isValid(datum.y)" }]);
    spec["mark"] = json!({ "type": "line", "point": { "size": 50, "filled": true } });
    let mut group =
        json!({ "field": "group", "type": "nominal", "title": null, "sort": { "field": "n", "op": "min" } });
    if others.is_empty() {
        group["legend"] = Value::Null;
    }
    spec["encoding"] = json!({
        "x": { "field": offered.field, "type": "quantitative", "title": "offered load, %" },
        "color": group,
        "shape": group,
        "tooltip": tooltip(&[("case", "case"), (&offered.field, "offered load, %"), ("y", kind)]),
    });
    Some(spec)
}
