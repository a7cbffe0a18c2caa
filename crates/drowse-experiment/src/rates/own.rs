//! `time,value`: moments of UTC, such as 2024-01-15T08:00:00Z, or seconds; each value holds until the next line.

use super::clock::{SECOND, moment};
use super::decimal::number;
use super::steps::{Point, Times, series};
use super::table::{Table, Word};
use super::{Choice, Series, Wrong};

/// Returns whether the columns are those of this format.
pub fn is(table: &Table<'_>) -> bool {
    table.names() == ["time", "value"]
}

/// Reads a series.
pub fn read(table: &Table<'_>, _choice: Choice<'_>) -> Result<Series, Wrong> {
    let mut points = Vec::new();
    let mut kind = None;
    for row in table.rows() {
        let (from, times) = time(&row[0])?;
        let known = *kind.get_or_insert(times);
        if known != times {
            let help = "write moments such as 2024-01-15T08:00:00Z in all lines, or seconds in all";
            return Err((row[0].1.clone(), "some lines have moments, and some have seconds".into(), help.into()));
        }
        let value = number(&row[1], 1, table.has_commas_in_numbers())?;
        points.push(Point { from, length: None, value, span: row[0].1.clone() });
    }
    series(&points, kind.unwrap_or(Times::Seconds))
}

fn time((text, span): &Word<'_>) -> Result<(i64, Times), Wrong> {
    if let Some(moment) = moment(text) {
        return Ok((moment, Times::Calendar));
    }
    seconds(text).map(|time| (time, Times::Seconds)).ok_or_else(|| {
        let help = "write a moment of UTC such as 2024-01-15T08:00:00Z, or seconds";
        (span.clone(), format!("`{text}` is no time"), help.to_owned())
    })
}

/// Reads seconds, in microseconds.
pub fn seconds(text: &str) -> Option<i64> {
    const MOST: f64 = 1e11;
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..MOST).contains(seconds))?;
    Some((seconds * SECOND as f64).round() as i64)
}
