//! Figures over the values of a key that are numbers, such as a stall timer.

use serde_json::{Value, json};

use super::spec::{add_intervals, choice, fit_legend, new, tooltip};
use super::{Chart, cases};
use crate::keys::{Key, Numbers};
use crate::results::Results;
use crate::study::Study;

const KIND: &str = "swept";
/// The ratio of largest to smallest value from which a scale is logarithmic.
const WIDE: f64 = 20.0;

/// Draws figures over the key that has most numbers.
pub fn chart(_: &Results, study: &Study) -> Option<Chart> {
    let numbers = study.keys.iter().filter_map(|key| Some((key, key.numbers.as_ref()?)));
    let (key, numbers) =
        numbers.filter(|(key, _)| key.path != "traffic.load").max_by_key(|(key, _)| key.distinct().len())?;
    let measures = study.energies.iter().chain(&study.figures);
    let relative = |field: &str, title: String| match &study.baseline {
        Some(base) => (cases::ratio_field(field), format!("{title}, {base} = 1")),
        None => (field.to_owned(), title),
    };
    let mut options: Vec<(String, String)> = Vec::new();
    for measure in measures {
        if study.baseline.is_some() && (measure.words == "run time" || measure.words.contains("energy")) {
            options.push(relative(&measure.field, measure.words.to_owned()));
        }
        options.push((measure.field.clone(), measure.title()));
    }
    let x = cases::number_field(&key.field(), numbers.unit);
    let mut spec = new(KIND, 300);
    fit_legend(&mut spec, study.cases.iter().map(|case| case.label.as_str()));
    spec["params"] = json!([choice("figure", "figure", &options)]);
    let others: Vec<&Key> = study.keys.iter().filter(|other| other.path != key.path).collect();
    let group: Vec<String> = others.iter().map(|key| format!("datum['{}']", key.field())).collect();
    let group_of = if group.is_empty() { "'all cases'".into() } else { group.join(" + ' · ' + ") };
    spec["transform"] = json!([
        { "calculate": "datum[figure]", "as": "y" },
        { "calculate": group_of, "as": "group" },
        { "filter": format!("isValid(datum.y) && isValid(datum['{x}'])") },
    ]);
    spec["mark"] = json!({ "type": "line", "point": { "size": 50, "filled": true } });
    let title = if numbers.unit.is_empty() { key.path.clone() } else { format!("{}, {}", key.path, numbers.unit) };
    let names = others.iter().map(|key| key.name.as_str()).collect::<Vec<_>>().join(" · ");
    let mut colour =
        json!({ "field": "group", "type": "nominal", "title": names, "sort": { "field": "n", "op": "min" } });
    if others.is_empty() {
        colour["legend"] = Value::Null;
    }
    spec["encoding"] = json!({
        "x": { "field": x, "type": "quantitative", "title": title, "scale": scale(numbers) },
        "y": { "field": "y", "type": "quantitative", "title": null },
        "color": colour,
        "shape": colour,
        "tooltip": tooltip(&[("case", "case"), (&x, &title), ("y", "figure")]),
    });
    if study.is_over_seeds() {
        add_intervals(&mut spec);
    }
    Some(Chart {
        kind: KIND,
        title: format!("Figures over {}", key.path),
        caption: "Choose the figure above the chart.".into(),
        wide: false,
        spec,
        rows: cases::rows(study),
        most_cases: None,
    })
}

fn scale(numbers: &Numbers) -> Value {
    let least = numbers.values.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.values.iter().flatten().copied().fold(0.0, f64::max);
    if least > 0.0 && most / least >= WIDE { json!({ "type": "log" }) } else { json!({ "zero": false }) }
}
