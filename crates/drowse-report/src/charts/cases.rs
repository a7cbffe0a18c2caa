//! The data of charts that have a mark a case.

use serde_json::{Map, Value, json};

use crate::study::Study;

/// Returns a row a case: its label, the values of the sweep, all figures and energies, and ratios to the baseline.
pub fn rows(study: &Study) -> Vec<Value> {
    (0..study.cases.len()).map(|case| Value::Object(row(study, case))).collect()
}

fn row(study: &Study, case: usize) -> Map<String, Value> {
    let mut row = Map::new();
    row.insert("n".into(), json!(case));
    row.insert("case".into(), json!(study.cases[case].label));
    if study.cases[case].is_saturated {
        row.insert("saturated".into(), json!(true));
    }
    if study.is_oracle(case) {
        row.insert("oracle".into(), json!(true));
    }
    for key in &study.keys {
        row.insert(key.field(), json!(key.values[case]));
        if let Some(numbers) = &key.numbers {
            row.insert(number_field(&key.field(), numbers.unit), json!(numbers.values[case]));
        }
    }
    for measure in study.figures.iter().chain(&study.energies) {
        row.insert(measure.field.clone(), json!(measure.values[case]));
        add_ends(&mut row, &measure.field, measure.values[case].zip(measure.half_widths[case]));
        if let Some(ratio) = study.ratio(measure, case) {
            let field = ratio_field(&measure.field);
            row.insert(field.clone(), json!(ratio));
            add_ends(&mut row, &field, study.ratio_half_width(measure, case).map(|half_width| (ratio, half_width)));
        }
    }
    row
}

/// Adds the ends of an interval.
fn add_ends(row: &mut Map<String, Value>, field: &str, interval: Option<(f64, f64)>) {
    if let Some((mean, half_width)) = interval {
        row.insert(format!("{field}_low"), json!(mean - half_width));
        row.insert(format!("{field}_high"), json!(mean + half_width));
    }
}

/// Returns the name of the field of a figure's ratio to the baseline.
pub fn ratio_field(field: &str) -> String {
    format!("relative_{field}")
}

/// Returns the name of the field of a key's values as numbers.
pub fn number_field(field: &str, unit: &str) -> String {
    if unit.is_empty() { format!("{field}_number") } else { format!("{field}_{unit}") }
}
