//! Energy against run time, a mark a case, with the Pareto front.

use drowse_describe::palette;
use serde_json::{Value, json};

use super::spec::{add_intervals, choice, fit_legend, new, tooltip};
use super::{Chart, bound, cases};
use crate::measures::Measure;
use crate::results::Results;
use crate::study::{Comparison, Study};

const KIND: &str = "energy";
/// Shapes and colours that can be told apart; a key of more values has numbers.
const MOST_GROUPS: usize = 7;

/// Draws the cases of a study that have run times.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let run_time = study.figure("run time").filter(|_| study.cases.len() > 1)?;
    study.figure("offered load").is_none().then_some(())?;
    study.energies.first()?;
    let comparison = study.comparison();
    let relative = study.baseline.as_deref().filter(|_| comparison != Comparison::Figures);
    let axis = |measure: &Measure| match relative {
        Some(base) => (cases::ratio_field(&measure.field), format!("{}, {base} = 1", measure.words)),
        None => (measure.field.clone(), measure.title()),
    };
    let (x, x_title) = axis(run_time);
    let energies: Vec<(String, String)> = study.energies.iter().map(axis).collect();
    let groups = groups(study);
    let mut spec = new(KIND, 320);
    fit_legend(&mut spec, study.keys.iter().flat_map(|key| key.distinct()));
    let mut params = vec![choice("energy", "energy", &energies), choice("colour", "colour", &groups)];
    params.retain(|param| param["bind"]["options"].as_array().is_some_and(|options| options.len() > 1));
    spec["params"] = json!(params);
    let chosen = |name: &str, options: &[(String, String)]| {
        if options.len() > 1 { format!("datum[{name}]") } else { format!("datum['{}']", options[0].0) }
    };
    spec["transform"] = json!([
        { "calculate": chosen("energy", &energies), "as": "y" },
        { "calculate": chosen("colour", &groups), "as": "group" },
        { "filter": format!("isValid(datum['{x}']) && isValid(datum.y)") },
    ]);
    let y_title = if energies.len() > 1 {
        relative.map_or("energy".into(), |base| format!("energy, {base} = 1"))
    } else {
        energies[0].1.clone()
    };
    let x_axis =
        json!({ "field": x, "type": "quantitative", "title": x_title, "scale": { "zero": false, "padding": 12 } });
    let y_axis = json!({ "field": "y", "type": "quantitative", "title": y_title, "scale": { "zero": true } });
    // Cases that run different programs have no front in common.
    let has_front = comparison != Comparison::WithinPrograms;
    let mut layers = if has_front { vec![front(&x, &x_axis, &y_axis)] } else { Vec::new() };
    layers.push(points(study, &x, &x_axis, &y_axis, groups.len() > 1 || study.keys.is_empty()));
    spec["layer"] = json!(layers);
    if study.is_over_seeds() {
        add_intervals(&mut spec);
    }
    if let (Some(bound), Some(_), Some(layers)) = (bound::of(results), relative, spec["layer"].as_array_mut()) {
        layers.push(bound::rule(bound, "x", None));
    }
    Some(Chart {
        kind: KIND,
        title: "Energy against run time".into(),
        caption: caption(has_front).into(),
        wide: false,
        spec,
        rows: cases::rows(study),
        most_cases: None,
    })
}

fn caption(has_front: bool) -> &'static str {
    if has_front {
        "Left is faster, down needs less energy. Of the cases on the line, none is both slower and needs more energy \
         than another (Pareto front; the oracle, which cannot be built, is left out)."
    } else {
        "Left is faster, down needs less energy, each beside the baseline of the same network and program."
    }
}

/// Returns the fields that may colour marks: the keys of the sweep, those with few values first.
fn groups(study: &Study) -> Vec<(String, String)> {
    let shown = study.keys.iter().filter(|key| !study.is_facet(&key.path));
    let mut keys: Vec<_> = shown.map(|key| (key.distinct().len(), key)).collect();
    keys.sort_by_key(|(count, key)| (*count > MOST_GROUPS, key.path != "power.policy", *count));
    let groups: Vec<(String, String)> = keys.into_iter().map(|(_, key)| (key.field(), key.name.clone())).collect();
    if groups.is_empty() { vec![("case".into(), "case".into())] } else { groups }
}

/// Draws the cases that no other beats in both: in the order of run time, each with less energy than all before.
fn front(x: &str, x_axis: &Value, y_axis: &Value) -> Value {
    let sort = json!([{ "field": x }, { "field": "y" }]);
    json!({
        "transform": [
            { "filter": "!datum.oracle" },
            // Vega has no frame that ends before a row: the least up to each row, then that of the row before.
            {
                "window": [{ "op": "min", "field": "y", "as": "least" }],
                "groupby": [], "frame": [null, 0], "ignorePeers": true, "sort": sort,
            },
            {
                "window": [{ "op": "lag", "field": "least", "as": "least_before" }], "groupby": [], "sort": sort,
            },
            { "filter": "!isValid(datum.least_before) || datum.y < datum.least_before" },
        ],
        "mark": {
            "type": "line", "interpolate": "step-after", "color": palette::GREY, "strokeDash": [4, 3], "strokeWidth": 1.5,
        },
        "encoding": { "x": x_axis, "y": y_axis, "order": { "field": x } },
    })
}

fn points(study: &Study, x: &str, x_axis: &Value, y_axis: &Value, legend: bool) -> Value {
    let mut lines = vec![("case", "case"), (x, "run time"), ("y", "energy")];
    if let Some(asleep) = study.figure("share of link time asleep") {
        lines.push((&asleep.field, "share of link time asleep, %"));
    }
    let group = || {
        let mut encoding =
            json!({ "field": "group", "type": "nominal", "title": null, "sort": { "field": "n", "op": "min" } });
        if !legend && study.keys.is_empty() {
            encoding["legend"] = Value::Null;
        }
        encoding
    };
    json!({
        "mark": { "type": "point", "filled": true, "size": 80, "opacity": 0.85 },
        "encoding": {
            "x": x_axis,
            "y": y_axis,
            "color": group(),
            "shape": group(),
            "tooltip": tooltip(&lines),
        },
    })
}
