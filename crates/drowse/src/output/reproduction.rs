//! The table of `drowse reproduce`.

use std::fmt::Write;
use std::path::PathBuf;

use drowse_tables::Row;

use super::columns::Columns;
use super::number::significant;

/// Lays out the rows, says below why numbers differ, and names the files.
pub fn table(rows: &[Row], files: &[PathBuf]) -> String {
    let header = ["place", "quantity", "unit", "verdict", "theirs", "ours"];
    let mut columns = Columns::new(4, header.map(str::to_owned).to_vec());
    for row in rows {
        let mut cells = ["place", "quantity", "unit", "verdict"].map(|name| text(row, name)).to_vec();
        cells.push(row.number("theirs").map_or_else(|| "-".into(), |theirs| theirs.to_string()));
        cells.push(row.number("ours").map_or_else(|| "-".into(), shown));
        columns.row(cells);
    }
    let mut table = format!("{columns}\n{}\n", counts(rows));
    let differs = |row: &&Row| ["within", "differs"].contains(&text(row, "verdict").as_str());
    for row in rows.iter().filter(differs) {
        let _ = writeln!(table, "{}, {}: {}", text(row, "place"), text(row, "quantity"), text(row, "reason"));
    }
    // One reason is told for all rows that have it.
    let without = rows.iter().filter(|row| text(row, "verdict") == "no trace");
    let mut reasons: Vec<String> = without.map(|row| text(row, "reason")).collect();
    reasons.sort_unstable();
    reasons.dedup();
    for reason in reasons {
        let _ = writeln!(table, "no trace: {reason}");
    }
    for file in files {
        let _ = writeln!(table, "{}", file.display());
    }
    table
}

/// Says how many numbers are as they should be.
fn counts(rows: &[Row]) -> String {
    let count = |verdict: &str| rows.iter().filter(|row| text(row, "verdict") == verdict).count();
    let compared = rows.iter().filter(|row| row.number("theirs").is_some()).count();
    let equal = format!("{} of {compared} numbers are equal at the decimals that the paper prints", count("equal"));
    let others = [("within", "within the tolerance"), ("differs", "different"), ("no trace", "without a trace")];
    let others = others.into_iter().map(|(verdict, means)| (count(verdict), means)).filter(|&(count, _)| count > 0);
    others.fold(equal, |text, (count, means)| format!("{text}, {count} {means}"))
}

fn text(row: &Row, name: &str) -> String {
    row.get(name).map(ToString::to_string).unwrap_or_default()
}

/// Shows whole numbers in full, others with four significant digits.
fn shown(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number}") } else { significant(number) }
}
