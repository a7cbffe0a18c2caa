//! The table of `drowse trace info`.

use std::path::Path;

use drowse_tables::Row;
use drowse_tables::schema::{Column, trace as columns};

use super::number::Style;
use super::sheet::Sheet;

/// Lays out the contents of a trace.
pub fn table(file: &Path, row: &Row) -> String {
    let mut sheet = Sheet::new(&file.display().to_string(), vec![String::new()]);
    sheet.group("trace");
    sheet.words("format", vec![row.text(columns::FORMAT)]);
    sheet.line("ranks", Style::Count(""), &[row.number(columns::RANKS)], None);
    sheet.line("point-to-point messages", Style::Count(""), &[row.number(columns::MESSAGES_COUNT)], None);
    sheet.line("bytes of these", Style::Bytes, &[row.number(columns::MESSAGES_BYTES)], None);
    sheet.line("computing, all ranks", Style::Seconds, &[row.number(columns::COMPUTE_S)], None);
    for (what, column) in [
        ("operations simulated", columns::COVERAGE_SIMULATED),
        ("approximated", columns::COVERAGE_APPROXIMATED),
        ("without effect", columns::COVERAGE_IGNORED),
    ] {
        sheet.line(what, Style::Count(""), &[row.number(column)], None);
    }
    sheet.line("iterations", Style::Count(""), &[row.number(columns::ITERATIONS_COUNT)], None);
    if let Some(from) = row.get(columns::ITERATIONS_FROM) {
        sheet.words("iterations known from", vec![from.to_string()]);
    }
    add_counts(&mut sheet, row, "operations", columns::OPERATIONS);
    add_counts(&mut sheet, row, "collectives (calls, all ranks)", columns::COLLECTIVES);
    for (_, warning) in row.all(columns::WARNINGS) {
        sheet.note(format!("warning: {warning}"));
    }
    sheet.to_string()
}

fn add_counts(sheet: &mut Sheet, row: &Row, heading: &'static str, column: Column) {
    sheet.group(heading);
    for (kind, value) in row.all(column) {
        sheet.line(kind, Style::Count(""), &[value.number()], None);
    }
}
