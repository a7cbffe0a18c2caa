//! Numbers as the pages of studies show them.

/// Sorts values.
pub fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the median of sorted values.
pub fn median(values: &[f64]) -> f64 {
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        odd if !odd.is_multiple_of(2) => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

/// Writes a share in percent, with a digit behind the point where it is small.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let text = if percent.abs() < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") };
    if text == "-0.0 %" { "0.0 %".to_owned() } else { text }
}
