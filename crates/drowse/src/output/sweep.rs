//! The table of `drowse sweep`: what was varied, and a few key figures.

use std::fmt::Write;

use drowse_run::sweep::{Report, statistics};
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases, failed};
use serde_json::json;

use super::columns::Columns;
use super::number::Style;
use super::scale::Scale;
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
    ("net energy", cases::ENERGY_NETWORK_J, Style::Joules),
    ("deep", cases::LINKS_DEEP_FRACTION, Style::Percent),
    ("shallow", cases::LINKS_SHALLOW_FRACTION, Style::Percent),
    ("on", cases::LINKS_ON_FRACTION, Style::Percent),
    ("net power", cases::POWER_NETWORK_W, Style::Watts),
];

/// Figures that a table should have at least; where long values leave less room, cases have their names.
const FEW: usize = 4;

/// The rows of a table: cases, or points over all seeds.
struct Shown<'r> {
    rows: &'r [Row],
    /// All rows, those that are not shown included.
    all: u64,
    averaged: bool,
}

impl<'r> Shown<'r> {
    fn of(report: &'r Report) -> Self {
        if report.points.is_empty() {
            Shown { rows: &report.first, all: report.cases, averaged: false }
        } else {
            Shown { rows: &report.points, all: report.points_count, averaged: true }
        }
    }

    /// Returns a figure of a row, and half the width of its interval where it is a mean.
    fn figure(&self, row: &Row, name: Column) -> (Option<f64>, Option<f64>) {
        if self.averaged { statistics::of_figure(row, name.name) } else { (row.number(name), None) }
    }

    /// Returns a figure of all rows that have it.
    fn figures(&self, name: Column) -> impl Iterator<Item = f64> {
        self.rows.iter().filter_map(move |row| self.figure(row, name).0)
    }
}

/// Lays out the first cases of a sweep, or its points over all seeds, and names the files.
pub fn table(title: &str, report: &Report) -> String {
    let rows = Shown::of(report);
    let has = |name: Column| rows.rows.iter().any(|row| rows.figure(row, name).0.is_some_and(|value| value != 0.0));
    let shown: Vec<_> = FIGURES.iter().filter(|(_, name, _)| has(*name)).collect();
    let mut text = format!("{}\n\n", wrap::paragraph(title));
    let values = Labels::of_values(&rows);
    let count = fitting(&rows, &values, &shown);
    if count >= shown.len().min(FEW) || (rows.averaged && count > 0) {
        text += &columns(&rows, &values, &shown[..count]).to_string();
    } else {
        // Long values leave room for few figures: rows have the short names of their cases instead.
        let names = Labels::of_names(&rows);
        text += &columns(&rows, &names, &shown[..fitting(&rows, &names, &shown)]).to_string();
    }
    let hidden = rows.all.saturating_sub(rows.rows.len() as u64);
    if hidden > 0 {
        let _ = writeln!(text, "... and {hidden} more");
    }
    if rows.averaged {
        text += "means over seeds, with their 95 % confidence intervals\n";
    }
    let failed = if report.failed > 0 { format!(", {} could not finish", report.failed) } else { String::new() };
    let done = report.copied.map_or_else(|| format!("{} run now", report.ran), |copied| format!("{copied} merged now"));
    let _ = writeln!(text, "\n{}, {done}{failed}", counts(report.cases, report.baselines));
    for file in &report.files {
        let _ = writeln!(text, "{}", file.display());
    }
    text + &warnings(report)
}

/// Says how many cases and baselines there are.
pub fn counts(cases: u64, baselines: u64) -> String {
    let baselines = match baselines {
        0 => String::new(),
        1 => " and 1 baseline".into(),
        many => format!(" and {many} baselines"),
    };
    format!("{cases} {}{baselines}", if cases == 1 { "case" } else { "cases" })
}

/// Says how many cases have warnings, and the first of these.
fn warnings(report: &Report) -> String {
    if report.warned == 0 {
        return String::new();
    }
    let have = if report.warned == 1 { "case has" } else { "cases have" };
    let mut text = wrap::paragraph(&format!(
        "{} {have} warnings, in the columns `warnings` of cases.csv, such as:",
        report.warned
    ));
    for warning in &report.warnings {
        let _ = write!(text, "\n{}", wrap::paragraph(&format!("warning: {warning}")));
    }
    format!("\n{text}\n")
}

/// Returns how many of the figures fit beside the labels, but always one.
fn fitting(rows: &Shown<'_>, labels: &Labels, shown: &[&Figure]) -> usize {
    let fits = |&count: &usize| count <= 1 || columns(rows, labels, &shown[..count]).width() <= wrap::WIDTH;
    (0..=shown.len()).rev().find(fits).unwrap_or(0)
}

/// Lays out labels and figures, a row a case or point.
fn columns(rows: &Shown<'_>, labels: &Labels, shown: &[&Figure]) -> Columns {
    let mut header = labels.header.clone();
    header.extend(shown.iter().map(|(heading, ..)| (*heading).to_owned()));
    let mut columns = Columns::new(labels.header.len(), header);
    let scales: Vec<Scale> = shown.iter().map(|(_, name, style)| Scale::of(rows.figures(*name), *style)).collect();
    for (row, label) in rows.rows.iter().zip(&labels.rows) {
        let mut cells = label.clone();
        if row.get(failed::ERROR).is_some() {
            cells.push("failed".into());
        } else {
            let cell = |((_, name, _), scale): (&&Figure, &Scale)| scale.cell(rows.figure(row, *name));
            cells.extend(shown.iter().zip(&scales).map(cell));
        }
        columns.row(cells);
    }
    columns
}

/// What tells rows apart.
struct Labels {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Labels {
    /// Returns the values that the sweep has set in each row.
    fn of_values(rows: &Shown<'_>) -> Self {
        let paths = |row: &Row| row.all(cases::SET).map(|(path, _)| path.to_owned()).collect();
        let header: Vec<String> = rows.rows.first().map(paths).unwrap_or_default();
        let shown = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let values = |row: &Row| header.iter().map(|path| shown(row.text(cases::SET.of(path)))).collect();
        let rows = rows.rows.iter().map(values).collect();
        Labels { header, rows }
    }

    /// Returns the name of each row.
    fn of_names(rows: &Shown<'_>) -> Self {
        let names = rows.rows.iter().map(|row| vec![row.text(cases::NAME)]).collect();
        Labels { header: vec!["case".into()], rows: names }
    }
}

/// Returns the counts and the files.
pub fn json(report: &Report) -> serde_json::Value {
    let files: Vec<String> = report.files.iter().map(|file| file.display().to_string()).collect();
    let Report { cases, baselines, ran, failed, warned, warnings, .. } = report;
    json!({ "cases": cases, "baselines": baselines, "ran": ran, "failed": failed, "warned": warned, "warnings": warnings, "points": report.points_count, "files": files })
}
