//! Power of the parts of a machine over time.

use serde_json::json;

use super::spec::{HOW_TO_ZOOM, fit_legend, new, tooltip, zoom_in_time};
use super::{Chart, links};
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;
use crate::units;

const KIND: &str = "power";
/// The most intervals of a part that a chart shows: as many as a screen has columns for.
const MOST: usize = 1_000;

/// The power of a part in one interval after the other.
struct Part {
    case: usize,
    name: String,
    /// When each interval begins, how long it is, and its mean power.
    intervals: Vec<[f64; 3]>,
}

/// Draws what each part draws in each interval.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let parts = read(results.power.as_ref()?, study);
    let mut rows = Vec::new();
    let all = || parts.iter().flat_map(|part| &part.intervals);
    let time = units::time(all().map(|[from, length, _]| from + length).fold(0.0, f64::max));
    let watts = units::power(all().map(|[.., watts]| *watts).fold(0.0, f64::max));
    let (at_field, power_field) = (format!("from_{}", time.field), format!("power_{}", watts.field));
    for Part { case, name, intervals } in &parts {
        for [from, length, power] in joined(intervals) {
            let point = |at: f64| {
                json!({
                    "n": case, "case": study.cases[*case].label, "part": name, at_field.as_str(): time.of(at),
                    power_field.as_str(): watts.of(power),
                })
            };
            // A mean holds from the beginning of its interval to the end.
            rows.extend([point(from), point(from + length)]);
        }
    }
    (!rows.is_empty()).then_some(())?;
    let mut spec = new(KIND, 260);
    fit_legend(&mut spec, parts.iter().map(|part| part.name.as_str()));
    spec["params"] = json!([links::shown_case(study, &rows)]);
    zoom_in_time(&mut spec, &at_field);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }]);
    spec["mark"] = json!({ "type": "line", "strokeWidth": 1.5, "clip": true });
    spec["encoding"] = json!({
        "x": {
            "field": at_field, "type": "quantitative", "title": format!("simulated time, {}", time.name),
            "scale": { "nice": false, "zero": false },
        },
        "y": {
            "field": power_field, "type": "quantitative", "title": format!("power, {}", watts.name),
            "scale": { "zero": true },
        },
        "color": { "field": "part", "type": "nominal", "title": null, "sort": null },
        "order": { "field": at_field },
        "tooltip": tooltip(&[
            ("part", "part"), (&at_field, &format!("time, {}", time.name)),
            (&power_field, &format!("power, {}", watts.name)),
        ]),
    });
    Some(Chart {
        kind: KIND,
        title: "Power over time".into(),
        caption: format!(
            "Mean power in intervals of simulated time. The area below a line is the energy of its part. {HOW_TO_ZOOM}"
        ),
        wide: true,
        spec,
        rows,
        most_cases: None,
    })
}

/// Reads the parts of all cases, in the order of the table.
fn read(table: &Table, study: &Study) -> Vec<Part> {
    let [id, time, interval, part, class, watts] =
        ["case_id", "time_ps", "interval_ps", "part", "class", "watts"].map(|name| table.place(name));
    let mut parts: Vec<Part> = Vec::new();
    for row in 0..table.len() {
        let Some(case) = study.of_id(table.text(row, id)) else { continue };
        let [from, length, watts] = [time, interval, watts].map(|column| table.number(row, column).unwrap_or(0.0));
        let name = match table.text(row, class) {
            "" => table.text(row, part).to_owned(),
            class => format!("{}, {class}", table.text(row, part)),
        };
        let known = parts.iter().position(|part| part.case == case && part.name == name);
        let place = known.unwrap_or_else(|| {
            parts.push(Part { case, name, intervals: Vec::new() });
            parts.len() - 1
        });
        parts[place].intervals.push([from, length, watts]);
    }
    parts
}

/// Joins neighbours where there are too many intervals; the energy stays.
fn joined(intervals: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let each = intervals.len().div_ceil(MOST).max(1);
    let mean = |some: &[[f64; 3]]| {
        let length: f64 = some.iter().map(|[_, length, _]| length).sum();
        let energy: f64 = some.iter().map(|[_, length, watts]| length * watts).sum();
        [some[0][0], length, if length > 0.0 { energy / length } else { 0.0 }]
    };
    intervals.chunks(each).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_intervals_keep_their_energy() {
        let many: Vec<[f64; 3]> = (0..2_500).map(|at| [f64::from(at) * 2.0, 2.0, f64::from(at % 7)]).collect();
        let few = joined(&many);
        let energy = |all: &[[f64; 3]]| all.iter().map(|[_, length, watts]| length * watts).sum::<f64>();
        assert_eq!((few.len(), few[1][0], few[1][1]), (834, 6.0, 6.0));
        assert!((energy(&few) - energy(&many)).abs() < 1e-6);
    }
}
