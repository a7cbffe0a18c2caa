//! The table of `drowse sweep`: what was varied, and a few key figures.

use std::fmt::Write;

use drowse_run::sweep::Report;
use drowse_tables::Row;
use serde_json::json;

use super::columns::Columns;
use super::number::Style;

/// The most rows that are shown; all are in `cases.csv`.
pub const ROWS: usize = 40;

/// The key figures: heading, name, how it is shown. A figure that no case has, or that is 0 in all, leaves no column.
const FIGURES: &[(&str, &str, Style)] = &[
    ("makespan", "makespan_s", Style::Seconds),
    ("accepted", "load.accepted", Style::Percent),
    ("message latency", "latency.message.mean_ns", Style::Nanoseconds),
    ("on", "links.on_fraction", Style::Percent),
    ("shallow", "links.shallow_fraction", Style::Percent),
    ("deep", "links.deep_fraction", Style::Percent),
    ("W_net", "energy.w_net", Style::Percent),
    ("E_net", "energy.e_net", Style::Seconds),
];

/// Lays out the first cases of a sweep, and names the files.
pub fn table(title: &str, report: &Report) -> String {
    let sets: Vec<&str> = report
        .first
        .first()
        .map(|row| row.iter().filter_map(|(name, _)| name.strip_prefix("set.")).collect())
        .unwrap_or_default();
    let shown: Vec<_> = FIGURES
        .iter()
        .filter(|(_, name, _)| report.first.iter().any(|row| row.number(name).is_some_and(|value| value != 0.0)))
        .collect();
    let mut header: Vec<String> = sets.iter().map(|&path| path.to_owned()).collect();
    header.extend(shown.iter().map(|(heading, ..)| (*heading).to_owned()));
    let mut columns = Columns::new(sets.len(), header);
    for row in &report.first {
        let mut cells: Vec<String> = sets.iter().map(|path| text(row, &format!("set.{path}"))).collect();
        match row.get("error") {
            Some(_) => cells.push("failed".into()),
            None => cells.extend(shown.iter().map(|(_, name, style)| cell(row.number(name), *style))),
        }
        columns.row(cells);
    }
    let mut text = format!("{title}\n\n{columns}");
    let hidden = report.cases.saturating_sub(report.first.len() as u64);
    if hidden > 0 {
        let _ = writeln!(text, "... and {hidden} more");
    }
    let failed = if report.failed > 0 { format!(", {} could not finish", report.failed) } else { String::new() };
    let cases = if report.cases == 1 { "case" } else { "cases" };
    let _ = writeln!(text, "\n{} {cases}, {} run now{failed}", report.cases, report.ran);
    for file in &report.files {
        let _ = writeln!(text, "{}", file.display());
    }
    text
}

/// Returns the counts and the files.
pub fn json(report: &Report) -> serde_json::Value {
    let files: Vec<String> = report.files.iter().map(|file| file.display().to_string()).collect();
    json!({ "cases": report.cases, "ran": report.ran, "failed": report.failed, "files": files })
}

fn text(row: &Row, name: &str) -> String {
    row.get(name).map(ToString::to_string).unwrap_or_default()
}

/// Shows a value with the unit that fits it.
fn cell(value: Option<f64>, style: Style) -> String {
    value.map_or_else(
        || "-".into(),
        |value| {
            let (factor, unit) = style.unit(value);
            format!("{} {unit}", style.show(value * factor))
        },
    )
}
