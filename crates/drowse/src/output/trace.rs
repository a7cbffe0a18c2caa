//! The table of `drowse trace info`.

use std::path::Path;

use drowse_tables::{Row, Value};

use super::number::Style;
use super::sheet::Sheet;

/// Lays out what a trace holds.
pub fn table(file: &Path, row: &Row) -> String {
    let mut sheet = Sheet::new(&file.display().to_string(), vec![String::new()]);
    sheet.group("trace");
    sheet.words("format", vec![row.get("format").map(Value::to_string).unwrap_or_default()]);
    sheet.line("ranks", Style::Count(""), &[row.number("ranks")], None);
    sheet.line("point-to-point messages", Style::Count(""), &[row.number("messages.count")], None);
    sheet.line("bytes of these", Style::Bytes, &[row.number("messages.bytes")], None);
    sheet.line("computing, all ranks", Style::Seconds, &[row.number("compute_s")], None);
    sheet.line("iterations", Style::Count(""), &[row.number("iterations.count")], None);
    if let Some(from) = row.get("iterations.from") {
        sheet.words("iterations known from", vec![from.to_string()]);
    }
    add_counts(&mut sheet, row, "operations", "operations.");
    add_counts(&mut sheet, row, "collectives (calls, all ranks)", "collectives.");
    for (_, warning) in row.list("warnings") {
        sheet.note(format!("warning: {warning}"));
    }
    sheet.to_string()
}

fn add_counts(sheet: &mut Sheet, row: &Row, heading: &'static str, prefix: &str) {
    sheet.group(heading);
    for (name, value) in row.iter() {
        if let Some(kind) = name.strip_prefix(prefix) {
            sheet.line(kind, Style::Count(""), &[value.number()], None);
        }
    }
}
