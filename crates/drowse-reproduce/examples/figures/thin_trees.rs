//! Thin trees and their workloads: the rows of `drowse reproduce thin-trees --quick`, as they are kept in docs/data.

use std::error::Error;
use std::fmt::Write;
use std::fs::File;

use drowse_tables::schema::{REPRODUCTION, reproduction};
use drowse_tables::{Row, csv};

use crate::told;

/// The rows of all papers' quick reproductions.
const ROWS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data/quick_reproduction.csv");
/// The name of this paper in them.
const PAPER: &str = "thin-trees";

/// Writes the page.
pub fn page() -> Result<String, Box<dyn Error>> {
    let mut rows = csv::read(&REPRODUCTION, File::open(ROWS)?)?;
    rows.retain(|row| row.text(reproduction::PAPER) == PAPER);
    let mut page = told::fill(include_str!("thin_trees_text.md"), &rows)?;
    page.push_str(
        "\n## Times beside INSEE's\n\n| tree | quantity | INSEE | ours | verdict |\n|---|---|---:|---:|---|\n",
    );
    for row in &rows {
        let (place, quantity) = (row.text(reproduction::PLACE), row.text(reproduction::QUANTITY));
        let Some(tree) = place.strip_prefix("INSEE, 64 nodes, ") else { continue };
        let (theirs, verdict) = (told_range(row), row.text(reproduction::VERDICT));
        let ours = row.number(reproduction::OURS).ok_or("a row has no number of ours")?;
        let _ = writeln!(page, "| {tree} | {quantity} | {theirs} | {} | {verdict} |", shown(ours));
    }
    Ok(page)
}

/// Returns the range in which ours must lie.
fn told_range(row: &Row) -> String {
    match (row.number(reproduction::THEIRS), row.number(reproduction::TOLERANCE)) {
        (Some(theirs), Some(tolerance)) if tolerance > 0.0 => {
            format!("{} to {}", shown(theirs - tolerance), shown(theirs + tolerance))
        }
        (Some(theirs), _) => shown(theirs),
        (None, _) => "-".to_owned(),
    }
}

/// Shows cycles as whole numbers, and ratios with three decimals.
fn shown(number: f64) -> String {
    if number < 100.0 { format!("{number:.3}") } else { format!("{number:.0}") }
}
