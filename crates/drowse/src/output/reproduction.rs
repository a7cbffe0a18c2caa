//! The table of `drowse reproduce`.

use std::fmt::Write;
use std::path::PathBuf;

use drowse_tables::Row;
use drowse_tables::number::significant;
use drowse_tables::schema::reproduction as columns;

use super::wrap;

/// The width of the column of quantities.
const QUANTITY: usize = 46;
/// The width of the columns of numbers.
const NUMBER: usize = 9;

/// Lays out the rows by place, then the reasons of numbers that differ, and names the files.
pub fn table(rows: &[Row], files: &[PathBuf]) -> String {
    let mut table = String::new();
    for rows in rows.chunk_by(|a, b| a.get(columns::PLACE) == b.get(columns::PLACE)) {
        add_place(&mut table, rows);
    }
    let _ = writeln!(table, "\n{}", wrap::paragraph(&counts(rows)));
    let differs = |row: &&Row| ["within", "differs"].contains(&row.text(columns::VERDICT).as_str());
    for row in rows.iter().filter(differs) {
        let [place, quantity, reason] =
            [columns::PLACE, columns::QUANTITY, columns::REASON].map(|column| row.text(column));
        let _ = writeln!(table, "{}", wrap::paragraph(&format!("{place}, {quantity}: {reason}")));
    }
    // A reason of several rows is written once.
    let without = rows.iter().filter(|row| row.text(columns::VERDICT) == "not run");
    let mut reasons: Vec<String> = without.map(|row| row.text(columns::REASON)).collect();
    reasons.sort_unstable();
    reasons.dedup();
    for reason in reasons {
        let _ = writeln!(table, "{}", wrap::paragraph(&format!("not run: {reason}")));
    }
    let mut choices: Vec<String> =
        rows.iter().filter(|row| is_fitted(row)).map(|row| row.text(columns::FITTED)).collect();
    choices.sort_unstable();
    choices.dedup();
    for choice in choices {
        let _ = writeln!(table, "{}", wrap::paragraph(&format!("{FITTED} {choice}")));
    }
    for file in files {
        let _ = writeln!(table, "{}", file.display());
    }
    table
}

/// Adds the rows of one table, figure or section under its name. A long quantity has several lines, the numbers on the
/// last.
fn add_place(table: &mut String, rows: &[Row]) {
    let Some(place) = rows.first().map(|row| row.text(columns::PLACE)) else { return };
    if table.is_empty() {
        let _ = writeln!(table, "{:QUANTITY$}  {:8}  {:>NUMBER$}  {:>NUMBER$}", "", "verdict", "theirs", "ours");
    }
    let _ = writeln!(table, "{place}");
    for row in rows {
        let unit = row.text(columns::UNIT);
        let mut quantity = row.text(columns::QUANTITY);
        if unit != "1" && !quantity.contains(&unit) {
            quantity = format!("{quantity} ({unit})");
        }
        let mut lines = wrap::lines(&quantity, QUANTITY - 2);
        let last = lines.pop().unwrap_or_default();
        for line in lines {
            let _ = writeln!(table, "  {line}");
        }
        let theirs = row.number(columns::THEIRS).map_or_else(|| "-".into(), |theirs| limit(row) + &printed(theirs));
        let ours = row.number(columns::OURS).map_or_else(|| "-".into(), shown);
        let verdict = row.text(columns::VERDICT) + if is_fitted(row) { FITTED } else { "" };
        let _ = writeln!(
            table,
            "  {last:indented$}  {verdict:8}  {theirs:>NUMBER$}  {ours:>NUMBER$}",
            indented = QUANTITY - 2
        );
    }
}

/// Marks a verdict on a number by which a choice was made.
const FITTED: &str = "*";

fn is_fitted(row: &Row) -> bool {
    row.get(columns::FITTED).is_some()
}

/// Returns the sign of a number that is a limit.
fn limit(row: &Row) -> String {
    Some(row.text(columns::RELATION)).filter(|relation| relation != "=").unwrap_or_default()
}

/// Returns how many numbers have each verdict; those by which a choice was made are counted apart.
fn counts(rows: &[Row]) -> String {
    let (fitted, rows): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| is_fitted(row));
    let count = |rows: &[&Row], verdict: &str| rows.iter().filter(|row| row.text(columns::VERDICT) == verdict).count();
    let compared = rows.iter().filter(|row| row.number(columns::THEIRS).is_some()).count();
    let compared = compared - count(&rows, "shown") - count(&rows, "set");
    let equal = count(&rows, "equal");
    let equal = format!("{equal} of {compared} numbers are equal at the decimals that the paper prints");
    let others = [
        ("within", "within the tolerance or limit"),
        ("differs", "different"),
        ("not run", "not run"),
        ("shown", "more only shown, as an answer without a model would be accepted, too"),
    ];
    let others = others.into_iter().map(|(verdict, means)| (count(&rows, verdict), means));
    let text =
        others.filter(|&(count, _)| count > 0).fold(equal, |text, (count, means)| format!("{text}, {count} {means}"));
    if fitted.is_empty() {
        return text;
    }
    let met = fitted.len() - count(&fitted, "differs") - count(&fitted, "not run");
    format!(
        "{text}. Not counted are {} with a {FITTED}, by which a choice was made: {met} of them are met",
        fitted.len()
    )
}

/// Shows whole numbers in full, others with four significant digits.
fn shown(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number}") } else { significant(number) }
}

/// Shows a number of a paper as it is printed; one that was computed from printed numbers with four significant digits.
fn printed(number: f64) -> String {
    let exact = number.to_string();
    if exact.len() <= NUMBER { exact } else { significant(number) }
}
