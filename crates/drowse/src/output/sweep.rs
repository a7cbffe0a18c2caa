//! The table of `drowse sweep`: what was varied, and a few key figures.

use std::fmt::Write;

use drowse_run::sweep::Report;
use drowse_tables::schema::{Column, cases, failed};
use serde_json::json;

use super::columns::Columns;
use super::number::Style;
use super::wrap;

/// The most rows that are shown; all are in `cases.csv`.
pub const ROWS: usize = 40;

/// A key figure: its heading, its column, and how it is shown.
type Figure = (&'static str, Column, Style);

/// The key figures, the most important first: as many are shown as fit. A figure that no case has, or that is 0 in all,
/// leaves no column.
const FIGURES: &[Figure] = &[
    ("makespan", cases::MAKESPAN_S, Style::Seconds),
    ("accepted", cases::LOAD_ACCEPTED, Style::Percent),
    ("latency", cases::LATENCY_MESSAGE_MEAN_NS, Style::Nanoseconds),
    ("E_net", cases::ENERGY_E_NET, Style::Seconds),
    ("deep", cases::LINKS_DEEP_FRACTION, Style::Percent),
    ("shallow", cases::LINKS_SHALLOW_FRACTION, Style::Percent),
    ("on", cases::LINKS_ON_FRACTION, Style::Percent),
    ("W_net", cases::ENERGY_W_NET, Style::Percent),
];

/// Lays out the first cases of a sweep, and names the files.
pub fn table(title: &str, report: &Report) -> String {
    let shown: Vec<_> = FIGURES
        .iter()
        .filter(|(_, name, _)| report.first.iter().any(|row| row.number(*name).is_some_and(|value| value != 0.0)))
        .collect();
    // As many of the figures as fit, but always one.
    let fits = |&count: &usize| count <= 1 || columns(report, &shown[..count]).width() <= wrap::WIDTH;
    let count = (0..=shown.len()).rev().find(fits).unwrap_or(0);
    let mut text = format!("{}\n\n{}", wrap::paragraph(title), columns(report, &shown[..count]));
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

/// Lays out the values of the sweep and some figures, a row a case.
fn columns(report: &Report, shown: &[&Figure]) -> Columns {
    let sets: Vec<&str> =
        report.first.first().map(|row| row.all(cases::SET).map(|(path, _)| path).collect()).unwrap_or_default();
    let mut header: Vec<String> = sets.iter().map(|&path| path.to_owned()).collect();
    header.extend(shown.iter().map(|(heading, ..)| (*heading).to_owned()));
    let mut columns = Columns::new(sets.len(), header);
    for row in &report.first {
        let mut cells: Vec<String> = sets.iter().map(|path| row.text(cases::SET.of(path))).collect();
        match row.get(failed::ERROR) {
            Some(_) => cells.push("failed".into()),
            None => cells.extend(shown.iter().map(|(_, name, style)| cell(row.number(*name), *style))),
        }
        columns.row(cells);
    }
    columns
}

/// Returns the counts and the files.
pub fn json(report: &Report) -> serde_json::Value {
    let files: Vec<String> = report.files.iter().map(|file| file.display().to_string()).collect();
    json!({ "cases": report.cases, "ran": report.ran, "failed": report.failed, "files": files })
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
