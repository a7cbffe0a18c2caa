//! Figures over the values of a key that are numbers, such as a stall timer.

use serde_json::{Value, json};

use super::spec::{add_intervals, choice, fit_legend, new};
use super::{Chart, bound, cases, series};
use crate::keys::Numbers;
use crate::results::Results;
use crate::study::Study;

const KIND: &str = "swept";
/// The ratio of largest to smallest value from which a scale is logarithmic.
const WIDE: f64 = 20.0;

/// Draws figures over the key that has most numbers.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
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
    let rows = cases::rows(study);
    let series = series::of(study, &key.path);
    let mut steps = series.steps.clone();
    steps.insert(0, json!({ "calculate": "datum[figure]", "as": "y" }));
    steps.push(json!({ "filter": format!("isValid(datum.y) && isValid(datum['{x}'])") }));
    spec["transform"] = Value::Array(steps);
    let title = if numbers.unit.is_empty() { key.path.clone() } else { format!("{}, {}", key.path, numbers.unit) };
    let of_x = json!({ "field": x, "type": "quantitative", "title": title, "scale": scale(numbers) });
    let of_y = json!({ "field": "y", "type": "quantitative", "title": null });
    let words = [("case", "case"), (&x, &title), ("y", "figure")];
    spec["layer"] = series.layers(&of_x, &of_y, &words, series::has_saturated(&rows));
    let fields: Vec<&str> = options.iter().map(|(field, _)| field.as_str()).collect();
    series::limit(&mut spec, &rows, &fields, "figure");
    if study.is_over_seeds() {
        add_intervals(&mut spec);
    }
    add_bound(&mut spec, results, study);
    Some(Chart {
        kind: KIND,
        title: format!("Figures over {}", key.path),
        caption: "Choose the figure above the chart.".into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}

/// Draws the bound on the run time, where this is what is shown.
fn add_bound(spec: &mut Value, results: &Results, study: &Study) {
    let Some(run_time) = study.figure("run time").filter(|_| study.baseline.is_some()) else { return };
    let Some(bound) = bound::of(results) else { return };
    let shown = format!("figure == '{}'", cases::ratio_field(&run_time.field));
    let rule = bound::rule(bound, "y", Some(&shown));
    spec["layer"].as_array_mut().into_iter().for_each(|layers| layers.push(rule.clone()));
}

fn scale(numbers: &Numbers) -> Value {
    let least = numbers.values.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.values.iter().flatten().copied().fold(0.0, f64::max);
    if least > 0.0 && most / least >= WIDE { json!({ "type": "log" }) } else { json!({ "zero": false }) }
}
