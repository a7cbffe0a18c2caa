//! The table of `drowse trace info`.

use std::path::Path;

use drowse_tables::schema::{Column, trace as columns};
use drowse_tables::{Row, Value};

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
    sheet.line("pairs of sender and receiver", Style::Count(""), &[row.number(columns::MESSAGES_PAIRS)], None);
    sheet.line("communicators", Style::Count(""), &[row.number(columns::COMMUNICATORS_COUNT)], None);
    sheet.line("computing, all ranks", Style::Seconds, &[row.number(columns::COMPUTE_S)], None);
    add_computing(&mut sheet, row);
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
    sheet.group("messages by size, and their bytes");
    for (size, messages) in row.all(columns::SIZES_MESSAGES) {
        add_class(&mut sheet, up_to(size), messages, row.number(columns::SIZES_BYTES.of(size)));
    }
    sheet.group("collectives by size (calls, all ranks), and the bytes that they name");
    for (of, calls) in row.all(columns::COLLECTIVE_SIZES_CALLS) {
        let (name, size) = of.split_once('.').unwrap_or((of, ""));
        let label = if name.ends_with("barrier") { name.to_owned() } else { format!("{name} {}", up_to(size)) };
        add_class(&mut sheet, label, calls, row.number(columns::COLLECTIVE_SIZES_BYTES.of(of)));
    }
    if row.all(columns::COMMUNICATORS_OF).count() > 1 {
        sheet.group("communicators by size");
        for (ranks, count) in row.all(columns::COMMUNICATORS_OF) {
            sheet.line(format!("of {ranks} ranks"), Style::Count(""), &[count.number()], None);
        }
    }
    for (_, warning) in row.all(columns::WARNINGS) {
        sheet.note(format!("warning: {warning}"));
    }
    sheet.to_string()
}

/// Adds what single ranks compute, where they differ, and its share of the time that was recorded.
fn add_computing(sheet: &mut Sheet, row: &Row) {
    for (what, column) in [
        ("of a rank, least", columns::COMPUTE_LEAST_S),
        ("of a rank, mean", columns::COMPUTE_MEAN_S),
        ("of a rank, most", columns::COMPUTE_MOST_S),
        ("recorded time", columns::RECORDED_S),
        ("run time where communication costs none", columns::IDEAL_RUN_S),
        ("of it before all communication", columns::IDEAL_RUN_BEFORE_S),
        ("of it behind all communication", columns::IDEAL_RUN_AFTER_S),
    ] {
        sheet.line(what, Style::Seconds, &[row.number(column)], None);
    }
    for (what, column) in [
        ("computing share of it, least", columns::COMPUTE_LEAST_SHARE),
        ("computing share of it, mean", columns::COMPUTE_MEAN_SHARE),
        ("computing share of it, most", columns::COMPUTE_MOST_SHARE),
    ] {
        sheet.line(what, Style::Percent, &[row.number(column)], None);
    }
}

/// Names a class of sizes by its largest.
fn up_to(size: &str) -> String {
    let bytes = size.parse::<f64>().unwrap_or(0.0);
    if bytes > 0.0 { format!("up to {}", shown(bytes)) } else { "of 0 B".to_owned() }
}

/// Shows a size in the unit that fits.
fn shown(bytes: f64) -> String {
    let (factor, unit) = Style::Bytes.unit(bytes);
    format!("{} {unit}", Style::Bytes.show(bytes * factor))
}

/// Adds the number and the bytes of what is in a class of sizes.
fn add_class(sheet: &mut Sheet, label: String, count: &Value, bytes: Option<f64>) {
    let count = Style::Count("").show(count.number().unwrap_or(0.0));
    sheet.words(label, vec![count, shown(bytes.unwrap_or(0.0))]);
}

fn add_counts(sheet: &mut Sheet, row: &Row, heading: &'static str, column: Column) {
    sheet.group(heading);
    for (kind, value) in row.all(column) {
        sheet.line(kind, Style::Count(""), &[value.number()], None);
    }
}
