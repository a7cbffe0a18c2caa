//! The table of `drowse reproduce`.

use std::fmt::Write;

use drowse_tables::Row;

use super::columns::Columns;
use super::number::significant;

/// Lays out the rows, and says below why numbers differ.
pub fn table(rows: &[Row]) -> String {
    let text = |row: &Row, name: &str| row.get(name).map(ToString::to_string).unwrap_or_default();
    let header = ["place", "quantity", "verdict", "theirs", "ours"];
    let mut columns = Columns::new(3, header.map(str::to_owned).to_vec());
    for row in rows {
        let [place, quantity, verdict] = ["place", "quantity", "verdict"].map(|name| text(row, name));
        let theirs = row.number("theirs").map_or_else(|| "-".into(), |theirs| theirs.to_string());
        let ours = row.number("ours").map_or_else(|| "-".into(), shown);
        columns.row(vec![place, quantity, verdict, theirs, ours]);
    }
    let is_equal = |row: &&Row| text(row, "verdict") == "equal";
    let equal = rows.iter().filter(is_equal).count();
    let mut table =
        format!("{columns}\n{equal} of {} numbers are equal at the decimals that the paper prints\n", rows.len());
    for row in rows.iter().filter(|row| !is_equal(row)) {
        let _ = writeln!(table, "{}, {}: {}", text(row, "place"), text(row, "quantity"), text(row, "reason"));
    }
    table
}

/// Shows whole numbers in full, others with four significant digits.
fn shown(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number}") } else { significant(number) }
}
